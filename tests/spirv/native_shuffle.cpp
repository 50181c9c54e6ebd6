#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/spirv/shader.hpp>

#include "support/with_native.hpp"

/// \file
/// Operations after which each lane has another lane's value, in machine code and without it, against loops over the
/// lanes: of all lanes and of some, by constants, by one number for all lanes and by a number of each lane.

using namespace lockstep;
using namespace lockstep::test;
using Uint = std::uint32_t;

namespace {

constexpr Uint invocations = 256, local_size = 128, pushed = 5;

/// An operation: which lane's value a lane gets.
struct Move {
  std::string before, after;  ///< around the value and the number
  bool takes_number = true;
  bool takes_number_of_first = false;  ///< the first active lane's
  Uint (*source)(Uint lane, Uint number) = nullptr;
  bool (*fits)(Uint size) = [](Uint) { return true; };
};

bool is_power(Uint size) { return std::has_single_bit(size); }

const std::vector<Move>& moves() {
  constexpr auto has_quads = [](Uint size) { return size % 4 == 0; };
  constexpr auto has_clusters = [](Uint size) { return is_power(size) && size >= 8; };
  static const std::vector<Move> all{
      {"subgroupShuffle(", ")", true, false, [](Uint, Uint n) { return n; }},
      {"subgroupShuffleXor(", ")", true, false, [](Uint lane, Uint n) { return lane ^ n; }},
      {"subgroupShuffleUp(", ")", true, false, [](Uint lane, Uint n) { return lane - n; }},
      {"subgroupShuffleDown(", ")", true, false, [](Uint lane, Uint n) { return lane + n; }},
      {"subgroupRotate(", ")", true, true, [](Uint lane, Uint n) { return lane + n; }, is_power},
      {"subgroupClusteredRotate(", ", 8)", true, true,
       [](Uint lane, Uint n) { return (lane & ~7u) | ((lane + n) & 7); }, has_clusters},
      {"subgroupQuadBroadcast(", ")", true, false,
       [](Uint lane, Uint n) { return (lane & ~3u) | (n & 3); }, has_quads},
      {"subgroupQuadSwapHorizontal(", ")", false, false, [](Uint lane, Uint) { return lane ^ 1; },
       has_quads},
      {"subgroupQuadSwapVertical(", ")", false, false, [](Uint lane, Uint) { return lane ^ 2; },
       has_quads},
      {"subgroupQuadSwapDiagonal(", ")", false, false, [](Uint lane, Uint) { return lane ^ 3; },
       has_quads},
  };
  return all;
}

/// What is moved: made of a number of 32 bits, and folded into one.
struct Type {
  std::string name, make, fold_before, fold_after;
  Uint (*folded)(Uint);
};

const std::vector<Type>& types() {
  static const std::vector<Type> all{
      {"uint", "n", "", "", [](Uint n) { return n; }},
      {"float", "uintBitsToFloat(n)", "floatBitsToUint(", ")", [](Uint n) { return n; }},
      {"bool", "(n & 4u) != 0u", "uint(", ")", [](Uint n) { return n >> 2 & 1; }},
      {"uint64_t", "uint64_t(n) * 0x10000000ful", "fold(", ")",
       [](Uint n) {
         const std::uint64_t wide = n * std::uint64_t{0x10000000f};
         return static_cast<Uint>(wide >> 32) * 3 + static_cast<Uint>(wide);
       }},
  };
  return all;
}

/// The number that chooses the lane: its text and its value.
struct Number {
  std::string text;
  Uint (*of)(Uint x);
};
const std::vector<Number>& chosen_by() {
  static const std::vector<Number> all{
      {"3u", [](Uint) { return Uint{3}; }},
      {"37u", [](Uint) { return Uint{37}; }},
      {"limit", [](Uint) { return pushed; }},
      {"x >> 3", [](Uint x) { return x >> 3; }},
  };
  return all;
}

std::vector<Uint> inputs() {
  std::vector<Uint> all(invocations);
  for (Uint k = 0; k < invocations; ++k) all[k] = (k + 1) * 2654435761u;
  return all;
}

/// All lanes once, some once, and some three times over, each time what the last time gave.
std::string body_of(const Move& move, const Type& type, const Number& number) {
  const auto call = [&](const std::string& value) {
    return move.before + value + (move.takes_number ? ", " + number.text : "") + move.after;
  };
  const auto add = [&](const std::string& value) {
    return "r = r * 31u + " + type.fold_before + value + type.fold_after + ";\n";
  };
  return "  " + type.name + " v = " + type.make + ", w = v;\n  " + add(call("v")) +
         "  if (x % 3u != 0u) {\n    " + add(call("v")) +
         "    for (uint k = 2u; k < limit; ++k) w = " + call("w") + ";\n    " + add("w") + "  }\n";
}

using Known = std::optional<Uint>;

/// What the body gives the lanes of a subgroup; none if it depends on lanes that do not exist.
std::vector<Known> expected(const Move& move, const Type& type, const Number& number,
                            const std::vector<Uint>& x, Uint size) {
  const auto lanes = static_cast<Uint>(x.size());
  const auto is_active = [&](Uint lane, bool some) { return !some || x[lane] % 3 != 0; };
  const auto moved = [&](const std::vector<Known>& values, bool some) {
    Uint first = 0;
    while (first + 1 < lanes && !is_active(first, some)) ++first;
    std::vector<Known> result = values;
    for (Uint lane = 0; lane < lanes; ++lane) {
      if (!is_active(lane, some)) continue;
      const Uint by = number.of(x[move.takes_number_of_first ? first : lane]);
      Uint from = move.source(lane, by) & (std::bit_ceil(size) - 1);
      if (from >= size) from -= size;
      result[lane] = from < lanes ? values[from] : Known();
    }
    return result;
  };
  std::vector<Known> values(lanes), results(lanes, 0);
  for (Uint lane = 0; lane < lanes; ++lane) values[lane] = type.folded(x[lane]);
  const auto add = [&](const std::vector<Known>& given, bool some) {
    for (Uint lane = 0; lane < lanes; ++lane) {
      if (!is_active(lane, some)) continue;
      results[lane] =
          results[lane] && given[lane] ? Known(*results[lane] * 31 + *given[lane]) : Known();
    }
  };
  add(moved(values, false), false);
  add(moved(values, true), true);
  std::vector<Known> again = values;
  for (Uint k = 2; k < pushed; ++k) again = moved(again, true);
  add(again, true);
  return results;
}

std::string source_of(const std::string& body) {
  return R"(#version 460
#extension GL_KHR_shader_subgroup_shuffle : enable
#extension GL_KHR_shader_subgroup_shuffle_relative : enable
#extension GL_KHR_shader_subgroup_rotate : enable
#extension GL_KHR_shader_subgroup_quad : enable
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : enable
#extension GL_EXT_shader_subgroup_extended_types_int64 : enable
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) readonly buffer In { uint values[]; };
layout(set = 0, binding = 1) buffer Out { uint result[]; };
layout(push_constant) uniform Push { uint limit; };
uint fold(uint64_t v) { return uint(v >> 32) * 3u + uint(v); }
void main() {
  uint i = gl_GlobalInvocationID.x;
  uint x = values[i], n = x, r = 0u;
)" + body +
         "  result[i] = r;\n}\n";
}

void check_move(const Move& move, const Type& type, const Number& number) {
  const std::vector<Uint> in = inputs();
  const std::string source = source_of(body_of(move, type, number));
  for (const spirv::Target target : native_targets()) {
    const WithNative native(target);
    auto shader = Shader::from_glsl(source);
    for (const Uint size : {1u, 8u, 24u, 32u, 33u, 64u, 128u}) {
      if (!move.fits(size)) continue;
      CAPTURE(name_of(target), size, move.before, type.name, number.text);
      std::vector<Uint> out(invocations, 77);
      shader.bind(0, in).bind(1, out).push(pushed).dispatch(
          {2}, {.subgroup_size = static_cast<int>(size)});
      for (Uint first = 0; first < invocations;) {
        const Uint end = std::min(first + size, (first / local_size + 1) * local_size);
        const std::vector<Uint> x(in.begin() + first, in.begin() + end);
        const std::vector<Known> all = expected(move, type, number, x, size);
        for (Uint lane = 0; lane < all.size(); ++lane) {
          CAPTURE(first, lane);
          if (all[lane]) REQUIRE(out[first + lane] == *all[lane]);
        }
        first = end;
      }
    }
  }
}

}  // namespace

TEST_CASE("lanes get other lanes' values, by constants, one number for all and one of each lane") {
  for (const Move& move : moves()) {
    for (const Type& type : types()) {
      for (const Number& number : chosen_by()) {
        check_move(move, type, number);
        if (!move.takes_number) break;
      }
    }
  }
}
