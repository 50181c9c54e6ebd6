#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/spirv/shader.hpp>

#include "support/with_native.hpp"

/// \file
/// Elements at an index of each lane and at one for all, and numbers that one lane gives to all, in machine code and
/// without it, against loops over invocations.

using namespace lockstep;
using namespace lockstep::test;
using Uint = std::uint32_t;

namespace {

constexpr Uint local_size = 100, invocations = 3 * local_size, room = 60;
constexpr int sizes[] = {1, 4, 8, 16, 24, 32, 33, 64, 100, 128};

/// Indices of which some are alike, some are outside, and some are too large for a product with a stride.
std::vector<Uint> indices(Uint outside) {
  std::vector<Uint> all(invocations);
  for (Uint k = 0; k < invocations; ++k) {
    all[k] = k * 2654435761u >> 8;
    all[k] = outside != 0 && k % outside == 3 ? (k % 2 != 0 ? room + k % 5 : 0xffffffff - k)
                                              : all[k] % room;
  }
  return all;
}

std::string source(const std::string& body) {
  return R"(#version 460
#extension GL_KHR_shader_subgroup_ballot : enable
layout(local_size_x = 100) in;
struct Three { uint a, b, c; };
layout(push_constant) uniform Push { uint every, from, at; };
layout(binding = 0) readonly buffer Index { uint places[]; };
layout(binding = 1) buffer Ones { uint ones[]; };
layout(binding = 2) buffer Pairs { uvec2 pairs[]; };
layout(binding = 3) buffer Fours { uvec4 fours[]; };
layout(binding = 4) buffer Threes { Three threes[]; };
layout(binding = 5) buffer Out { uint result[]; };
void main() {
  uint i = gl_GlobalInvocationID.x, place = places[i], sum = 7u;
  if (i % every >= from) {
)" + body +
         "  }\n  result[i] = sum;\n}\n";
}

struct Push {
  Uint every, from, at;
};

/// The memory of a dispatch.
struct Memory {
  std::vector<Uint> ones = std::vector<Uint>(room), pairs = std::vector<Uint>(2 * room),
                    fours = std::vector<Uint>(4 * room), threes = std::vector<Uint>(3 * room),
                    result = std::vector<Uint>(invocations, 7);
  std::uint64_t faults = 0;

  Memory() {
    Uint next = 1;
    for (auto* of : {&ones, &pairs, &fours, &threes})
      for (Uint& x : *of) x = next++ * 2654435761u;
  }
};

/// Runs the body for each target and size; step(memory, invocation, place, push) is what an active invocation does.
template <class F>
void check(const std::string& body, F step, Uint at_most = room) {
  for (const spirv::Target target : native_targets()) {
    const WithNative native(target);
    auto shader = Shader::from_glsl(source(body));
    for (const Uint outside : {0u, 97u, 7u}) {
      const std::vector<Uint> places = indices(outside);
      for (const Push& push :
           {Push{1, 0, 0}, Push{3, 1, 5}, Push{64, 63, at_most}, Push{2, 1, 33}}) {
        for (const int size : sizes) {
          Memory expected, memory;
          for (Uint i = 0; i < invocations; ++i) {
            if (i % push.every >= push.from)
              step(expected, i, places[i], push, static_cast<Uint>(size));
          }
          shader.bind(0, places).bind(1, memory.ones).bind(2, memory.pairs);
          shader.bind(3, memory.fours).bind(4, memory.threes).bind(5, memory.result).push(push);
          memory.faults = shader.dispatch({3}, {.subgroup_size = size, .threads = 1}).faults;
          CAPTURE(name_of(target), size, outside, push.every, push.at);
          REQUIRE(memory.result == expected.result);
          REQUIRE(memory.ones == expected.ones);
          REQUIRE((memory.threes == expected.threes && memory.pairs == expected.pairs));
          REQUIRE(memory.faults == expected.faults);
        }
      }
    }
  }
}

/// The number there; a fault where there is none.
Uint read(Memory& memory, const std::vector<Uint>& of, Uint place, Uint stride, Uint component) {
  if (place < room) return of[place * stride + component];
  memory.faults += component == 0 ? 1 : 0;
  return 0;
}
void write(Memory& memory, std::vector<Uint>& of, Uint place, Uint stride, Uint component,
           Uint value) {
  if (place < room)
    of[place * stride + component] = value;
  else
    ++memory.faults;
}

}  // namespace

TEST_CASE("elements read at an index of each lane") {
  check(R"(
    uvec2 two = pairs[place];
    uvec4 four = fours[place];
    sum = ones[place] + two.x * 3u + two.y * 5u;
    sum += four.x * 7u + four.y * 9u + four.z * 11u + four.w * 13u;
    sum = sum * 3u + threes[place].a;
)",
        [](Memory& m, Uint i, Uint place, const Push&, Uint) {
          const auto at = [&](const std::vector<Uint>& of, Uint stride, Uint component) {
            return read(m, of, place, stride, component);
          };
          Uint sum = at(m.ones, 1, 0) + at(m.pairs, 2, 0) * 3 + at(m.pairs, 2, 1) * 5;
          sum += at(m.fours, 4, 0) * 7 + at(m.fours, 4, 1) * 9 + at(m.fours, 4, 2) * 11 +
                 at(m.fours, 4, 3) * 13;
          m.result[i] = sum * 3 + at(m.threes, 3, 0);
        });
}

TEST_CASE("components of elements, at an index of each lane for both") {
  check(R"(
    sum = fours[place][place % 4u] + fours[i % 50u][(place ^ i) & 3u] * 3u;
    if (i % 4u != 2u) sum += pairs[place / 3u][i % 2u] * 5u + fours[at][i & 3u] * 7u;
)",
        [](Memory& m, Uint i, Uint place, const Push& push, Uint) {
          const auto at = [&](const std::vector<Uint>& of, Uint element, Uint count,
                              Uint component) {
            if (element < room && component < count) return of[element * count + component];
            ++m.faults;
            return 0u;
          };
          Uint sum = at(m.fours, place, 4, place % 4) + at(m.fours, i % 50, 4, (place ^ i) & 3) * 3;
          if (i % 4 != 2)
            sum += at(m.pairs, place / 3, 2, i % 2) * 5 + at(m.fours, push.at, 4, i & 3) * 7;
          m.result[i] = sum;
        });
}

TEST_CASE("elements written at an index of each lane: the highest lane's value stays") {
  check(R"(
    ones[place] = i;
    threes[place].c = i * 3u;
    threes[place].a = at;
    pairs[place].y = i ^ 5u;
)",
        [](Memory& m, Uint i, Uint place, const Push& push, Uint) {
          write(m, m.ones, place, 1, 0, i);
          write(m, m.threes, place, 3, 2, i * 3);
          write(m, m.threes, place, 3, 0, push.at);
          write(m, m.pairs, place, 2, 1, i ^ 5);
        });
}

TEST_CASE("elements read and written at one index for all lanes") {
  check(R"(
    ones[at] = i;
    threes[at].b = 9u;
    uvec4 four = fours[at];
    sum = four.x + four.y * 3u + four.z * 5u + four.w * 7u + pairs[2].y + threes[at].c;
)",
        [](Memory& m, Uint i, Uint, const Push& push, Uint size) {
          // A subgroup's access is one fault: of its first active lane.
          const Uint lane = i % local_size % size;
          bool first = true;
          for (Uint k = i - lane; k < i; ++k) first = first && k % push.every < push.from;
          const auto at = [&](const std::vector<Uint>& of, Uint stride, Uint component) {
            return push.at < room ? of[push.at * stride + component] : 0;
          };
          if (push.at < room) {
            m.ones[push.at] = i;
            m.threes[push.at * 3 + 1] = 9;
          } else {
            m.faults += first ? 4 : 0;
          }
          m.result[i] = at(m.fours, 4, 0) + at(m.fours, 4, 1) * 3 + at(m.fours, 4, 2) * 5 +
                        at(m.fours, 4, 3) * 7 + m.pairs[5] + at(m.threes, 3, 2);
        });
}

TEST_CASE("the number of one lane for all") {
  check(R"(
    uint lane = at % gl_SubgroupSize;
    uint own = i * 3u;
    sum = subgroupBroadcastFirst(own);
    sum += subgroupBroadcast(i, subgroupBallotFindMSB(subgroupBallot(true))) * 5u;
)",
        [](Memory& m, Uint i, Uint, const Push& push, Uint size) {
          const Uint begin = i - i % local_size % size;
          const Uint end = std::min(begin + size, i / local_size * local_size + local_size);
          Uint first = ~0u, last = 0;
          for (Uint k = begin; k < end; ++k) {
            if (k % push.every < push.from) continue;
            first = std::min(first, k);
            last = k;
          }
          m.result[i] = first * 3 + last * 5;
        });
}

TEST_CASE("elements of shared memory at an index of each lane and at one for all") {
  for (const spirv::Target target : native_targets()) {
    const WithNative native(target);
    auto shader = Shader::from_glsl(R"(#version 460
layout(local_size_x = 128) in;
layout(push_constant) uniform Push { uint at; };
layout(binding = 0) buffer Out { uint result[]; };
shared uint s[128];
void main() {
  uint l = gl_LocalInvocationIndex;
  s[l * 37u % 128u] = l;
  barrier();
  uint sum = s[(l * 5u + 1u) % 128u] + s[at] * 3u;
  barrier();
  if (l % 2u == 1u) s[at + 1u] = l;
  barrier();
  result[gl_GlobalInvocationID.x] = sum + s[at + 1u] * 7u;
})");
    for (const int size : sizes) {
      std::vector<Uint> out(256), of(128);
      shader.bind(0, out).push(Uint{11}).dispatch({2}, {.subgroup_size = size});
      for (Uint l = 0; l < 128; ++l) of[l * 37 % 128] = l;
      CAPTURE(name_of(target), size);
      for (Uint i = 0; i < 256; ++i)
        REQUIRE(out[i] == of[(i % 128 * 5 + 1) % 128] + of[11] * 3 + 127 * 7);
    }
  }
}
