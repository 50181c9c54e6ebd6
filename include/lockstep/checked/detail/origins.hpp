#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include <lockstep/exec/checks.hpp>
#include <lockstep/exec/detail/use_kind.hpp>
#include <lockstep/exec/fault_log.hpp>
#include <lockstep/exec/lane_set.hpp>
#include <lockstep/exec/memory_object.hpp>
#include <lockstep/exec/size3.hpp>
#include <lockstep/exec/source_location.hpp>

/// \file
/// Where undefined values come from: a table for each thread that runs a checked kernel. Nothing here is called as
/// long as all values are defined.

namespace lockstep::origins {

/// The number of an origin, or of a combination of origins by lane; 0: none. Values hold one.
using Number = std::uint32_t;
/// Numbers from here on are for combinations.
inline constexpr Number combined = Number{1} << 31;
/// The origin of each lane.
using OfLane = std::array<Number, 128>;

/// What the current thread runs: which rules count, and what its findings say about who it was.
///
/// Requires      All arguments outlive it. Scopes of a thread are nested.
/// Active lanes  None.
/// Errors        None.
/// Cost          A few words; tables grow with the number of origins.
/// Spec          None.
/// Example       include/lockstep/checked/machine.hpp
class RunScope {
 public:
  RunScope(Checks checks, int subgroup_size, FaultLog& findings, const Size3& workgroup,
           const std::uint32_t& subgroup);
  RunScope(const RunScope&) = delete;
  RunScope& operator=(const RunScope&) = delete;
  ~RunScope();

  struct Tables;

 private:
  std::unique_ptr<Tables> tables_;
  Tables* before_;
};

/// The size of the subgroups that the current thread runs.
int subgroup_size();
/// Whether the current run is checked for the rule.
bool is_checked_for(Check rule);

/// A new origin: the function, or operator on numbers of that many bits, breaks the rule there. 0 if the run is not
/// checked for the rule. The function's name lives as long as the run.
Number begun(Check rule, SourceLocation where, const char* function, int bits = 32);
/// The origins of these lanes in a, and of the others in b.
Number joined(Number a, LaneSet lanes, Number b, LaneSet lanes_of_b);
/// The same by lane; 0 where there is none.
Number of_lanes(const OfLane& each);
/// The origin of one lane.
Number in_lane(Number origins, int lane);

/// Adds a finding for each of the lanes.
void report(UseKind use, SourceLocation where, LaneSet lanes, Number origins,
            const MemoryObject& object = {});

}  // namespace lockstep::origins
