#include "spirv/native_check.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include <catch2/catch.hpp>

#include <lockstep/lanes/float16.hpp>

/// \file
/// Packing functions in machine code: the same bits as one invocation computes in C++, and as without it.

using namespace lockstep;
using namespace lockstep::test;

namespace {

using U = std::uint32_t;

/// Rounded with halves away from zero; zero for NaN.
U fraction(float x, int bits, bool has_sign) {
  if (std::isnan(x)) return 0;
  const float largest = static_cast<float>((1u << (has_sign ? bits - 1 : bits)) - 1);
  const float lowest = has_sign ? -1.0f : 0.0f;
  const float scaled = (x < lowest ? lowest : x > 1 ? 1.0f : x) * largest;
  return static_cast<U>(static_cast<std::int32_t>(std::round(scaled))) & ((1u << bits) - 1);
}
float number(U packed, int bits, bool has_sign, int k) {
  const auto top = static_cast<std::int32_t>(packed << (32 - bits * (k + 1)));
  const auto largest = static_cast<float>((1u << (has_sign ? bits - 1 : bits)) - 1);
  if (has_sign) return std::fmax(static_cast<float>(top >> (32 - bits)) / largest, -1.0f);
  return static_cast<float>(static_cast<U>(top) >> (32 - bits)) / largest;
}
U half(float x) {
  if (std::isnan(x)) return (std::bit_cast<U>(x) >> 16 & 0x8000) | 0x7e00;
  return float16_t(x).bits;
}

/// The four floats that an invocation packs: special ones, ones between two fractions, and others.
std::array<float, 4> floats(U x, U i, U k) {
  const float between = (static_cast<float>(k * 13 + i % 13) + 0.5f) / 255.0f;
  const float near = (static_cast<float>(x % 70000) - 0.5f) / 32767.0f;
  return {std::bit_cast<float>(x), between, i % 2 == 0 ? -between : near,
          std::bit_cast<float>(x ^ k * 2654435761u)};
}

}  // namespace

TEST_CASE("packing floats in all lanes and in some") {
  check(R"(
  uint r = x;
  for (uint k = 0; k < 20; ++k) {
    float between = (float(k * 13u + i % 13u) + 0.5) / 255.0;
    float near = (float(x % 70000u) - 0.5) / 32767.0;
    vec4 v = vec4(uintBitsToFloat(x), between, i % 2u == 0u ? -between : near, uintBitsToFloat(x ^ k * 2654435761u));
    r = r * 31u + packUnorm4x8(v) * 3u + packSnorm4x8(v.yzwx);
    if (i % 3u != 1u) r ^= packUnorm2x16(v.xz) + packSnorm2x16(v.wz) * 5u;
    if (x % 23u == k) break;
    r = r * 7u + packHalf2x16(v.xw) + packHalf2x16(v.yz * 3.0);
  }
  result[i] = r + packUnorm4x8(vec4(float(limit) / 100.0));
)",
        [](U x, U i) {
          U r = x;
          const auto bytes = [](float a, float b, float c, float d, bool has_sign) {
            return fraction(a, 8, has_sign) | fraction(b, 8, has_sign) << 8 |
                   fraction(c, 8, has_sign) << 16 | fraction(d, 8, has_sign) << 24;
          };
          for (U k = 0; k < 20; ++k) {
            const auto [a, b, c, d] = floats(x, i, k);
            r = r * 31 + bytes(a, b, c, d, false) * 3 + bytes(b, c, d, a, true);
            if (i % 3 != 1)
              r ^= (fraction(a, 16, false) | fraction(c, 16, false) << 16) +
                   (fraction(d, 16, true) | fraction(c, 16, true) << 16) * 5;
            if (x % 23 == k) break;
            r = r * 7 + (half(a) | half(d) << 16) + (half(b * 3) | half(c * 3) << 16);
          }
          return r + bytes(0.4f, 0.4f, 0.4f, 0.4f, false);
        });
}

TEST_CASE("unpacking words in all lanes and in some") {
  check(R"(
  uint r = i;
  for (uint k = 0; k < 256; ++k) {
    uint w = x ^ (k * 0x01010101u) ^ (i % 128u << 9);
    vec4 v = unpackUnorm4x8(w), s = unpackSnorm4x8(w);
    vec2 u = unpackUnorm2x16(w), t = unpackSnorm2x16(w), h = unpackHalf2x16(w);
    uvec4 b = floatBitsToUint(v) ^ floatBitsToUint(s) * 3u;
    r = r * 31u + b.x + b.y * 5u + b.z * 7u + b.w * 11u;
    if ((x + k) % 3u != 1u) r ^= floatBitsToUint(u.x) + floatBitsToUint(u.y) * 3u + floatBitsToUint(t.x) * 5u + floatBitsToUint(t.y) * 7u;
    r += (h.x == h.x ? floatBitsToUint(h.x) : 1u) + (h.y == h.y ? floatBitsToUint(h.y) : 1u) * 3u;
  }
  result[i] = r;
)",
        [](U x, U i) {
          U r = i;
          const auto bits = [](float f) { return std::bit_cast<U>(f); };
          for (U k = 0; k < 256; ++k) {
            const U w = x ^ (k * 0x01010101u) ^ (i % 128 << 9);
            const auto byte = [&](int c) {
              return bits(number(w, 8, false, c)) ^ bits(number(w, 8, true, c)) * 3;
            };
            r = r * 31 + byte(0) + byte(1) * 5 + byte(2) * 7 + byte(3) * 11;
            if ((x + k) % 3 != 1)
              r ^= bits(number(w, 16, false, 0)) + bits(number(w, 16, false, 1)) * 3 +
                   bits(number(w, 16, true, 0)) * 5 + bits(number(w, 16, true, 1)) * 7;
            for (U c = 0; c < 2; ++c) {
              const float h = std::bit_cast<float16_t>(static_cast<std::uint16_t>(w >> (16 * c)));
              r += (h == h ? bits(h) : 1) * (c == 0 ? 1 : 3);
            }
          }
          return r;
        });
}
