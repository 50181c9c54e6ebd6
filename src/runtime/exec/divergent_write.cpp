#include <lockstep/exec/divergent_write.hpp>

#include <fmt/format.h>

#include <lockstep/exec/error.hpp>
#include <lockstep/exec/event.hpp>

namespace lockstep {

LaneSet returned_lanes(const ReconvergenceStack& stack) {
  LaneSet here;
  const auto add = [&](const Tangles& tangles) {
    for (const Tangle& t : tangles) here = here | t.lanes;
  };
  add(stack.tangles);
  for (const Frame& frame : stack.frames) {
    add(frame.waiting);
    add(frame.arrived);
    add(frame.continuing);
  }
  return stack.existing.without(here);
}

void fail::divergent_write(SourceLocation where, LaneSet active, LaneSet outside) {
  throw Error(
      fmt::format("{}:{}: a uniform variable is written by lanes {} while lanes {} are not active: "
                  "it would change for "
                  "them, too; declare it with var, which has a value for each lane",
                  where.file, where.line, to_string(active), to_string(outside)));
}

}  // namespace lockstep
