#include <lockstep/exec/endless_loop.hpp>

#include <string>

#include <fmt/format.h>

#include <lockstep/exec/event.hpp>

namespace lockstep {
namespace {

std::string text_of(SourceLocation where, const EndlessLoop::Lanes& lanes, std::uint64_t trips,
                    const EndlessLoop::Subgroup* subgroup) {
  std::string text = fmt::format("{}:{}: the loop does not end: lanes {}", where.file, where.line,
                                 to_string(lanes.spinning));
  if (subgroup != nullptr) {
    const auto [x, y, z] = subgroup->workgroup;
    text += fmt::format(" of subgroup {} of workgroup ({}, {}, {})", subgroup->number, x, y, z);
  }
  text += fmt::format(" are still in it after {} iterations", trips);
  if (lanes.left.any_lane())
    text += fmt::format("; lanes {} have left it and wait at its merge", to_string(lanes.left));
  if (lanes.elsewhere.any_lane())
    text += fmt::format("; lanes {} wait at the merge of a construct around it, or have returned",
                        to_string(lanes.elsewhere));
  if (lanes.left.any_lane() || lanes.elsewhere.any_lane())
    text +=
        "; if the loop waits for those lanes, it may never end: Vulkan promises no forward "
        "progress "
        "between invocations of a subgroup";
  return text + "; if it is only long, raise max_trips (--max-steps of lockstep run)";
}

}  // namespace

EndlessLoop::EndlessLoop(SourceLocation place, const Lanes& where_lanes_are, std::uint64_t count,
                         const Subgroup* subgroup)
    : Error(text_of(place, where_lanes_are, count, subgroup)),
      where(place),
      lanes(where_lanes_are),
      trips(count) {}

void fail::endless_loop(SourceLocation where, const EndlessLoop::Lanes& lanes, std::uint64_t trips,
                        const EndlessLoop::Subgroup* subgroup) {
  throw EndlessLoop(where, lanes, trips, subgroup);
}

}  // namespace lockstep
