#include "machines/machines.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/glsl/keywords.hpp>
#include <lockstep/workgroup/shared.hpp>

/// \file
/// One table of workgroup barriers for every machine: what is written, or the error, word by word. The
/// truth is a plain loop over invocations, which knows of each where it is once it can go no further.

namespace {

using namespace lockstep;
using namespace lockstep::test;

constexpr std::uint32_t invocations = 48;  // of each of two workgroups

template <class S>
struct BarrierCases : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{invocations};
  uint which;
  Buffer<uint> out;
  Shared<uint, invocations> cells{this};

  Barriers main() {
    const Uint i = gl_LocalInvocationIndex, at = gl_GlobalInvocationID.x;
    if (which == 0) {
      cells[i] = i * 3u + 1u;
      co_await barrier();
      out[at] = cells[(i + 7u) % 48u];
    } else if (which == 1) {
      If (i == 5u) Return;
      co_await barrier();
      out[at] = i + 1u;
    } else if (which == 2) {
      If (i >= 24u) Return;
      co_await barrier();
      out[at] = i + 1u;
    } else if (which == 3) {
      If (i < 16u) {
        co_await barrier();
        out[at] = i + 100u;
      }
      Else {
        co_await barrier();
        out[at] = i + 200u;
      }
    } else if (which == 4) {
      auto trips = var(2u);
      If (i < 24u) trips = 3u;
      For (auto n = var(0u), n < trips, n += 1u) {
        co_await barrier();
        out[at] = out[at] + 1u;
      }
    } else if (which == 5) {
      cells[i] = i;
      for (uint n = 0; n < 3; ++n) {
        co_await barrier();
        const Uint next = cells[(i + 1u) % 48u];
        co_await barrier();
        cells[i] = next + 1u;
      }
      out[at] = cells[i];
    } else if (which == 6) {
      cells[i] = i;
      co_await function(i, 48u);
      const Uint next = cells[(i + 1u) % 48u];
      co_await function(i, 48u);
      out[at] = next;
    } else if (which == 7) {
      co_await function(i, 9u);
      out[at] = i + 1u;
    } else if (which == 8) {
      If (i == 5u) Return;
      co_await function(i, 9u);
      out[at] = i + 1u;
    } else if (which == 9) {
      if (gl_SubgroupID == 0) co_await barrier();
      out[at] = i + 1u;
    } else if (which == 10) {
      if (gl_SubgroupID % 2 == 0)
        co_await barrier();
      else
        co_await barrier();
      out[at] = i + 1u;
    } else if (which == 11) {
      co_await barrier();
      If (i == 40u) Return;
      co_await barrier();
      out[at] = i + 1u;
    } else if (which == 12) {
      While (true) {
        If (i == 3u) Break;
        co_await barrier();
        out[at] = i + 1u;
        Break;
      }
    } else {
      If (i >= 40u) Return;
      out[at] = i + 1u;
    }
  }
  Barriers function(const Uint& i, uint early) {
    Function;
    If (i == early) Return;
    co_await barrier();
  }
};

constexpr const char* port = R"(#version 460
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 48) in;
layout(set = 0, binding = 0) buffer Out { uint out_[]; };
shared uint cells[48];
uint i, at;
void function(uint early) {
  if (i == early) return;
  barrier();
}
void main() {
  i = gl_LocalInvocationIndex;
  at = gl_GlobalInvocationID.x;
#if CASE == 0
  cells[i] = i * 3u + 1u;
  barrier();
  out_[at] = cells[(i + 7u) % 48u];
#elif CASE == 1
  if (i == 5u) return;
  barrier();
  out_[at] = i + 1u;
#elif CASE == 2
  if (i >= 24u) return;
  barrier();
  out_[at] = i + 1u;
#elif CASE == 3
  if (i < 16u) { barrier(); out_[at] = i + 100u; } else { barrier(); out_[at] = i + 200u; }
#elif CASE == 4
  uint trips = i < 24u ? 3u : 2u;
  for (uint n = 0u; n < trips; ++n) {
    barrier();
    out_[at] += 1u;
  }
#elif CASE == 5
  cells[i] = i;
  for (uint n = 0u; n < 3u; ++n) {
    barrier();
    uint next = cells[(i + 1u) % 48u];
    barrier();
    cells[i] = next + 1u;
  }
  out_[at] = cells[i];
#elif CASE == 6
  cells[i] = i;
  function(48u);
  uint next = cells[(i + 1u) % 48u];
  function(48u);
  out_[at] = next;
#elif CASE == 7
  function(9u);
  out_[at] = i + 1u;
#elif CASE == 8
  if (i == 5u) return;
  function(9u);
  out_[at] = i + 1u;
#elif CASE == 9
  if (gl_SubgroupID == 0u) barrier();
  out_[at] = i + 1u;
#elif CASE == 10
  if (gl_SubgroupID % 2u == 0u) barrier(); else barrier();
  out_[at] = i + 1u;
#elif CASE == 11
  barrier();
  if (i == 40u) return;
  barrier();
  out_[at] = i + 1u;
#elif CASE == 12
  while (true) {
    if (i == 3u) break;
    barrier();
    out_[at] = i + 1u;
    break;
  }
#else
  if (i >= 40u) return;
  out_[at] = i + 1u;
#endif
})";

/// Where an invocation is after it has passed `round` barriers.
enum class Place { first, second, returned, waits_for_its_subgroup };
using enum Place;

struct Case {
  const char* name;
  std::function<Place(std::uint32_t i, std::uint32_t round, std::uint32_t subgroup)> place;
  std::function<std::uint32_t(std::uint32_t i)> value;  ///< at the end, if all goes well
};

const Case table[] = {
    {"all come", [](auto, auto round, auto) { return round < 1 ? first : returned; },
     [](auto i) { return (i + 7) % 48 * 3 + 1; }},
    {"one has returned",
     [](auto i, auto round, auto) { return i != 5 && round < 1 ? first : returned; },
     [](auto i) { return i != 5 ? i + 1 : 0; }},
    {"half of them have returned",
     [](auto i, auto round, auto) { return i < 24 && round < 1 ? first : returned; },
     [](auto i) { return i < 24 ? i + 1 : 0; }},
    {"two barriers in two branches",
     [](auto i, auto round, auto) { return round >= 1 ? returned
                                           : i < 16   ? first
                                                      : second; },
     [](auto i) { return i < 16 ? i + 100 : i + 200; }},
    {"a loop with different numbers of iterations",
     [](auto i, auto round, auto) {
       return round < (i < 24 ? 3 : 2) ? first : waits_for_its_subgroup;
     },
     [](auto i) { return i < 24 ? 3u : 2u; }},
    {"two in a loop",
     [](auto, auto round, auto) { return round >= 6       ? returned
                                         : round % 2 == 0 ? first
                                                          : second; },
     [](auto i) { return (i + 3) % 48 + 3; }},
    {"in a function that is called twice",
     [](auto, auto round, auto) { return round < 2 ? first : returned; },
     [](auto i) { return (i + 1) % 48; }},
    {"one has returned from the function",
     [](auto i, auto round, auto) { return i != 9 && round < 1 ? first : waits_for_its_subgroup; },
     [](auto i) { return i + 1; }},
    {"one has returned from the function, another from the kernel",
     [](auto i, auto round, auto) {
       return i == 5 ? returned : i != 9 && round < 1 ? first : waits_for_its_subgroup;
     },
     [](auto i) { return i != 5 ? i + 1 : 0; }},
    {"one subgroup comes",
     [](auto, auto round, auto subgroup) {
       return subgroup == 0 && round < 1 ? first : waits_for_its_subgroup;
     },
     [](auto i) { return i + 1; }},
    {"every other subgroup comes to another barrier",
     [](auto, auto round, auto subgroup) {
       return round >= 1 ? returned : subgroup % 2 == 0 ? first : second;
     },
     [](auto i) { return i + 1; }},
    {"one returns between two barriers",
     [](auto i, auto round, auto) {
       return round == 0 ? first : i != 40 && round < 2 ? second : returned;
     },
     [](auto i) { return i != 40 ? i + 1 : 0; }},
    {"one has left the loop",
     [](auto i, auto round, auto) { return i != 3 && round < 1 ? first : waits_for_its_subgroup; },
     [](auto i) { return i != 3 ? i + 1 : 0; }},
    {"no barrier", [](auto, auto, auto) { return returned; },
     [](auto i) { return i < 40 ? i + 1 : 0; }},
};

std::string list(const std::vector<std::uint32_t>& numbers) {
  std::string text;
  for (const std::uint32_t n : numbers) text += (text.empty() ? "" : ", ") + std::to_string(n);
  return text;
}
/// What keeps the workgroup from a barrier in this round; empty if nothing does, "end" if all have ended.
std::string obstacle(const Case& one, std::uint32_t size, std::uint32_t round) {
  std::vector<std::uint32_t> at_first, at_second, ended;
  std::vector<std::string> lanes_missing;
  bool second_comes_first = false;
  for (std::uint32_t s = 0; s * size < invocations; ++s) {
    std::vector<std::uint32_t> lanes[4];
    for (std::uint32_t i = s * size; i < std::min(s * size + size, invocations); ++i)
      lanes[static_cast<int>(one.place(i, round, s))].push_back(i - s * size);
    if (lanes[0].empty() && lanes[1].empty()) {
      ended.push_back(s);
      continue;
    }
    const bool waits_at_first = !lanes[0].empty();
    if (at_first.empty() && at_second.empty()) second_comes_first = !waits_at_first;
    (waits_at_first ? at_first : at_second).push_back(s);
    std::vector<std::uint32_t> elsewhere = lanes[3];
    if (waits_at_first) elsewhere.insert(elsewhere.end(), lanes[1].begin(), lanes[1].end());
    std::sort(elsewhere.begin(), elsewhere.end());
    if (elsewhere.empty() && lanes[2].empty()) continue;
    const auto& waiting = lanes[waits_at_first ? 0 : 1];
    std::string text = "of subgroup " + std::to_string(s) +
                       (waiting.size() == 1 ? " lane " + ranges(waiting) + " waits"
                                            : " lanes " + ranges(waiting) + " wait");
    if (!lanes[2].empty())
      text += lanes[2].size() == 1 ? ", lane " + ranges(lanes[2]) + " has returned"
                                   : ", lanes " + ranges(lanes[2]) + " have returned";
    if (!elsewhere.empty())
      text += elsewhere.size() == 1
                  ? ", lane " + ranges(elsewhere) + " is in another branch or trip"
                  : ", lanes " + ranges(elsewhere) + " are in another branch or trip";
    lanes_missing.push_back(text);
  }
  if (at_first.empty() && at_second.empty()) return "end";
  if (second_comes_first) std::swap(at_first, at_second);
  std::vector<std::string> clauses;
  if (!at_second.empty())
    clauses.push_back((at_second.size() == 1 ? "subgroup " + list(at_second) + " waits"
                                             : "subgroups " + list(at_second) + " wait") +
                      " at another one, #");
  if (!ended.empty())
    clauses.push_back((at_first.size() == 1 ? "subgroup " + list(at_first) + " waits for "
                                            : "subgroups " + list(at_first) + " wait for ") +
                      (ended.size() == 1 ? "subgroup " + list(ended) + ", which has ended"
                                         : "subgroups " + list(ended) + ", which have ended"));
  for (std::size_t k = 0; k < std::min<std::size_t>(4, lanes_missing.size()); ++k)
    clauses.push_back(lanes_missing[k]);
  if (lanes_missing.size() > 4)
    clauses.push_back("and so in " + std::to_string(lanes_missing.size() - 4) + " more subgroups");
  std::string text;
  for (const std::string& clause : clauses) text += (text.empty() ? "" : "; ") + clause;
  return text;
}
/// The first such obstacle on the way to the end.
std::string first_obstacle(const Case& one, int size) {
  for (std::uint32_t round = 0;; ++round) {
    const std::string text = obstacle(one, static_cast<std::uint32_t>(size), round);
    if (text == "end") return "";
    if (text.empty()) continue;
    return "#: barrier() is not reached by all of workgroup (0, 0, 0): " + text;
  }
}

std::vector<std::uint32_t> values(const Case& one) {
  std::vector<std::uint32_t> all;
  for (std::uint32_t k = 0; k < 2 * invocations; ++k) all.push_back(one.value(k % invocations));
  return all;
}

TEST_CASE("barriers open, or fail with the same error, on every machine") {
  int errors = 0;
  for (const Machine& machine : machines<BarrierCases>(port)) {
    for (std::uint32_t which = 0; which < std::size(table); ++which) {
      for (const int size : machine_sizes) {
        INFO(machine.name << ": " << table[which].name << " at size " << size);
        const std::string wrong = first_obstacle(table[which], size);
        const Outcome outcome = machine.run({.which = which, .size = size, .words = 96});
        CHECK(outcome.notes.count == 0);
        if (wrong.empty()) {
          CHECK(outcome.error == "");
          CHECK(outcome.out == values(table[which]));
        } else {
          ++errors;
          CHECK(without_places(outcome.error) ==
                wrong + "; put the barrier where all invocations pass it");
        }
      }
    }
  }
  CHECK(errors > 0);
}

TEST_CASE("lenient barriers open on every machine, with a note that has the error's text") {
  for (const Machine& machine : machines<BarrierCases>(port)) {
    for (std::uint32_t which = 0; which < std::size(table); ++which) {
      for (const int size : machine_sizes) {
        INFO(machine.name << ": " << table[which].name << " at size " << size);
        const std::string wrong = first_obstacle(table[which], size);
        const Outcome outcome =
            machine.run({.which = which, .size = size, .words = 96, .lenient = {.barriers = true}});
        CHECK(outcome.error == "");
        CHECK(outcome.out == values(table[which]));
        CHECK((outcome.notes.count > 0) == !wrong.empty());
        if (wrong.empty()) continue;
        CHECK(without_places(outcome.notes.first) == wrong + "; they are counted as arrived");
        CHECK(outcome.notes.workgroup == Size3{0, 0, 0});
      }
    }
  }
}

// clang-format off
template <class S>
struct BarriersOfOneLine : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8};
  uint which;
  Barriers main() {
    if (which == 0) {
      if (gl_SubgroupID == 0) co_await barrier(); else co_await barrier();
    } else if (which == 1) {
      if (gl_SubgroupID == 0) co_await controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsAcquireRelease); else co_await barrier();
    } else {
      for (uint n = 0; n < 2; ++n) { co_await barrier(); if (n == 0) co_await barrier(); }
    }
  }
};
// clang-format on

TEST_CASE("two barriers on one line of a C++ kernel are two barriers") {
  const Device device{.subgroup_size = 4};
  Chooser chooser = Chooser::rejoin_all();
  const Convergence convergence{.chooser = &chooser};
  const auto wrong = [](const auto& dispatch) -> std::string {
    try {
      dispatch();
      return "";
    } catch (const Error& error) {
      return without_places(error.what());
    }
  };
  for (std::uint32_t which = 0; which < 3; ++which) {
    const std::string want =
        which < 2 ? "#: barrier() is not reached by all of workgroup (0, 0, 0): subgroup 1 waits "
                    "at another one, #; put the barrier where all invocations pass it"
                  : "";
    CHECK(wrong([&] { device.dispatch<BarriersOfOneLine, 4>({1}, which); }) == want);
    CHECK(wrong([&] { device.dispatch<BarriersOfOneLine, 4>(convergence, {1}, which); }) == want);
  }
}

// The barriers of a macro have one line and column, and so has that of a function. When clang optimizes, no more than
// these are known.
#if defined(__clang__) && defined(__OPTIMIZE__)
constexpr bool paths_known = false;
#else
constexpr bool paths_known = true;
#endif

#define LOCKSTEP_TEST_EITHER() \
  if (gl_SubgroupID == 0)      \
    co_await barrier();        \
  else                         \
    co_await barrier();

template <class S>
struct BarriersOfOneCall : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{12};
  uint which;
  auto call() const { return barrier(); }
  Barriers wait() { co_await barrier(); }
  Barriers wait_in_function() { co_await wait(); }
  BarriersThen<uint> wait_twice(uint value) {
    for (uint n = 0; n < 2; ++n) co_await wait();
    co_return value;
  }
  Barriers main() {
    const bool first = gl_SubgroupID == 0;
    if (which == 0) {
      LOCKSTEP_TEST_EITHER()
    } else if (which == 1) {
      if (first) {
        LOCKSTEP_TEST_EITHER()
      } else {
        LOCKSTEP_TEST_EITHER()
      }
    } else if (which == 2) {
      if (first)
        co_await call();
      else
        co_await call();
    } else if (which == 3) {
      if (first)
        co_await wait();
      else
        co_await wait();
    } else if (which == 4) {
      co_await wait();
      if (first)
        co_await wait_in_function();
      else
        co_await wait_in_function();
    } else if (which == 5) {
      if (first)
        (void)co_await wait_twice(1);
      else
        (void)co_await wait_twice(2);
    } else if (which == 6) {
      if (first)
        co_await wait();
      else
        co_await barrier();
    } else {
      for (uint n = 0; n < 3; ++n) {
        co_await call();
        co_await wait();
        co_await wait_in_function();
        if (co_await wait_twice(first ? 1 : 2) == 0) co_await wait();
      }
    }
  }
};

TEST_CASE("each co_await is a barrier of its own, also in one macro and of one function") {
  const Device device{.subgroup_size = 4};
  const Convergence convergence;
  for (std::uint32_t which = 0; which < 8; ++which) {
    CAPTURE(which);
    const bool known = paths_known || which == 1 || which == 6;  // of other lines
    if (which < 7 && known) {
      const auto text = Catch::Contains("subgroups 1, 2 wait at another one");
      CHECK_THROWS_WITH((device.dispatch<BarriersOfOneCall, 4>({2}, which)), text);
      CHECK_THROWS_WITH((device.dispatch<BarriersOfOneCall, 4>(convergence, {2}, which)), text);
    } else {
      CHECK_NOTHROW(device.dispatch<BarriersOfOneCall, 4>({2}, which));
      CHECK_NOTHROW(device.dispatch<BarriersOfOneCall, 4>(convergence, {2}, which));
    }
  }
}

TEST_CASE("the note of lenient barriers is that of the lowest workgroup on any number of threads") {
  for (int run = 0; run < 20; ++run) {
    std::vector<std::uint32_t> out(64 * invocations);
    const Device device{.subgroup_size = 4, .threads = 4, .lenient = {.barriers = true}};
    const LenientNotes notes =
        device.dispatch<BarrierCases, 4>({64}, std::uint32_t{1}, out).notes();
    CHECK(notes.count == 64);
    CHECK(notes.workgroup == Size3{0, 0, 0});
    CHECK_THAT(notes.first, Catch::Contains("of workgroup (0, 0, 0)"));
  }
}

TEST_CASE("a shader's error names the line of the barrier, also where a line has two") {
  auto shader = Shader::from_glsl(R"(#version 460
layout(local_size_x = 8) in;
void main() {
  uint i = gl_LocalInvocationIndex;
  if (i < 4) barrier(); else barrier();
})",
                                  {}, "two.comp");
  CHECK_THROWS_WITH(
      shader.dispatch({1}, {.subgroup_size = 4}),
      "two.comp:5: barrier() is not reached by all of workgroup (0, 0, 0): subgroup "
      "1 waits at another one, two.comp:5; put the barrier where all invocations pass "
      "it");
}

}  // namespace
