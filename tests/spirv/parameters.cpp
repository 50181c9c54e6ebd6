#include <cstdint>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/exec/reconvergence_stack.hpp>
#include <lockstep/spirv/shader.hpp>

#include "support/with_native.hpp"

/// \file
/// Parameters whose arguments change while the function runs: the engine may use the argument itself only until then.

using namespace lockstep;
using namespace lockstep::test;
using Uint = std::uint32_t;

namespace {

/// Of the shader and, as C++, of one invocation.
#define FUNCTIONS_OF_BOTH                                                  \
  uint held;                                                               \
  uint after(uint x) {                                                     \
    held += 5u;                                                            \
    return x * 3u ^ held;                                                  \
  }                                                                        \
  uint in_a_loop(uint x) {                                                 \
    uint sum = 0u;                                                         \
    for (uint k = 0u; k < 3u; ++k) {                                       \
      sum = sum * 5u + x;                                                  \
      held = held * 2u + 1u;                                               \
    }                                                                      \
    return sum;                                                            \
  }                                                                        \
  uint on_one_side(uint x, uint y) {                                       \
    if ((x & 1u) == 0u) held = y;                                          \
    return x * 7u + held;                                                  \
  }                                                                        \
  uint early(uint x) {                                                     \
    if (x % 3u == 0u) return x + 11u;                                      \
    held = x + 1u;                                                         \
    return x * 13u + held;                                                 \
  }                                                                        \
  uint inner_loop(uint x, uint n) {                                        \
    uint y = x;                                                            \
    for (uint k = 0u; k < n; ++k) {                                        \
      for (uint m = 0u; m < 2u; ++m) y = y * 3u + x;                       \
      held ^= y;                                                           \
    }                                                                      \
    return after(y) + x;                                                   \
  }                                                                        \
  uint unchanged(uint x, uint y) { return (x >> 3u | y << 2u) ^ (x & y); } \
  uint result_of(uint i) {                                                 \
    held = i * 3u + 1u;                                                    \
    uint r = after(held);                                                  \
    r = r * 31u + in_a_loop(held);                                         \
    r = r * 31u + on_one_side(held, i);                                    \
    for (uint k = 0u; k < 4u; ++k) {                                       \
      r = r * 31u + early(held);                                           \
      uint other = held;                                                   \
      r = unchanged(other, r);                                             \
      if (k == i % 4u) continue;                                           \
      r += unchanged(held, other) + early(k);                              \
      if (r % 16u == 3u) break;                                            \
    }                                                                      \
    if (i % 2u == 0u) r = r * 31u + inner_loop(held, i % 3u);              \
    return r * 31u + unchanged(held, i);                                   \
  }

#define TEXT(text) #text
#define TEXT_OF(text) TEXT(text)
const std::string source = std::string(R"(#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Out { uint result[]; };
)") + TEXT_OF(FUNCTIONS_OF_BOTH) +
                           R"(
void main() { result[gl_GlobalInvocationID.x] = result_of(gl_GlobalInvocationID.x); }
)";

namespace one_invocation {
using uint = Uint;
FUNCTIONS_OF_BOTH
}  // namespace one_invocation

}  // namespace

TEST_CASE("parameters keep their values while their arguments change") {
  const Convergence maximal;
  for (const spirv::Target target : native_targets()) {
    const WithNative native(target);
    for (const Convergence* rule : {static_cast<const Convergence*>(nullptr), &maximal}) {
      auto shader = Shader::from_glsl(source);
      for (const int size : {1, 8, 24, 32, 128}) {
        std::vector<Uint> got(256);
        shader.bind(0, got).dispatch({4},
                                     {.subgroup_size = size, .threads = 1, .convergence = rule});
        CAPTURE(name_of(target), size, rule != nullptr);
        for (Uint i = 0; i < got.size(); ++i) {
          if (got[i] != one_invocation::result_of(i)) FAIL("invocation " << i);
        }
      }
    }
  }
}
