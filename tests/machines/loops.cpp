#include "machines/machines.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/workgroup/atomics.hpp>

#include <lockstep/glsl/keywords.hpp>

/// \file
/// One table of loops that may not end, for every machine: what is written, or the error, word by word. The
/// truth is plain C++ that knows which invocations never leave.

namespace {

using namespace lockstep;
using namespace lockstep::test;

constexpr std::uint32_t invocations = 48;  // of each of two workgroups
constexpr std::size_t words = 2 * invocations + 8;

template <class S>
struct LoopCases : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{invocations};
  uint which;
  Buffer<uint> out;

  void main() {
    const Uint i = gl_LocalInvocationIndex, at = gl_GlobalInvocationID.x;
    const uint lock = 96 + 2 * gl_WorkGroupID.x, counter = lock + 1;
    auto n = var(0u);
    if (which == 0) {
      While (n < i % 21u) n += 1u;
    } else if (which == 1) {
      Do {
        n += 1u;
        LoopWhile(n < i % 21u);
      }
    } else if (which == 2) {
      While (true) {
        If (n >= i % 20u) Break;
        n += 1u;
      }
    } else if (which == 3) {
      For (auto k = var(0u), k < 10u, k += 1u) {
        For (auto m = var(0u), m < i % 21u, m += 1u) n += 1u;
      }
    } else if (which == 4) {
      While ((i % 8u == 3u) | (n < 2u)) n += 1u;
    } else if (which == 5) {
      If (i % 8u == 1u) Return;
      If (i % 2u == 1u) {
        While ((i % 8u == 3u) | (n < 2u)) n += 1u;
      }
    } else if (which == 6) {
      While (atomicCompSwap(out[lock], 0u, 1u) != 0u) n += 1u;
      n = atomicAdd(out[counter], 1u);
      atomicExchange(out[lock], 0u);
    } else if (which == 7) {
      auto done = var(false);
      While (!done) {
        If (atomicCompSwap(out[lock], 0u, 1u) == 0u) {
          n = atomicAdd(out[counter], 1u);
          atomicExchange(out[lock], 0u);
          done = true;
        }
      }
    } else if (which == 8) {
      While (true) {
        If (atomicCompSwap(out[lock], 0u, 1u) == 0u) {
          n = atomicAdd(out[counter], 1u);
          atomicExchange(out[lock], 0u);
          Break;
        }
      }
    } else if (which == 9) {
      If (i == 0u) {
        While (atomicOr(out[lock], 0u) == 0u) n += 1u;
      }
      Else atomicOr(out[lock], 1u);
    } else if (which == 10) {
      If (gl_SubgroupInvocationID != 0u) atomicOr(out[lock], 1u);
      Else {
        If (i == 0u) {
          While (atomicOr(out[lock], 0u) == 0u) n += 1u;
        }
      }
      n = i;
    } else {
      While (true) {
        If (i % 2u == 0u) {
          If (out[lock] == 1u) Break;
        }
        Else {
          out[lock] = 1u;
          Break;
        }
      }
      n = i;
    }
    out[at] = n;
  }
};

constexpr const char* port = R"(#version 460
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 48) in;
layout(set = 0, binding = 0) buffer Out { uint out_[]; };
void main() {
  uint i = gl_LocalInvocationIndex, at = gl_GlobalInvocationID.x;
  uint lock = 96u + 2u * gl_WorkGroupID.x, counter = lock + 1u;
  uint n = 0u;
#if CASE == 0
  while (n < i % 21u) n += 1u;
#elif CASE == 1
  do { n += 1u; } while (n < i % 21u);
#elif CASE == 2
  while (true) {
    if (n >= i % 20u) break;
    n += 1u;
  }
#elif CASE == 3
  for (uint k = 0u; k < 10u; ++k)
    for (uint m = 0u; m < i % 21u; ++m) n += 1u;
#elif CASE == 4
  while (i % 8u == 3u || n < 2u) n += 1u;
#elif CASE == 5
  if (i % 8u == 1u) return;
  if (i % 2u == 1u)
    while (i % 8u == 3u || n < 2u) n += 1u;
#elif CASE == 6
  while (atomicCompSwap(out_[lock], 0u, 1u) != 0u) n += 1u;
  n = atomicAdd(out_[counter], 1u);
  atomicExchange(out_[lock], 0u);
#elif CASE == 7
  bool done = false;
  while (!done) {
    if (atomicCompSwap(out_[lock], 0u, 1u) == 0u) {
      n = atomicAdd(out_[counter], 1u);
      atomicExchange(out_[lock], 0u);
      done = true;
    }
  }
#elif CASE == 8
  while (true) {
    if (atomicCompSwap(out_[lock], 0u, 1u) == 0u) {
      n = atomicAdd(out_[counter], 1u);
      atomicExchange(out_[lock], 0u);
      break;
    }
  }
#elif CASE == 9
  if (i == 0u) {
    while (atomicOr(out_[lock], 0u) == 0u) n += 1u;
  } else {
    atomicOr(out_[lock], 1u);
  }
#elif CASE == 10
  if (gl_SubgroupInvocationID != 0u) {
    atomicOr(out_[lock], 1u);
  } else if (i == 0u) {
    while (atomicOr(out_[lock], 0u) == 0u) n += 1u;
  }
  n = i;
#else
  while (true) {
    if (i % 2u == 0u) {
      if (out_[lock] == 1u) break;
    } else {
      out_[lock] = 1u;
      break;
    }
  }
  n = i;
#endif
  out_[at] = n;
})";

/// Where an invocation is once its subgroup can go no further.
enum class Place { done, spins, left, elsewhere };
using enum Place;

struct Case {
  const char* name;
  std::uint64_t max_trips;
  std::function<Place(std::uint32_t i, std::uint32_t size)> place;
  std::function<std::uint32_t(std::uint32_t i)> value;
};

constexpr auto ends = [](auto, auto) { return done; };
/// The place where lanes from `longest` trips on never leave, and all others have.
auto longer(std::uint32_t modulo, std::uint32_t longest) {
  return [=](std::uint32_t i, std::uint32_t) { return i % modulo >= longest ? spins : left; };
}

const std::function<std::uint32_t(std::uint32_t)> trips = [](auto i) { return i % 21; };

const struct Row {
  std::uint32_t which;
  Case one;
} table[] = {
    {0, {"as many as allowed", 20, ends, trips}},
    {0, {"one too many", 19, longer(21, 20), trips}},
    {1, {"test last, as many as allowed", 20, ends, [](auto i) { return std::max(i % 21, 1u); }}},
    {1, {"test last, one too many", 19, longer(21, 20), trips}},
    {2, {"break, as many as allowed", 20, ends, [](auto i) { return i % 20; }}},
    {2, {"break, one too many", 19, longer(20, 19), trips}},
    {3, {"a loop in a loop", 20, ends, [](auto i) { return 10 * (i % 21); }}},
    {3, {"too many of the inner loop", 19, longer(21, 20), trips}},
    {4, {"some never leave", 1000, [](auto i, auto) { return i % 8 == 3 ? spins : left; }, trips}},
    {5,
     {"some never leave a loop that others do not enter", 1000,
      [](auto i, auto) { return i % 8 == 3                 ? spins
                                : i % 2 == 0 || i % 8 == 1 ? elsewhere
                                                           : left; },
      trips}},
    {6,
     {"a lock that one lane holds after the loop", 1000,
      [](auto i, auto size) { return size == 1       ? done
                                     : i % size == 0 ? left
                                                     : spins; },
      [](auto i) { return i; }}},
    {7, {"a lock that is released in the loop", 1000, ends, [](auto i) { return i; }}},
    {8, {"a lock that is released before a break", 1000, ends, [](auto i) { return i; }}},
    {9,
     {"a wait for the other branch, which comes later", 1000,
      [](auto i, auto) { return i == 0 ? spins : elsewhere; }, trips}},
    {11,
     {"a wait for what others do in the loop", 1000,
      [](auto i, auto size) { return size == 1 && i == 0 ? spins : done; },
      [](auto i) { return i; }}},
};

/// The error of the first subgroup that never ends; empty if there is none. `before_wait` says that subgroups before
/// it wait for it instead of having ended.
std::string endless(const Case& one, std::uint32_t size, bool before_wait) {
  for (std::uint32_t s = 0; s * size < invocations; ++s) {
    std::vector<std::uint32_t> lanes[4];
    for (std::uint32_t i = s * size; i < std::min(s * size + size, invocations); ++i)
      lanes[static_cast<int>(one.place(i, size))].push_back(i - s * size);
    if (lanes[1].empty()) continue;
    std::string text = "#: the loop does not end: lanes " + ranges(lanes[1]) + " of subgroup " +
                       std::to_string(s) + " of workgroup (0, 0, 0) are still in it after " +
                       std::to_string(one.max_trips) + " iterations";
    if (!lanes[2].empty())
      text += "; lanes " + ranges(lanes[2]) + " have left it and wait at its merge";
    if (!lanes[3].empty())
      text += "; lanes " + ranges(lanes[3]) +
              " wait at the merge of a construct around it, or have returned";
    if (!lanes[2].empty() || !lanes[3].empty())
      text +=
          "; if the loop waits for those lanes, it may never end: Vulkan promises no forward "
          "progress between invocations of a subgroup";
    std::vector<std::uint32_t> before, after;
    for (std::uint32_t other = 0; other * size < invocations; ++other)
      if (other != s) (other < s ? before : after).push_back(other);
    if (before_wait) text += waiting(before, "this one at a header or merge, #");
    text += waiting(after, "turn");
    return text + "; if it is only long, raise max_trips (--max-steps of lockstep run)";
  }
  return "";
}

TEST_CASE("loops end, or fail with the same error, on every machine") {
  int errors = 0;
  for (const Machine& machine : machines<LoopCases>(port)) {
    for (const auto& [which, one] : table) {
      for (const int size : machine_sizes) {
        // In turns, subgroups of one lane may or may not make progress in each other's loops.
        if (machine.name.ends_with("core") && size == 1 && (which == 6 || which == 11)) continue;
        INFO(machine.name << ": " << one.name << " at size " << size);
        // Under core all of a workgroup wait for one another at the end of a loop, unless some have returned.
        const bool before_wait = machine.name.ends_with("core") && which != 5;
        const std::string wrong = endless(one, static_cast<std::uint32_t>(size), before_wait);
        Outcome outcome =
            machine.run({.which = which, .size = size, .words = words, .max_trips = one.max_trips});
        CHECK(without_places(outcome.error) == wrong);
        if (!wrong.empty()) {
          ++errors;
          continue;
        }
        outcome.out.resize(2 * invocations);
        std::vector<std::uint32_t> want;
        for (std::uint32_t k = 0; k < 2 * invocations; ++k)
          want.push_back(one.value(k % invocations));
        CHECK(outcome.out == want);
      }
    }
  }
  CHECK(errors > 0);
}

}  // namespace
