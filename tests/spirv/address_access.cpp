#include <catch2/catch.hpp>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <lockstep/spirv/shader.hpp>

#include "spirv/sizes.hpp"

/// \file
/// Reads and writes through an address per invocation, against a loop over invocations that knows the objects.

using namespace lockstep;
using test::sizes;

using Uint = std::uint32_t;

namespace {

constexpr Uint invocation_count = 128;

constexpr const char* head = R"(#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 128) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Number { uint before; uint v; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Pair { uint x; uint y; };
layout(set = 0, binding = 0) readonly buffer Given { uint64_t at[128]; uint wanted[128]; };
layout(set = 0, binding = 1) buffer Out { uint o[]; };
)";

/// Where an invocation accesses: a byte of an object, or nowhere.
struct Target {
  int object = 0;  ///< 0 or 1; 2 does not exist
  std::int64_t byte = 0;
};

/// Ways in which the lanes' addresses are related.
std::vector<Target> targets(int pattern, std::size_t numbers, std::mt19937& random) {
  std::vector<Target> all;
  const auto last = static_cast<std::int64_t>(numbers) * 4 - 8;  // of two numbers
  for (std::int64_t i = 0; i < invocation_count; ++i) {
    switch (pattern) {
      case 0:
        all.push_back({0, i * 4});
        break;
      case 1:
        all.push_back({0, last - (invocation_count - 1) * 4 + i * 4});
        break;  // to the very end
      case 2:
        all.push_back({0, (invocation_count - 1 - i) * 4});
        break;
      case 3:
        all.push_back({0, i / 3 * 12});
        break;  // several lanes at one
      case 4:
        all.push_back({static_cast<int>(i / 5 % 2), i * 4});
        break;
      case 5:
        all.push_back({0, i == 77 ? last + 4 : i * 4});
        break;  // one is outside
      case 6:
        all.push_back({i == 50 ? 2 : 0, i * 4});
        break;
      case 7:
        all.push_back({1, i < 64 ? -4 : i * 4});
        break;  // before the object
      default:
        all.push_back({static_cast<int>(random() % 8 == 0),
                       static_cast<std::int64_t>(random() % (numbers - 1)) * 4});
    }
  }
  return all;
}

struct Given {
  std::uint64_t at[invocation_count];
  Uint wanted[invocation_count];
};

}  // namespace

TEST_CASE("addresses of all kinds of order read and write what the object has there") {
  auto shader = Shader::from_glsl(std::string(head) + R"(
void main() {
  uint i = gl_LocalInvocationIndex;
  if (wanted[i] != 0u) {
    uint found = Number(at[i]).v;
    Number(at[i]).v = found * 2u + i;
    o[i] = found;
  }
})");
  std::mt19937 random(3);
  for (const int size : sizes) {
    for (int pattern = 0; pattern < 10; ++pattern) {
      for (const int chance : {100, 60, 2}) {
        CAPTURE(size, pattern, chance);
        std::vector<Uint> objects[2], expected[2], out(invocation_count, 7),
            wanted_out(invocation_count, 7);
        for (auto& object : objects) {
          object.resize(invocation_count + 1);  // where whole registers reach its end
          for (Uint& x : object) x = static_cast<Uint>(random());
        }
        expected[0] = objects[0];
        expected[1] = objects[1];
        const std::uint64_t start[3] = {shader.address_of(objects[0]),
                                        shader.address_of(objects[1]), 0};
        const std::vector<Target> where = targets(pattern, objects[0].size(), random);
        Given given{};
        for (Uint i = 0; i < invocation_count; ++i) {
          given.at[i] = start[where[i].object] + static_cast<std::uint64_t>(where[i].byte);
          given.wanted[i] = static_cast<int>(random() % 100) < chance ? 1 : 0;
        }
        // Of each subgroup all lanes read, then all write, the highest lane last.
        std::uint64_t faults = 0;
        for (Uint first = 0; first < invocation_count; first += static_cast<Uint>(size)) {
          const Uint end = std::min(invocation_count, first + static_cast<Uint>(size));
          const auto number = [&](Uint i) -> Uint* {
            const std::int64_t byte = where[i].byte + 4;
            if (where[i].object == 2 || byte < 0 || where[i].byte < 0 ||
                byte + 4 > static_cast<std::int64_t>(objects[0].size()) * 4)
              return nullptr;
            return &expected[where[i].object][static_cast<std::size_t>(byte) / 4];
          };
          for (Uint i = first; i < end; ++i) {
            if (given.wanted[i] == 0) continue;
            const Uint* from = number(i);
            wanted_out[i] = from != nullptr ? *from : 0;
            faults += from == nullptr ? 2 : 0;
          }
          for (Uint i = first; i < end; ++i) {
            if (given.wanted[i] == 0) continue;
            if (Uint* to = number(i)) *to = wanted_out[i] * 2 + i;
          }
        }
        std::vector<Given> bound{given};
        shader.bind(0, bound).bind(1, out);
        const auto run = shader.dispatch({1}, {.subgroup_size = size, .threads = 1});
        CHECK(run.faults == faults);
        REQUIRE(out == wanted_out);
        REQUIRE(objects[0] == expected[0]);
        REQUIRE(objects[1] == expected[1]);
      }
    }
  }
}

TEST_CASE("addresses of two numbers each") {
  auto shader = Shader::from_glsl(std::string(head) + R"(
void main() {
  uint i = gl_LocalInvocationIndex;
  if (wanted[i] != 0u) {
    uvec2 found = uvec2(Pair(at[i]).x, Pair(at[i]).y);
    o[2u * i] = found.x;
    o[2u * i + 1u] = found.y;
  }
})");
  std::mt19937 random(4);
  for (const int size : sizes) {
    std::vector<Uint> object(2 * invocation_count);
    for (Uint& x : object) x = static_cast<Uint>(random());
    Given given{};
    std::vector<Uint> out(2 * invocation_count, 7), expected(2 * invocation_count, 7);
    for (Uint i = 0; i < invocation_count; ++i) {
      const Uint number = static_cast<Uint>(random() % (2 * invocation_count - 1));
      given.at[i] = shader.address_of(object) + number * 4;
      given.wanted[i] = random() % 4 != 0 ? 1 : 0;
      if (given.wanted[i] == 0) continue;
      expected[2 * i] = object[number];
      expected[2 * i + 1] = object[number + 1];
    }
    std::vector<Given> bound{given};
    shader.bind(0, bound).bind(1, out);
    CHECK(shader.dispatch({1}, {.subgroup_size = size, .threads = 1}).faults == 0);
    REQUIRE(out == expected);
  }
}
