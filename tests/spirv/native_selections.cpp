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

TEST_CASE("both sides of selections, one in the other, and lanes that leave from one") {
  check(R"(
  uint sum = x, other = i;
  for (uint k = 0u; k < 5u + (limit & 1u); ++k) {
    if (((sum >> k) & 1u) != 0u) {
      sum = sum * 3u + 1u; sum ^= sum << 3; sum += k * 5u; other += sum / 3u; sum ^= other / 5u;
      if ((sum & 24u) == 8u) { if (k > 3u) { result[i] = sum; return; } other = other * 7u + sum / 7u; other ^= sum % 11u; sum += 1u; other -= k; }
    } else {
      sum = sum * 5u + 77u; sum ^= sum >> 5; sum -= i * 3u; other -= sum / 3u; sum ^= other % 7u;
      if ((sum & 3u) == 1u) break;
      if ((other & 4u) == 0u) { other ^= sum % 13u; sum += other / 9u; other += 3u; sum *= 3u; other ^= sum / 5u; } else { sum = sum / 3u + other; other += sum / 5u; sum -= 9u; other *= 3u; sum ^= other % 3u; }
    }
    sum ^= other;
  }
  result[i] = sum + other;
)",
        [](std::uint32_t x, std::uint32_t i) {
          std::uint32_t sum = x, other = i;
          for (std::uint32_t k = 0; k < 5; ++k) {
            if (((sum >> k) & 1) != 0) {
              sum = sum * 3 + 1, sum ^= sum << 3, sum += k * 5, other += sum / 3, sum ^= other / 5;
              if ((sum & 24) == 8) {
                if (k > 3) return sum;
                other = other * 7 + sum / 7, other ^= sum % 11, sum += 1, other -= k;
              }
            } else {
              sum = sum * 5 + 77, sum ^= sum >> 5, sum -= i * 3, other -= sum / 3, sum ^= other % 7;
              if ((sum & 3) == 1) break;
              if ((other & 4) == 0) {
                other ^= sum % 13, sum += other / 9, other += 3, sum *= 3, other ^= sum / 5;
              } else {
                sum = sum / 3 + other, other += sum / 5, sum -= 9, other *= 3, sum ^= other % 3;
              }
            }
            sum ^= other;
          }
          return sum + other;
        });
}

TEST_CASE("choices that are minima and maxima of integers, and some that are not") {
  check(R"(
  uint best = limit, least = ~0u, sum = 0u, other = x ^ 0x55u;
  int high = -7, low = int(x) >> 3;
  for (uint k = 0u; k < 5u; ++k) {
    uint next = (x >> k) * 7u;
    if (next > best) best = next;
    if (next <= least) least = next;
    int number = int(next) >> 2;
    if (number > high) high = number;
    low = number < low ? number : low;
    sum = sum * 3u + (next < other ? other : next) + (other < next ? next : sum);
    uint before = other;
    if (next < other) { other = next; sum += before; }
    sum += uint(int(next) < int(before) ? next : before) + (next < before ? before + 1u : next);
  }
  uint64_t wide = uint64_t(x) << 31, wider = uint64_t(other) << 33;
  if (wide > wider) wider = wide;
  result[i] = best + least * 3u + sum * 5u + uint(high) * 7u + uint(low) * 11u + uint(wider >> 20);
)",
        [](std::uint32_t x, std::uint32_t) {
          std::uint32_t best = 40, least = ~0u, sum = 0, other = x ^ 0x55;
          std::int32_t high = -7, low = static_cast<std::int32_t>(x) >> 3;
          for (std::uint32_t k = 0; k < 5; ++k) {
            const std::uint32_t next = (x >> k) * 7;
            if (next > best) best = next;
            if (next <= least) least = next;
            const std::int32_t number = static_cast<std::int32_t>(next) >> 2;
            if (number > high) high = number;
            low = number < low ? number : low;
            sum = sum * 3 + (next < other ? other : next) + (other < next ? next : sum);
            const std::uint32_t before = other;
            if (next < other) {
              other = next;
              sum += before;
            }
            const bool is_less =
                static_cast<std::int32_t>(next) < static_cast<std::int32_t>(before);
            sum += (is_less ? next : before) + (next < before ? before + 1 : next);
          }
          const std::uint64_t wide = std::uint64_t{x} << 31;
          std::uint64_t wider = std::uint64_t{other} << 33;
          if (wide > wider) wider = wide;
          return best + least * 3 + sum * 5 + static_cast<std::uint32_t>(high) * 7 +
                 static_cast<std::uint32_t>(low) * 11 + static_cast<std::uint32_t>(wider >> 20);
        });
}
