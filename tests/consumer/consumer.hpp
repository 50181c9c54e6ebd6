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
    const uint most = subgroupMax(value);  // an instruction of which g++ 12 warns on its own
    If (value % 2u == 0u) data[i] = value + min(value, Uint(most));
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

bool doubles_in_b();
