#include <lockstep/glsl/functions/common_float16.hpp>

#include "check.hpp"

using namespace lockstep;
using namespace lockstep::test;

TEST_CASE("Common: the bits of 16-bit floats") {
  for_each_size(LaneSizes{}, []<int W>(Size<W>) {
    const auto floats = float_values<float16_t>();
    check<W>(
        "float16BitsToInt16",
        [](const auto& v) { return float16BitsToInt16(Derived<float16_t, W>(v)); },
        std::bit_cast<std::int16_t, float16_t>, floats);
    check<W>(
        "float16BitsToUint16", [](const auto& v) { return float16BitsToUint16(v); },
        std::bit_cast<std::uint16_t, float16_t>, floats);
    check<W>(
        "int16BitsToFloat16", [](const auto& v) { return int16BitsToFloat16(v); },
        std::bit_cast<float16_t, std::int16_t>, integer_values<std::int16_t>());
    check<W>(
        "uint16BitsToFloat16", [](const auto& v) { return uint16BitsToFloat16(v); },
        std::bit_cast<float16_t, std::uint16_t>, integer_values<std::uint16_t>());
  });
}
