#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "explore/explorer.hpp"

namespace lockstep::explore {

/// How a result differs from the first.
struct Comparison {
  std::optional<Difference> difference;  ///< none: it does not
  std::vector<bool> only_order;          ///< by buffer
};

/// The first result, which all others are compared with.
class Reference {
 public:
  /// Both live as long as this. `unordered` as in Request.
  Reference(const Result& first, const std::vector<bool>& unordered);

  /// Another content counts more than another order.
  Comparison compare(const Result& now) const;

 private:
  bool is_unordered(std::size_t buffer) const {
    return buffer < unordered_.size() && unordered_[buffer];
  }

  const Result& first_;
  const std::vector<bool>& unordered_;
  std::vector<std::vector<std::uint32_t>> words_;  ///< of each buffer, sorted
};

}  // namespace lockstep::explore
