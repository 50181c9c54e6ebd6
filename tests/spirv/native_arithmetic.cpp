#include "spirv/native_check.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>

#include <catch2/catch.hpp>

/// \file
/// Arithmetic in machine code give the same bits as without it.

using namespace lockstep;
using namespace lockstep::test;

TEST_CASE("integer arithmetic in all lanes and in some") {
  check(R"(
  uint y = x + 3;
  if (i % 3 != 0) { y = (y * 5 - i) ^ (x & 0xff00u) | (x / 16) ; }
  if (i % 5 == 1) { y = min(y, x % 64); } else { y = max(y, 7); }
  int s = int(y) - 1000;
  if (x > 50) { s = max(min(s, int(i)), -5); }
  result[i] = x % 7 == 2 ? uint(s) : uint(s) + y;
)",
        [](std::uint32_t x, std::uint32_t i) {
          std::uint32_t y = x + 3;
          if (i % 3 != 0) y = ((y * 5 - i) ^ (x & 0xff00u)) | (x / 16);
          y = i % 5 == 1 ? std::min(y, x % 64) : std::max(y, 7u);
          std::int32_t s = static_cast<std::int32_t>(y - 1000);
          if (x > 50) s = std::max(std::min(s, static_cast<std::int32_t>(i)), -5);
          const auto u = static_cast<std::uint32_t>(s);
          return x % 7 == 2 ? u : u + y;
        });
}

TEST_CASE("float arithmetic that rounds a product and a sum separately") {
  check(R"(
  precise float a = float(x % 1000) / 7.0;
  precise float b = a * a + float(i);
  if (i % 2 == 0) { b = b - a * 3.0; }
  if (b > 100.0) { b = b * 0.5; }
  result[i] = floatBitsToUint(b);
)",
        [](std::uint32_t x, std::uint32_t i) {
          const float a = static_cast<float>(x % 1000) / 7.0f;
          const float square = a * a;
          float b = square + static_cast<float>(i);
          if (i % 2 == 0) {
            const float product = a * 3.0f;
            b = b - product;
          }
          if (b > 100.0f) b = b * 0.5f;
          std::uint32_t bits;
          std::memcpy(&bits, &b, sizeof bits);
          return bits;
        });
}

TEST_CASE("comparisons as values, of NaN as well") {
  check(R"(
  float nan = uintBitsToFloat(0x7fc00000u), f = i % 3 == 0 ? nan : float(x % 50) - 20.0;
  float g = i % 4 == 0 ? nan : 3.0;
  int s = int(x) - 7;
  bool b[] = bool[](f == g, f != g, f < g, f <= g, f > g, f >= g, s == 8, s != 8, s < int(i), s <= 8,
                    s > int(i), s >= 8, x == 8, x != i, x < i, x <= i, x > i, x >= i);
  uint bits = 0;
  for (int k = 0; k < b.length(); ++k) { if (b[k]) { bits |= 1u << k; } }
  bool both = x > 100, either = i < 9;
  if (both && !either) { bits += 1u << 20; } else if (both || either) { bits += 1u << 21; }
  result[i] = bits;
)",
        [](std::uint32_t x, std::uint32_t i) {
          const float nan = std::numeric_limits<float>::quiet_NaN();
          const float f = i % 3 == 0 ? nan : static_cast<float>(x % 50) - 20.0f;
          const float g = i % 4 == 0 ? nan : 3.0f;
          const auto s = static_cast<std::int32_t>(x - 7), j = static_cast<std::int32_t>(i);
          const bool b[] = {f == g, f != g, f<g, f <= g, f> g, f >= g,
                            s == 8, s != 8, s<j, s <= 8, s> j, s >= 8,
                            x == 8, x != i, x<i, x <= i, x> i, x >= i};
          std::uint32_t bits = 0;
          for (int k = 0; k < 18; ++k) {
            if (b[k]) bits |= 1u << k;
          }
          const bool both = x > 100, either = i < 9;
          if (both && !either)
            bits += 1u << 20;
          else if (both || either)
            bits += 1u << 21;
          return bits;
        });
}

TEST_CASE("shifts, negation and complement, in all lanes and in some") {
  check(R"(
  uint y = x << (i % 40 & 31u), z = ~x >> (x & 31u);
  int s = -int(x) >> (i & 31u);
  float f = -float(i % 100);
  if (i % 3 == 1) { y = ~(y ^ z); z <<= i & 7u; s = -s; f = -f; } else { s = ~s; }
  result[i] = y * 3 + z * 5 + uint(s) + floatBitsToUint(f);
)",
        [](std::uint32_t x, std::uint32_t i) {
          std::uint32_t y = x << (i % 40 & 31u), z = ~x >> (x & 31u);
          auto s = static_cast<std::int32_t>(0 - x) >> (i & 31u);
          float f = -static_cast<float>(i % 100);
          if (i % 3 == 1) {
            y = ~(y ^ z);
            z <<= i & 7u;
            s = static_cast<std::int32_t>(0 - static_cast<std::uint32_t>(s));
            f = -f;
          } else {
            s = ~s;
          }
          std::uint32_t bits;
          std::memcpy(&bits, &f, sizeof bits);
          return y * 3 + z * 5 + static_cast<std::uint32_t>(s) + bits;
        });
}

TEST_CASE("products and shifts by constants, and constants as left operands") {
  check(R"(
  uint a = x * 3 + x * 8 - x * 129 + x * 7 + x * 0 + x * 1, b = 1u << (x % 32), c = 77u - x;
  int s = int(x) >> 5;
  uint d = (x << 31) ^ (x >> 3) ^ (x / 64) ^ (x << 0);
  bool low = 1000u < x, high = x <= 5u, mid = -3 < s;
  result[i] = a + b * 3 + c * 5 + uint(s) * 7 + d + (low ? 1 : 0) + (high ? 2 : 0) + (mid ? 4 : 0);
)",
        [](std::uint32_t x, std::uint32_t) {
          const std::uint32_t a = x * 3 + x * 8 - x * 129 + x * 7 + x, b = 1u << (x % 32),
                              c = 77u - x;
          const std::int32_t s = static_cast<std::int32_t>(x) >> 5;
          const std::uint32_t d = (x << 31) ^ (x >> 3) ^ (x / 64) ^ x;
          return a + b * 3 + c * 5 + static_cast<std::uint32_t>(s) * 7 + d + (1000u < x ? 1 : 0) +
                 (x <= 5u ? 2 : 0) + (-3 < s ? 4 : 0);
        });
}

TEST_CASE("logical operations") {
  check(R"(
  bool a = x % 2 == 0, b = i % 3 == 0, c = limit > 39;
  bool d = (a && !b) || (b != c), e = (a == d) && c;
  uint r = 0;
  if (d) r |= 1u;
  if (e) r |= 2u;
  if (!(d || e)) r |= 4u;
  for (uint k = 0; k < 9 && !(r > 20u && a); ++k) { r += e ? 3u : 1u; }
  result[i] = r;
)",
        [](std::uint32_t x, std::uint32_t i) {
          const bool a = x % 2 == 0, b = i % 3 == 0, c = true;
          const bool d = (a && !b) || (b != c), e = (a == d) && c;
          std::uint32_t r = 0;
          if (d) r |= 1u;
          if (e) r |= 2u;
          if (!(d || e)) r |= 4u;
          for (std::uint32_t k = 0; k < 9 && !(r > 20u && a); ++k) r += e ? 3u : 1u;
          return r;
        });
}

TEST_CASE("operations on integers that leave them as they are, or make them zero") {
  check(R"(
  uint sum = 0u;
  for (uint k = 0u; k < 3u; ++k) {
    sum = sum * 3u + x * k + (x & (k - 1u)) + (x >> k) + (x << k);
    sum ^= (k + x) - k * 5u;
    sum += (x | k) ^ (x ^ k);
    sum += uint(int(x) * int(k - 1u)) + uint(int(x) >> k);
  }
  uint64_t wide = uint64_t(x) << 20;
  for (uint k = 0u; k < 2u; ++k) wide = wide * (uint64_t(k) + 1ul) + uint64_t(k) + (wide >> k);
  result[i] = sum + uint(wide) + uint(wide >> 32);
)",
        [](std::uint32_t x, std::uint32_t) {
          std::uint32_t sum = 0;
          for (std::uint32_t k = 0; k < 3; ++k) {
            sum = sum * 3 + x * k + (x & (k - 1)) + (x >> k) + (x << k);
            sum ^= (k + x) - k * 5;
            sum += (x | k) ^ (x ^ k);
            sum += x * (k - 1) + static_cast<std::uint32_t>(static_cast<std::int32_t>(x) >> k);
          }
          std::uint64_t wide = std::uint64_t{x} << 20;
          for (std::uint32_t k = 0; k < 2; ++k) wide = wide * (k + 1) + k + (wide >> k);
          return sum + static_cast<std::uint32_t>(wide) + static_cast<std::uint32_t>(wide >> 32);
        });
}
