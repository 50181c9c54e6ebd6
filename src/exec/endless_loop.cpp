#include <lockstep/exec/endless_loop.hpp>

#include <fmt/format.h>

#include <lockstep/exec/event.hpp>

namespace lockstep {

EndlessLoop::EndlessLoop(SourceLocation place, LaneSet still_there, std::uint64_t count)
    : Error(fmt::format("{}:{}: the loop does not end: lanes {} are still in it after {} trips",
                        place.file, place.line, to_string(still_there), count)),
      where(place),
      lanes(still_there),
      trips(count) {}

void fail::endless_loop(SourceLocation where, LaneSet lanes, std::uint64_t trips) {
  throw EndlessLoop(where, lanes, trips);
}

}  // namespace lockstep
