#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "explore/explorer.hpp"

namespace lockstep::explore {

/// How a result differs from the first.
struct Comparison {
  std::optional<Difference> difference;  ///< none: it does not
  std::vector<bool> only_order;          ///< by buffer
};

/// The first result, which all others are compared with.
class Baseline {
 public:
  /// Both live as long as this.
  Baseline(const Result& first, const Request& request);

  /// Another content counts more than another order.
  Comparison compare(const Result& now) const;

 private:
  bool is_unordered(std::size_t buffer) const {
    return buffer < request_.unordered.size() && request_.unordered[buffer];
  }

  /// Of a buffer with other bytes.
  std::optional<std::uint64_t> first_difference(std::size_t buffer,
                                                std::span<const std::byte> now) const;

  const Result& first_;
  const Request& request_;
  std::vector<std::vector<std::uint32_t>> words_;  ///< of each buffer, sorted
};

}  // namespace lockstep::explore
