#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace lockstep::driver {

/// The name that a program gives an object. It can change as long as anything knows the object. Thread-safe.
class GivenName {
 public:
  /// Null takes it away.
  void set(const char* name) {
    const std::lock_guard lock(changing_);
    name_ = name == nullptr ? "" : name;
  }
  /// Empty if it has none.
  std::string get() const {
    const std::lock_guard lock(changing_);
    return name_;
  }

 private:
  mutable std::mutex changing_;
  std::string name_;
};

/// What messages call an object by.
struct Numbered {
  std::uint32_t number = 0;  ///< of the device's objects of its kind, from 1
  std::shared_ptr<GivenName> name = std::make_shared<GivenName>();

  /// module 2 "blur".
  std::string text(std::string_view kind) const {
    const std::string given = name->get();
    return given.empty() ? fmt::format("{} {}", kind, number)
                         : fmt::format("{} {} \"{}\"", kind, number, given);
  }
};

}  // namespace lockstep::driver
