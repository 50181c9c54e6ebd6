#include <cstdint>
#include <span>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/spirv/shader.hpp>

/// \file
/// Atomic additions by several threads whose results nobody uses: each thread may sum on its own, and nobody can tell.

using namespace lockstep;

using Uint = std::uint32_t;

namespace {

constexpr Uint workgroups = 300, all_invocations = workgroups * 64;

ShaderRun run(Shader& shader) {
  return shader.dispatch({workgroups}, {.subgroup_size = 32, .threads = 4});
}

}  // namespace

TEST_CASE("sums of several threads, of 32 and 64 bits") {
  auto shader = Shader::from_glsl(R"(#version 460
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : enable
#extension GL_EXT_shader_atomic_int64 : enable
layout(local_size_x = 64) in;
layout(binding = 0) buffer Bins { uint bins[16]; };
layout(binding = 1) buffer Sums { uint64_t sum; int64_t difference; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  atomicAdd(bins[i * 2654435761u >> 28], i);
  atomicAdd(sum, uint64_t(i) << 20);
  atomicAdd(difference, -int64_t(i));
})");
  std::vector<Uint> bins(16, 5), want(16, 5);
  std::vector<std::uint64_t> sums{7, 7};
  std::uint64_t total = 0;
  for (Uint i = 0; i < all_invocations; ++i) {
    want[i * 2654435761u >> 28] += i;
    total += i;
  }
  run(shader.bind(0, bins).bind(1, sums));
  CHECK(bins == want);
  CHECK(sums == std::vector<std::uint64_t>{7 + (total << 20), 7 - total});
}

TEST_CASE("memory that two bindings share, one of which is read") {
  auto shader = Shader::from_glsl(R"(#version 460
layout(local_size_x = 64) in;
layout(binding = 0) buffer First { uint first[2]; };
layout(binding = 1) buffer Second { uint second[2]; };
layout(binding = 2) buffer Out { uint late; };
void main() {
  atomicAdd(first[0], 1u);
  atomicAdd(second[1], 2u);
  uint sum = atomicAdd(second[0], 0u);
  atomicMax(late, sum);
})");
  std::vector<Uint> both(2), late(1);
  run(shader.bind(0, both).bind(1, both).bind(2, late));
  CHECK(both == std::vector<Uint>{all_invocations, 2 * all_invocations});
  // The last invocation to read sees at least its own subgroup's sum and those before it.
  CHECK(late[0] == all_invocations);
}

TEST_CASE("additions behind the end of a buffer are faults on every thread") {
  auto shader = Shader::from_glsl(R"(#version 460
layout(local_size_x = 64) in;
layout(binding = 0) buffer Bins { uint bins[]; };
void main() { atomicAdd(bins[gl_LocalInvocationID.x], 1u); }
)");
  std::vector<Uint> bins(60);
  const ShaderRun result = run(shader.bind(0, bins));
  CHECK(result.faults == 4 * workgroups);
  CHECK(bins == std::vector<Uint>(60, workgroups));
}
