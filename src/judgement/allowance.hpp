#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "judgement/rerun.hpp"

/// \file
/// What rounding and the order of sums may change beside a run's own results.

namespace lockstep::judgement {

/// Compares results of other runs with those of the first as a device's results are judged: floats inside the bounds are
/// the same.
///
/// Requires      The dispatch outlives it. Several threads may ask at once.
/// Active lanes  As in the shader.
/// Errors        None: where the dispatch does not come to its end, only equal bits are the same.
/// Cost          The first question runs the dispatch with all that devices may give. Then O(elements).
/// Spec          "Precision and Operation of SPIR-V Instructions" of the Vulkan specification.
/// Example       tests/judgement/allowance.cpp
class Allowance {
 public:
  explicit Allowance(const Rerun& rerun);
  ~Allowance();
  Allowance(const Allowance&) = delete;
  Allowance& operator=(const Allowance&) = delete;

  /// Where the first number of a part starts that differs by more than is allowed; nothing if there is none.
  std::optional<std::uint64_t> first_difference(std::size_t part,
                                                std::span<const std::byte> now) const;

 private:
  struct First;
  std::unique_ptr<First> first_;
};

}  // namespace lockstep::judgement
