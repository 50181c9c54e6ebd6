#pragma once

#include <array>
#include <bit>
#include <cstdint>

/// \file
/// Kinds of work that the kernels of kernels/ have little of: `work/early_return/32`. A shader does it a number of times
/// (shaders/rounds.hpp); its results are checked against a plain function of a workgroup before it is timed, in turns
/// with lavapipe if there is one.
///
/// ns/round: of the shader, per invocation. of_lavapipe: speed relative to lavapipe.

namespace lockstep::bench {

using Uint = std::uint32_t;
using Group = std::array<Uint, 128>;  ///< the values of a workgroup

/// What a shader does to its value v each round; `i` is its invocation, `l` its place in the workgroup.
struct Work {
  const char* name;
  const char* head;  ///< extensions, shared variables and functions
  const char* body;
  void (*of)(Group& v, Uint round);
  bool floats = false;  ///< v is a float, and close is good enough
};
/// As a benchmark.
void add_work(const Work& work);

inline float as_float(Uint bits) { return std::bit_cast<float>(bits); }
inline Uint bits_of(float value) { return std::bit_cast<Uint>(value); }

/// f(v) in each invocation.
template <class F>
void each(Group& v, F f) {
  for (Uint& x : v) x = f(x);
}
template <class F>
void each_float(Group& v, F f) {
  for (Uint& x : v) x = bits_of(f(as_float(x)));
}

}  // namespace lockstep::bench
