#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>

/// \file
/// How much the tests cover: the environment variables LOCKSTEP_TEST_FULL and LOCKSTEP_TEST_SEED,
/// and the compile definitions LOCKSTEP_TEST_FULL and LOCKSTEP_TEST_REDUCED.

/// The compiled widths of a kernel in tests that run it at every subgroup size.
#if defined(LOCKSTEP_TEST_FULL)
#define LOCKSTEP_TEST_WIDTHS 1, 8, 32, 128
#else
#define LOCKSTEP_TEST_WIDTHS 128
#endif

namespace lockstep::test {

/// Whether every mask of the corpus is tested instead of a sample: a full build, or
/// LOCKSTEP_TEST_FULL=1.
inline bool full_run() {
#if defined(LOCKSTEP_TEST_FULL)
  return true;
#else
  static const bool full = [] {
    const char* value = std::getenv("LOCKSTEP_TEST_FULL");
    return value != nullptr && value[0] != '\0' && value[0] != '0';
  }();
  return full;
#endif
}

/// The seed of every random mask and value: LOCKSTEP_TEST_SEED, or 1.
inline std::uint64_t seed() {
  static const std::uint64_t number = [] {
    const char* value = std::getenv("LOCKSTEP_TEST_SEED");
    return value != nullptr ? std::strtoull(value, nullptr, 0) : 1ull;
  }();
  return number;
}

using Random = std::mt19937_64;

/// A generator that depends only on the seed and on `salt`, so that no test depends on the order of
/// tests.
inline Random make_random(std::uint64_t salt = 0) {
  return Random(seed() + 0x9e3779b97f4a7c15u * salt);
}

inline bool announce_sample() {
#if defined(LOCKSTEP_TEST_REDUCED)
  const char* sizes = "1 3 24 33 128 (reduced build)";
#else
  const char* sizes = "1 2 3 4 5 8 16 24 31 32 33 64 100 127 128";
#endif
#if defined(LOCKSTEP_TEST_FULL)
  const char* types = "every type at every size";
#else
  const char* types = "some tests pair types with fewer sizes (-DLOCKSTEP_TEST_FULL=ON pairs all)";
#endif
  const char* masks =
      full_run() ? "the whole corpus"
                 : "every mask for W <= 4, the structured corpus for W <= 8, about 24 masks "
                   "above (LOCKSTEP_TEST_FULL=1 tries the whole corpus)";
  std::fprintf(stderr, "sizes: %s\ntypes: %s\nmasks: %s\nseed: %llu (LOCKSTEP_TEST_SEED)\n", sizes,
               types, masks, static_cast<unsigned long long>(seed()));
  return true;
}

/// Prints what this executable samples, once, before its first test.
inline const bool sample_announced = announce_sample();

}  // namespace lockstep::test
