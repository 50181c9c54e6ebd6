#pragma once

#include <cstdint>
#include <vector>

#include <lockstep/dispatch/device.hpp>
#include <lockstep/glsl/kernel.hpp>
#include <lockstep/trace/dispatch.hpp>

#include <lockstep/glsl/keywords.hpp>

/// \file
/// A trace with divergence, built-ins and accesses.

namespace lockstep::test {

/// A loop whose iterations differ by lane, with a selection and a built-in.
template <class S>
struct Uneven : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{16};
  Buffer<uint> data;
  uint rounds;
  void main() {
    const Uint i = gl_LocalInvocationIndex;
    For (auto n = var(0u), n < rounds + i % 3u, n += 1u) {
      If (i % 2u == 0u) data[i] = subgroupAdd(i);
      Else data[i] = n;
    }
  }
};

inline trace::Trace trace_of_uneven(std::uint32_t rounds, trace::Request request = {}) {
  std::vector<std::uint32_t> data(16);
  return trace::dispatch<Uneven>(Device{.subgroup_size = 8}, request, {1}, data, rounds);
}

}  // namespace lockstep::test

#include <lockstep/glsl/keywords_off.hpp>
