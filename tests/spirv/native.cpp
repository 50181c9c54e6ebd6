#include "spirv/native/native.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/exec/error.hpp>
#include <lockstep/spirv/shader.hpp>

#include "spirv/sizes.hpp"
#include "support/with_native.hpp"

/// \file
/// Programs give the same bits as machine code and without, at sizes of each number of chunks.

using namespace lockstep;
using test::native_targets;
using test::WithNative;

namespace {

constexpr int all_sizes[] = {1, 8, 16, 24, 32, 33, 48, 64, 100, 128};

constexpr const char* head = R"(#version 460
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) readonly buffer In { uint values[]; };
layout(set = 0, binding = 1) buffer Out { uint result[]; };
layout(push_constant) uniform Push { uint limit; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  uint x = values[i];
)";

/// Numbers of which few are alike, from small to large.
std::vector<std::uint32_t> numbers() {
  std::vector<std::uint32_t> all(300);
  for (std::uint32_t k = 0; k < all.size(); ++k) all[k] = (k * 2654435761u) >> (k % 31);
  return all;
}

/// Runs a shader's body at each size, without machine code and for each target; f(x, i) is what it gives.
template <class F>
void check(const std::string& body, F f, std::span<const int> sizes = all_sizes) {
  const auto in = numbers();
  const auto source = head + body + "}";
  for (const spirv::Target target : native_targets()) {
    const WithNative native(target);
    auto shader = Shader::from_glsl(source);
    for (const int size : sizes) {
      // Not a multiple of anything: the last subgroups are there in part.
      std::vector<std::uint32_t> out(in.size(), 77);
      shader.bind(0, in)
          .bind(1, out)
          .push(std::uint32_t{40})
          .dispatch({3}, {.subgroup_size = size});
      CAPTURE(name_of(target), size);
      for (std::uint32_t i = 0; i < in.size(); ++i) {
        CAPTURE(i, in[i]);
        REQUIRE(out[i] == f(in[i], i));
      }
    }
  }
}

}  // namespace

TEST_CASE("arithmetic of whole numbers, in all lanes and in some") {
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

TEST_CASE("arithmetic of floats, with two roundings a multiplication and addition") {
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

TEST_CASE("short selections, within one another, inside loops and behind jumps") {
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

TEST_CASE("comparisons as values, also of what is not a number") {
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

TEST_CASE("loops that lanes leave by test, by break and by continue") {
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

TEST_CASE("a variable given a value once is that value, but for lanes that were not there") {
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

TEST_CASE("components by an index, the same for all lanes or not") {
  check(R"(
  uint of[4];
  for (uint k = 0; k < 4; ++k) { of[k] = k; }
  for (uint k = 0; k < 4; ++k) { if ((x >> k & 1u) == 0) { of[k] += x + of[(x + k) % 4]; } }
  result[i] = of[0] ^ of[1] * 3 ^ of[2] * 5 ^ of[3] * 7;
)",
        [](std::uint32_t x, std::uint32_t) {
          std::uint32_t of[4];
          for (std::uint32_t k = 0; k < 4; ++k) of[k] = k;
          for (std::uint32_t k = 0; k < 4; ++k) {
            if ((x >> k & 1u) == 0) of[k] += x + of[(x + k) % 4];
          }
          return of[0] ^ of[1] * 3 ^ of[2] * 5 ^ of[3] * 7;
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

TEST_CASE("selections whose other side comes first") {
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

TEST_CASE("lanes that leave a loop keep what they have, and those that never entered it") {
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

TEST_CASE("a loop that is entered again goes on with its variables") {
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

TEST_CASE("loops that go on after the subgroup had to pause") {
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

TEST_CASE("loops that read and write memory, also outside of it") {
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

TEST_CASE("products with constants, shifts by constants, and constants on the left") {
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

TEST_CASE("a loop without calls that has more variables than there are registers") {
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

TEST_CASE("iterations count once for a subgroup, however many lanes it takes at a time") {
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

TEST_CASE("a run says what its machine code was written for, or why there is none") {
  const auto said = [] {
    auto shader = Shader::from_glsl(R"(#version 460
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) buffer Out { uint result[]; };
void main() { result[gl_LocalInvocationIndex] = 1; })");
    std::vector<std::uint32_t> out(4);
    return shader.bind(0, out).dispatch({1}).machine_code;
  };
  for (const spirv::Target target : native_targets()) {
    const WithNative native(target);
    CHECK(said() ==
          (target == spirv::Target::none ? "none (LOCKSTEP_NATIVE=off)" : name_of(target)));
  }
  {
    const WithNative unknown("avx1024");
    CHECK(said() == "none (LOCKSTEP_NATIVE=avx1024, which is none of avx512, avx2, calls and off)");
  }
  const WithNative best(nullptr);
  CHECK(said() == name_of(native_targets().back()));
}

TEST_CASE("the elected lane of those that are there") {
  for (const spirv::Target target : native_targets()) {
    const WithNative native(target);
    auto shader = Shader::from_glsl(R"(#version 460
#extension GL_KHR_shader_subgroup_basic : enable
layout(local_size_x = 100) in;
layout(set = 0, binding = 0) buffer Out { uint result[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  if (subgroupElect()) { result[i] = 1; }
  if (i % 3 == 1) {
    if (subgroupElect()) { result[i] += 2; } else { result[i] += 4; }
  }
})");
    for (const int size : all_sizes) {
      std::vector<std::uint32_t> out(100), want(100);
      const auto width = static_cast<std::uint32_t>(size);
      for (std::uint32_t first = 0; first < 100; first += width) {
        want[first] = 1;
        bool elected = false;
        for (std::uint32_t i = first; i < std::min(first + width, 100u); ++i) {
          if (i % 3 != 1) continue;
          want[i] += elected ? 4 : 2;
          elected = true;
        }
      }
      shader.bind(0, out).dispatch({1}, {.subgroup_size = size, .threads = 1});
      CAPTURE(name_of(target), size);
      REQUIRE(out == want);
    }
  }
}

TEST_CASE("bools put together") {
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

TEST_CASE("loops with more variables than registers, and with values from before") {
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

TEST_CASE("loops longer than a slice, within loops") {
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
        test::few_sizes);
}

TEST_CASE("components by an index past the end of an inner array are none") {
  check(R"(
  uint of[3][4];
  uvec2 pairs[3][4];
  for (uint k = 0; k < 4; ++k) {
    of[0][k] = 10 + k; of[1][k] = x + k; of[2][k] = 30 + k;
    pairs[0][k] = uvec2(50 + k); pairs[1][k] = uvec2(x, k + 60); pairs[2][k] = uvec2(70 + k);
  }
  uint at = (x + i) % 7;
  of[1][at] += 100;
  pairs[1][at].y += 200;
  uint sum = of[1][at] * 3 + pairs[1][at].x + pairs[1][at].y * 5;
  for (uint k = 0; k < 4; ++k) { sum += of[2][k] * (k + 1) + pairs[2][k].x * (k + 3); }
  result[i] = sum;
)",
        [](std::uint32_t x, std::uint32_t i) {
          const std::uint32_t at = (x + i) % 7;
          std::uint32_t sum = 0;
          if (at < 4) sum = (x + at + 100) * 3 + x + (at + 60 + 200) * 5;
          for (std::uint32_t k = 0; k < 4; ++k) sum += (30 + k) * (k + 1) + (70 + k) * (k + 3);
          return sum;
        });
}

TEST_CASE("elements by the x of a workgroup of several rows") {
  constexpr std::uint32_t rows = 4, groups = 2;
  for (const std::uint32_t columns : {8u, 24u}) {
    const std::uint32_t each = columns * rows;
    const auto in = numbers();
    for (const spirv::Target target : native_targets()) {
      const WithNative native(target);
      auto shader =
          Shader::from_glsl("#version 460\nlayout(local_size_x = " + std::to_string(columns) +
                            R"(, local_size_y = 4) in;
layout(set = 0, binding = 0) readonly buffer In { uint values[]; };
layout(set = 0, binding = 1) buffer Out { uint result[]; };
void main() {
  uint i = gl_WorkGroupID.x * gl_WorkGroupSize.x * gl_WorkGroupSize.y + gl_LocalInvocationIndex;
  result[i] = values[gl_LocalInvocationID.x] + values[gl_GlobalInvocationID.x + 3] * 5;
})");
      for (const int size : all_sizes) {
        std::vector<std::uint32_t> out(each * groups);
        shader.bind(0, in).bind(1, out).dispatch({groups}, {.subgroup_size = size});
        CAPTURE(name_of(target), size, columns);
        for (std::uint32_t i = 0; i < out.size(); ++i) {
          const std::uint32_t x = i % each % columns, global = x + i / each * columns;
          REQUIRE(out[i] == in[x] + in[global + 3] * 5);
        }
      }
    }
  }
}

TEST_CASE("lanes that leave a loop write nothing afterwards") {
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

TEST_CASE("components written by an index and read without one") {
  check(R"(
  uint of[4];
  of[0] = x; of[1] = i; of[2] = x ^ i; of[3] = 7;
  uint at = limit & 3u;
  of[at] = x * 3 + i;
  uint first = of[0];
  if (i % 3 == 1) { of[at + 1] += first; of[3] = of[1] * 5; }
  result[i] = of[0] + of[1] * 3 + of[2] * 5 + of[3] * 7;
)",
        [](std::uint32_t x, std::uint32_t i) {
          std::uint32_t of[] = {x * 3 + i, i, x ^ i, 7};
          if (i % 3 == 1) {
            of[1] += of[0];
            of[3] = of[1] * 5;
          }
          return of[0] + of[1] * 3 + of[2] * 5 + of[3] * 7;
        });
}

TEST_CASE("reads of scattered elements stop at the end of the memory") {
  constexpr std::uint32_t bound = 300;
  const std::vector<std::uint32_t> all(400, 9);
  const auto index = [](std::uint32_t i) {
    return i % 64 < 16 ? i * 37 % bound : bound - 20 + i * 7 % 40;
  };
  auto shader = Shader::from_glsl(R"(#version 460
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) readonly buffer In { uint values[]; };
layout(set = 0, binding = 1) buffer Out { uint result[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  result[i] = values[i % 64u < 16u ? i * 37u % 300u : 280u + i * 7u % 40u];
})");
  for (const int size : all_sizes) {
    std::vector<std::uint32_t> out(128, 77);
    const auto run = shader.bind(0, std::span(all).first(bound))
                         .bind(1, out)
                         .dispatch({1}, {.subgroup_size = size, .threads = 1});
    CAPTURE(size);
    std::uint64_t outside = 0;
    for (std::uint32_t i = 0; i < out.size(); ++i) {
      outside += index(i) >= bound ? 1 : 0;
      REQUIRE(out[i] == (index(i) < bound ? 9u : 0u));
    }
    CHECK(run.faults == outside);
  }
}

TEST_CASE("reads of neighbours end with the memory, wherever that is") {
  const std::vector<std::uint32_t> all(400, 9);
  for (const spirv::Target target : native_targets()) {
    const WithNative native(target);
    auto shader = Shader::from_glsl(R"(#version 460
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) readonly buffer In { uint values[]; };
layout(set = 0, binding = 1) buffer Out { uint result[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  result[i] = values[i + 1];
})");
    for (const int size : {16, 32, 64, 128}) {
      for (std::uint32_t bound = 254; bound < 259; ++bound) {
        std::vector<std::uint32_t> out(256, 77);
        const auto run = shader.bind(0, std::span(all).first(bound))
                             .bind(1, out)
                             .dispatch({2}, {.subgroup_size = size, .threads = 1});
        CAPTURE(name_of(target), size, bound);
        for (std::uint32_t i = 0; i < out.size(); ++i) REQUIRE(out[i] == (i + 1 < bound ? 9u : 0u));
        CHECK(run.faults == 257 - std::min(bound, 257u));
      }
    }
  }
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

TEST_CASE("components by an index and reads of neighbours in a loop") {
  check(R"(
  uint of[5];
  for (uint k = 0; k < 5; ++k) { of[k] = x + k; }
  for (uint k = 0; k < 12; ++k) {
    of[k % 5] = of[(k + 1) % 5] * 3 + values[i] + of[2];
    if (of[k % 5] % 11 == i % 11) break;
  }
  result[i] = of[0] ^ of[1] * 3 ^ of[2] * 5 ^ of[3] * 7 ^ of[4] * 9;
)",
        [](std::uint32_t x, std::uint32_t i) {
          std::uint32_t of[5];
          for (std::uint32_t k = 0; k < 5; ++k) of[k] = x + k;
          for (std::uint32_t k = 0; k < 12; ++k) {
            of[k % 5] = of[(k + 1) % 5] * 3 + x + of[2];
            if (of[k % 5] % 11 == i % 11) break;
          }
          return of[0] ^ of[1] * 3 ^ of[2] * 5 ^ of[3] * 7 ^ of[4] * 9;
        });
}

TEST_CASE("subgroups stop at barriers and go on with what they had") {
  for (const spirv::Target target : native_targets()) {
    const WithNative native(target);
    auto shader = Shader::from_glsl(R"(#version 460
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) buffer Out { uint result[]; };
shared uint s[128];
void main() {
  uint i = gl_LocalInvocationIndex, mine = i * i, sum = 0;
  for (uint k = 0; k < 5; ++k) {
    s[i] = mine + k;
    barrier();
    sum += s[(i + k) % 128];
    barrier();
  }
  result[gl_GlobalInvocationID.x] = sum + mine;
})");
    for (const int size : all_sizes) {
      std::vector<std::uint32_t> out(3 * 128);
      shader.bind(0, out).dispatch({3}, {.subgroup_size = size, .threads = 1});
      CAPTURE(name_of(target), size);
      for (std::uint32_t g = 0; g < out.size(); ++g) {
        const std::uint32_t i = g % 128;
        std::uint32_t want = i * i;
        for (std::uint32_t k = 0; k < 5; ++k) want += (i + k) % 128 * ((i + k) % 128) + k;
        REQUIRE(out[g] == want);
      }
    }
  }
}

TEST_CASE("push constants that are not there are faults where they are asked for") {
  auto shader = Shader::from_glsl(R"(#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Out { uint result[]; };
layout(push_constant) uniform Push { uint first, second; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  result[i] = first;
  if (i == 1000) { result[i] = second; }
  if (i < 32) { result[i] += second; }
})");
  for (const int size : {16, 32, 64}) {
    std::vector<std::uint32_t> out(64);
    CAPTURE(size);
    const DispatchSettings settings{.subgroup_size = size, .threads = 1};
    // Once for each subgroup that comes there.
    shader.bind(0, out).push(std::uint32_t{7});
    CHECK(shader.dispatch({1}, settings).faults == (size == 16 ? 2u : 1u));
    CHECK(out[0] == 7);
    shader.push(std::array<std::uint32_t, 2>{7, 5});
    CHECK(shader.dispatch({1}, settings).faults == 0);
    CHECK(out[0] == 12);
    CHECK(out[40] == 7);
  }
}

TEST_CASE("errors pass through machine code") {
  auto shader = Shader::from_glsl(R"(#version 460
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Out { uint out_[]; };
void main() { while (out_[0] == 0) { out_[1] += 1; } })");
  std::vector<std::uint32_t> out(2);
  shader.bind(0, out);
  CHECK_THROWS_AS(shader.dispatch({1}, {.threads = 1, .max_steps = 1000}), Error);
  CHECK_THROWS_WITH(shader.dispatch({1}, {.threads = 1, .max_steps = 1000}),
                    Catch::Contains("the loop does not end"));
}

TEST_CASE("reads and writes of neighbours stop at the end of the memory") {
  auto shader = Shader::from_glsl(R"(#version 460
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) readonly buffer In { uint values[]; };
layout(set = 0, binding = 1) buffer Out { uint result[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  uint next = values[i + 1];
  if (i % 2 == 1) result[i - 1] = next;
})");
  const auto in = numbers();
  for (const int size : all_sizes) {
    std::vector<std::uint32_t> out(in.size(), 77);
    const auto run =
        shader.bind(0, in).bind(1, out).dispatch({3}, {.subgroup_size = size, .threads = 1});
    CAPTURE(size);
    // 384 invocations: reads at 300 and behind, writes of odd lanes at 300 and behind.
    CHECK(run.faults == 85 + 42);
    for (std::uint32_t i = 0; i < in.size(); ++i)
      REQUIRE(out[i] == (i % 2 == 0 && i + 2 < in.size() ? in[i + 2] : i % 2 == 0 ? 0u : 77u));
  }
}
