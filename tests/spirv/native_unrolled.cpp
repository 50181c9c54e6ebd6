#include "spirv/native_check.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/dispatch/device.hpp>
#include <lockstep/exec/endless_loop.hpp>
#include <lockstep/spirv/shader.hpp>

#include "support/with_native.hpp"

/// \file
/// Loops whose number of iterations follows from constants, in all their forms: they run one iteration after the other
/// without a test, and results are the same.

using namespace lockstep;
using namespace lockstep::test;

namespace {

constexpr int few_sizes[] = {4, 8, 24, 32, 64, 100, 128};

}  // namespace

TEST_CASE("loops from one constant to another, up, down and around") {
  check(R"(
  uint sum = i, last = 0;
  for (uint k = 0; k < 16; ++k) sum = sum * 3u + (x >> k & 5u) + k;
  for (int k = 5; k > -7; k -= 3) sum = sum * 5u ^ uint(k);
  for (uint k = 3; k < 3; ++k) sum = 99;
  for (uint k = 0; k != 9; k += 3) sum += k << 3;
  for (uint k = 0; k < 33; ++k) sum = sum * 7u + k;
  for (uint k = 0xfffffff0u; k != 2u; ++k) sum ^= k * 9u;
  for (uint k = 64; k > 0; k /= 2) { sum += k; last = k; }
  for (uint k = 1; k <= 8; k *= 2) sum = (sum << k) + (sum >> (k & 3u));
  for (uint k = limit; k < 50; ++k) sum += k;
  uint k = 0;
  for (; k < 7; k += 2) last += sum + k;
  result[i] = sum + last * 3u + k;
)",
        [](std::uint32_t x, std::uint32_t i) {
          std::uint32_t sum = i, last = 0;
          for (std::uint32_t k = 0; k < 16; ++k) sum = sum * 3u + ((x >> k) & 5u) + k;
          for (int k = 5; k > -7; k -= 3) sum = (sum * 5u) ^ static_cast<std::uint32_t>(k);
          for (std::uint32_t k = 0; k != 9; k += 3) sum += k << 3;
          for (std::uint32_t k = 0; k < 33; ++k) sum = sum * 7u + k;
          for (std::uint32_t k = 0xfffffff0u; k != 2u; ++k) sum ^= k * 9u;
          for (std::uint32_t k = 64; k > 0; k /= 2) {
            sum += k;
            last = k;
          }
          for (std::uint32_t k = 1; k <= 8; k *= 2) sum = (sum << k) + (sum >> (k & 3u));
          for (std::uint32_t k = 40; k < 50; ++k) sum += k;
          std::uint32_t k = 0;
          for (; k < 7; k += 2) last += sum + k;
          return sum + last * 3u + k;
        });
}

TEST_CASE("elements of arrays by the number of an iteration, for some lanes") {
  check(R"(
  uint of[6];
  for (uint k = 0; k < 6; ++k) of[k] = x * k;
  uint of_all[6];
  for (uint k = 0; k < 6; ++k) of_all[k] = k * 3u;
  uint sum = 1u;
  if (x % 3u == 1u) {
    for (uint k = 0; k < 5; ++k) { of[k + 1u] += of[k] + i; sum += of[k]; of_all[k] += limit; }
    for (uint k = 0; k < 9; ++k) sum = sum * 5u + of[k];
  }
  for (uint n = 0; n < 3; ++n) {
    for (uint k = 0; k < 6; ++k) sum = sum * 3u + (of[k] ^ of_all[5u - k]) + n;
    sum += n * 7u;
  }
  result[i] = sum;
)",
        [](std::uint32_t x, std::uint32_t i) {
          std::uint32_t of[9] = {}, of_all[6], sum = 1;
          for (std::uint32_t k = 0; k < 6; ++k) of[k] = x * k;
          for (std::uint32_t k = 0; k < 6; ++k) of_all[k] = k * 3;
          if (x % 3 == 1) {
            for (std::uint32_t k = 0; k < 5; ++k) {
              of[k + 1] += of[k] + i;
              sum += of[k];
              of_all[k] += 40;
            }
            for (std::uint32_t k = 0; k < 9; ++k) sum = sum * 5 + of[k];
          }
          for (std::uint32_t n = 0; n < 3; ++n) {
            for (std::uint32_t k = 0; k < 6; ++k) sum = sum * 3 + (of[k] ^ of_all[5 - k]) + n;
            sum += n * 7;
          }
          return sum;
        });
}

TEST_CASE("what one side of a selection makes of a constant is not known after it") {
  check(R"(
  uint begin = 2u, step = 1u, sum = x;
  if (limit > 30u) { begin = 4u; step = 3u; }
  for (uint k = begin; k < 12u; k += step) sum = sum * 3u + k;
  uint other = 1u;
  if (x % 4u == 1u) other = 3u;
  for (uint k = other; k < 9u; ++k) sum = sum * 5u ^ k;
  for (uint k = 0; k < 4u; ++k) { if (sum % 7u == k) sum += limit; }
  result[i] = sum;
)",
        [](std::uint32_t x, std::uint32_t) {
          std::uint32_t sum = x;
          for (std::uint32_t k = 4; k < 12; k += 3) sum = sum * 3 + k;
          for (std::uint32_t k = x % 4 == 1 ? 3 : 1; k < 9; ++k) sum = (sum * 5) ^ k;
          for (std::uint32_t k = 0; k < 4; ++k) sum += sum % 7 == k ? 40 : 0;
          return sum;
        });
}

TEST_CASE("exchanges and ballots of each iteration") {
  const std::string source = R"(#version 460
#extension GL_KHR_shader_subgroup_ballot : enable
#extension GL_KHR_shader_subgroup_shuffle : enable
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) readonly buffer In { uint values[]; };
layout(set = 0, binding = 1) buffer Out { uint result[]; };
void main() {
  uint i = gl_GlobalInvocationID.x, sum = values[i], counts = 0;
  for (uint distance = gl_SubgroupSize / 2; distance > 0; distance /= 2)
    sum += subgroupShuffleXor(sum, distance);
  for (uint d = 0; d < 5; ++d)
    counts = counts * 131u + subgroupBallotBitCount(subgroupBallot(values[i] % 5u == d));
  result[i] = sum ^ counts;
})";
  const auto in = numbers();
  for (const spirv::Target target : native_targets()) {
    const WithNative native(target);
    auto shader = Shader::from_glsl(source);
    for (const std::uint32_t size : {1u, 4u, 8u, 16u, 32u, 64u, 128u}) {
      std::vector<std::uint32_t> out(256);
      shader.bind(0, in).bind(1, out).dispatch({2}, {.subgroup_size = static_cast<int>(size)});
      CAPTURE(name_of(target), size);
      for (std::uint32_t i = 0; i < out.size(); ++i) {
        std::uint32_t sum = 0, counts = 0;
        for (std::uint32_t k = i / size * size; k < i / size * size + size; ++k) sum += in[k];
        for (std::uint32_t d = 0; d < 5; ++d) {
          std::uint32_t count = 0;
          for (std::uint32_t k = i / size * size; k < i / size * size + size; ++k)
            count += in[k] % 5 == d ? 1 : 0;
          counts = counts * 131 + count;
        }
        REQUIRE(out[i] == (sum ^ counts));
      }
    }
  }
}

TEST_CASE("iterations of a loop between constants count, and are limited") {
  const std::string source = R"(#version 460
layout(local_size_x = 100) in;
layout(set = 0, binding = 0) buffer Out { uint result[]; };
void main() {
  uint sum = gl_GlobalInvocationID.x;
  for (uint a = 0; a < 10; ++a) {
    for (uint k = 0; k < 16; ++k) sum = sum * 3u + k;
  }
  result[gl_GlobalInvocationID.x] = sum;
})";
  for (const spirv::Target target : native_targets()) {
    const WithNative native(target);
    auto shader = Shader::from_glsl(source);
    for (const int size : few_sizes) {
      const std::uint64_t subgroups =
          2 * ((100 + static_cast<std::uint64_t>(size) - 1) / static_cast<std::uint64_t>(size));
      std::vector<std::uint32_t> out(200);
      shader.bind(0, out);
      CAPTURE(name_of(target), size);
      const Device device{.subgroup_size = size, .threads = 1, .max_trips = 16};
      CHECK(shader.dispatch({2}, device).steps == subgroups * (10 + 10 * 16));
      CHECK_THROWS_AS(
          shader.dispatch({2}, Device{.subgroup_size = size, .threads = 1, .max_trips = 15}),
          EndlessLoop);
    }
  }
}
