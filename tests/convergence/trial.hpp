#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <utility>

#include "convergence/generator.hpp"
#include "convergence/machine_book.hpp"
#include "convergence/reference.hpp"
#include "convergence/shrink.hpp"
#include "convergence/text.hpp"
#include "support/settings.hpp"

/// \file
/// Draws programs together with their subgroups, and reports failing ones.

namespace lockstep::test {

/// A program and its lanes.
struct Trial {
  std::uint64_t seed = 0;
  Program program{};
  int size = 0;
  Lanes128 existing{};
};

inline Lanes128 first_lanes(int count) {
  Lanes128 lanes;
  for (int i = 0; i < count; ++i) lanes.set(static_cast<std::size_t>(i));
  return lanes;
}

/// Lanes of a subgroup of some size: all, only the first, or any.
inline Lanes128 some_lanes(Draw& draw, int size) {
  const int manner = draw.below(4);
  if (manner < 2) return first_lanes(size);
  if (manner == 2) return first_lanes(1 + draw.below(size));
  Lanes128 lanes;
  for (int i = 0; i < size; ++i) lanes.set(static_cast<std::size_t>(i), draw.chance(60));
  if (lanes.none()) lanes.set(static_cast<std::size_t>(draw.below(size)));
  return lanes;
}

inline Trial draw_trial(std::uint64_t seed, Style style) {
  constexpr std::array<int, 12> sizes{1, 2, 3, 5, 8, 16, 24, 32, 33, 64, 100, 128};
  Draw draw(seed);
  Trial trial{.seed = seed};
  // Large subgroups are slow, and the smallest exercise little.
  const int k = draw.below(4) == 0 ? draw.below(12) : 2 + draw.below(7);
  trial.size = sizes[static_cast<std::size_t>(k)];
  trial.existing = some_lanes(draw, trial.size);
  style.statements = 8 + draw.below(style.statements);
  style.depth = 2 + draw.below(style.depth);
  if (draw.chance(50)) style.tangled = 0;
  trial.program = Generator(draw.next(), style).program();
  return trial;
}

/// The number of programs in a test case: this percentage of LOCKSTEP_TEST_PROGRAMS, if that is
/// set.
inline int programs(int percent) {
#if defined(LOCKSTEP_TEST_REDUCED)
  long count = 150;
#else
  long count = 2000;
#endif
  if (const char* value = std::getenv("LOCKSTEP_TEST_PROGRAMS")) {
    count = std::strtol(value, nullptr, 0);
    if (count < 1 || count > 10'000'000) {
      throw std::invalid_argument("LOCKSTEP_TEST_PROGRAMS is " + std::string(value) +
                                  ": set it to a number of programs, 1 to 10000000");
    }
  }
  return static_cast<int>(std::max(1L, count * percent / 100));
}

/// A failure for humans: the smallest failing program, and how it fails.
template <class F>
std::string report(const Trial& trial, F&& failure_of) {
  Trial small = trial;
  small.program = Shrinker::shrunk(trial.program, [&](const Program& candidate) {
    small.program = candidate;
    try {
      return !failure_of(small).empty();
    } catch (const TooLong&) {
      return false;
    }
  });
  return "program " + std::to_string(trial.seed) + ", subgroup size " + std::to_string(trial.size) +
         ", lanes " + to_text(trial.existing) + "\n" + failure_of(small) + "\n" +
         to_text(small.program);
}

}  // namespace lockstep::test
