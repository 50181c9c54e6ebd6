#include "machines/machines.hpp"

#include <lockstep/glsl/pixels.hpp>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/workgroup/atomics.hpp>

#include <lockstep/glsl/keywords.hpp>

/// \file
/// One table for the machines of pixels, fast and tangled, and for those of shaders: the ports are compute shaders whose
/// workgroups are the subgroups of pixels. The truth is plain C++ that knows which pixels share a subgroup.

namespace {

using namespace lockstep;
using namespace lockstep::test;

// Both are odd, so quads at the right and below have helpers.
constexpr std::uint32_t width = 11, height = 7, counter = width * height;
constexpr std::uint32_t quads_wide = (width + 1) / 2, quads = quads_wide * ((height + 1) / 2);
constexpr std::size_t words = width * (height + 2);  // also for what helpers read
constexpr int pixel_sizes[] = {4, 8, 24, 32, 128};

template <class S>
struct PixelCases : Pixels<S> {
  LOCKSTEP_PIXELS(S);
  uint which;
  Buffer<uint> out;

  void main() {
    const Uint x = Uint(gl_FragCoord.x), y = Uint(gl_FragCoord.y), at = y * width + x;
    auto n = var(0u);
    if (which == 0) {
      n = at * 3u + 1u;
    } else if (which == 1) {
      If (x % 5u == 3u) Return;
      n = subgroupAdd(Uint(1u));
    } else if (which == 2) {
      If (x % 3u == 0u) n = subgroupAdd(y);
      Else n = 100u + subgroupBallotBitCount(subgroupBallot(y % 2u == 1u));
    } else if (which == 3) {
      While (n < at % 21u) n += 1u;
    } else if (which == 4) {
      While ((x % 8u == 3u) | (n < 2u)) n += 1u;
    } else if (which == 5) {
      n = out[at + select(x == 1u, Uint(1000u), Uint(0u))] + 7u;
      out[at + select(y == 2u, Uint(1000u), Uint(0u))] = 1u;
    } else if (which == 6) {
      const Uint beside = subgroupQuadSwapHorizontal(at);
      n = beside + 1000u * subgroupQuadSwapVertical(at);
    } else {
      atomicAdd(out[counter], 1u);
      n = at;
    }
    out[at] = n;
  }
};

// Helpers of a compute shader are invocations that store nothing.
constexpr const char* port = R"(#version 460
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_quad : require
layout(local_size_x = INVOCATIONS) in;
layout(set = 0, binding = 0) buffer Out { uint out_[]; };
void main() {
  uint lane = gl_LocalInvocationIndex;
  uint quad = gl_WorkGroupID.x * (gl_WorkGroupSize.x / 4u) + lane / 4u;
  uint x = quad % 6u * 2u + lane % 2u, y = quad / 6u * 2u + lane / 2u % 2u, at = y * 11u + x;
  bool helper = x >= 11u || y >= 7u;
  uint n = 0u;
#if CASE == 0
  n = at * 3u + 1u;
#elif CASE == 1
  if (x % 5u == 3u) return;
  n = subgroupAdd(1u);
#elif CASE == 2
  if (x % 3u == 0u) n = subgroupAdd(y);
  else n = 100u + subgroupBallotBitCount(subgroupBallot(y % 2u == 1u));
#elif CASE == 3
  while (n < at % 21u) n += 1u;
#elif CASE == 4
  while (x % 8u == 3u || n < 2u) n += 1u;
#elif CASE == 5
  n = out_[at + (x == 1u ? 1000u : 0u)] + 7u;
  if (!helper) out_[at + (y == 2u ? 1000u : 0u)] = 1u;
#elif CASE == 6
  uint beside = subgroupQuadSwapHorizontal(at);
  n = beside + 1000u * subgroupQuadSwapVertical(at);
#else
  if (!helper) atomicAdd(out_[77], 1u);
  n = at;
#endif
  if (!helper) out_[at] = n;
})";

/// A lane of a subgroup: a pixel, or a helper.
struct Lane {
  std::uint32_t group, lane, x, y;

  bool helper() const { return x >= width || y >= height; }
  std::uint32_t at() const { return y * width + x; }
};

/// Subgroups take quads row by row.
std::vector<Lane> lanes_of(int size) {
  std::vector<Lane> all;
  const std::uint32_t each = static_cast<std::uint32_t>(size) / 4;
  for (std::uint32_t quad = 0; quad < quads; ++quad) {
    for (std::uint32_t k = 0; k < 4; ++k) {
      all.push_back({quad / each, quad % each * 4 + k, quad % quads_wide * 2 + k % 2,
                     quad / quads_wide * 2 + k / 2});
    }
  }
  return all;
}

using Pick = std::function<bool(const Lane&)>;
Pick in_group(std::uint32_t group, const Pick& pick) {
  return [=](const Lane& lane) { return lane.group == group && pick(lane); };
}
std::uint32_t count(const std::vector<Lane>& lanes, const Pick& pick) {
  return static_cast<std::uint32_t>(std::ranges::count_if(lanes, pick));
}
std::string list(const std::vector<Lane>& lanes, const Pick& pick) {
  std::vector<std::uint32_t> numbers;
  for (const Lane& lane : lanes)
    if (pick(lane)) numbers.push_back(lane.lane);
  return ranges(numbers);
}

const Pick always = [](const Lane&) { return true; };
const Pick never = [](const Lane&) { return false; };

struct Case {
  const char* name;
  std::uint32_t which;
  std::uint64_t max_trips;
  Pick stays;  ///< whether the lane stores; others return early
  std::function<std::uint32_t(const Lane&, const std::vector<Lane>&)> value;
  Pick spins = never;
  Pick reads_outside = never, writes_outside = never;
};

const Case table[] = {
    {"all end", 0, 1000, always, [](auto& p, auto&) { return p.at() * 3 + 1; }},
    {"some return, the others count those that have not", 1, 1000,
     [](auto& p) { return p.x % 5 != 3; },
     [](auto& p, auto& all) {
       return count(all, in_group(p.group, [](auto& other) { return other.x % 5 != 3; }));
     }},
    {"subgroup operations in both branches", 2, 1000, always,
     [](auto& p, auto& all) {
       if (p.x % 3 != 0)
         return 100 + count(all, in_group(p.group, [](auto& other) {
                              return other.x % 3 != 0 && other.y % 2 == 1;
                            }));
       std::uint32_t sum = 0;
       for (const Lane& other : all)
         if (other.group == p.group && other.x % 3 == 0) sum += other.y;
       return sum;
     }},
    {"as many iterations as allowed", 3, 20, always, [](auto& p, auto&) { return p.at() % 21; }},
    {"one iteration too many", 3, 19, always, {}, [](auto& p) { return p.at() % 21 == 20; }},
    {"some never leave a loop", 4, 1000, always, {}, [](auto& p) { return p.x % 8 == 3; }},
    {"accesses outside the buffer", 5, 1000, always, [](auto&, auto&) { return 7u; }, never,
     [](auto& p) { return p.x == 1; }, [](auto& p) { return p.y == 2 && !p.helper(); }},
    {"quads", 6, 1000, always,
     [](auto& p, auto&) { return p.y * width + (p.x ^ 1) + 1000 * ((p.y ^ 1) * width + p.x); }},
    {"helpers take no part in atomics", 7, 1000, always, [](auto& p, auto&) { return p.at(); }},
};

/// The error of the first subgroup that never ends; empty if there is none.
std::string endless(const Case& one, const std::vector<Lane>& lanes) {
  const auto first = std::ranges::find_if(lanes, one.spins);
  if (first == lanes.end()) return "";
  const std::uint32_t group = first->group;
  std::string text = "#: the loop does not end: lanes " + list(lanes, in_group(group, one.spins)) +
                     " of subgroup 0 of workgroup (" + std::to_string(group) +
                     ", 0, 0) are still in it after " + std::to_string(one.max_trips) +
                     " iterations";
  const std::string left =
      list(lanes, in_group(group, [&](const Lane& lane) { return !one.spins(lane); }));
  if (!left.empty())
    text += "; lanes " + left +
            " have left it and wait at its merge; if the loop waits for those lanes, it may never "
            "end: Vulkan promises no forward progress between invocations of a subgroup";
  return text + "; if it is only long, raise max_trips (--max-steps of lockstep run)";
}

Outcome run_pixels(const CaseRun& given, int threads, const Rule* rule) {
  return outcome_of(given, [&](std::vector<std::uint32_t>& out) {
    Chooser chooser = Chooser::rejoin_all();
    Convergence convergence{.chooser = &chooser, .max_trips = given.max_trips};
    const Device device{.subgroup_size = given.size,
                        .threads = threads,
                        .max_trips = given.max_trips,
                        .faults = Faults::counted};
    if (rule == nullptr)
      return device.dispatch_pixels<PixelCases, 128>(width, height, given.which, out);
    convergence.rule = *rule;
    return device.dispatch_pixels<PixelCases, 128>(convergence, width, height, given.which, out);
  });
}

std::vector<Machine> pixel_machines() {
  static constexpr Rule rules[] = {Rule::maximal, Rule::subgroup_uniform};
  std::vector<Machine> all;
  for (const int threads : {1, 2})
    all.push_back({"pixels, fast, " + std::to_string(threads) + " threads", false, false,
                   [=](const CaseRun& run) { return run_pixels(run, threads, nullptr); }});
  for (const Rule& rule : rules)
    all.push_back({"pixels, " + std::string(to_string(rule)), false, true,
                   [&](const CaseRun& run) { return run_pixels(run, 1, &rule); }});
  add_shaders(all, port);
  return all;
}

std::vector<std::uint32_t> values(const Case& one, const std::vector<Lane>& lanes) {
  std::vector<std::uint32_t> out(words);
  for (const Lane& lane : lanes) {
    if (lane.helper()) continue;
    if (one.stays(lane)) out[lane.at()] = one.value(lane, lanes);
    if (one.which == 7) ++out[counter];
  }
  return out;
}

/// A finding for each of the two accesses, with all that made them.
void check_faults(const FaultLog& faults, const Case& one, const std::vector<Lane>& lanes) {
  CHECK(faults.count() == count(lanes, one.reads_outside) + count(lanes, one.writes_outside));
  const std::pair<AccessKind, Pick> kinds[] = {{AccessKind::read, one.reads_outside},
                                               {AccessKind::write, one.writes_outside}};
  std::size_t seen = 0;
  for (const auto& [kind, pick] : kinds) {
    const auto first = std::ranges::find_if(lanes, pick);
    if (first == lanes.end()) continue;
    const auto& findings = faults.findings();
    const auto found = std::ranges::find_if(
        findings, [kind = kind](const Finding& f) { return f.access.kind == kind; });
    REQUIRE(found != findings.end());
    ++seen;
    CHECK(found->rule == "out-of-bounds");
    CHECK(found->count == count(lanes, pick));
    CHECK(found->workgroup == Size3{first->group, 0, 0});
    // Shaders count in bytes.
    const std::uint64_t each = found->access.unit == LaneAccess::Unit::element ? 1 : 4;
    CHECK(found->access.index == each * (first->at() + 1000));
    CHECK(found->access.size == each * words);
    LaneSet all;
    for (const Lane& lane : lanes)
      if (pick(lane)) all = all | LaneSet::lane(static_cast<int>(lane.lane));
    CHECK(found->lanes == all);
  }
  CHECK(faults.findings().size() == seen);
}

TEST_CASE("pixels end, fail and find the same on every machine") {
  int errors = 0;
  for (const Machine& machine : pixel_machines()) {
    for (const Case& one : table) {
      for (const int size : pixel_sizes) {
        INFO(machine.name << ": " << one.name << " at size " << size);
        const std::vector<Lane> lanes = lanes_of(size);
        const auto each = std::min(static_cast<std::uint32_t>(size), 4 * quads);
        const Outcome outcome = machine.run({.which = one.which,
                                             .size = size,
                                             .words = words,
                                             .max_trips = one.max_trips,
                                             .groups = lanes.back().group + 1,
                                             .invocations = each});
        const std::string wrong = endless(one, lanes);
        CHECK(without_places(outcome.error) == wrong);
        if (!wrong.empty()) {
          ++errors;
          continue;
        }
        CHECK(outcome.out == values(one, lanes));
        check_faults(outcome.faults, one, lanes);
      }
    }
  }
  CHECK(errors > 0);
}

TEST_CASE("pixels have no workgroup that could meet") {
  std::vector<std::uint32_t> out(words);
  const Convergence core{.rule = Rule::core};
  CHECK_THROWS_AS((Device{.subgroup_size = 8}.dispatch_pixels<PixelCases, 128>(
                      core, width, height, std::uint32_t{0}, out)),
                  Error);
}

}  // namespace
