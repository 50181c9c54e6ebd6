#pragma once

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace lockstep::render {

/// Values that occur again and again, each stored once: others refer to it by its number.
template <class T>
class Table {
 public:
  std::size_t operator[](const T& value) {
    const auto [found, is_new] = numbers_.try_emplace(value, values_.size());
    if (is_new) values_.push_back(value);
    return found->second;
  }
  nlohmann::ordered_json take() { return nlohmann::ordered_json(std::exchange(values_, {})); }
  /// In the order of their numbers.
  const std::vector<T>& values() const { return values_; }

 private:
  std::map<T, std::size_t> numbers_;
  std::vector<T> values_;
};

}  // namespace lockstep::render
