#pragma once

#include <cstdint>

#include <lockstep/exec/error.hpp>
#include <lockstep/exec/lane_set.hpp>
#include <lockstep/exec/source_location.hpp>

namespace lockstep {

/// A loop that took more trips than the run allows. The dispatch adds kernel and workgroup.
///
/// Requires      Thrown by exec scopes on the fast machine.
/// Active lanes  `lanes` are those still in the loop.
/// Errors        This is one.
/// Cost          None until it is thrown.
/// Spec          None.
/// Example       tests/exec/endless_loop.cpp
class EndlessLoop : public Error {
 public:
  EndlessLoop(SourceLocation where, LaneSet lanes, std::uint64_t trips);

  SourceLocation where;
  LaneSet lanes;
  std::uint64_t trips;
};

namespace fail {

/// Throws EndlessLoop.
[[noreturn, gnu::cold]] void endless_loop(SourceLocation where, LaneSet lanes, std::uint64_t trips);

}  // namespace fail
}  // namespace lockstep
