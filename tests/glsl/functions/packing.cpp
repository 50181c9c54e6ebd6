#include <lockstep/glsl/functions/packing.hpp>

#include <cmath>

#include "check.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

using Uint = std::uint32_t;

/// c clamped, scaled in float as GLSL writes it, and rounded with halves away from zero.
int fixed(float c, float lowest, float scale) {
  if (std::isnan(c)) return 0;
  const float clamped = c < lowest ? lowest : c > 1 ? 1.0f : c;
  const float scaled = clamped * scale;
  const int whole = static_cast<int>(scaled);
  const float rest = scaled - static_cast<float>(whole);
  return whole + (rest >= 0.5f ? 1 : rest <= -0.5f ? -1 : 0);
}

/// The numbers' lowest bits side by side, the first in the lowest.
Uint joined(int bits, std::initializer_list<int> numbers) {
  Uint result = 0;
  int position = 0;
  for (const int number : numbers) {
    for (int k = 0; k < bits; ++k)
      result |= (static_cast<Uint>(number) >> k & 1u) << (position + k);
    position += bits;
  }
  return result;
}

float unorm(Uint p, int component, int bits) {
  const Uint largest = (1u << bits) - 1;
  return static_cast<float>(p >> (component * bits) & largest) / static_cast<float>(largest);
}
float snorm(Uint p, int component, int bits) {
  const int field = static_cast<int>(p >> (component * bits) & ((1u << bits) - 1));
  const int number = field >= 1 << (bits - 1) ? field - (1 << bits) : field;
  const float fraction = static_cast<float>(number) / static_cast<float>((1 << (bits - 1)) - 1);
  return fraction < -1 ? -1.0f : fraction;
}

/// Around the ends of the range and halfway between packed values.
std::vector<float> fractions() {
  auto values = float_values<float>();
  for (int i = 0; i < 40; ++i) {
    const auto number = static_cast<float>(i * i);
    values.push_back((number + 0.5f) / 255);
    values.push_back((number + 0.5f) / -127);
    values.push_back((number * 21 + 0.5f) / 65535);
    values.push_back((number * 21 + 0.5f) / -32767);
  }
  return values;
}

std::vector<Uint> packed_values() {
  auto values = integer_values<Uint>();
  for (const Uint p : {0x80008001u, 0x7FFF8000u, 0x807F8180u, 0x80818283u, 0xFF007F01u})
    values.push_back(p);
  return values;
}

}  // namespace

TEST_CASE("Packing: two components of 16 bits") {
  for_each_size(LaneSizes{}, []<int W>(Size<W>) {
    const auto values = fractions();
    check<W>(
        "packUnorm2x16",
        [](const auto& x, const auto& y) { return packUnorm2x16(Derived<float, W>(x), y); },
        [](float x, float y) {
          return joined(16, {fixed(x, 0, 65535), fixed(y, 0, 65535)});
        },
        values, values);
    check<W>(
        "packSnorm2x16", [](const auto& x, const auto& y) { return packSnorm2x16(x, y); },
        [](float x, float y) {
          return joined(16, {fixed(x, -1, 32767), fixed(y, -1, 32767)});
        },
        values, values);
    const auto packed = packed_values();
    check<W>(
        "unpackUnorm2x16, x", [](const auto& p) { return unpackUnorm2x16(p).x; },
        [](Uint p) { return unorm(p, 0, 16); }, packed);
    check<W>(
        "unpackUnorm2x16, y", [](const auto& p) { return unpackUnorm2x16(p).y; },
        [](Uint p) { return unorm(p, 1, 16); }, packed);
    check<W>(
        "unpackSnorm2x16, x", [](const auto& p) { return unpackSnorm2x16(p).x; },
        [](Uint p) { return snorm(p, 0, 16); }, packed);
    check<W>(
        "unpackSnorm2x16, y", [](const auto& p) { return unpackSnorm2x16(p).y; },
        [](Uint p) { return snorm(p, 1, 16); }, packed);
  });
}

TEST_CASE("Packing: four components of 8 bits") {
  for_each_size(LaneSizes{}, []<int W>(Size<W>) {
    const auto values = fractions();
    check<W>(
        "packUnorm4x8",
        [](const auto& x, const auto& y, const auto& z, const auto& w) {
          return packUnorm4x8(x, y, z, w);
        },
        [](float x, float y, float z, float w) {
          return joined(8,
                        {fixed(x, 0, 255), fixed(y, 0, 255), fixed(z, 0, 255), fixed(w, 0, 255)});
        },
        values, values, values, values);
    check<W>(
        "packSnorm4x8",
        [](const auto& x, const auto& y, const auto& z, const auto& w) {
          return packSnorm4x8(x, y, z, w);
        },
        [](float x, float y, float z, float w) {
          return joined(
              8, {fixed(x, -1, 127), fixed(y, -1, 127), fixed(z, -1, 127), fixed(w, -1, 127)});
        },
        values, values, values, values);
    const auto packed = packed_values();
    const auto pick = [](const auto& v, int k) {
      return k == 0 ? v.x : k == 1 ? v.y : k == 2 ? v.z : v.w;
    };
    for (int k = 0; k < 4; ++k) {
      check<W>(
          "unpackUnorm4x8", [&](const auto& p) { return pick(unpackUnorm4x8(p), k); },
          [k](Uint p) { return unorm(p, k, 8); }, packed);
      check<W>(
          "unpackSnorm4x8", [&](const auto& p) { return pick(unpackSnorm4x8(p), k); },
          [k](Uint p) { return snorm(p, k, 8); }, packed);
    }
  });
}

TEST_CASE("Packing: a double from its halves") {
  for_each_size(LaneSizes{}, []<int W>(Size<W>) {
    const auto halves = integer_values<Uint>();
    check<W>(
        "packDouble2x32", [](const auto& x, const auto& y) { return packDouble2x32(x, y); },
        [](Uint x, Uint y) {
          double value;
          const Uint words[] = {x, y};
          std::memcpy(&value, words, sizeof value);
          return value;
        },
        halves, halves);
    const auto half = [](double value, int k) {
      Uint words[2];
      std::memcpy(words, &value, sizeof value);
      return words[k];
    };
    const auto doubles = float_values<double>();
    check<W>(
        "unpackDouble2x32, x", [](const auto& v) { return unpackDouble2x32(v).x; },
        [&](double v) { return half(v, 0); }, doubles);
    check<W>(
        "unpackDouble2x32, y", [](const auto& v) { return unpackDouble2x32(v).y; },
        [&](double v) { return half(v, 1); }, doubles);
  });
}
