#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/dispatch/device.hpp>
#include <lockstep/exec/endless_loop.hpp>
#include <lockstep/spirv/shader.hpp>

#include "spirv/native_check.hpp"
#include "support/with_native.hpp"

/// \file
/// Operations between lanes, loops of all lanes, and the start of one subgroup after another, in machine code and
/// without it, against loops over the lanes.

using namespace lockstep;
using namespace lockstep::test;
using Uint = std::uint32_t;

namespace {

constexpr Uint local_size = 100, invocations = 3 * local_size;

/// The lanes of the subgroup of one invocation: their numbers in the dispatch.
struct Group {
  std::vector<Uint> lanes;
  Uint lane = 0;  ///< of the invocation
};

Group group_of(Uint i, Uint size) {
  const Uint workgroup = i / local_size, first = i % local_size / size * size;
  Group group{{}, i % local_size - first};
  for (Uint k = first; k < std::min(first + size, local_size); ++k)
    group.lanes.push_back(workgroup * local_size + k);
  return group;
}

/// Runs the body at every size and for each target; `expected(value, invocation, group, size)` is the result.
void check_groups(
    const std::string& body,
    const std::function<Uint(const std::vector<Uint>&, Uint, const Group&, Uint)>& expected,
    const std::function<bool(Uint)>& fits = [](Uint) { return true; }) {
  const std::string source = R"(#version 460
#extension GL_KHR_shader_subgroup_arithmetic : enable
#extension GL_KHR_shader_subgroup_ballot : enable
#extension GL_KHR_shader_subgroup_shuffle : enable
#extension GL_KHR_shader_subgroup_clustered : enable
#extension GL_KHR_shader_subgroup_vote : enable
layout(local_size_x = 100) in;
layout(set = 0, binding = 0) readonly buffer In { uint values[]; };
layout(set = 0, binding = 1) buffer Out { uint result[]; };
layout(push_constant) uniform Push { uint limit; };
uint twice(uint v) {
  uint more = v + v;
  return more;
}
void main() {
  uint i = gl_GlobalInvocationID.x;
  uint x = values[i];
)" + body + "}";
  std::vector<Uint> in(invocations);
  for (Uint i = 0; i < invocations; ++i) in[i] = i * 2654435761u >> 7;
  for (const spirv::Target target : native_targets()) {
    const WithNative native(target);
    auto shader = Shader::from_glsl(source);
    for (int size = 1; size <= 128; size = size < 33 ? size + 1 : size + 31) {
      if (!fits(static_cast<Uint>(size))) continue;
      std::vector<Uint> out(invocations, 77);
      shader.bind(0, in).bind(1, out).push(Uint{5}).dispatch({3}, {.subgroup_size = size});
      for (Uint i = 0; i < invocations; ++i) {
        INFO(name_of(target) << ", size " << size << ", invocation " << i);
        REQUIRE(out[i] ==
                expected(in, i, group_of(i, static_cast<Uint>(size)), static_cast<Uint>(size)));
      }
    }
  }
}

/// How many of the group's lanes up to `end` are active and fulfil the condition.
Uint count(const Group& group, std::size_t end, const std::function<bool(Uint)>& holds) {
  Uint found = 0;
  for (std::size_t k = 0; k < std::min(end, group.lanes.size()); ++k)
    found += holds(group.lanes[k]) ? 1 : 0;
  return found;
}

}  // namespace

TEST_CASE("ballots and their counts, of all lanes and of some") {
  check_groups(R"(
  uint r = 0;
  if (x % 4 != 0) {
    uvec4 ballot = subgroupBallot(x % 3 == 1);
    r = subgroupBallotBitCount(ballot) + 256 * subgroupBallotInclusiveBitCount(ballot) +
        65536 * subgroupBallotExclusiveBitCount(ballot);
  }
  uvec4 all = subgroupBallot(true);
  result[i] = r ^ subgroupBallotExclusiveBitCount(all) << 24;
)",
               [](const std::vector<Uint>& in, Uint i, const Group& group, Uint) {
                 const auto voted = [&](Uint k) { return in[k] % 4 != 0 && in[k] % 3 == 1; };
                 const Uint r = in[i] % 4 == 0 ? 0
                                               : count(group, 128, voted) +
                                                     256 * count(group, group.lane + 1, voted) +
                                                     65536 * count(group, group.lane, voted);
                 return r ^ group.lane << 24;
               });
}

TEST_CASE("bits of a number counted as a ballot end with the subgroup") {
  check_groups(R"(
  uvec4 word = uvec4(limit * 0x33333333u, 0, 0, 0);
  result[i] = subgroupBallotBitCount(word) * 64 + subgroupBallotExclusiveBitCount(word);
)",
               [](const std::vector<Uint>&, Uint, const Group& group, Uint size) {
                 const Uint word = 0xffffffff;  // 5 * 0x33333333
                 const auto below = [&](Uint n) { return n >= 32 ? word : word & ((1u << n) - 1); };
                 return static_cast<Uint>(std::popcount(below(size)) * 64 +
                                          std::popcount(below(group.lane)));
               });
}

TEST_CASE("bits of ballots, of all lanes and of each lane's own number") {
  check_groups(R"(
  uint y = x * 2654435761u;
  uvec4 voted = subgroupBallot(x % 3 == 1);
  uvec4 own = uvec4(y >> (x & 31u), 0u, 0u, 0u);
  uint r = 0;
  if (x % 4 != 0) {
    r = subgroupBallotFindLSB(voted) + 128 * subgroupBallotFindMSB(voted) +
        (subgroupInverseBallot(voted) ? 3u : 0u) * 65536 +
        (subgroupBallotBitExtract(voted, x & 7u) ? 5u : 0u) * 65536;
    r = r * 3 + subgroupBallotBitCount(own) + 32 * subgroupBallotInclusiveBitCount(own) +
        1024 * subgroupBallotExclusiveBitCount(own) + 32768 * subgroupBallotFindLSB(own) +
        1048576 * subgroupBallotFindMSB(own);
  }
  if (subgroupInverseBallot(own)) r += 7;
  if (subgroupBallotBitExtract(own, x & 7u)) r += 11;
  result[i] = r;
)",
               [](const std::vector<Uint>& in, Uint i, const Group& group, Uint size) {
                 const Uint x = in[i], y = x * 2654435761u, own = y >> (x & 31);
                 const auto below = [](Uint n) { return n >= 32 ? ~0u : (1u << n) - 1; };
                 const auto lowest = [](Uint w) {
                   return static_cast<Uint>(w == 0 ? 0 : std::countr_zero(w));
                 };
                 const auto highest = [](Uint w) {
                   return static_cast<Uint>(w == 0 ? 0 : 31 - std::countl_zero(w));
                 };
                 const auto count = [](Uint w) { return static_cast<Uint>(std::popcount(w)); };
                 Uint voted = 0;
                 for (std::size_t k = 0; k < group.lanes.size(); ++k)
                   if (in[group.lanes[k]] % 3 == 1) voted |= 1u << k;
                 Uint r = 0;
                 if (x % 4 != 0) {
                   r = lowest(voted) + 128 * highest(voted) +
                       (voted >> group.lane & 1) * 3 * 65536 + (voted >> (x & 7) & 1) * 5 * 65536;
                   const Uint all = own & below(size);
                   r = r * 3 + count(all) + 32 * count(own & below(group.lane + 1)) +
                       1024 * count(own & below(group.lane)) + 32768 * lowest(all) +
                       1048576 * highest(all);
                 }
                 return r + (own >> group.lane & 1) * 7 + (own >> (x & 7) & 1) * 11;
               },
               [](Uint size) { return size >= 8 && size <= 32; });
}

TEST_CASE("votes, of all lanes and of some") {
  check_groups(R"(
  uint r = 0;
  uint y = x % 16 == 0 ? 1 : 2;
  float f = x % 2 == 0 ? 0.0 : -0.0;
  if (subgroupAll(x % 8 != 3)) r += 1;
  if (subgroupAny(x % 16 == 5)) r += 2;
  if (subgroupAllEqual(y)) r += 4;
  if (x % 3 != 0) {
    r += uint(subgroupAll(x % 3 != 0)) * 8 + uint(subgroupAny(x % 9 == 4)) * 16 +
         uint(subgroupAllEqual(x % 3)) * 32 + uint(subgroupAllEqual(limit)) * 64;
    if (subgroupAllEqual(f) && subgroupAllEqual(int(y))) r += 128;
  }
  result[i] = r;
)",
               [](const std::vector<Uint>& in, Uint i, const Group& group, Uint) {
                 const auto any = [&](bool some, const std::function<bool(Uint)>& holds) {
                   return count(group, 128, [&](Uint k) {
                            return (!some || in[k] % 3 != 0) && holds(in[k]);
                          }) != 0;
                 };
                 const auto differs = [](Uint n) {
                   return [n](Uint x) { return (x % 16 == 0) == (n == 0); };
                 };
                 Uint r = 0;
                 if (!any(false, [](Uint x) { return x % 8 == 3; })) r += 1;
                 if (any(false, [](Uint x) { return x % 16 == 5; })) r += 2;
                 if (!any(false, differs(0)) || !any(false, differs(1))) r += 4;
                 if (in[i] % 3 == 0) return r;
                 r += 8 + (any(true, [](Uint x) { return x % 9 == 4; }) ? 16 : 0) + 64;
                 const bool ones = any(true, [](Uint x) { return x % 3 == 1; });
                 const bool twos = any(true, [](Uint x) { return x % 3 == 2; });
                 if (!ones || !twos) r += 32;
                 if (!any(true, differs(0)) || !any(true, differs(1))) r += 128;
                 return r;
               });
}

TEST_CASE("lanes exchanged by one number for all") {
  check_groups(R"(
  uint sum = x;
  for (uint distance = 1; distance < gl_SubgroupSize; distance *= 2)
    sum = sum * 3 + subgroupShuffleXor(sum, distance) +
          subgroupShuffleXor(sum, gl_SubgroupSize - 1 - distance) * 5;
  result[i] = sum;
)",
               [](const std::vector<Uint>& in, Uint, const Group& group, Uint size) {
                 std::vector<Uint> sums;
                 for (const Uint k : group.lanes) sums.push_back(in[k]);
                 for (Uint distance = 1; distance < size; distance *= 2) {
                   const std::vector<Uint> before = sums;
                   for (Uint k = 0; k < sums.size(); ++k)
                     sums[k] = before[k] * 3 + before[k ^ distance] +
                               before[k ^ (size - 1 - distance)] * 5;
                 }
                 return sums[group.lane];
               },
               // Whole subgroups only: otherwise some lanes' partners do not exist.
               [](Uint size) { return std::has_single_bit(size) && local_size % size == 0; });
}

namespace {

/// A reduction or scan of 32-bit integers.
struct Combined {
  const char* name;
  Uint identity;
  Uint (*of)(Uint, Uint);
};

const std::vector<Combined>& combinations() {
  static const std::vector<Combined> all{
      {"Add", 0, [](Uint a, Uint b) { return a + b; }},
      {"Mul", 1, [](Uint a, Uint b) { return a * b; }},
      {"Min", ~0u, [](Uint a, Uint b) { return std::min(a, b); }},
      {"Max", 0, [](Uint a, Uint b) { return std::max(a, b); }},
      {"And", ~0u, [](Uint a, Uint b) { return a & b; }},
      {"Or", 0, [](Uint a, Uint b) { return a | b; }},
      {"Xor", 0, [](Uint a, Uint b) { return a ^ b; }},
      {"iMin", 0x7fffffff,
       [](Uint a, Uint b) {
         return static_cast<Uint>(std::min(static_cast<int>(a), static_cast<int>(b)));
       }},
      {"iMax", 0x80000000,
       [](Uint a, Uint b) {
         return static_cast<Uint>(std::max(static_cast<int>(a), static_cast<int>(b)));
       }},
  };
  return all;
}

/// The same in GLSL, of the expression.
std::string call_of(const Combined& one, const std::string& kind, const std::string& operand) {
  const std::string name = one.name;
  if (name[0] == 'i') return "uint(subgroup" + kind + name.substr(1) + "(int(" + operand + ")))";
  return "subgroup" + kind + name + "(" + operand + ")";
}

}  // namespace

TEST_CASE("reductions and scans of integers, of all lanes and of some") {
  for (const Combined& one : combinations()) {
    INFO(one.name);
    const auto combined = [&](const std::vector<Uint>& in, const Group& group, std::size_t end,
                              const std::function<bool(Uint)>& takes) {
      Uint all = one.identity;
      for (std::size_t k = 0; k < std::min(end, group.lanes.size()); ++k)
        if (takes(in[group.lanes[k]])) all = one.of(all, in[group.lanes[k]] * 2654435761u);
      return all;
    };
    check_groups(
        "x *= 2654435761u; uint r = 5;\nif (values[i] % 3 != 0) r = " + call_of(one, "", "x") +
            " + 3 * " + call_of(one, "Inclusive", "x") + " + 5 * " +
            call_of(one, "Exclusive", "x") + ";\nresult[i] = r + 7 * " + call_of(one, "", "x") +
            " + 11 * " + call_of(one, "Exclusive", "x") + ";",
        [&](const std::vector<Uint>& in, Uint i, const Group& group, Uint) {
          const auto some = [](Uint value) { return value % 3 != 0; };
          const auto all = [](Uint) { return true; };
          const Uint r = !some(in[i]) ? 5
                                      : combined(in, group, 128, some) +
                                            3 * combined(in, group, group.lane + 1, some) +
                                            5 * combined(in, group, group.lane, some);
          return r + 7 * combined(in, group, 128, all) + 11 * combined(in, group, group.lane, all);
        });
  }
}

TEST_CASE("reductions of clusters of integers, of all lanes and of some") {
  for (const Combined& one : combinations()) {
    for (const Uint cluster : {1u, 2u, 8u, 16u, 32u, 64u}) {
      INFO(one.name << ", clusters of " << cluster);
      const auto combined = [&](const std::vector<Uint>& in, const Group& group,
                                const std::function<bool(Uint)>& takes) {
        Uint all = one.identity;
        for (Uint k = 0; k < group.lanes.size(); ++k)
          if (k / cluster == group.lane / cluster && takes(in[group.lanes[k]]))
            all = one.of(all, in[group.lanes[k]] * 2654435761u);
        return all;
      };
      std::string call = call_of(one, "Clustered", "x");
      const std::size_t end = call.find(')') + (one.name[0] == 'i' ? 1 : 0);
      call.insert(end, ", " + std::to_string(cluster));
      check_groups(
          "x *= 2654435761u; uint r = 5;\nif (values[i] % 3 != 0) r = " + call +
              ";\nresult[i] = r + 7 * " + call + ";",
          [&](const std::vector<Uint>& in, Uint i, const Group& group, Uint) {
            const auto some = [](Uint value) { return value % 3 != 0; };
            const auto all = [](Uint) { return true; };
            return (some(in[i]) ? combined(in, group, some) : 5) + 7 * combined(in, group, all);
          },
          [&](Uint size) { return size >= cluster && (size % 8 == 0 || size == 33); });
    }
  }
}

namespace {

/// A reduction or scan of floats whose results do not depend on the order.
struct CombinedFloats {
  const char* name;
  float neutral, identity;
  std::string value;  ///< of x
  float (*made)(Uint x);
  float (*of)(float, float);
};

const std::vector<CombinedFloats>& float_combinations() {
  static const float infinity = std::numeric_limits<float>::infinity();
  static const auto number = [](Uint x) {
    return x % 5 == 0 ? std::numeric_limits<float>::quiet_NaN()
                      : static_cast<float>(x % 97) - 40.5f;
  };
  static const std::string text =
      "x % 5 == 0 ? uintBitsToFloat(0x7fc00000u) : float(x % 97) - 40.5";
  static const std::vector<CombinedFloats> all{
      {"Add", -0.0f, 0, "x % 4 == 0 ? -0.0 : float(x % 61) - 20.0",
       [](Uint x) { return x % 4 == 0 ? -0.0f : static_cast<float>(x % 61) - 20; },
       [](float a, float b) { return a + b; }},
      {"Mul", 1, 1, "x % 7 == 0 ? 2.0 : -1.0", [](Uint x) { return x % 7 == 0 ? 2.0f : -1.0f; },
       [](float a, float b) { return a * b; }},
      {"Min", infinity, infinity, text, number, [](float a, float b) { return b < a ? b : a; }},
      {"Max", -infinity, -infinity, text, number, [](float a, float b) { return b > a ? b : a; }},
  };
  return all;
}

}  // namespace

TEST_CASE("reductions, scans and clusters of floats, of all lanes and of some") {
  for (const CombinedFloats& one : float_combinations()) {
    INFO(one.name);
    const auto bits = [&](const std::vector<Uint>& in, const Group& group, std::size_t first,
                          std::size_t end, bool some) {
      float all = one.neutral;
      bool any = false;
      for (std::size_t k = first; k < std::min(end, group.lanes.size()); ++k) {
        const Uint x = in[group.lanes[k]];
        if (some && x % 3 == 0) continue;
        all = one.of(all, one.made(x));
        any = true;
      }
      return std::bit_cast<Uint>(any ? all : one.identity);
    };
    const auto call = [&](const std::string& kind, const std::string& more = "") {
      return "floatBitsToUint(subgroup" + kind + one.name + "(v" + more + "))";
    };
    const std::string all_kinds = call("") + " + 3 * " + call("Inclusive") + " + 5 * " +
                                  call("Exclusive") + " + 7 * " + call("Clustered", ", 4") +
                                  " + 11 * " + call("Clustered", ", 32");
    const auto expected = [&](const std::vector<Uint>& in, const Group& group, bool some) {
      const Uint lane = group.lane;
      return bits(in, group, 0, 128, some) + 3 * bits(in, group, 0, lane + 1, some) +
             5 * bits(in, group, 0, lane, some) +
             7 * bits(in, group, lane & ~3u, (lane | 3) + 1, some) +
             11 * bits(in, group, lane & ~31u, (lane | 31) + 1, some);
    };
    check_groups(
        "float v = " + one.value + ";\nuint r = 5;\nif (x % 3 != 0) r = " + all_kinds +
            ";\nresult[i] = r + 13 * (" + all_kinds + ");",
        [&](const std::vector<Uint>& in, Uint i, const Group& group, Uint) {
          return (in[i] % 3 != 0 ? expected(in, group, true) : 5) + 13 * expected(in, group, false);
        },
        [](Uint size) { return size >= 32; });
    check_groups("float v = " + one.value + ";\nresult[i] = " + call("") + " + 3 * " +
                     call("Inclusive") + " + 5 * " + call("Exclusive") + ";",
                 [&](const std::vector<Uint>& in, Uint, const Group& group, Uint) {
                   return bits(in, group, 0, 128, false) +
                          3 * bits(in, group, 0, group.lane + 1, false) +
                          5 * bits(in, group, 0, group.lane, false);
                 });
  }
}

TEST_CASE("reductions and scans in a loop that lanes leave one by one") {
  check_groups(R"(
  uint sum = x;
  for (uint k = 0; k < x % 7; ++k) {
    sum = subgroupAdd(sum) + subgroupInclusiveMax(sum ^ k) * 3;
    sum = sum * 5 + subgroupExclusiveAdd(sum);
  }
  result[i] = sum;
)",
               [](const std::vector<Uint>& in, Uint, const Group& group, Uint) {
                 std::vector<Uint> sums;
                 for (const Uint lane : group.lanes) sums.push_back(in[lane]);
                 for (Uint k = 0; k < 7; ++k) {
                   const std::vector<Uint> before = sums;
                   Uint total = 0, largest = 0, scanned = 0;
                   const auto is_active = [&](std::size_t j) { return k < in[group.lanes[j]] % 7; };
                   for (std::size_t j = 0; j < sums.size(); ++j)
                     if (is_active(j)) total += before[j];
                   for (std::size_t j = 0; j < sums.size(); ++j) {
                     if (!is_active(j)) continue;
                     largest = std::max(largest, before[j] ^ k);
                     sums[j] = total + largest * 3;
                   }
                   for (std::size_t j = 0; j < sums.size(); ++j) {
                     if (!is_active(j)) continue;
                     const Uint own = sums[j];
                     sums[j] = own * 5 + scanned;
                     scanned += own;
                   }
                 }
                 return sums[group.lane];
               });
}

TEST_CASE("loops that no lane leaves alone, with ballots, in all lanes and in some") {
  check_groups(R"(
  uint sum = 7, last = 3;
  if (x % 3 != 0) {
    for (uint d = 0; d < limit; ++d) {
      sum += twice(subgroupBallotBitCount(subgroupBallot(x % 8 == d)));
      if (x % 8 == d) last = sum * d;
    }
  }
  for (uint a = 0; a < limit; ++a) {
    for (uint b = 0; b <= a; ++b) { if (x % 8 > b) { sum += a * b; } }
    if (x % 16 == a) continue;
    last ^= a;
  }
  result[i] = sum * 31 + last;
)",
               [](const std::vector<Uint>& in, Uint i, const Group& group, Uint) {
                 const Uint x = in[i];
                 Uint sum = 7, last = 3;
                 if (x % 3 != 0) {
                   for (Uint d = 0; d < 5; ++d) {
                     sum += 2 * count(group, 128,
                                      [&](Uint k) { return in[k] % 3 != 0 && in[k] % 8 == d; });
                     if (x % 8 == d) last = sum * d;
                   }
                 }
                 for (Uint a = 0; a < 5; ++a) {
                   for (Uint b = 0; b <= a; ++b) {
                     if (x % 8 > b) sum += a * b;
                   }
                   if (x % 16 == a) continue;
                   last ^= a;
                 }
                 return sum * 31 + last;
               });
}

TEST_CASE("one elected lane, in all lanes and in some") {
  check_groups(R"(
  result[i] = x;
  if (subgroupElect()) { result[i] += 1; x += 5; }
  if (x % 2 == 0) {
    if (subgroupElect()) result[i] += 100;
    result[i] += 1000;
  }
  result[i] ^= x;
)",
               [](const std::vector<Uint>& in, Uint i, const Group& group, Uint) {
                 const auto x_of = [&](Uint k) { return in[k] + (k == group.lanes[0] ? 5 : 0); };
                 Uint r = in[i] + (i == group.lanes[0] ? 1 : 0);
                 if (x_of(i) % 2 == 0) {
                   const bool first =
                       count(group, group.lane, [&](Uint k) { return x_of(k) % 2 == 0; }) == 0;
                   r += first ? 1100 : 1000;
                 }
                 return r ^ x_of(i);
               });
}

TEST_CASE("each subgroup starts with its own numbers and with empty masks") {
  check_groups(R"(
  uint found;
  uint kept = 0;
  for (uint k = 0; k < x % 4; ++k) { kept += k; if (kept == 3) { found = kept; break; } }
  if (x % 5 == 0) { result[i] = gl_SubgroupID; return; }
  result[i] = ((gl_LocalInvocationIndex * 256 + gl_SubgroupID) * 256 + gl_WorkGroupID.x) * 8 + kept +
              gl_LocalInvocationID.x - gl_LocalInvocationIndex;
)",
               [](const std::vector<Uint>& in, Uint i, const Group&, Uint size) {
                 const Uint local = i % local_size, x = in[i];
                 Uint kept = 0;
                 for (Uint k = 0; k < x % 4; ++k) kept += k;
                 if (x % 5 == 0) return local / size;
                 return ((local * 256 + local / size) * 256 + i / local_size) * 8 + kept;
               });
}

TEST_CASE("steps of all subgroups are counted, and each loop has its own limit") {
  const std::string source = R"(#version 460
layout(local_size_x = 100) in;
layout(set = 0, binding = 0) buffer Out { uint result[]; };
layout(push_constant) uniform Push { uint inner; };
void main() {
  uint sum = 0;
  for (uint a = 0; a < 10; ++a) {
    for (uint b = 0; b < inner; ++b) sum += b;
    for (uint c = 0; c < inner; ++c) sum ^= c;
  }
  result[gl_GlobalInvocationID.x] = sum;
})";
  for (const spirv::Target target : native_targets()) {
    const WithNative native(target);
    CAPTURE(name_of(target));
    auto shader = Shader::from_glsl(source);
    std::vector<Uint> out(200);
    shader.bind(0, out).push(Uint{20});
    for (const int size : {8, 32, 100}) {
      const std::uint64_t subgroups =
          2 * ((100 + static_cast<Uint>(size) - 1) / static_cast<Uint>(size));
      const Device device{.subgroup_size = size, .threads = 1, .max_trips = 20};
      CHECK(shader.dispatch({2}, device).steps == subgroups * (10 + 10 * 2 * 20));
      // The limit is for one loop, not for those around it.
      CHECK_THROWS_AS(shader.push(Uint{21}).dispatch({2}, device), EndlessLoop);
      shader.push(Uint{20});
    }
  }
}

TEST_CASE("sums of floats that round have the order of lanes 1, 2, 4 and 8 apart in blocks of 16") {
  const auto number = [](Uint x) { return static_cast<float>(x % 20011) / 77.0f - 100.0f; };
  const auto sums = [&](const std::vector<Uint>& in, const Group& group) {
    std::vector<float> all;
    for (const Uint k : group.lanes) all.push_back(in[k] % 3 != 0 ? number(in[k]) : -0.0f);
    for (std::size_t distance = 1; distance < 16; distance *= 2) {
      for (std::size_t k = all.size(); k-- > 0;)
        if (k % 16 >= distance) all[k] = all[k - distance] + all[k];
    }
    for (std::size_t k = 16; k < all.size(); ++k) all[k] = all[k / 16 * 16 - 1] + all[k];
    return all;
  };
  check_groups(
      "float v = float(x % 20011) / 77.0 - 100.0;\nuint r = 5;\n"
      "if (x % 3 != 0) r = floatBitsToUint(subgroupInclusiveAdd(v)) + 3 * "
      "floatBitsToUint(subgroupExclusiveAdd(v));\n"
      "result[i] = r;",
      [&](const std::vector<Uint>& in, Uint i, const Group& group, Uint) {
        if (in[i] % 3 == 0) return Uint{5};
        const std::vector<float> all = sums(in, group);
        bool is_first = true;
        for (Uint k = 0; k < group.lane; ++k) is_first = is_first && in[group.lanes[k]] % 3 == 0;
        const float before = is_first ? 0.0f : all[group.lane - 1];
        return std::bit_cast<Uint>(all[group.lane]) + 3 * std::bit_cast<Uint>(before);
      });
}
