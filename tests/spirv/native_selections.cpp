#include "spirv/native_check.hpp"

#include <cstdint>
#include <utility>

#include <catch2/catch.hpp>

/// \file
/// Selections in machine code give the same bits as without it.

using namespace lockstep;
using namespace lockstep::test;

TEST_CASE("short selections, nested, in loops and after jumps") {
  check(R"(
  uint a = x, b = i, r = 0;
  if (x % 3 == 0) { a = b + 1; b = a * 2; } else { b = a - 1; a = b ^ 5u; }
  if (a > b) { uint t = a; a = b; b = t; }
  if (i % 4 != 0) {
    if (x % 5 < 2) { r = a + b; } else if (x % 5 == 3) { r = a; }
    r += 1;
  }
  for (uint k = 0; k < x % 7; ++k) {
    if (k == i % 3) continue;
    if ((a >> k & 1u) != 0) { r += k; } else { r ^= 9u; a += 3; }
    if (r % 13 == 12) break;
    if (b > a) b -= 1;
  }
  result[i] = a * 31 + b * 7 + r;
)",
        [](std::uint32_t x, std::uint32_t i) {
          std::uint32_t a = x, b = i, r = 0;
          if (x % 3 == 0) {
            a = b + 1;
            b = a * 2;
          } else {
            b = a - 1;
            a = b ^ 5u;
          }
          if (a > b) std::swap(a, b);
          if (i % 4 != 0) {
            if (x % 5 < 2)
              r = a + b;
            else if (x % 5 == 3)
              r = a;
            r += 1;
          }
          for (std::uint32_t k = 0; k < x % 7; ++k) {
            if (k == i % 3) continue;
            if ((a >> k & 1u) != 0) {
              r += k;
            } else {
              r ^= 9u;
              a += 3;
            }
            if (r % 13 == 12) break;
            if (b > a) b -= 1;
          }
          return a * 31 + b * 7 + r;
        });
}

TEST_CASE("selections whose false side runs first") {
  check(R"(
  uint y = 5, z = i, w = x ^ 3u;
  if (x % 3 == 0) { y = values[i * 7 % 300] + z; z = y + w; } else { y = w * 2; z += 3; w = y; }
  for (uint k = 0; k < 4; ++k) {
    if ((x >> k & 1u) != 0) { w += values[k]; if (w % 7 == 1) break; z ^= w; } else { w -= z; }
  }
  result[i] = y * 3 + z * 5 + w;
)",
        [all = numbers()](std::uint32_t x, std::uint32_t i) {
          std::uint32_t y = 5, z = i, w = x ^ 3u;
          if (x % 3 == 0) {
            y = all[i * 7 % 300] + z;
            z = y + w;
          } else {
            y = w * 2;
            z += 3;
            w = y;
          }
          for (std::uint32_t k = 0; k < 4; ++k) {
            if ((x >> k & 1u) != 0) {
              w += all[k];
              if (w % 7 == 1) break;
              z ^= w;
            } else {
              w -= z;
            }
          }
          return y * 3 + z * 5 + w;
        });
}
