#include <algorithm>
#include <cstdint>

#include "shaders/work.hpp"

/// \file
/// Integers, bits and branches as decoders, hashes and interpreters have them.

namespace lockstep::bench {
namespace {

const Work switch_cases{"switch", "", R"(
  switch (v & 7u) {
    case 0u: v = v * 3u; break;
    case 1u: v ^= v >> 3; break;
    case 2u: v += 77u; break;
    case 3u: v = ~v; break;
    case 4u: v = v * v; break;
    case 5u: v = v << 1 | v >> 31; break;
    case 6u: v -= 0x9e3779b9u; break;
    default: v = v * 5u + 1u;
  }
  v = v * 1664525u + 1013904223u;
)",
                        [](Group& v, Uint) {
                          each(v, [](Uint x) {
                            const Uint of[] = {x * 3, x ^ x >> 3,       x + 77,          ~x,
                                               x * x, x << 1 | x >> 31, x - 0x9e3779b9u, x * 5 + 1};
                            return of[x & 7] * 1664525 + 1013904223;
                          });
                        }};

const Work continues{"continue", "", R"(
  uint n = 0u;
  for (uint j = 0u; j < 16u; ++j) {
    if (((v >> j) & 1u) == 0u) continue;
    n = n * 3u + j;
    n ^= v;
  }
  v = v * 1664525u + n;
)",
                     [](Group& v, Uint) {
                       each(v, [](Uint x) {
                         Uint n = 0;
                         for (Uint j = 0; j < 16; ++j)
                           if ((x >> j & 1) != 0) n = (n * 3 + j) ^ x;
                         return x * 1664525 + n;
                       });
                     }};

/// The most valuable of 16 selections of four things.
const Work knapsack{"knapsack", "", R"(
  uint best = 0u;
  for (uint m = 0u; m < 16u; ++m) {
    uint weight = 0u, value = 0u;
    for (uint b = 0u; b < 4u; ++b) {
      if ((m >> b & 1u) == 0u) continue;
      weight += (v >> (b * 4u)) & 15u;
      value += (v >> (b * 4u + 16u)) & 15u;
    }
    if (weight <= 20u && value > best) best = value;
  }
  v = v * 1664525u + best;
)",
                    [](Group& v, Uint) {
                      each(v, [](Uint x) {
                        Uint best = 0;
                        for (Uint m = 0; m < 16; ++m) {
                          Uint weight = 0, value = 0;
                          for (Uint b = 0; b < 4; ++b) {
                            weight += (m >> b & 1) * (x >> (b * 4) & 15);
                            value += (m >> b & 1) * (x >> (b * 4 + 16) & 15);
                          }
                          if (weight <= 20) best = std::max(best, value);
                        }
                        return x * 1664525 + best;
                      });
                    }};

const Work divisions{
    "division_by_constants", "",
    "v = v / 7u + v % 10u * 1103515245u + uint(int(v) / 1000) + uint(int(v >> 1) % 13);",
    [](Group& v, Uint) {
      each(v, [](Uint x) {
        const auto s = static_cast<std::int32_t>(x);
        return x / 7 + x % 10 * 1103515245 + static_cast<Uint>(s / 1000) + x / 2 % 13;
      });
    }};

const Work bits{"bits", "", R"(
  uint high, low;
  umulExtended(v, v ^ 0x9e3779b9u, high, low);
  v = high ^ low;
  v = bitfieldExtract(v, 3, 9) * 77u + bitfieldReverse(v) + uint(bitCount(v)) + uint(findMSB(v));
)",
                [](Group& v, Uint) {
                  each(v, [](Uint x) {
                    const std::uint64_t product = std::uint64_t{x} * (x ^ 0x9e3779b9u);
                    x = static_cast<Uint>(product >> 32) ^ static_cast<Uint>(product);
                    Uint reversed = 0;
                    for (int k = 0; k < 32; ++k) reversed |= (x >> k & 1) << (31 - k);
                    return (x >> 3 & 511) * 77 + reversed + static_cast<Uint>(std::popcount(x)) +
                           static_cast<Uint>(std::bit_width(x)) - 1;
                  });
                }};

const Work bytes{"bytes", "#extension GL_EXT_shader_explicit_arithmetic_types : enable\n", R"(
  u8vec4 b = u8vec4(uint8_t(v), uint8_t(v >> 8), uint8_t(v >> 16), uint8_t(v >> 24));
  for (int j = 0; j < 4; ++j) b = b * uint8_t(3) + b.yzwx;
  v = uint(b.x) | uint(b.y) << 8 | uint(b.z) << 16 | uint(b.w) << 24;
)",
                 [](Group& v, Uint) {
                   each(v, [](Uint x) {
                     for (int j = 0; j < 4; ++j) {
                       Uint next = 0;
                       for (Uint k = 0; k < 4; ++k) {
                         const Uint mine = x >> (8 * k) & 255,
                                    other = x >> (8 * ((k + 1) % 4)) & 255;
                         next |= ((mine * 3 + other) & 255) << (8 * k);
                       }
                       x = next;
                     }
                     return x;
                   });
                 }};

/// The edit distance of two words of eight letters, from an alphabet of four.
const Work edit_distance{"edit_distance", "", R"(
  uint row[9];
  for (uint j = 0u; j < 9u; ++j) row[j] = j;
  for (uint k = 0u; k < 8u; ++k) {
    uint before = row[0];
    row[0] = k + 1u;
    for (uint j = 1u; j < 9u; ++j) {
      uint cost = ((v >> (k * 4u)) & 3u) == ((v >> (j * 3u)) & 3u) ? 0u : 1u;
      uint next = min(min(row[j], row[j - 1u]) + 1u, before + cost);
      before = row[j];
      row[j] = next;
    }
  }
  v = v * 1664525u + row[8];
)",
                         [](Group& v, Uint) {
                           each(v, [](Uint x) {
                             Uint row[9];
                             for (Uint j = 0; j < 9; ++j) row[j] = j;
                             for (Uint k = 0; k < 8; ++k) {
                               Uint before = row[0];
                               row[0] = k + 1;
                               for (Uint j = 1; j < 9; ++j) {
                                 const bool same = (x >> (k * 4) & 3) == (x >> (j * 3) & 3);
                                 const Uint next = std::min(std::min(row[j], row[j - 1]) + 1,
                                                            before + (same ? 0 : 1));
                                 before = row[j];
                                 row[j] = next;
                               }
                             }
                             return x * 1664525 + row[8];
                           });
                         }};

const bool registered = [] {
  for (const Work* work :
       {&switch_cases, &continues, &knapsack, &divisions, &bits, &bytes, &edit_distance})
    add_work(*work);
  return true;
}();

}  // namespace
}  // namespace lockstep::bench
