#include <catch2/catch.hpp>
#include <functional>
#include <optional>

#include <lockstep/spirv/shader.hpp>

#include "spirv/sizes.hpp"

using namespace lockstep;
using test::sizes;
using Uint = std::uint32_t;

namespace {

constexpr Uint invocations = 150;

Uint value_of(Uint i) { return (i * 2654435761u >> 7) % 1000; }
bool takes_part(Uint i) { return (i * 40503u >> 3) % 5 != 0; }

/// The lanes of one subgroup that take part.
struct Group {
  Uint size, first;
  std::vector<Uint> active;
};

/// Runs `r = expression` where takes_part, and compares each lane's result with expected(group, lane,
/// own value), unless it has none.
void check(const std::string& extensions, const std::string& expression,
           const std::function<std::optional<Uint>(const Group&, Uint, Uint)>& expected) {
  auto shader = Shader::from_glsl(R"(#version 460
#extension GL_KHR_shader_subgroup_basic : enable
#extension GL_KHR_shader_subgroup_vote : enable
#extension GL_KHR_shader_subgroup_ballot : enable
#extension GL_KHR_shader_subgroup_arithmetic : enable
#extension GL_KHR_shader_subgroup_shuffle : enable
#extension GL_KHR_shader_subgroup_shuffle_relative : enable
#extension GL_KHR_shader_subgroup_clustered : enable
#extension GL_KHR_shader_subgroup_quad : enable
#extension GL_NV_shader_subgroup_partitioned : enable
#extension GL_EXT_shader_explicit_arithmetic_types : enable
#extension GL_EXT_shader_subgroup_extended_types_int8 : enable
#extension GL_EXT_shader_subgroup_extended_types_int16 : enable
#extension GL_EXT_shader_subgroup_extended_types_int64 : enable
#extension GL_EXT_shader_subgroup_extended_types_float16 : enable
)" + extensions + R"(
layout(local_size_x = 150) in;
layout(set = 0, binding = 0) buffer In { uint values[]; };
layout(set = 0, binding = 1) buffer Parts { uint parts[]; };
layout(set = 0, binding = 2) buffer Out { uint results[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  uint x = values[i];
  uint s = gl_SubgroupInvocationID;
  if (parts[i] != 0u) results[i] = uint()" +
                                  expression + R"();
})");
  std::vector<Uint> in(invocations), parts(invocations), out(invocations);
  for (Uint i = 0; i < invocations; ++i) {
    in[i] = value_of(i);
    parts[i] = takes_part(i) ? 1 : 0;
  }
  for (const int size : sizes) {
    out.assign(invocations, 0xabcdef);
    shader.bind(0, in).bind(1, parts).bind(2, out).dispatch({1}, {.subgroup_size = size});
    INFO(expression << " at subgroup size " << size);
    const auto n = static_cast<Uint>(size);
    for (Uint first = 0; first < invocations; first += n) {
      Group group{n, first, {}};
      for (Uint lane = 0; lane < n && first + lane < invocations; ++lane)
        if (takes_part(first + lane)) group.active.push_back(lane);
      for (const Uint lane : group.active) {
        const auto right = expected(group, lane, in[first + lane]);
        INFO("lane " << lane << " of the subgroup from " << first);
        if (right) REQUIRE(out[first + lane] == *right);
      }
    }
    for (Uint i = 0; i < invocations; ++i)
      if (!takes_part(i)) REQUIRE(out[i] == 0xabcdef);
  }
}
void check(const std::string& expression,
           const std::function<std::optional<Uint>(const Group&, Uint, Uint)>& expected) {
  check("", expression, expected);
}

template <class F>
Uint fold(const Group& g, Uint start, F f) {
  Uint r = start;
  for (const Uint lane : g.active) r = f(r, value_of(g.first + lane), lane);
  return r;
}

std::optional<Uint> from_lane(const Group& g, std::int64_t lane) {
  for (const Uint a : g.active)
    if (a == lane) return value_of(g.first + a);
  return std::nullopt;
}

}  // namespace

TEST_CASE("votes, elections and ballots") {
  check("subgroupElect()", [](const Group& g, Uint lane, Uint) { return lane == g.active[0]; });
  check("subgroupAll(x > 10u)", [](const Group& g, Uint, Uint) {
    return fold(g, 1, [](Uint r, Uint v, Uint) { return r & Uint(v > 10); });
  });
  check("subgroupAny(x > 990u)", [](const Group& g, Uint, Uint) {
    return fold(g, 0, [](Uint r, Uint v, Uint) { return r | Uint(v > 990); });
  });
  check("subgroupAllEqual(x / 900u)", [](const Group& g, Uint, Uint) {
    const Uint first = value_of(g.first + g.active[0]) / 900;
    return fold(g, 1, [&](Uint r, Uint v, Uint) { return r & Uint(v / 900 == first); });
  });
  for (const Uint word : {0u, 1u, 2u, 3u}) {
    check("subgroupBallot((x & 1u) == 1u)[" + std::to_string(word) + "]",
          [word](const Group& g, Uint, Uint) {
            return fold(g, 0, [&](Uint r, Uint v, Uint lane) {
              return lane / 32 == word && (v & 1) == 1 ? r | 1u << lane % 32 : r;
            });
          });
  }
  const auto odd_below = [](const Group& g, Uint end) {
    return fold(g, 0, [&](Uint r, Uint v, Uint lane) { return r + (v % 2 == 1 && lane < end); });
  };
  check("subgroupBallotBitCount(subgroupBallot((x & 1u) == 1u))",
        [=](const Group& g, Uint, Uint) { return odd_below(g, 128); });
  check("subgroupBallotBitCount(uvec4(~0u))", [](const Group& g, Uint, Uint) { return g.size; });
  check("subgroupBallotExclusiveBitCount(subgroupBallot((x & 1u) == 1u))",
        [=](const Group& g, Uint lane, Uint) { return odd_below(g, lane); });
  check("subgroupBallotInclusiveBitCount(subgroupBallot((x & 1u) == 1u))",
        [=](const Group& g, Uint lane, Uint) { return odd_below(g, lane + 1); });
  check("subgroupInverseBallot(subgroupBallot((x & 1u) == 1u))",
        [](const Group&, Uint, Uint x) { return x & 1; });
  check("subgroupBallotBitExtract(uvec4(x), 3u)", [](const Group& g, Uint, Uint x) {
    return g.size > 3 ? std::optional(x >> 3 & 1) : std::nullopt;
  });
  check("subgroupBallotFindLSB(subgroupBallot(true))",
        [](const Group& g, Uint, Uint) { return g.active[0]; });
  check("subgroupBallotFindMSB(subgroupBallot(true))",
        [](const Group& g, Uint, Uint) { return g.active.back(); });
  check(
      "subgroupBallotBitCount(gl_SubgroupGeMask) * 1000u + "
      "subgroupBallotBitCount(gl_SubgroupLtMask)",
      [](const Group& g, Uint lane, Uint) { return (g.size - lane) * 1000 + lane; });
}

TEST_CASE("shuffles and broadcasts") {
  check("subgroupBroadcastFirst(x)",
        [](const Group& g, Uint, Uint) { return from_lane(g, g.active[0]); });
  check("subgroupBroadcast(x, 3u)", [](const Group& g, Uint, Uint) { return from_lane(g, 3); });
  check("subgroupShuffle(x, (s * 5u + 1u) % gl_SubgroupSize)",
        [](const Group& g, Uint lane, Uint) { return from_lane(g, (lane * 5 + 1) % g.size); });
  check("subgroupShuffleXor(x, 5u)",
        [](const Group& g, Uint lane, Uint) { return from_lane(g, lane ^ 5); });
  check("subgroupShuffleUp(x, 2u)",
        [](const Group& g, Uint lane, Uint) { return from_lane(g, std::int64_t{lane} - 2); });
  check("subgroupShuffleDown(x, 3u)",
        [](const Group& g, Uint lane, Uint) { return from_lane(g, lane + 3); });
  check("subgroupQuadBroadcast(x, 2u)",
        [](const Group& g, Uint lane, Uint) { return from_lane(g, (lane & ~3u) + 2); });
  check("subgroupQuadSwapHorizontal(x)",
        [](const Group& g, Uint lane, Uint) { return from_lane(g, lane ^ 1); });
  check("subgroupQuadSwapVertical(x)",
        [](const Group& g, Uint lane, Uint) { return from_lane(g, lane ^ 2); });
  check("subgroupQuadSwapDiagonal(x)",
        [](const Group& g, Uint lane, Uint) { return from_lane(g, lane ^ 3); });
  check("subgroupShuffle(vec3(x, x + 1u, 0.0), s ^ 1u).y", [](const Group& g, Uint lane, Uint) {
    const auto from = from_lane(g, lane ^ 1);
    return from ? std::optional(*from + 1) : std::nullopt;
  });
}

TEST_CASE("subgroupRotate, which glslang lacks") {
  const std::string extension = "#extension GL_KHR_shader_subgroup_rotate : require";
  check(extension, "subgroupRotate(x, 5u)",
        [](const Group& g, Uint lane, Uint) { return from_lane(g, (lane + 5) % g.size); });
  check(extension, "subgroupRotate(uvec2(1u, x), 1u).y",
        [](const Group& g, Uint lane, Uint) { return from_lane(g, (lane + 1) % g.size); });
  check(extension, "subgroupClusteredRotate(x, 3u, 4u)", [](const Group& g, Uint lane, Uint) {
    return g.size % 4 == 0 ? from_lane(g, ((lane + 3) & 3) + (lane & ~3u)) : std::nullopt;
  });
}

TEST_CASE("subgroupRotate of types that extensions declare, as scalars and vectors") {
  const std::string extension = "#extension GL_KHR_shader_subgroup_rotate : require";
  const auto rotated = [](const Group& g, Uint lane, Uint) {
    const auto from = from_lane(g, (lane + 5) % g.size);
    return from ? std::optional(*from % 100) : std::nullopt;
  };
  const auto clustered = [](const Group& g, Uint lane, Uint) {
    const auto from =
        g.size % 4 == 0 ? from_lane(g, ((lane + 3) & 3) + (lane & ~3u)) : std::nullopt;
    return from ? std::optional(*from % 100) : std::nullopt;
  };
  const std::pair<std::string, std::string> types[] = {
      {"int8_t", "i8vec"},   {"uint8_t", "u8vec"},   {"int16_t", "i16vec"},  {"uint16_t", "u16vec"},
      {"int64_t", "i64vec"}, {"uint64_t", "u64vec"}, {"float16_t", "f16vec"}};
  for (const auto& [scalar, vector] : types) {
    INFO(scalar);
    const std::string value = scalar + "(x % 100u)", zero = scalar + "(0)";
    check(extension, "subgroupRotate(" + value + ", 5u)", rotated);
    check(extension, "subgroupRotate(" + vector + "2(" + zero + ", " + value + "), 5u).y", rotated);
    check(extension, "subgroupClusteredRotate(" + value + ", 3u, 4u)", clustered);
    check(extension,
          "subgroupClusteredRotate(" + vector + "4(" + value + ", " + zero + ", " + zero + ", " +
              zero + "), 3u, 4u).x",
          clustered);
  }
}

TEST_CASE("quad votes, which glslang lacks") {
  const std::string extension = "#extension GL_EXT_shader_quad_control : require";
  const auto of_quad = [](const Group& g, Uint lane, bool all) {
    bool result = all;
    for (const Uint other : g.active) {
      const bool holds = value_of(g.first + other) % 3 == 0;
      if (other / 4 == lane / 4) result = all ? result && holds : result || holds;
    }
    return result;
  };
  check(extension, "subgroupQuadAll(x % 3u == 0u)",
        [&](const Group& g, Uint lane, Uint) { return of_quad(g, lane, true); });
  check(extension, "subgroupQuadAny(x % 3u == 0u)",
        [&](const Group& g, Uint lane, Uint) { return of_quad(g, lane, false); });
}

TEST_CASE("reductions, scans, clustered and partitioned operations") {
  struct Operator {
    std::string name;
    Uint identity;
    Uint (*apply)(Uint, Uint);
  };
  const Operator operators[] = {
      {"Add", 0, [](Uint a, Uint b) { return a + b; }},
      {"Mul", 1, [](Uint a, Uint b) { return a * b; }},
      {"Min", ~0u, [](Uint a, Uint b) { return std::min(a, b); }},
      {"Max", 0, [](Uint a, Uint b) { return std::max(a, b); }},
      {"And", ~0u, [](Uint a, Uint b) { return a & b; }},
      {"Or", 0, [](Uint a, Uint b) { return a | b; }},
      {"Xor", 0, [](Uint a, Uint b) { return a ^ b; }},
  };
  for (const Operator& op : operators) {
    const auto over = [&op](const Group& g, auto member) {
      return fold(g, op.identity,
                  [&](Uint r, Uint v, Uint lane) { return member(lane, v) ? op.apply(r, v) : r; });
    };
    check("subgroup" + op.name + "(x)",
          [&](const Group& g, Uint, Uint) { return over(g, [](Uint, Uint) { return true; }); });
    check("subgroupInclusive" + op.name + "(x)", [&](const Group& g, Uint lane, Uint) {
      return over(g, [&](Uint other, Uint) { return other <= lane; });
    });
    check("subgroupExclusive" + op.name + "(x)", [&](const Group& g, Uint lane, Uint) {
      return over(g, [&](Uint other, Uint) { return other < lane; });
    });
    check("subgroupClustered" + op.name + "(x, 4u)",
          [&](const Group& g, Uint lane, Uint) -> std::optional<Uint> {
            if (g.size < 4) return std::nullopt;
            return over(g, [&](Uint other, Uint) { return other / 4 == lane / 4; });
          });
    check("subgroupPartitioned" + op.name + "NV(x, subgroupPartitionNV(x % 3u))",
          [&](const Group& g, Uint, Uint x) {
            return over(g, [&](Uint, Uint v) { return v % 3 == x % 3; });
          });
    check("subgroupPartitionedExclusive" + op.name + "NV(x, subgroupPartitionNV(x % 3u))",
          [&](const Group& g, Uint lane, Uint x) {
            return over(g, [&](Uint other, Uint v) { return v % 3 == x % 3 && other < lane; });
          });
  }
}

TEST_CASE("other types") {
  check("subgroupMin(int(x) - 500) + 1000", [](const Group& g, Uint, Uint) {
    return fold(g, ~0u, [](Uint r, Uint v, Uint) { return std::min(r, v + 500); });
  });
  check("subgroupAdd(float(x))", [](const Group& g, Uint, Uint) {
    return fold(g, 0, [](Uint r, Uint v, Uint) { return r + v; });
  });
  check("subgroupAdd(double(x))", [](const Group& g, Uint, Uint) {
    return fold(g, 0, [](Uint r, Uint v, Uint) { return r + v; });
  });
  check("subgroupAdd(uint64_t(x) << 32u) >> 32u", [](const Group& g, Uint, Uint) {
    return fold(g, 0, [](Uint r, Uint v, Uint) { return r + v; });
  });
  check("subgroupInclusiveAdd(uint8_t(x))", [](const Group& g, Uint lane, Uint) {
    return fold(g, 0,
                [&](Uint r, Uint v, Uint other) { return other <= lane ? (r + v) & 255 : r; });
  });
  check("subgroupMax(int16_t(int(x) - 500)) + 1000", [](const Group& g, Uint, Uint) {
    return fold(g, 0, [](Uint r, Uint v, Uint) { return std::max(r, v + 500); });
  });
  check("subgroupMax(float16_t(x))", [](const Group& g, Uint, Uint) {
    return fold(g, 0, [](Uint r, Uint v, Uint) { return std::max(r, v); });
  });
  check("subgroupXor(x > 500u)", [](const Group& g, Uint, Uint) {
    return fold(g, 0, [](Uint r, Uint v, Uint) { return r ^ Uint(v > 500); });
  });
  check("subgroupExclusiveAdd(uvec3(x, 2u * x, 1u)).y", [](const Group& g, Uint lane, Uint) {
    return fold(g, 0, [&](Uint r, Uint v, Uint other) { return other < lane ? r + 2 * v : r; });
  });
}
