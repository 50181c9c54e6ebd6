#include <lockstep/dispatch/texel.hpp>

#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include <catch2/catch.hpp>

#include "support/texels.hpp"

namespace {

using namespace lockstep;
using namespace lockstep::test;

constexpr std::size_t format_count = std::size(image_formats);

ImageFormat format_number(std::size_t k) { return static_cast<ImageFormat>(k); }

float float_of(std::uint64_t bits) {
  const auto low = static_cast<std::uint32_t>(bits);
  float value;
  std::memcpy(&value, &low, sizeof value);
  return value;
}
std::uint64_t bits_of(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

bool same(float a, float b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

/// Each value of a component of up to 16 bits, and some of larger ones.
std::vector<std::uint64_t> raw_values(const StoredComponent& c) {
  std::vector<std::uint64_t> values;
  if (c.bits <= 16) {
    for (std::uint64_t raw = 0; raw <= c.most_raw(); ++raw) values.push_back(raw);
    return values;
  }
  std::mt19937_64 random(static_cast<std::uint64_t>(c.bits));
  for (int k = 0; k < 500; ++k) values.push_back(random() & c.most_raw());
  for (const std::uint64_t raw :
       {std::uint64_t{0}, std::uint64_t{1}, c.most_raw(), c.most_raw() / 2, c.most_raw() / 2 + 1})
    values.push_back(raw);
  return values;
}

/// Each number that a component can hold, the middle between it and the next, and their neighbours.
std::vector<float> floats_around(const StoredComponent& c) {
  std::vector<float> values{NAN,    -NAN,    INFINITY, -INFINITY, 0.0f,  -0.0f,
                            1e-44f, -1e-44f, 3e38f,    -3e38f,    65504, 65519.996f,
                            65520,  65024,   65025,    64512,     66000, 1.5f};
  const auto add = [&](double value) {
    const auto here = static_cast<float>(value);
    for (const float v : {std::nextafter(here, -1e30f), here, std::nextafter(here, 1e30f)}) {
      values.push_back(v);
      values.push_back(-v);
    }
  };
  if (c.bits == 32) {
    add(1e10);
    add(1.0 / 3);
    return values;
  }
  const bool real = c.kind == StoredComponent::real;
  const std::uint64_t count = real ? (31ull << (c.bits == 16 ? 10 : c.bits - 5)) - 1
                              : c.kind == StoredComponent::snorm ? c.most_raw() / 2
                                                                 : c.most_raw();
  const auto value = [&](std::uint64_t raw) {
    return real ? small_float_value(c, raw) : static_cast<double>(raw) / static_cast<double>(count);
  };
  for (std::uint64_t raw = 0; raw < count; ++raw) {
    add(value(raw));
    add((value(raw) + value(raw + 1)) / 2);
  }
  add(value(count));
  return values;
}

TEST_CASE("texels: every format's components lie as its name says") {
  for (std::size_t k = 0; k < format_count; ++k) {
    const auto components = components_of(image_formats[k].name);
    INFO(image_formats[k].name);
    CHECK(to_string(format_number(k)) == image_formats[k].name);
    REQUIRE(image_formats[k].components == components.size());
    for (std::size_t n = 0; n < components.size(); ++n)
      CHECK(image_formats[k].bits[n] == static_cast<std::uint32_t>(components[n].bits));
    const int bits = components.back().first_bit + components.back().bits;
    CHECK(8 * texel_bytes(format_number(k)) == static_cast<std::uint32_t>(bits));
    const bool wide = components[0].bits == 64;
    const TexelNumber number = components[0].kind == StoredComponent::sint
                                   ? (wide ? TexelNumber::int64 : TexelNumber::int32)
                               : components[0].kind == StoredComponent::uint
                                   ? (wide ? TexelNumber::uint64 : TexelNumber::uint32)
                                   : TexelNumber::float32;
    CHECK(image_formats[k].number() == number);
    CHECK(image_formats[k].takes_atomics() == (components.size() == 1 && components[0].bits >= 32));
  }
}

TEST_CASE("texels: every value of a component is read exactly, beside garbage") {
  for (std::size_t k = 0; k < format_count; ++k) {
    const auto components = components_of(image_formats[k].name);
    const bool floats = is_float_format(image_formats[k].name);
    INFO(image_formats[k].name);
    std::mt19937 random(1);
    std::byte texel[16];
    for (std::size_t n = 0; n < components.size(); ++n) {
      std::size_t wrong = 0;
      for (const std::uint64_t raw : raw_values(components[n])) {
        for (std::byte& b : texel) b = static_cast<std::byte>(random());
        put_raw_component(texel, components[n], raw);
        const TexelBits got = decode_texel(format_number(k), texel);
        if (floats && components[n].bits == 32)
          wrong += got[n] != raw;
        else if (floats)
          wrong += !same(float_of(got[n]), loaded_float(components[n], raw));
        else
          wrong += got[n] != loaded_integer(components[n], raw);
        // What the format lacks.
        for (std::size_t m = components.size(); m < 4; ++m)
          wrong += got[m] != (m < 3 ? 0 : floats ? bits_of(1.0f) : 1);
      }
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("texels: floats are rounded to the nearest that a component can hold") {
  for (std::size_t k = 0; k < format_count; ++k) {
    if (!is_float_format(image_formats[k].name)) continue;
    const auto components = components_of(image_formats[k].name);
    INFO(image_formats[k].name);
    std::size_t wrong = 0;
    const std::vector<float> values = floats_around(components[0]);
    for (std::size_t v = 0; v < values.size(); ++v) {
      TexelBits bits;
      for (std::size_t n = 0; n < 4; ++n) bits[n] = bits_of(values[(v + 7 * n) % values.size()]);
      std::byte texel[17];
      for (std::byte& b : texel) b = std::byte{0xa5};
      encode_texel(format_number(k), texel, bits);
      for (std::size_t n = 0; n < components.size(); ++n) {
        const std::uint64_t want = stored_float(components[n], float_of(bits[n]));
        wrong += raw_component(texel, components[n]) != want;
      }
      wrong += texel[texel_bytes(format_number(k))] != std::byte{0xa5};
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("texels: of integers the bits that there is room for are stored") {
  for (std::size_t k = 0; k < format_count; ++k) {
    if (is_float_format(image_formats[k].name)) continue;
    const auto components = components_of(image_formats[k].name);
    INFO(image_formats[k].name);
    std::mt19937_64 random(k);
    std::size_t wrong = 0;
    for (int round = 0; round < 500; ++round) {
      TexelBits bits;
      for (std::uint64_t& b : bits) b = random() >> random() % 64;
      std::byte texel[17];
      for (std::byte& b : texel) b = std::byte{0x5a};
      encode_texel(format_number(k), texel, bits);
      for (std::size_t n = 0; n < components.size(); ++n)
        wrong += raw_component(texel, components[n]) != (bits[n] & components[n].most_raw());
      wrong += texel[texel_bytes(format_number(k))] != std::byte{0x5a};
    }
    CHECK(wrong == 0);
  }
}

}  // namespace
