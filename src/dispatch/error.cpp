#include <lockstep/dispatch/error.hpp>

#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/exec/event.hpp>

namespace lockstep {
namespace {

bool same_place(SourceLocation a, SourceLocation b) {
  return a.line == b.line && std::string_view(a.file) == b.file;
}

std::string place(SourceLocation where) { return fmt::format("{}:{}", where.file, where.line); }

using Subgroups = std::vector<std::uint32_t>;

std::string numbers(const Subgroups& subgroups) {
  return fmt::format("{}", fmt::join(subgroups, ", "));
}

/// The lanes of one subgroup that have not reached the barrier.
std::string lanes_text(std::uint32_t subgroup, const BarrierArrival& arrival) {
  std::string text =
      fmt::format("of subgroup {} lanes {} wait", subgroup, to_string(arrival.waiting));
  if (arrival.returned.any_lane())
    text += fmt::format(", lanes {} have returned", to_string(arrival.returned));
  if (arrival.elsewhere.any_lane())
    text += fmt::format(", lanes {} are in another branch or trip", to_string(arrival.elsewhere));
  return text;
}

}  // namespace

void fail::partial_barrier(Size3 workgroup, const std::vector<BarrierArrival>& subgroups) {
  Subgroups ended, here, not_whole;
  std::vector<std::pair<SourceLocation, Subgroups>> places;
  for (std::uint32_t s = 0; s < subgroups.size(); ++s) {
    const BarrierArrival& arrival = subgroups[s];
    if (arrival.ended) {
      ended.push_back(s);
      continue;
    }
    const auto same = std::ranges::find_if(
        places, [&](const auto& p) { return same_place(p.first, arrival.where); });
    if (same == places.end())
      places.push_back({arrival.where, {s}});
    else
      same->second.push_back(s);
    if (arrival.returned.any_lane() || arrival.elsewhere.any_lane()) not_whole.push_back(s);
  }

  std::vector<std::string> clauses;
  for (std::size_t k = 1; k < places.size(); ++k) {
    clauses.push_back(fmt::format("subgroups {} wait at another one, {}", numbers(places[k].second),
                                  place(places[k].first)));
  }
  if (!ended.empty()) {
    clauses.push_back(fmt::format("subgroups {} wait for {}, which have ended",
                                  numbers(places[0].second), numbers(ended)));
  }
  constexpr std::size_t most = 4;
  for (std::size_t k = 0; k < std::min(most, not_whole.size()); ++k)
    clauses.push_back(lanes_text(not_whole[k], subgroups[not_whole[k]]));
  if (not_whole.size() > most)
    clauses.push_back(fmt::format("and so in {} more subgroups", not_whole.size() - most));
  throw Error(fmt::format(
      "{}: barrier() is not reached by all of workgroup ({}, {}, {}): {}; "
      "put the barrier where all invocations pass it",
      place(places[0].first), workgroup.x, workgroup.y, workgroup.z, fmt::join(clauses, "; ")));
}

void fail::lost_barrier(SourceLocation where) {
  throw Error(
      fmt::format("{}: a function that waits at this barrier() was called without co_await: say "
                  "`co_await function()` in a main() that returns Barriers",
                  place(where)));
}

void fail::endless_loop(const EndlessLoop& loop, std::string_view kernel, Size3 workgroup,
                        std::uint32_t subgroup) {
  throw Error(fmt::format(
      "{}: the loop of kernel {} does not end: lanes {} of subgroup {} of workgroup ({}, {}, {}) "
      "are still in it after {} trips; raise max_trips if it is only long",
      place(loop.where), kernel, to_string(loop.lanes), subgroup, workgroup.x, workgroup.y,
      workgroup.z, loop.trips));
}

void fail::subgroup_size(int size, int widest) {
  throw Error(
      fmt::format("subgroup size {} does not fit the widths this dispatch was compiled for: use 1 "
                  "to {}, or name a wider one",
                  size, widest));
}

void fail::local_size() {
  throw Error("a kernel's local_size is zero in some dimension: give each at least 1");
}

void fail::buffer_size() { throw Error("a buffer has more than 2^32 - 1 elements: split it"); }

void fail::shared_memory(std::uint64_t most) {
  throw Error(
      fmt::format("a kernel's shared arrays take more than the device's maxComputeSharedMemorySize "
                  "of {} bytes: "
                  "make them smaller or take another profile",
                  most));
}

void fail::pixels(std::string_view kernel, int subgroup_size, std::uint32_t width,
                  std::uint32_t height) {
  if (subgroup_size < 4) {
    throw Error(
        fmt::format("kernel {} runs on pixels, which come in quads: subgroup size {} has no "
                    "room for one; take at least 4",
                    kernel, subgroup_size));
  }
  throw Error(
      fmt::format("kernel {} is to run on {} x {} pixels, more than 2^34 in quads: split them",
                  kernel, width, height));
}

void fail::pixels_under_core(std::string_view kernel) {
  throw Error(
      fmt::format("kernel {} runs on pixels, and rule core promises something to invocation groups "
                  "only: which pixels are one is left to Vulkan's implementations; take "
                  "subgroup-uniform or maximal",
                  kernel));
}

}  // namespace lockstep
