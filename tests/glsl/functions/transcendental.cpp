#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <span>

#include <lockstep/glsl/functions/angle_trigonometry.hpp>
#include <lockstep/glsl/functions/exponential.hpp>

#include "last_place.hpp"

/// \file
/// The transcendental functions over all floats: how far off they are, and that their results have the same bits on
/// every instruction set, in every lane.

using namespace lockstep;
using namespace lockstep::test;

namespace {

constexpr int width = 32;
using Floats = Lanes<float, width>;
using Memory = std::array<float, width>;

/// A function of lanes, its true result, and a checksum of its results.
struct Function {
  const char* name;
  Floats (*of)(const Floats& x, const Floats& y);
  double (*truth)(double x, double y);
  std::uint64_t checksum;
  bool of_two = false;
};

#define LOCKSTEP_TEST_FUNCTION(name, checksum)                                                   \
  {                                                                                              \
#name,                                                                                       \
        [](const Floats& x,                                                                      \
           const Floats&) { return lockstep::name(x); },                                         \
                                                      [](double x,                               \
                                                         double) { return std::name(x); },       \
                                                                                        checksum \
  }
const Function functions[] = {
    LOCKSTEP_TEST_FUNCTION(sin, 0x19aa94cc52110bcau),
    LOCKSTEP_TEST_FUNCTION(cos, 0xd94ef299b967d94u),
    LOCKSTEP_TEST_FUNCTION(tan, 0xf0b8a8edf29fe454u),
    LOCKSTEP_TEST_FUNCTION(asin, 0x20bb247c3ebf03b8u),
    LOCKSTEP_TEST_FUNCTION(acos, 0x2a4edcd7e989099bu),
    LOCKSTEP_TEST_FUNCTION(atan, 0x87f06558930816dbu),
    LOCKSTEP_TEST_FUNCTION(sinh, 0x6865ffffd74895b0u),
    LOCKSTEP_TEST_FUNCTION(cosh, 0x5ef2ee43f1bd0552u),
    LOCKSTEP_TEST_FUNCTION(tanh, 0x331d72607f8ae8e8u),
    LOCKSTEP_TEST_FUNCTION(asinh, 0xe7db24ae90cc0cf6u),
    LOCKSTEP_TEST_FUNCTION(acosh, 0x5cbc58c8cf798f13u),
    LOCKSTEP_TEST_FUNCTION(atanh, 0xa1a13718105e7aeeu),
    LOCKSTEP_TEST_FUNCTION(exp, 0x456125fc8f65821au),
    LOCKSTEP_TEST_FUNCTION(exp2, 0x436fe4781fdfa930u),
    LOCKSTEP_TEST_FUNCTION(log, 0xbfc2f57e2ee8f6ebu),
    LOCKSTEP_TEST_FUNCTION(log2, 0x75c75c37f8b88759u),
    {"atan(y, x)", [](const Floats& x, const Floats& y) { return atan(y, x); },
     [](double x, double y) { return std::atan2(y, x); }, 0xc9a87b9feb3887bbu, true},
    {"pow", [](const Floats& x, const Floats& y) { return pow(x, y); },
     [](double x, double y) { return std::pow(x, y); }, 0xa323a5089360b4eeu, true},
};

/// The floats with encodings of first, first + step, ...
Memory from_encodings(std::uint32_t first, std::uint32_t step) {
  Memory values;
  for (int i = 0; i < width; ++i) {
    values[static_cast<std::size_t>(i)] =
        std::bit_cast<float>(first + static_cast<std::uint32_t>(i) * step);
  }
  return values;
}
/// Some other float for each: moderate ones, every fourth of any size.
Memory partners(const Memory& values) {
  Memory others;
  for (std::size_t i = 0; i < width; ++i) {
    const std::uint32_t mixed = std::bit_cast<std::uint32_t>(values[i]) * 0x9e3779b1u;
    const float moderate = std::bit_cast<float>((mixed & 0x83ffffffu) | 0x3e000000u);
    others[i] = mixed >> 8 & 3 ? moderate : std::bit_cast<float>(mixed);
  }
  return others;
}

Memory results(const Function& f, const Memory& x, const Memory& y) {
  Memory out;
  f.of(Floats::load(x.data()), Floats::load(y.data())).store(out.data());
  return out;
}

/// Every which float is tested: LOCKSTEP_TEST_FLOAT_STEP, of which 1 takes hours, or a sample.
std::uint32_t float_step() {
  if (const char* given = std::getenv("LOCKSTEP_TEST_FLOAT_STEP"); given != nullptr)
    return static_cast<std::uint32_t>(std::strtoul(given, nullptr, 10));
#if defined(LOCKSTEP_TEST_REDUCED)
  return 65537;
#else
  return full_run() ? 61 : 4099;
#endif
}

}  // namespace

TEST_CASE("Transcendental functions: off by less than 1.5 units in the last place") {
  const std::uint32_t step = float_step();
  for (const Function& f : functions) {
    double worst = 0;
    float at = 0;
    const std::uint64_t lanes_step = std::uint64_t{step} * width;
    for (std::uint64_t first = 0; first < std::uint64_t{1} << 32; first += lanes_step) {
      const Memory x = from_encodings(static_cast<std::uint32_t>(first), step), y = partners(x);
      const Memory got = results(f, x, y);
      for (std::size_t i = 0; i < width; ++i) {
        const double off = units_off(got[i], f.truth(double{x[i]}, double{y[i]}));
        if (off > worst) {
          worst = off;
          at = x[i];
        }
      }
    }
    INFO(f.name << " at " << std::hexfloat << at);
    CHECK(worst < most_units_off<float>);
  }
}

// Where a function is next to zero or infinity, an error in the reduction of the angle is largest.
TEST_CASE("Transcendental functions: right next to multiples of a quarter turn") {
#if defined(LOCKSTEP_TEST_REDUCED)
  constexpr int step = 97;
#else
  constexpr int step = 1;
#endif
  for (const Function& f : std::span(functions).first(3)) {
    double worst = 0;
    float at = 0;
    for (int n = 1; n < 200'000; n += 10 * step) {
      Memory x;
      for (std::size_t i = 0; i < width; ++i) {
        const float nearest =
            static_cast<float>((n + static_cast<double>(i / 3)) * 1.57079632679489661923);
        x[i] = std::bit_cast<float>(std::bit_cast<std::uint32_t>(nearest) +
                                    static_cast<std::uint32_t>(i % 3) - 1);
      }
      const Memory got = results(f, x, x);
      for (std::size_t i = 0; i < width; ++i) {
        const double off = units_off(got[i], f.truth(double{x[i]}, 0));
        if (off > worst) {
          worst = off;
          at = x[i];
        }
      }
    }
    INFO(f.name << " at " << std::hexfloat << at);
    CHECK(worst < most_units_off<float>);
  }
}

// FNV-1a over the results' encodings. Whoever changes a function on purpose prints new ones with -s.
TEST_CASE("Transcendental functions: the same bits on every instruction set") {
  for (const Function& f : functions) {
    std::uint64_t sum = 0xcbf29ce484222325u;
    constexpr std::uint32_t step = 100003;
    for (std::uint64_t first = 0; first < std::uint64_t{1} << 32;
         first += std::uint64_t{step} * width) {
      const Memory x = from_encodings(static_cast<std::uint32_t>(first), step);
      for (const float result : results(f, x, partners(x)))
        sum = (sum ^ std::bit_cast<std::uint32_t>(result)) * 0x100000001b3u;
    }
    INFO(f.name);
    CHECK(sum == f.checksum);
  }
}

TEST_CASE("Transcendental functions: a lane's result depends on no other lane") {
  const std::vector<float> values = float_values<float>();
  for (const Function& f : functions) {
    for (const float x : values) {
      Memory all, y;
      all.fill(x);
      y.fill(0.75f);
      const float alone = results(f, all, y)[0];
      for (std::size_t i = 0; i < width; ++i) {
        all[i] = i % 5 == 2 ? x : values[i % values.size()];
        y[i] = i % 5 == 2 ? 0.75f : values[i * 7 % values.size()];
      }
      const Memory got = results(f, all, y);
      for (std::size_t i = 2; i < width; i += 5) {
        INFO(f.name << " of " << x << " in lane " << i);
        CHECK(std::bit_cast<std::uint32_t>(got[i]) == std::bit_cast<std::uint32_t>(alone));
      }
    }
  }
}
