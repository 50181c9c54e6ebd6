#include <lockstep/exec/endless_loop.hpp>

#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <lockstep/exec/checks.hpp>
#include <lockstep/exec/event.hpp>

#include "runtime/exec/waiting_text.hpp"

namespace lockstep {
namespace {

using Waiting = EndlessLoop::Waiting;

/// Ascending numbers as ranges: 0-3, 5.
std::string ranges(const std::vector<std::uint32_t>& numbers) {
  std::string text;
  for (std::size_t k = 0; k < numbers.size();) {
    std::size_t last = k;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    if (k > 0) text += ", ";
    text += last > k ? fmt::format("{}-{}", numbers[k], numbers[last]) : fmt::to_string(numbers[k]);
    k = last + 1;
  }
  return text;
}

bool same_place(const Waiting& a, const Waiting& b) {
  return a.reason == b.reason && a.where.line == b.where.line &&
         std::string_view(a.where.file) == b.where.file;
}

/// What the subgroups wait for that wait at the same place as the first of them.
std::string text_of(const Waiting& first, const std::vector<std::uint32_t>& subgroups) {
  const bool one = subgroups.size() == 1;
  const std::string who =
      fmt::format("; subgroup{} {} wait{} for", one ? "" : "s", ranges(subgroups), one ? "s" : "");
  const auto at = [&](const char* what) {
    return fmt::format("{} this one at {}, {}:{}", who, what, first.where.file, first.where.line);
  };
  switch (first.reason) {
    case Waiting::Reason::barrier:
      return at("barrier()");
    case Waiting::Reason::construct:
      return at("a header or merge");
    case Waiting::Reason::turn:
      return who + (one ? " its turn" : " their turn");
  }
  return "";
}

EndlessLoop::LimitWords words_of(std::uint64_t trips) {
  return {fmt::format("after {} iterations", trips),
          "raise max_trips (--max-steps of lockstep run)"};
}

std::string message_of(const EndlessLoop::Lanes& lanes, const EndlessLoop::LimitWords& words,
                       const EndlessLoop::Subgroup* subgroup, const std::vector<Waiting>& others) {
  std::string text = fmt::format("the loop does not end: lanes {}", to_string(lanes.spinning));
  if (subgroup != nullptr) {
    const auto [x, y, z] = subgroup->workgroup;
    text += fmt::format(" of subgroup {} of workgroup ({}, {}, {})", subgroup->number, x, y, z);
  }
  text += " are still in it " + words.reached;
  if (lanes.left.any_lane())
    text += fmt::format("; lanes {} have left it and wait at its merge", to_string(lanes.left));
  if (lanes.elsewhere.any_lane())
    text += fmt::format("; lanes {} wait at the merge of a construct around it, or have returned",
                        to_string(lanes.elsewhere));
  if (lanes.left.any_lane() || lanes.elsewhere.any_lane())
    text +=
        "; if the loop waits for those lanes, it may never end: Vulkan promises no forward "
        "progress between invocations of a subgroup";
  return text + to_string(others) + "; if it is only long, " + words.advice;
}

Finding finding_of(SourceLocation where, const EndlessLoop::Lanes& lanes,
                   const EndlessLoop::Subgroup* subgroup, std::string message) {
  Finding finding = finding_of(Check::no_progress);
  finding.message = std::move(message);
  finding.where = where;
  if (subgroup != nullptr) {
    const auto [x, y, z] = subgroup->workgroup;
    finding.workgroup = {x, y, z};
    finding.subgroup = subgroup->number;
  }
  finding.lanes = lanes.spinning;
  finding.count = static_cast<std::uint64_t>(lanes.spinning.count());
  return finding;
}

}  // namespace

EndlessLoop::EndlessLoop(SourceLocation place, const Lanes& where_lanes_are, std::uint64_t count,
                         const Subgroup* its_subgroup, std::vector<Waiting> other_subgroups)
    : FindingError(
          finding_of(place, where_lanes_are, its_subgroup,
                     message_of(where_lanes_are, words_of(count), its_subgroup, other_subgroups))),
      where(place),
      lanes(where_lanes_are),
      trips(count),
      others(std::move(other_subgroups)) {
  if (its_subgroup != nullptr) subgroup = *its_subgroup;
}

Finding EndlessLoop::finding_with(const LimitWords& words) const {
  Finding told = finding();
  told.message = message_of(lanes, words, subgroup ? &*subgroup : nullptr, others);
  return told;
}

std::string to_string(std::vector<Waiting> others) {
  std::string text;
  while (!others.empty()) {
    const Waiting first = others.front();
    std::vector<std::uint32_t> subgroups;
    std::erase_if(others, [&](const Waiting& other) {
      if (!same_place(other, first)) return false;
      subgroups.push_back(other.subgroup);
      return true;
    });
    text += text_of(first, subgroups);
  }
  return text;
}

std::vector<Waiting> later_subgroups(std::uint32_t running, std::uint32_t count) {
  std::vector<Waiting> all;
  for (std::uint32_t s = running + 1; s < count; ++s) all.push_back({s, Waiting::Reason::turn});
  return all;
}

FaultLog not_begun(const EndlessLoop& loop, std::uint64_t later, const Size3& first) {
  Finding note = loop.finding();
  note.severity = Severity::note;
  const auto [x, y, z] = first;
  note.message = fmt::format(
      "{} workgroup{} not begun, from ({}, {}, {}) on; if the loop waits for one of them, it may "
      "never end: Vulkan promises no forward progress between workgroups",
      later, later > 1 ? "s have" : " has", x, y, z);
  FaultLog log;
  log.record(note);
  return log;
}

void fail::endless_loop(SourceLocation where, const EndlessLoop::Lanes& lanes, std::uint64_t trips,
                        const EndlessLoop::Subgroup* subgroup, std::vector<Waiting> others) {
  throw EndlessLoop(where, lanes, trips, subgroup, std::move(others));
}

void fail::endless_loop(const EndlessLoop& loop, std::vector<Waiting> others) {
  fail::endless_loop(loop.where, loop.lanes, loop.trips, loop.subgroup ? &*loop.subgroup : nullptr,
                     std::move(others));
}

}  // namespace lockstep
