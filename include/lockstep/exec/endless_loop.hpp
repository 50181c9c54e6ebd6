#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <lockstep/exec/finding_error.hpp>
#include <lockstep/exec/lane_set.hpp>
#include <lockstep/exec/source_location.hpp>

namespace lockstep {

/// How many iterations a loop may take before it counts as endless, unless a run says otherwise.
inline constexpr std::uint64_t default_max_trips = std::uint64_t{1} << 26;

/// The limit of a run where two places can give it: the first, unless it is the default.
constexpr std::uint64_t trip_limit(std::uint64_t first, std::uint64_t second) {
  return first != default_max_trips ? first : second;
}

/// A loop that took more iterations than the run allows. Every machine gives the same message: where the lanes
/// of its subgroup are, and what the other subgroups wait for that have not ended. Code that knows only the loop
/// throws it without the rest, which its callers add.
///
/// Requires      None.
/// Active lanes  `spinning` are those still in the loop, `left` those that wait for them after it.
/// Errors        This is one.
/// Cost          None until it is thrown.
/// Spec          Vulkan promises no forward progress between invocations of a subgroup.
/// Example       tests/exec/endless_loop.cpp
class EndlessLoop : public FindingError {
 public:
  /// The lanes of the subgroup, by where they are.
  struct Lanes {
    LaneSet spinning;
    LaneSet left = {};
    LaneSet elsewhere = {};  ///< lanes of the subgroup that are in neither
  };
  /// The subgroup that loops.
  struct Subgroup {
    std::array<std::uint32_t, 3> workgroup{};
    std::uint32_t number = 0;
  };
  /// Another subgroup of the workgroup, which has not ended.
  struct Waiting {
    /// What it waits for.
    enum class Reason : std::uint8_t {
      barrier,    ///< this subgroup's arrival at a workgroup barrier
      construct,  ///< its arrival at a header or merge, under the rule `core`
      turn,       ///< its own turn
    };
    std::uint32_t subgroup = 0;
    Reason reason = Reason::turn;
    SourceLocation where = {};  ///< the barrier or construct
  };

  /// How a message says what the limit was, and what raises it.
  struct LimitWords {
    std::string reached;  ///< "after 4096 iterations"
    std::string advice;   ///< "raise max_trips"
  };

  EndlessLoop(SourceLocation where, const Lanes& lanes, std::uint64_t trips,
              const Subgroup* subgroup = nullptr, std::vector<Waiting> others = {});

  SourceLocation where;
  Lanes lanes;
  std::uint64_t trips;
  std::optional<Subgroup> subgroup;
  std::vector<Waiting> others;  ///< in order of their numbers

  /// The finding in the words of a program that has limits or options of its own.
  Finding finding_with(const LimitWords& words) const;
};

/// The subgroups of a workgroup where they run one after another: those after the running one have not run yet.
std::vector<EndlessLoop::Waiting> later_subgroups(std::uint32_t running, std::uint32_t count);

/// A note that a loop may wait for workgroups that have not begun: so many, from `first` on.
FaultLog not_begun(const EndlessLoop& loop, std::uint64_t later, const Size3& first);

namespace fail {

/// Throws EndlessLoop.
[[noreturn, gnu::cold]] void endless_loop(SourceLocation where, const EndlessLoop::Lanes& lanes,
                                          std::uint64_t trips,
                                          const EndlessLoop::Subgroup* subgroup = nullptr,
                                          std::vector<EndlessLoop::Waiting> others = {});
/// Throws it again, with the other subgroups of its workgroup.
[[noreturn, gnu::cold]] void endless_loop(const EndlessLoop& loop,
                                          std::vector<EndlessLoop::Waiting> others);

}  // namespace fail
}  // namespace lockstep
