#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

#include <lockstep/lockstep.hpp>

#include <lockstep/glsl/keywords.hpp>

// One kernel, compiled in both translation units.
template <class S>
struct DoubleEven : lockstep::Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr lockstep::Size3 local_size{64};
  Buffer<uint> data;

  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    const Uint value = data[i];
    const uint most =
        subgroupMax(value);  // an instruction for which g++ 12 itself issues a warning
    If (value % 2u == 0u) data[i] = value + min(value, Uint(most));
  }
};

// One with barriers: a coroutine, for which g++ 12 itself issues a warning at -O0.
template <class S>
struct Reverse : lockstep::Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr lockstep::Size3 local_size{64};
  Buffer<uint> data;
  Shared<uint, 64> turned{this};

  lockstep::Barriers main() {
    turned[63u - gl_LocalInvocationIndex] = data[gl_GlobalInvocationID.x];
    co_await barrier();
    data[gl_GlobalInvocationID.x] = turned[gl_LocalInvocationIndex];
  }
};

#include <lockstep/glsl/keywords_off.hpp>

// Whether the kernel, run over 0, 1, 2 ..., doubles the even numbers and keeps the odd ones.
template <int Width>
bool doubles_even_numbers() {
  std::vector<std::uint32_t> data(256);
  std::iota(data.begin(), data.end(), 0u);
  lockstep::Device{.subgroup_size = Width}.dispatch<DoubleEven, Width>({4}, data);
  for (std::uint32_t i = 0; i < data.size(); ++i) {
    if (data[i] != (i % 2 == 0 ? 2 * i : i)) return false;
  }
  return true;
}

// Whether that kernel rotates the numbers of each workgroup.
template <int Width>
bool reverses_numbers() {
  std::vector<std::uint32_t> data(128);
  std::iota(data.begin(), data.end(), 0u);
  lockstep::Device{.subgroup_size = Width}.dispatch<Reverse, Width>({2}, data);
  for (std::uint32_t i = 0; i < data.size(); ++i) {
    if (data[i] != i / 64 * 64 + 63 - i % 64) return false;
  }
  return true;
}

bool doubles_in_b();
