#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "judgement/rerun.hpp"
#include "oracle/bounds.hpp"

/// \file
/// In which order a device made its atomics, as its results tell.

namespace lockstep::judgement {

/// What was found about the order.
struct Orders {
  enum class Outcome : std::uint8_t {
    unknown,  ///< not all could be tried, or followed
    found,    ///< an order gives what the device gave
    none,     ///< no order does
  };
  Outcome outcome = Outcome::unknown;
  Contents contents = {};  ///< found, none: of the order that explains the most
  /// By part: where numbers start that this order does not explain.
  std::vector<std::set<std::size_t>> wrong = {};
  /// By part: where numbers start that this order leaves open, as a rounding decides them.
  std::vector<std::set<std::size_t>> open = {};
};

/// Infers what each atomic returned from what the invocations that use it left, and runs the dispatch with that. It follows
/// counters, claims by compare-and-swap, and exchanges; what depends on others it leaves.
///
/// Requires      The bounds come from the run that left `expected`.
/// Active lanes  As in the shader.
/// Errors        None: what cannot run is unknown.
/// Cost          As many runs as the atomics of an invocation may return numbers, up to 2000 or the time.
/// Spec          SPIR-V OpAtomic...: each is made at once, in some order
/// Example       tests/judgement/orders.cpp
Orders find_orders(const Rerun& rerun, const Contents& device, const Contents& expected,
                   const oracle::Bounds& bounds,
                   std::chrono::duration<double> most_time = std::chrono::seconds(5));

}  // namespace lockstep::judgement
