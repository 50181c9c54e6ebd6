#pragma once

#include <array>
#include <cstdint>

#include <lockstep/exec/error.hpp>
#include <lockstep/exec/lane_set.hpp>
#include <lockstep/exec/source_location.hpp>

namespace lockstep {

/// How many iterations a loop may take before it counts as endless, unless a run says otherwise.
inline constexpr std::uint64_t default_max_trips = std::uint64_t{1} << 26;

/// The limit of a run where two places can give it: the first, unless it is the default.
constexpr std::uint64_t trip_limit(std::uint64_t first, std::uint64_t second) {
  return first != default_max_trips ? first : second;
}

/// A loop that took more iterations than the run allows. Every machine gives the same message; for C++ kernels
/// on the fast machine, the dispatch adds the subgroup.
///
/// Requires      None.
/// Active lanes  `spinning` are those still in the loop, `left` those that wait for them after it.
/// Errors        This is one.
/// Cost          None until it is thrown.
/// Spec          Vulkan promises no forward progress between invocations of a subgroup.
/// Example       tests/exec/endless_loop.cpp
class EndlessLoop : public Error {
 public:
  struct Lanes {
    LaneSet spinning;
    LaneSet left = {};
    LaneSet elsewhere = {};  ///< those of the subgroup that are in neither
  };
  struct Subgroup {
    std::array<std::uint32_t, 3> workgroup{};
    std::uint32_t number = 0;
  };

  EndlessLoop(SourceLocation where, const Lanes& lanes, std::uint64_t trips,
              const Subgroup* subgroup = nullptr);

  SourceLocation where;
  Lanes lanes;
  std::uint64_t trips;
};

namespace fail {

/// Throws EndlessLoop.
[[noreturn, gnu::cold]] void endless_loop(SourceLocation where, const EndlessLoop::Lanes& lanes,
                                          std::uint64_t trips,
                                          const EndlessLoop::Subgroup* subgroup = nullptr);

}  // namespace fail
}  // namespace lockstep
