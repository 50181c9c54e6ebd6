#include "spirv/native_check.hpp"

#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <catch2/catch.hpp>

/// \file
/// Selections in machine code give the same bits as without it.

using namespace lockstep;
using namespace lockstep::test;

namespace {

using Value = std::function<std::uint32_t(std::uint32_t x, std::uint32_t i)>;

/// An expression in GLSL, and what it gives for one invocation.
struct Expression {
  std::string text;
  Value value;
};

/// Expressions of values that are the same for all lanes and of others, whose registers follow each other.
class Expressions {
 public:
  explicit Expressions(unsigned seed) : random_(seed) {}

  Expression make(int depth, bool uniform) {
    if (depth == 0 || below(8) == 0) return leaf(uniform);
    const auto part = [&] { return make(depth - 1, uniform || below(2) == 0); };
    const Expression a = part(), b = part(), c = part(), d = part();
    if (below(2) == 0) {
      return {fmt::format("mix({}, {}, {} < {})", a.text, b.text, c.text, d.text),
              [=](std::uint32_t x, std::uint32_t i) {
                return c.value(x, i) < d.value(x, i) ? b.value(x, i) : a.value(x, i);
              }};
    }
    const int operation = below(3);
    return {fmt::format("({} {} {})", a.text, "+*^"[operation], b.text),
            [=](std::uint32_t x, std::uint32_t i) {
              const std::uint32_t p = a.value(x, i), q = b.value(x, i);
              return operation == 0 ? p + q : operation == 1 ? p * q : p ^ q;
            }};
  }

 private:
  int below(int count) { return std::uniform_int_distribution(0, count - 1)(random_); }
  Expression leaf(bool uniform) {
    const auto number = static_cast<std::uint32_t>(below(100));
    if (below(3) == 0) return {fmt::format("{}u", number), [=](auto, auto) { return number; }};
    if (uniform) return {"limit", [](auto, auto) { return 40u; }};
    if (below(2) == 0) return {"x", [](std::uint32_t x, auto) { return x; }};
    return {"i", [](auto, std::uint32_t i) { return i; }};
  }

  std::mt19937 random_;
};

}  // namespace

TEST_CASE("a value of all lanes may take the place of the bool that chose before it") {
  check("result[i] = mix(x, x * 3u, limit > 3u) + (limit - 39u) * (limit + 5u);",
        [](std::uint32_t x, std::uint32_t) { return x * 3 + 45; });
}

TEST_CASE("random choices by the same bool for all lanes and by other bools") {
  for (unsigned seed = 0; seed < 60; ++seed) {
    const Expression e = Expressions(seed).make(4, false);
    CAPTURE(e.text);
    check("result[i] = " + e.text + ";", e.value);
  }
}

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
