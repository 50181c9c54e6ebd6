#include "machines/machines.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/workgroup/atomics.hpp>

#include <lockstep/glsl/keywords.hpp>

/// \file
/// Loops in which a subgroup waits for another one that waits for it: every machine says word by word what
/// each subgroup waits for. The truth is plain C++ that knows which subgroup spins, and which have stopped
/// before it.

namespace {

using namespace lockstep;
using namespace lockstep::test;

constexpr std::uint32_t invocations = 48;

template <class S>
struct LockCases : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{invocations};
  uint which;
  Buffer<uint> out;

  Barriers main() {
    const uint lock = 2 * gl_WorkGroupID.x, flag = lock + 1;
    auto n = var(0u);
    if (which == 0) {
      If (subgroupElect()) {
        While (atomicCompSwap(out[lock], 0u, 1u) != 0u) n += 1u;
      }
      co_await barrier();
      If (subgroupElect()) atomicExchange(out[lock], 0u);
    } else if (which == 1) {
      If (gl_LocalInvocationIndex == 0u) {
        While (atomicOr(out[flag], 0u) == 0u) n += 1u;
      }
      co_await barrier();
      out[flag] = 1u;
    } else if (which == 2) {
      If (subgroupElect()) {
        While (atomicCompSwap(out[lock], 0u, 1u) != 0u) n += 1u;
      }
      if (gl_NumWorkGroups.x == 1000) co_await barrier();
    } else {
      If (gl_LocalInvocationIndex < 5u) Return;
      co_await barrier();
      If (subgroupElect()) {
        While (atomicCompSwap(out[lock], 0u, 1u) != 0u) n += 1u;
      }
      co_await barrier();
      If (subgroupElect()) atomicExchange(out[lock], 0u);
    }
  }
};

constexpr const char* port = R"(#version 460
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 48) in;
layout(set = 0, binding = 0) buffer Out { uint out_[]; };
void main() {
  uint lock = 2u * gl_WorkGroupID.x, flag = lock + 1u;
#if CASE == 0
  if (subgroupElect()) { while (atomicCompSwap(out_[lock], 0u, 1u) != 0u) {} }
  barrier();
  if (subgroupElect()) atomicExchange(out_[lock], 0u);
#elif CASE == 1
  if (gl_LocalInvocationIndex == 0u) { while (atomicOr(out_[flag], 0u) == 0u) {} }
  barrier();
  out_[flag] = 1u;
#elif CASE == 2
  if (subgroupElect()) { while (atomicCompSwap(out_[lock], 0u, 1u) != 0u) {} }
  if (gl_NumWorkGroups.x == 1000u) barrier();
#else
  if (gl_LocalInvocationIndex < 5u) return;
  barrier();
  if (subgroupElect()) { while (atomicCompSwap(out_[lock], 0u, 1u) != 0u) {} }
  barrier();
  if (subgroupElect()) atomicExchange(out_[lock], 0u);
#endif
})";

/// Where subgroups are when the loop of one of them reaches its limit.
struct Stopped {
  std::uint32_t spinning, lane;       ///< the subgroup and its lane
  std::vector<std::uint32_t> before;  ///< those that have stopped before it, in order
  std::vector<std::uint32_t> ready;   ///< those that have not run since
};

/// `at` is what those that have stopped before it wait at; nothing if they have ended.
std::string text_of(const Stopped& stopped, const std::string& at, std::uint32_t size,
                    std::uint64_t limit) {
  std::string text = "#: the loop does not end: lanes " + std::to_string(stopped.lane) +
                     " of subgroup " + std::to_string(stopped.spinning) +
                     " of workgroup (0, 0, 0) are still in it after " + std::to_string(limit) +
                     " iterations";
  std::vector<std::uint32_t> elsewhere;
  for (std::uint32_t lane = 0; lane < std::min(size, invocations - stopped.spinning * size); ++lane)
    if (lane != stopped.lane) elsewhere.push_back(lane);
  if (!elsewhere.empty())
    text += "; lanes " + ranges(elsewhere) +
            " wait at the merge of a construct around it, or have returned; if the loop waits for "
            "those lanes, it may never end: Vulkan promises no forward progress between "
            "invocations of a subgroup";
  if (!at.empty()) text += waiting(stopped.before, "this one at " + at + ", #");
  return text + waiting(stopped.ready, "turn") +
         "; if it is only long, raise max_trips (--max-steps of lockstep run)";
}

std::vector<std::uint32_t> range(std::uint32_t first, std::uint32_t end) {
  std::vector<std::uint32_t> all;
  for (; first < end; ++first) all.push_back(first);
  return all;
}

/// The error of a case; empty if there is none.
std::string expected(const Machine& machine, std::uint32_t which, std::uint32_t size,
                     std::uint64_t limit) {
  constexpr std::uint64_t slice = 65536;
  const std::string barrier = "barrier()", merge = "a header or merge";
  const std::uint32_t subgroups = (invocations + size - 1) / size;
  const bool core = machine.name.ends_with("core");
  switch (which) {
    case 0:
      // Under core all of a workgroup wait for one another at the end of the selection, before the barrier.
      if (subgroups == 1) return "";
      return text_of({1, 0, {0}, range(2, subgroups)}, core ? merge : barrier, size, limit);
    case 1: {
      // Shaders, and kernels on the stack, let the others run after a slice.
      const bool one_turn = (!machine.shader && !machine.tangled) || limit < slice;
      const auto others = range(1, subgroups);
      return text_of({0, 0, one_turn ? range(0, 0) : others, one_turn ? others : range(0, 0)},
                     core ? merge : barrier, size, limit);
    }
    case 2:
      if (subgroups == 1) return "";
      return text_of({1, 0, {0}, range(2, subgroups)}, core ? merge : "", size, limit);
    default: {
      const std::uint32_t first = 5 / size;  // of those with lanes that have not returned
      if (subgroups < first + 2) return "";
      // At the second barrier under core, too: with lanes that have returned, no workgroup is whole.
      return text_of({first + 1, 0, {first}, range(first + 2, subgroups)}, barrier, size, limit);
    }
  }
}

TEST_CASE("a loop that waits for a subgroup that waits for it says so, on every machine") {
  int errors = 0;
  for (const Machine& machine : machines<LockCases>(port)) {
    for (std::uint32_t which = 0; which < 4; ++which) {
      for (const std::uint64_t limit : {1000u, 70000u}) {
        if (limit != 1000 && which != 1) continue;
        for (const int size : machine_sizes) {
          INFO(machine.name << ": case " << which << " at size " << size << ", limit " << limit);
          const std::string wrong =
              expected(machine, which, static_cast<std::uint32_t>(size), limit);
          const Outcome outcome = machine.run({.which = which,
                                               .size = size,
                                               .words = 4,
                                               .lenient = {.barriers = which == 3},
                                               .max_trips = limit});
          CHECK(without_places(outcome.error) == wrong);
          if (!wrong.empty()) ++errors;
        }
      }
    }
  }
  CHECK(errors > 0);
}

TEST_CASE("the error of a lock names the lines of the loop and of the barrier") {
  auto shader = Shader::from_glsl(R"(#version 460
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer Out { uint lock; };
void main() {
  while (subgroupElect() && atomicCompSwap(lock, 0u, 1u) != 0u)
    ;
  barrier();
  lock = 0u;
})",
                                  {}, "lock.comp");
  std::vector<std::uint32_t> out(1);
  shader.bind(0, out);
  CHECK_THROWS_WITH(
      shader.dispatch({1}, {.subgroup_size = 4, .threads = 1, .max_steps = 100}),
      Catch::StartsWith("lock.comp:6: the loop does not end: lanes 0 of subgroup 1") &&
          Catch::Contains("; subgroup 0 waits for this one at barrier(), lock.comp:8; "));
}

}  // namespace
