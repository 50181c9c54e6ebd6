#include "spirv/native_check.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/spirv/shader.hpp>

#include "spirv/sizes.hpp"
#include "support/with_native.hpp"

/// \file
/// Loops in machine code give the same bits as without it.

using namespace lockstep;
using namespace lockstep::test;

TEST_CASE("loops that lanes leave by their condition, break and continue") {
  check(R"(
  uint n = x % 100, trips = 0, last = 0;
  while (n > 1) {
    uint before = n;
    n = n % 2 == 0 ? n / 2 : n * 3 + 1;
    if (trips > limit) break;
    trips += 1;
    if (before % 3 == 0) continue;
    last = before;
  }
  for (uint k = 0; k < i % 5; ++k) { last += k; if (last % 11 == 0) { break; } }
  result[i] = trips * 1000 + last;
)",
        [](std::uint32_t x, std::uint32_t i) {
          std::uint32_t n = x % 100, trips = 0, last = 0;
          while (n > 1) {
            const std::uint32_t before = n;
            n = n % 2 == 0 ? n / 2 : n * 3 + 1;
            if (trips > 40) break;
            trips += 1;
            if (before % 3 == 0) continue;
            last = before;
          }
          for (std::uint32_t k = 0; k < i % 5; ++k) {
            last += k;
            if (last % 11 == 0) break;
          }
          return trips * 1000 + last;
        });
}

TEST_CASE("a variable that is assigned once keeps its value in lanes that were inactive") {
  check(R"(
  uint sum = 0;
  uint kept;
  for (uint k = 0; k < 6; sum += kept, ++k) {
    if (k > 0 && (x >> k & 1u) != 0) continue;
    kept = k * x + 10;
  }
  result[i] = sum;
)",
        [](std::uint32_t x, std::uint32_t) {
          std::uint32_t sum = 0, kept = 0;
          for (std::uint32_t k = 0; k < 6; sum += kept, ++k) {
            if (k > 0 && (x >> k & 1u) != 0) continue;
            kept = k * x + 10;
          }
          return sum;
        });
  check(R"(
  uint sum = 0;
  uint kept;
  for (uint k = 0; k < 6; ++k) {
    if (k == 0 || (x >> k & 1u) != 0) { kept = k * x + 10; }
    sum += kept;
  }
  result[i] = sum;
)",
        [](std::uint32_t x, std::uint32_t) {
          std::uint32_t sum = 0, kept = 0;
          for (std::uint32_t k = 0; k < 6; ++k) {
            if (k == 0 || (x >> k & 1u) != 0) kept = k * x + 10;
            sum += kept;
          }
          return sum;
        });
}

TEST_CASE("lanes that have left a loop or never entered it keep their values") {
  check(R"(
  uint n = x % 50, count = i, last = 7, sum = x, other = i * 3;
  int s = int(i) - 100;
  float f = float(i % 7);
  if (i % 3 != 1) {
    while (n > 3) {
      last = n;
      n = n % 2 == 0 ? n / 2 : n * 3 + 1;
      count += 1;
      if (count % 41 == 5) break;
      sum = sum * 5 + last;
      s = s < 0 ? s + int(n) : s - int(count);
      f = f * 0.5 + 3.0;
    }
    other += last;
  }
  result[i] = n + count * 3 + last * 5 + sum * 7 + other * 11 + uint(s) * 13 + floatBitsToUint(f);
)",
        [](std::uint32_t x, std::uint32_t i) {
          std::uint32_t n = x % 50, count = i, last = 7, sum = x, other = i * 3;
          auto s = static_cast<std::int32_t>(i) - 100;
          auto f = static_cast<float>(i % 7);
          if (i % 3 != 1) {
            while (n > 3) {
              last = n;
              n = n % 2 == 0 ? n / 2 : n * 3 + 1;
              count += 1;
              if (count % 41 == 5) break;
              sum = sum * 5 + last;
              s = s < 0 ? s + static_cast<std::int32_t>(n) : s - static_cast<std::int32_t>(count);
              f = f * 0.5f + 3.0f;
            }
            other += last;
          }
          std::uint32_t bits;
          std::memcpy(&bits, &f, sizeof bits);
          return n + count * 3 + last * 5 + sum * 7 + other * 11 +
                 static_cast<std::uint32_t>(s) * 13 + bits;
        });
}

TEST_CASE("a loop that is entered again uses the current values of its variables") {
  check(R"(
  uint n = x % 300, steps = 0, most = 0;
  for (uint k = 1; k < 5; ++k) {
    uint here = 0;
    while (n > k * 20) { n -= k + i % 3; ++steps; here += n; }
    most = max(most, here);
    n += i % 64;
  }
  result[i] = n + steps * 1000 + most * 7;
)",
        [](std::uint32_t x, std::uint32_t i) {
          std::uint32_t n = x % 300, steps = 0, most = 0;
          for (std::uint32_t k = 1; k < 5; ++k) {
            std::uint32_t here = 0;
            while (n > k * 20) {
              n -= k + i % 3;
              ++steps;
              here += n;
            }
            most = std::max(most, here);
            n += i % 64;
          }
          return n + steps * 1000 + most * 7;
        });
}

TEST_CASE("loops that continue after the end of a slice") {
  // A subgroup's turn ends after 65,536 iterations.
  check(R"(
  uint k = 0, sum = i, end = i == 3 ? 70000 : i % 50;
  while (k < end) { sum = sum * 3 + k; k += 1; }
  result[i] = sum + k;
)",
        [](std::uint32_t, std::uint32_t i) {
          std::uint32_t k = 0, sum = i;
          const std::uint32_t end = i == 3 ? 70000 : i % 50;
          for (; k < end; ++k) sum = sum * 3 + k;
          return sum + k;
        },
        std::array{8, 32, 64});
}

TEST_CASE("loops that read and write memory, out of bounds as well") {
  check(R"(
  uint n = x % 9, sum = 0;
  while (n > 0) {
    sum += values[i] + values[i + 100] * n;
    result[i] = sum;
    n -= 1;
    if (sum % 13 == 4) break;
  }
  if (x % 9 == 0) result[i] = 3;
)",
        [all = numbers()](std::uint32_t x, std::uint32_t i) {
          std::uint32_t sum = 0;
          for (std::uint32_t n = x % 9; n > 0; --n) {
            sum += all[i] + (i + 100 < all.size() ? all[i + 100] : 0) * n;
            if (sum % 13 == 4) break;
          }
          return x % 9 == 0 ? 3 : sum;
        });
}

TEST_CASE("a loop without calls that has more variables than registers") {
  check(R"(
  uint n = x % 23, a = x, b = i, c = x ^ i, d = 1, e = 2, f = 3, g = x / 2, h = 9;
  while (n > 0) {
    a += b; b ^= c; c += d; d = d * 3 + e; e += f; f ^= g; g += h; h += a;
    n -= 1;
    if (h % 32 == 4) break;
  }
  result[i] = n + a * 3 + b * 5 + c * 7 + d * 11 + e * 13 + f * 17 + g * 19 + h * 23;
)",
        [](std::uint32_t x, std::uint32_t i) {
          std::uint32_t n = x % 23, a = x, b = i, c = x ^ i, d = 1, e = 2, f = 3, g = x / 2, h = 9;
          while (n > 0) {
            a += b;
            b ^= c;
            c += d;
            d = d * 3 + e;
            e += f;
            f ^= g;
            g += h;
            h += a;
            n -= 1;
            if (h % 32 == 4) break;
          }
          return n + a * 3 + b * 5 + c * 7 + d * 11 + e * 13 + f * 17 + g * 19 + h * 23;
        });
}

TEST_CASE("iterations count once for a subgroup, however many lanes run at a time") {
  for (const spirv::Target target : native_targets()) {
    const WithNative native(target);
    auto shader = Shader::from_glsl(R"(#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Out { uint result[]; };
void main() {
  uint i = gl_LocalInvocationIndex, k = 0, end = i == 5 ? 66000 : 100 - i;
  while (k < end) { k += 1; }
  result[i] = k;
})");
    std::vector<std::uint32_t> out(64);
    CAPTURE(name_of(target));
    CHECK(shader.bind(0, out).dispatch({1}, {.subgroup_size = 64}).steps == 66000);
    CHECK(shader.dispatch({1}, {.subgroup_size = 32}).steps == 66000 + 68);
  }
}

TEST_CASE("loops with more variables than registers that read values from before them") {
  check(R"(
  uint a = x, b = i, c = x ^ i, d = 1, e = 2, f = 3, g = x / 2, h = 9;
  uint before = x * 3 + 1, other = i * i;
  for (uint k = 0; k < 5 + x % 9; ++k) {
    a = a * 3 + k; b += a ^ before; c = max(c, b) - d; d = d * 2 + (c & 7u);
    e ^= d + other; f = min(f + e, 1000000u); g = g * 5 + h; h += f ^ before;
    if (h % 17 == 3) break;
  }
  result[i] = a ^ b ^ c ^ d ^ e ^ f ^ g ^ h ^ before ^ other;
)",
        [](std::uint32_t x, std::uint32_t i) {
          std::uint32_t a = x, b = i, c = x ^ i, d = 1, e = 2, f = 3, g = x / 2, h = 9;
          const std::uint32_t before = x * 3 + 1, other = i * i;
          for (std::uint32_t k = 0; k < 5 + x % 9; ++k) {
            a = a * 3 + k;
            b += a ^ before;
            c = std::max(c, b) - d;
            d = d * 2 + (c & 7u);
            e ^= d + other;
            f = std::min(f + e, 1000000u);
            g = g * 5 + h;
            h += f ^ before;
            if (h % 17 == 3) break;
          }
          return a ^ b ^ c ^ d ^ e ^ f ^ g ^ h ^ before ^ other;
        });
}

TEST_CASE("nested loops longer than a slice") {
  check(R"(
  uint a = x, trips = i % 50 == 0 ? 70000u : 10u;
  for (uint k = 0; k < trips; ++k) { a = a * 3 + k; }
  for (uint n = 0; n < 3; ++n) { for (uint k = n; k < 4; ++k) { a ^= a * k + n; } a += n; }
  result[i] = a;
)",
        [](std::uint32_t x, std::uint32_t i) {
          std::uint32_t a = x;
          const std::uint32_t trips = i % 50 == 0 ? 70000 : 10;
          for (std::uint32_t k = 0; k < trips; ++k) a = a * 3 + k;
          for (std::uint32_t n = 0; n < 3; ++n) {
            for (std::uint32_t k = n; k < 4; ++k) a ^= a * k + n;
            a += n;
          }
          return a;
        },
        few_sizes);
}

TEST_CASE("lanes that have left a loop write nothing more in it") {
  check(R"(
  uint of[4];
  for (uint k = 0; k < 4; ++k) { of[k] = x + k; }
  uint n = x % 9, sum = i;
  while (n > 0) {
    result[i] = sum;
    of[limit & 3u] = sum + 1;
    sum = sum * 3 + n;
    if (sum % 8 == 4) break;
    result[i] = sum + 2;
    of[limit & 3u] += sum;
    n -= 1;
  }
  if (i % 2 == 0) result[i] = of[0] + of[1] * 3 + of[2] * 5 + of[3] * 7;
)",
        [](std::uint32_t x, std::uint32_t i) {
          std::uint32_t first = x, sum = i, written = 77;
          for (std::uint32_t n = x % 9; n > 0; --n) {
            written = sum;
            first = sum + 1;
            sum = sum * 3 + n;
            if (sum % 8 == 4) break;
            written = sum + 2;
            first += sum;
          }
          return i % 2 != 0 ? written : first + (x + 1) * 3 + (x + 2) * 5 + (x + 3) * 7;
        });
}

TEST_CASE("elements past the end in a loop of some lanes") {
  check(R"(
  uint of[6];
  for (uint k = 0; k < 6; ++k) of[k] = x * k;
  uint sum = 1u;
  if (x % 3u == 1u) {
    for (uint k = 0; k < limit - 31u; ++k) sum = sum * 5u + of[k];
  }
  result[i] = sum;
)",
        [](std::uint32_t x, std::uint32_t) {
          std::uint32_t sum = 1;
          for (std::uint32_t k = 0; k < 9 && x % 3 == 1; ++k) sum = sum * 5 + (k < 6 ? x * k : 0);
          return sum;
        });
}

TEST_CASE("loops that read bools from before them") {
  check(R"(
  bool odd = x % 2 == 1, third = i % 3 == 0;
  uint n = x % 13, sum = 0, other = 0;
  while (n > 0) {
    sum += odd ? n : 3u;
    other = third ? other + sum : other ^ n;
    n -= 1;
  }
  result[i] = sum + other * 5;
)",
        [](std::uint32_t x, std::uint32_t i) {
          std::uint32_t sum = 0, other = 0;
          for (std::uint32_t n = x % 13; n > 0; --n) {
            sum += x % 2 == 1 ? n : 3u;
            other = i % 3 == 0 ? other + sum : other ^ n;
          }
          return sum + other * 5;
        });
}

TEST_CASE("iterations that end early, before and after others of the same loop") {
  check(R"(
  uint sum = x, other = 1u;
  for (uint k = 0u; k < 11u + (limit & 1u); ++k) {
    if (((x >> k) & 1u) == 0u) { other += k; continue; }
    if ((sum & 6u) != 2u) { sum += 3u; } else { sum ^= k; continue; }
    if ((sum & 9u) == 9u) { if ((other & 1u) == 0u) { other *= 5u; continue; } sum -= 7u; }
    if (k == 8u && (sum & 16u) != 0u) break;
    if ((sum & 64u) == 0u) continue;
    sum = sum * 3u + other;
  }
  uint n = 0u;
  do {
    if ((sum & 2u) != 0u) { sum = sum * 5u + n; if ((sum & 4u) != 0u) continue; }
    for (uint k = 0u; k < 3u; ++k) { if ((sum + k & 3u) == 0u) continue; other += sum ^ k; }
    other ^= n;
  } while (++n < (x & 7u));
  result[i] = sum + other * 3u + n;
)",
        [](std::uint32_t x, std::uint32_t) {
          std::uint32_t sum = x, other = 1;
          for (std::uint32_t k = 0; k < 11; ++k) {
            if (((x >> k) & 1) == 0) {
              other += k;
              continue;
            }
            if ((sum & 6) != 2) {
              sum += 3;
            } else {
              sum ^= k;
              continue;
            }
            if ((sum & 9) == 9) {
              if ((other & 1) == 0) {
                other *= 5;
                continue;
              }
              sum -= 7;
            }
            if (k == 8 && (sum & 16) != 0) break;
            if ((sum & 64) == 0) continue;
            sum = sum * 3 + other;
          }
          std::uint32_t n = 0;
          do {
            if ((sum & 2) != 0) {
              sum = sum * 5 + n;
              if ((sum & 4) != 0) continue;
            }
            for (std::uint32_t k = 0; k < 3; ++k) {
              if (((sum + k) & 3) != 0) other += sum ^ k;
            }
            other ^= n;
          } while (++n < (x & 7));
          return sum + other * 3 + n;
        });
}

TEST_CASE("values that are computed before a loop and again in it, of what the loop changes") {
  check(R"(
  uint v = x, w = i;
  uint sum = v * 3u + (w ^ 9u);
  for (uint k = 0u; k < (limit & 7u) + 3u; ++k) {
    sum += v * 3u + (w ^ 9u) * k;
    if ((sum & 4u) != 0u) { v += sum; sum ^= v * 3u; }
    sum += v * 3u;
    w = w * 5u + (x ^ 77u);
    sum ^= (w ^ 9u) + (x ^ 77u);
  }
  result[i] = sum + v * 3u + (w ^ 9u);
)",
        [](std::uint32_t x, std::uint32_t i) {
          std::uint32_t v = x, w = i, sum = v * 3 + (w ^ 9);
          for (std::uint32_t k = 0; k < (40 & 7) + 3; ++k) {
            sum += v * 3 + (w ^ 9) * k;
            if ((sum & 4) != 0) {
              v += sum;
              sum ^= v * 3;
            }
            sum += v * 3;
            w = w * 5 + (x ^ 77);
            sum ^= (w ^ 9) + (x ^ 77);
          }
          return sum + v * 3 + (w ^ 9);
        });
}
