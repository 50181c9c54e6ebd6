#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "oracle/run_shader.hpp"

/// \file
/// Sums of floats by compare-and-swap: every order gives a legal sum, and what is no sum of them is wrong.

namespace {

using lockstep::judgement::Verdict;
using lockstep::oracle_test::BoundedRun;

constexpr std::size_t count = 64;

std::vector<float> addends() {
  std::mt19937 random(5);
  std::vector<float> all;
  for (std::size_t k = 0; k < count; ++k) {
    const double size = std::ldexp(1.0 + static_cast<double>(random() % 4096) / 4096,
                                   static_cast<int>(random() % 8) - 4);
    all.push_back(static_cast<float>(k % 3 == 0 ? -size : size));
  }
  return all;
}

/// Two groups of 32 invocations add their numbers to two words, which start as 1.5.
BoundedRun run(const std::string& loop) {
  return BoundedRun(
      "#version 450\nlayout(local_size_x = 32) in;\n"
      "layout(binding = 0) readonly buffer X { float x[]; };\n"
      "layout(binding = 1) coherent buffer Sum { uint sum[]; };\n"
      "void main() {\n  uint i = gl_GlobalInvocationID.x, k = i % 2u;\n  " +
          loop + "\n}\n",
      {addends(), {1.5f, 1.5f}}, 8, {2, 1, 1});
}

/// The numbers that are added to a word, in some order.
std::vector<float> terms_of(std::size_t word, std::mt19937& random) {
  std::vector<float> terms;
  const std::vector<float> all = addends();
  for (std::size_t k = word; k < count; k += 2) terms.push_back(all[k]);
  std::ranges::shuffle(terms, random);
  return terms;
}
float sum_of(const std::vector<float>& terms) {
  float sum = 1.5f;
  for (const float term : terms) sum += term;
  return sum;
}
Verdict judged(const BoundedRun& run, std::size_t word, float sum) {
  return run.verdict_of_word(word, std::bit_cast<std::uint32_t>(sum));
}

const std::string swap = "atomicCompSwap(sum[k], e, floatBitsToUint(uintBitsToFloat(e) + x[i]))";
const std::string loops[] = {
    // Tried until it succeeds, with tests at the end, in the middle, and of a number of tries.
    "uint e, f = sum[k]; do { e = f; f = " + swap + "; } while (f != e);",
    "uint e = sum[k]; while (true) { uint f = " + swap + "; if (f == e) break; e = f; }",
    "uint e = 0u; for (uint n = 0u; n < 1000u; ++n) { uint f = " + swap +
        "; if (e == f) break; e = f; }",
    "bool done = false; for (;;) { uint e = sum[k]; uint f = " + swap + "; if (f == e) break; }",
    "float more = x[i]; for (;;) { uint e = sum[k];\n"
    "    uint f = atomicCompSwap(sum[k], e, floatBitsToUint(more + uintBitsToFloat(e)));\n"
    "    if (!(f != e)) break; }",
};

TEST_CASE("a sum by compare-and-swap may have any order, and must be a sum") {
  for (const std::string& loop : loops) {
    CAPTURE(loop);
    const BoundedRun bound = run(loop);
    std::mt19937 random(11);
    for (std::size_t word = 0; word < 2; ++word) {
      const std::vector<float> terms = terms_of(word, random);
      for (int k = 0; k < 200; ++k) {
        const Verdict verdict = judged(bound, word, sum_of(terms_of(word, random)));
        CHECK((verdict == Verdict::equal || verdict == Verdict::allowed));
      }
      for (std::size_t k = 0; k < terms.size(); ++k) {
        std::vector<float> lost = terms, twice = terms;
        lost.erase(lost.begin() + static_cast<std::ptrdiff_t>(k));
        twice.push_back(terms[k]);
        CHECK(judged(bound, word, sum_of(lost)) == Verdict::wrong);
        CHECK(judged(bound, word, sum_of(twice)) == Verdict::wrong);
      }
      CHECK(judged(bound, word, sum_of(terms) * 1.001f) == Verdict::wrong);
      CHECK(judged(bound, word, -sum_of(terms)) == Verdict::wrong);
      CHECK(judged(bound, word, 1.5f) == Verdict::wrong);
      CHECK(judged(bound, word, std::nanf("")) == Verdict::wrong);
      CHECK(bound.verdict_of_word(word, 0) == Verdict::wrong);
    }
  }
}

TEST_CASE("the reference of a sum by compare-and-swap is that of the shader") {
  for (const std::string& loop : loops) {
    CAPTURE(loop);
    const BoundedRun bound = run(loop);
    std::mt19937 random(1);
    for (std::size_t word = 0; word < 2; ++word)
      CHECK(static_cast<double>(bound.values()[word]) ==
            Approx(static_cast<double>(sum_of(terms_of(word, random)))));
  }
}

TEST_CASE("loops that are no sums stay open") {
  const std::string others[] = {
      // A product, a maximum, a sum whose old value is used, one that depends on the try, and one that may not be made.
      "uint e, f = sum[k]; do { e = f; f = atomicCompSwap(sum[k], e, "
      "floatBitsToUint(uintBitsToFloat(e) * x[i])); } while (f != e);",
      "uint e, f = sum[k]; do { e = f; f = atomicCompSwap(sum[k], e, "
      "floatBitsToUint(max(uintBitsToFloat(e), x[i]))); } while (f != e);",
      "uint e, f = sum[k]; do { e = f; f = " + swap +
          "; } while (f != e); if (uintBitsToFloat(f) > 3.0) atomicAdd(sum[k], 1u);",
      "uint e, f = sum[k], n = 0u; do { e = f; ++n; f = atomicCompSwap(sum[k], e, "
      "floatBitsToUint(uintBitsToFloat(e) + float(n))); } while (f != e);",
      "uint e, f = sum[k]; do { e = f; f = " + swap + "; } while (f != e && x[i] > 0.0);",
      "uint e, f = sum[k]; do { e = f; if (x[i] > 0.0) f = " + swap + "; } while (f != e);",
      "uint e = sum[k]; for (uint n = 0u; n < 3u; ++n) { uint f = " + swap +
          "; if (e != f) break; e = f; }",
  };
  for (const std::string& loop : others) {
    CAPTURE(loop);
    const BoundedRun bound = run(loop);
    CHECK(judged(bound, 0, 12345.0f) != Verdict::wrong);
    CHECK(judged(bound, 1, -1.0f) != Verdict::wrong);
  }
}

}  // namespace
