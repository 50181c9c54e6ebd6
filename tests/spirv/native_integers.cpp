#include <bit>
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "spirv/native_check.hpp"

/// \file
/// Division, the bits of integers and what does not fit their type, which machine code computes in its own ways: against
/// arithmetic on wider numbers and loops over bits.

using namespace lockstep;
using namespace lockstep::test;

namespace {

using Uint = std::uint32_t;
using Int = std::int32_t;
using Wide = std::int64_t;

constexpr int few_sizes[] = {1, 8, 24, 32, 33, 64, 128};

/// Numbers at the edges of both types.
constexpr Uint edges[] = {0,          1,          2,          3,          7,          0xffff,
                          0x10000,    0x7ffffffe, 0x7fffffff, 0x80000000, 0x80000001, 0xaaaaaaaa,
                          0xcccccccd, 0xfffffff9, 0xfffffffe, 0xffffffff};
/// A body that has the same numbers.
std::string with_edges(const std::string& body) {
  std::string text = R"(
  const uint edges[16] = uint[](0u, 1u, 2u, 3u, 7u, 0xffffu, 0x10000u, 0x7ffffffeu, 0x7fffffffu, 0x80000000u,
                                0x80000001u, 0xaaaaaaaau, 0xcccccccdu, 0xfffffff9u, 0xfffffffeu, 0xffffffffu);
)";
  text += body;
  return text;
}

Uint quotient(Uint a, Uint b) { return b == 0 ? 0 : a / b; }
Uint remainder(Uint a, Uint b) { return b == 0 ? 0 : a % b; }
Uint quotient_of_int(Uint a, Uint b) {
  return b == 0 ? 0 : static_cast<Uint>(Wide{static_cast<Int>(a)} / static_cast<Int>(b));
}
/// With the sign of the divisor.
Uint remainder_of_int(Uint a, Uint b) {
  if (b == 0) return 0;
  const Wide divisor = static_cast<Int>(b), rest = Wide{static_cast<Int>(a)} % divisor;
  return static_cast<Uint>(rest != 0 && (rest < 0) != (divisor < 0) ? rest + divisor : rest);
}
Uint all_divisions(Uint r, Uint a, Uint b) {
  r = r * 31 + quotient(a, b);
  r = r * 31 + remainder(a, b);
  r = r * 31 + quotient_of_int(a, b);
  return r * 31 + remainder_of_int(a, b);
}
std::string all_divisions(const std::string& a, const std::string& b) {
  return fmt::format(
      "r = r * 31u + {0} / {1}; r = r * 31u + {0} % {1};"
      "r = r * 31u + uint(int({0}) / int({1})); r = r * 31u + uint(int({0}) % int({1}));\n",
      a, b);
}

Uint ones(Uint bits) { return bits >= 32 ? ~0u : (1u << bits) - 1; }
Uint extract(Uint a, Uint offset, Uint bits) { return a >> offset % 32 & ones(bits); }
Uint extract_int(Uint a, Uint offset, Uint bits) {
  const Uint field = extract(a, offset, bits);
  if (bits == 0 || bits >= 32 || (field >> (bits - 1) & 1u) == 0) return field;
  return field | ~ones(bits);
}
Uint insert(Uint a, Uint b, Uint offset, Uint bits) {
  const Uint field = ones(bits) << offset % 32;
  return (a & ~field) | (b << offset % 32 & field);
}
Uint reverse(Uint a) {
  Uint r = 0;
  for (unsigned k = 0; k < 32; ++k) r |= (a >> k & 1u) << (31 - k);
  return r;
}
Uint lowest(Uint a) { return a == 0 ? ~0u : static_cast<Uint>(std::countr_zero(a)); }
Uint highest(Uint a) { return static_cast<Uint>(std::bit_width(a)) - 1; }
Uint highest_of_int(Uint a) { return highest(a >> 31 != 0 ? ~a : a); }

}  // namespace

TEST_CASE("division by constants of all kinds, in all lanes and in some") {
  constexpr Uint divisors[] = {
      0,          1,          2,          3,          5,          6,          7,
      9,          10,         11,         12,         13,         14,         25,
      28,         60,         64,         100,        125,        127,        128,
      255,        625,        641,        1000,       1023,       10007,      65535,
      65536,      65537,      1000000,    16777213,   0x3fffffff, 0x40000000, 0x40000001,
      0x7ffffffe, 0x7fffffff, 0x80000000, 0x80000001, 0xaaaaaaab, 0xfffffff0, 0xfffffff6,
      0xfffffff9, 0xfffffffd, 0xfffffffe, 0xffffffff};
  constexpr std::size_t at_once = 12;
  for (std::size_t begin = 0; begin < std::size(divisors); begin += at_once) {
    const std::vector<Uint> some(divisors + begin,
                                 divisors + std::min(begin + at_once, std::size(divisors)));
    // Numbers next to multiples, and others; the shader must not divide to find them.
    std::string body = with_edges("uint r = 0u, a = i < 96u ? edges[i & 15u] : x;\n");
    for (const Uint divisor : some) {
      const std::string constant = fmt::format("{}u", divisor);
      body += all_divisions("a", constant);
      body += fmt::format("uint m{0} = x * {0}u;\nif (i % 3u != 0u) {{ {1} }}\n", divisor,
                          all_divisions(fmt::format("(m{}  - 1u)", divisor), constant));
      body += all_divisions(fmt::format("m{}", divisor), constant);
    }
    check(
        body + "result[i] = r;",
        [&](Uint x, Uint i) {
          Uint r = 0;
          const Uint a = i < 96 ? edges[i & 15] : x;
          for (const Uint divisor : some) {
            r = all_divisions(r, a, divisor);
            if (i % 3 != 0) r = all_divisions(r, x * divisor - 1, divisor);
            r = all_divisions(r, x * divisor, divisor);
          }
          return r;
        },
        few_sizes);
  }
}

TEST_CASE("division by numbers of lanes, and by one of all lanes") {
  check(
      with_edges(R"(
  uint r = 0u;
  for (uint k = 0u; k < 16u; ++k) {
    uint a = edges[k], b = edges[i & 15u], c = edges[(i + k) & 15u];
)" + all_divisions("a", "b") +
                 all_divisions("b", "a") + all_divisions("x", "c") + "if ((i & 3u) != 0u) {" +
                 all_divisions("x", "(x >> k)") + all_divisions("b", "limit") + "}\n" +
                 all_divisions("a", "(limit - k - 32u)") + "}\nresult[i] = r;"),
      [](Uint x, Uint i) {
        Uint r = 0;
        for (Uint k = 0; k < 16; ++k) {
          const Uint a = edges[k], b = edges[i & 15], c = edges[(i + k) & 15];
          r = all_divisions(r, a, b);
          r = all_divisions(r, b, a);
          r = all_divisions(r, x, c);
          if ((i & 3) != 0) {
            r = all_divisions(r, x, x >> k);
            r = all_divisions(r, b, 40);
          }
          r = all_divisions(r, a, 8 - k);
        }
        return r;
      },
      few_sizes);
}

TEST_CASE("quotients and remainders of many numbers make the dividend") {
  constexpr int sizes[] = {32};
  check(R"(
  uint s = x * 747796405u + i, wrong = 0u;
  for (uint k = 0u; k < 2000u; ++k) {
    s = s * 1664525u + 1013904223u;
    uint t = s ^ s >> 15, a = (t * 0x9e3779b9u) >> (k & 7u);
    s = s * 1664525u + 1013904223u;
    uint b = (s >> ((s >> 8) & 31u)) | 1u, m = a / b * b - (k & 1u);
    if (a / b * b + a % b != a || a % b >= b) ++wrong;
    if (m / b * b + m % b != m || m % b >= b) ++wrong;
    int c = int(a), d = int(b), rest = c - c / d * d;
    if (abs(rest) >= abs(d) || (rest != 0 && (rest < 0) != (c < 0))) ++wrong;
    if (c % d != (rest != 0 && (rest < 0) != (d < 0) ? rest + d : rest)) ++wrong;
  }
  result[i] = wrong;
)",
        [](Uint, Uint) { return Uint{0}; }, sizes);
}

TEST_CASE("fields of bits at constant and other places") {
  struct Field {
    Uint offset, bits;
  };
  constexpr Field fields[] = {{0, 0},  {0, 1}, {0, 32},  {3, 9},   {8, 8},  {31, 1}, {24, 8},
                              {1, 31}, {5, 0}, {16, 16}, {20, 20}, {4, 32}, {0, 31}, {31, 5}};
  std::string body =
      with_edges("uint r = 0u, a = i < 96u ? edges[i & 15u] : x, b = x * 0x9e3779b9u;\n");
  const auto add = [&](const std::string& offset, const std::string& bits) {
    body += fmt::format(
        "r = r * 31u + bitfieldExtract(a, {0}, {1});"
        "r = r * 31u + uint(bitfieldExtract(int(a), {0}, {1}));"
        "r = r * 31u + bitfieldInsert(a, b, {0}, {1});\n",
        offset, bits);
  };
  const auto added = [](Uint r, Uint a, Uint b, Uint offset, Uint bits) {
    r = r * 31 + extract(a, offset, bits);
    r = r * 31 + extract_int(a, offset, bits);
    return r * 31 + insert(a, b, offset, bits);
  };
  for (const Field& field : fields) add(fmt::to_string(field.offset), fmt::to_string(field.bits));
  body += "int o = int(b >> 27), n = int((b >> 20) & 63u);\n";
  add("o", "n");
  add("o", "9");
  add("3", "n");
  add("int(limit)", "n");
  body += "for (int k = 0; k < 34; ++k) {\n";
  add("o", "k");
  add("k", "int(i & 31u)");
  body += "if ((i & 3u) == 1u) {\n";
  add("k", "k");
  add("o", "n");
  check(
      body + "}\n}\nresult[i] = r;",
      [&](Uint x, Uint i) {
        const Uint a = i < 96 ? edges[i & 15] : x, b = x * 0x9e3779b9u;
        Uint r = 0;
        for (const Field& field : fields) r = added(r, a, b, field.offset, field.bits);
        const Uint o = b >> 27, n = b >> 20 & 63;
        r = added(r, a, b, o, n);
        r = added(r, a, b, o, 9);
        r = added(r, a, b, 3, n);
        r = added(r, a, b, 40, n);
        for (Uint k = 0; k < 34; ++k) {
          r = added(r, a, b, o, k);
          r = added(r, a, b, k, i & 31);
          if ((i & 3) != 1) continue;
          r = added(r, a, b, k, k);
          r = added(r, a, b, o, n);
        }
        return r;
      },
      few_sizes);
}

TEST_CASE("numbers and orders of bits, and signs") {
  const std::string each = R"(
    r = r * 31u + bitfieldReverse(a);
    r = r * 31u + uint(bitCount(a));
    r = r * 31u + uint(findLSB(a));
    r = r * 31u + uint(findMSB(a));
    r = r * 31u + uint(findMSB(int(a)));
    r = r * 31u + uint(sign(int(a)));
)";
  const auto added = [](Uint r, Uint a) {
    r = r * 31 + reverse(a);
    r = r * 31 + static_cast<Uint>(std::popcount(a));
    r = r * 31 + lowest(a);
    r = r * 31 + highest(a);
    r = r * 31 + highest_of_int(a);
    return r * 31 + (a == 0 ? 0u : a >> 31 != 0 ? ~0u : 1u);
  };
  check(
      with_edges(R"(
  uint r = 0u;
  for (uint k = 0u; k < 34u; ++k) {
    uint a = k < 16u ? edges[k] : limit + k;
)" + each + "a = x >> k; if ((i & 3u) != 2u) {" +
                 each + "}\na = (1u << k) - (i & 3u);\n" + each + "}\nresult[i] = r;"),
      [&](Uint x, Uint i) {
        Uint r = 0;
        for (Uint k = 0; k < 34; ++k) {
          r = added(r, k < 16 ? edges[k] : 40 + k);
          if ((i & 3) != 2) r = added(r, x >> k % 32);
          r = added(r, (1u << k % 32) - (i & 3));
        }
        return r;
      },
      few_sizes);
}

TEST_CASE("upper halves of products, carries and borrows") {
  const auto each = [](const char* a, const char* b) {
    return fmt::format(R"(
    umulExtended({0}, {1}, high, low); r = (r * 31u + high) * 31u + low;
    imulExtended(int({0}), int({1}), upper, lower); r = (r * 31u + uint(upper)) * 31u + uint(lower);
    r = r * 31u + uaddCarry({0}, {1}, high); r = r * 31u + high;
    r = r * 31u + usubBorrow({0}, {1}, high); r = r * 31u + high;
)",
                       a, b);
  };
  const auto added = [](Uint r, Uint a, Uint b) {
    const std::uint64_t product = std::uint64_t{a} * b;
    r = (r * 31 + static_cast<Uint>(product >> 32)) * 31 + static_cast<Uint>(product);
    const Wide other = Wide{static_cast<Int>(a)} * static_cast<Int>(b);
    r = (r * 31 + static_cast<Uint>(other >> 32)) * 31 + static_cast<Uint>(other);
    r = r * 31 + a + b;
    r = r * 31 + static_cast<Uint>((std::uint64_t{a} + b) >> 32);
    r = r * 31 + a - b;
    return r * 31 + (a < b ? 1 : 0);
  };
  check(
      with_edges(R"(
  uint r = 0u, high, low;
  int upper, lower;
  for (uint k = 0u; k < 16u; ++k) {
    uint a = edges[k], b = edges[i & 15u], c = edges[(k * 7u + 3u) & 15u];
)" + each("a", "b") +
                 each("b", "a") + each("x", "0xcccccccdu") + each("a", "c") +
                 "if ((i & 3u) != 1u) {" + each("x", "b") + each("x", "limit") +
                 "}\n}\nresult[i] = r;"),
      [&](Uint x, Uint i) {
        Uint r = 0;
        for (Uint k = 0; k < 16; ++k) {
          const Uint a = edges[k], b = edges[i & 15], c = edges[(k * 7 + 3) & 15];
          r = added(r, a, b);
          r = added(r, b, a);
          r = added(r, x, 0xcccccccdu);
          r = added(r, a, c);
          if ((i & 3) == 1) continue;
          r = added(r, x, b);
          r = added(r, x, 40);
        }
        return r;
      },
      few_sizes);
}
