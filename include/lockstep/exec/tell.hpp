#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <lockstep/exec/event.hpp>
#include <lockstep/exec/reconvergence_stack.hpp>

/// \file
/// The only place where events are made, for every front end. Without an observer that asks for the event these
/// functions do nothing; callers that would compute values for them ask the stack first.

namespace lockstep {

/// Reports an event that has nothing else but `others` and, of a loop, the number of its iteration.
void tell(const ReconvergenceStack& stack, Event::Kind kind, SourceLocation where,
          LaneSet others = {}, std::uint64_t trip = 0);
/// Reports a merge: what the tangles that arrived have become.
void tell_merge(const ReconvergenceStack& stack, Event::Kind kind, SourceLocation where,
                const Tangles& arrivals, Event::Reason reason, std::uint64_t trip);
/// Reports a built-in that a tangle has executed.
void tell_built_in(const ReconvergenceStack& stack, SourceLocation where, const Tangle& tangle,
                   std::string_view name, std::vector<LaneValues> operands, LaneValues result);

/// What an access did besides its place.
struct AccessValues {
  std::string_view name = {};             ///< of an atomic or a function on images
  std::vector<LaneValues> operands = {};  ///< as Event::operands
  LaneValues result = {};                 ///< as Event::result
};
/// Reports an access that the lanes have made; nothing if there are none.
void tell_access(const ReconvergenceStack& stack, AccessKind kind, SourceLocation where,
                 LaneSet lanes, Access access, AccessValues values);
/// Reports a barrier.
void tell_sync(const ReconvergenceStack& stack, SourceLocation where, const Sync& sync);

}  // namespace lockstep
