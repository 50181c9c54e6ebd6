#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "oracle/run_shader.hpp"

/// \file
/// Words into which several numbers are packed: each number has bounds of its own.

namespace {

using lockstep::judgement::Verdict;
using lockstep::oracle_test::BoundedRun;

/// Runs a body that writes the word `res[i]`, with a number x that the packed formats can only round.
BoundedRun run(const std::string& body) {
  std::vector<float> a;
  for (int k = 0; k < 8; ++k) a.push_back(static_cast<float>(k + 1) / 11);
  return BoundedRun(
      "#version 450\nlayout(local_size_x = 8) in;\n"
      "layout(binding = 0) readonly buffer A { float a[]; };\n"
      "layout(binding = 1) buffer Out { uint res[]; };\nshared uint words[8];\n"
      "void main() {\n  uint i = gl_GlobalInvocationID.x;\n  float x = a[i] / a[7u - i] * "
      "0.7317;\n  " +
          body + "\n}\n",
      {a, std::vector<float>(8)});
}

/// The number that the oracle's reference packs, without rounding.
double exact(std::size_t i) {
  return static_cast<double>(i + 1) / static_cast<double>(8 - i) * static_cast<double>(0.7317f);
}

struct Format {
  std::string function;
  int bits = 16;
  bool half = false, has_sign = false;
};
const Format formats[] = {
    {"packHalf2x16(vec2(x, -x))", 16, true},
    {"packUnorm2x16(vec2(x, 0.5 * x))"},
    {"packSnorm2x16(vec2(x, -x))", 16, false, true},
    {"packUnorm4x8(vec4(x, 0.5 * x, 0.25 * x, 0.125 * x))", 8},
    {"packSnorm4x8(vec4(x, -x, 0.5 * x, -0.5 * x))", 8, false, true},
};

TEST_CASE("each number of a packed word may be either neighbour, and no other") {
  for (const Format& format : formats) {
    const BoundedRun bound = run("res[i] = " + format.function + ";");
    int on_both_sides = 0;
    for (std::size_t i = 0; i < 8; ++i) {
      const std::uint32_t mine = bound.word(i);
      for (int shift = 0; shift < 32; shift += format.bits) {
        const std::uint32_t one = 1u << shift;
        CAPTURE(format.function, i, shift, mine);
        const auto judged = [&](std::uint32_t word) { return bound.verdict_of_word(i, word); };
        // One of the neighbours may be on the other side of the exact number; both only where the quotient is so close to
        // a number of the format that it may be on either side.
        const bool up = judged(mine + one) == Verdict::wrong,
                   down = judged(mine - one) == Verdict::wrong;
        on_both_sides += up || down ? 0 : 1;
        // Farther ones, other signs, and other exponents are wrong.
        CHECK(judged(mine + 2 * one) == Verdict::wrong);
        CHECK(judged(mine - 2 * one) == Verdict::wrong);
        CHECK(judged(mine ^ (one << (format.bits - 2))) == Verdict::wrong);
        if (format.has_sign || format.half)
          CHECK(judged(mine ^ (one << (format.bits - 1))) == Verdict::wrong);
      }
      CHECK(bound.verdict_of_word(i, mine ^ 0x55005500u) == Verdict::wrong);
    }
    CAPTURE(format.function);
    CHECK(on_both_sides == 0);
  }
}

TEST_CASE("a device that rounds a half the other way is right") {
  const BoundedRun bound = run("res[i] = packHalf2x16(vec2(x, 1.0));");
  for (std::size_t i = 0; i < 8; ++i) {
    const double x = exact(i);
    // The halves around the exact number.
    const double unit = std::ldexp(1.0, std::ilogb(x) - 10);
    const double below = std::floor(x / unit) * unit;
    const auto bits_of = [&](double half) {
      const int exponent = std::ilogb(half);
      return static_cast<std::uint32_t>((exponent + 15) * 1024 +
                                        (std::ldexp(half, 10 - exponent) - 1024));
    };
    CAPTURE(i, x, below);
    for (const double half : {below, below == x ? below : below + unit})
      CHECK(bound.verdict_of_word(i, bits_of(half) | 0x3c000000u) != Verdict::wrong);
    const double next = below == x ? below - 2 * unit : below - unit;
    CHECK(bound.verdict_of_word(i, bits_of(next) | 0x3c000000u) == Verdict::wrong);
    CHECK(bound.verdict_of_word(i, bits_of(below) | 0x3c010000u) == Verdict::wrong);
    // NaN, where no number is.
    CHECK(bound.verdict_of_word(i, 0x3c007e00u) == Verdict::wrong);
  }
}

TEST_CASE("packed words keep their bounds in memory, between lanes, and through unpacking") {
  const std::string moves[] = {
      "words[i] = packHalf2x16(vec2(x, x)); barrier(); res[i] = words[7u - i];",
      "uint w = packHalf2x16(vec2(x, x)); if (i > 3u) w = packHalf2x16(vec2(x, 2.0 * x)); res[i] = "
      "w;",
  };
  for (const std::string& body : moves) {
    const BoundedRun bound = run(body);
    for (std::size_t i = 0; i < 8; ++i) {
      const std::uint32_t mine = bound.word(i);
      CAPTURE(body, i, mine);
      CHECK(bound.verdict_of_word(i, mine ^ 0x04000000u) == Verdict::wrong);
      CHECK(bound.verdict_of_word(i, mine ^ 0x00000400u) == Verdict::wrong);
    }
  }
  const BoundedRun unpacked =
      run("words[i] = packHalf2x16(vec2(x, 2.0 * x)); barrier();\n"
          "res[i] = floatBitsToUint(unpackHalf2x16(words[i]).y);");
  for (std::size_t i = 0; i < 8; ++i) {
    CAPTURE(i, unpacked.values()[i]);
    CHECK(static_cast<double>(unpacked.values()[i]) == Approx(2 * exact(i)).epsilon(0.001));
  }
  const BoundedRun back =
      run("words[i] = packHalf2x16(vec2(x, 2.0 * x)); barrier();\n"
          "res[i] = packHalf2x16(unpackHalf2x16(words[i]).yx);");
  for (std::size_t i = 0; i < 8; ++i) {
    const std::uint32_t mine = back.word(i);
    CHECK(back.verdict_of_word(i, mine ^ 0x04000000u) == Verdict::wrong);
    CHECK(back.verdict_of_word(i, mine ^ 0x00000008u) == Verdict::wrong);
  }
}

}  // namespace
