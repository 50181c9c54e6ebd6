#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

/// \file
/// A second implementation of compute shaders, for tests: one invocation at a time, one scalar at a time, in the plainest
/// way. It shares no code with lanes, masks, built-ins or the engine, and knows convergence by another idea: instead of a
/// stack of masks, each invocation has a place, made of the iterations of the loops around it and the block that it is in.
/// Those at the same place form a tangle, and those whose place comes first go first. That is maximal reconvergence.

namespace lockstep::walker {

class Freedom;

/// Memory at a binding of a descriptor set.
struct Binding {
  std::uint32_t set = 0, binding = 0;
  std::span<std::byte> bytes;
  std::uint32_t width = 0, height = 0;  ///< of an image, in texels
  /// As long as `bytes`, or empty: gets 1 for each byte that an undefined value was stored to last.
  std::span<std::uint8_t> undefined = {};
};

struct Job {
  std::span<const std::uint32_t> words;  ///< a valid module
  std::string entry = "main";
  std::map<std::uint32_t, std::uint64_t> spec = {};  ///< bits of specialization constants by SpecId
  std::vector<Binding> bindings = {};
  std::span<const std::byte> push_constants = {};
  std::array<std::uint32_t, 3> workgroups = {1, 1, 1};
  int subgroup_size = 32;
  std::uint64_t max_steps = 100'000'000;  ///< instructions of all invocations together
  Freedom* freedom = nullptr;  ///< other results than the nearest numbers, where there are any
};

/// Runs a job: workgroups one after another, subgroups up to their next barrier, atomics of a tangle in the order of
/// lanes. Floats are rounded to nearest even; functions, dot products and reductions once, from 240 bits.
///
/// Requires      Linear mapping of invocations to lanes.
/// Errors        Throws Error for what it does not know (images but for 2D storage images of some formats, buffer
///               addresses, long vectors), an access outside memory, a barrier not reached by all, too many steps.
/// Cost          About a microsecond an instruction and invocation.
/// Spec          SPIR-V 1.6, unified
/// Example       tests/walker/ports.cpp
void walk(const Job& job);

}  // namespace lockstep::walker
