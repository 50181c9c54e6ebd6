#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/spirv/shader.hpp>

#include "support/with_native.hpp"

/// \file
/// Runs the body of a shader without machine code and for each target, at sizes of each number of chunks, and
/// compares it with a function of one invocation.

namespace lockstep::test {

#if defined(LOCKSTEP_TEST_REDUCED)
inline constexpr int all_sizes[] = {1, 24, 32, 64, 128};
#else
inline constexpr int all_sizes[] = {1, 8, 16, 24, 32, 33, 48, 64, 100, 128};
#endif

inline constexpr const char* head = R"(#version 460
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : enable
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) readonly buffer In { uint values[]; };
layout(set = 0, binding = 1) buffer Out { uint result[]; };
layout(push_constant) uniform Push { uint limit; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  uint x = values[i];
)";

/// Numbers of which few are alike, from small to large.
inline std::vector<std::uint32_t> numbers() {
  std::vector<std::uint32_t> all(300);
  for (std::uint32_t k = 0; k < all.size(); ++k) all[k] = (k * 2654435761u) >> (k % 31);
  return all;
}

/// Runs a shader's body at each size, without machine code and for each target; f(x, i) is what it gives.
template <class F>
void check(const std::string& body, F f, std::span<const int> sizes = all_sizes) {
  const auto in = numbers();
  const auto source = head + body + "}";
  for (const spirv::Target target : native_targets()) {
    const WithNative native(target);
    auto shader = Shader::from_glsl(source);
    for (const int size : sizes) {
      // Not a multiple of anything: the last subgroups are there in part.
      std::vector<std::uint32_t> out(in.size(), 77);
      shader.bind(0, in)
          .bind(1, out)
          .push(std::uint32_t{40})
          .dispatch({3}, {.subgroup_size = size});
      CAPTURE(name_of(target), size);
      for (std::uint32_t i = 0; i < in.size(); ++i) {
        CAPTURE(i, in[i]);
        REQUIRE(out[i] == f(in[i], i));
      }
    }
  }
}

}  // namespace lockstep::test
