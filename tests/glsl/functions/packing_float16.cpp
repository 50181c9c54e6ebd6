#include <lockstep/glsl/functions/packing_float16.hpp>

#include <cmath>

#include "check.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// float16 values, the points halfway to the next, and the floats beside those points.
std::vector<float> floats_near_halves() {
  auto values = float_values<float>();
  Random random = make_random(2);
  for (int i = 0; i < 300; ++i) {
    const auto bits = static_cast<std::uint16_t>(random() % 0x7C00);
    const auto low = static_cast<float>(expected::half_value(bits));
    const auto high =
        bits == 0x7BFF ? 65536.0f : static_cast<float>(expected::half_value(bits + 1));
    const float middle = (low + high) / 2;
    for (const float x :
         {low, middle, std::nextafter(middle, 0.0f), std::nextafter(middle, 1e9f)}) {
      values.push_back(x);
      values.push_back(-x);
    }
  }
  return values;
}

/// The bits that float16 has; NaN is the quiet one without payload, with the sign of x.
std::uint32_t half_of(float x) {
  const std::uint32_t sign = std::signbit(x) ? 0x8000 : 0;
  return std::isnan(x) ? sign | 0x7E00 : std::uint32_t{expected::half_bits(double{x})};
}

}  // namespace

TEST_CASE("Packing: two float16") {
  for_each_size(LaneSizes{}, []<int W>(Size<W>) {
    const auto values = floats_near_halves();
    const std::vector<float> few(values.begin(), values.begin() + 70);
    check<W>(
        "packHalf2x16", [](const auto& x) { return packHalf2x16(Derived<float, W>(x), 1.0f); },
        [](float x) { return 0x3C000000u | half_of(x); }, values);
    check<W>(
        "packHalf2x16", [](const auto& x, const auto& y) { return packHalf2x16(x, y); },
        [](float x, float y) { return half_of(y) << 16 | half_of(x); }, few, few);

    std::vector<std::uint32_t> packed = integer_values<std::uint32_t>();
    for (std::uint32_t i = 0; i < 0x10000; i += 97) packed.push_back(i * 0x10001 + 0x4000000);
    const auto number = [](std::uint32_t v, int k) {
      return static_cast<float>(expected::half_value(static_cast<std::uint16_t>(v >> (16 * k))));
    };
    check<W>(
        "unpackHalf2x16, x", [](const auto& v) { return unpackHalf2x16(v).x; },
        [&](std::uint32_t v) { return number(v, 0); }, packed);
    check<W>(
        "unpackHalf2x16, y", [](const auto& v) { return unpackHalf2x16(v).y; },
        [&](std::uint32_t v) { return number(v, 1); }, packed);
  });
}
