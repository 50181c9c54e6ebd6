#include "amber/expect.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <vector>

#include "amber/literal.hpp"

namespace lockstep::amber {
namespace {

constexpr Tolerance default_tolerance{0.000001, true};
constexpr Tolerance default_pixel_tolerance{0.002, false};

bool within(double actual, double expected, Tolerance tolerance) {
  if (std::isnan(actual) || std::isnan(expected)) return std::isnan(actual) && std::isnan(expected);
  if (std::isinf(actual) || std::isinf(expected)) return actual == expected;
  const double allowed =
      tolerance.percent ? tolerance.value / 100 * std::abs(expected) : tolerance.value;
  return std::abs(actual - expected) <= allowed;
}

Tolerance tolerance_of(const std::vector<Tolerance>& given, std::size_t component,
                       Tolerance otherwise) {
  if (given.size() == 1) return given.front();
  return component < given.size() ? given[component] : otherwise;
}

// The literal as a value of the type. For float16 it keeps float precision, as in other programs
// that run scripts: 2.4 needs a TOLERANCE there.
Value expected_value(const Literal& literal, Number number) {
  std::array<std::byte, 8> bytes{};
  const Number wide =
      number == Number{Encoding::floating, 16} ? Number{Encoding::floating, 32} : number;
  store(literal, wide, bytes.data());
  Value value = load(wide, bytes.data());
  value.number = number;
  return value;
}

bool less(const Value& a, const Value& b) {
  switch (a.number.encoding) {
    case Encoding::signed_int:
      return static_cast<std::int64_t>(a.bits) < static_cast<std::int64_t>(b.bits);
    case Encoding::unsigned_int:
      return a.bits < b.bits;
    case Encoding::floating:
      break;
  }
  return a.real < b.real;
}

bool equal(const Value& actual, const Value& expected, Tolerance tolerance, bool exact) {
  if (actual.number.encoding == Encoding::floating || !exact)
    return within(actual.real, expected.real, tolerance);
  return actual.bits == expected.bits;
}

bool has_nan(const Value& a, const Value& b) { return std::isnan(a.real) || std::isnan(b.real); }

bool holds(Comparator comparator, const Value& actual, const Value& expected, Tolerance tolerance,
           bool exact) {
  switch (comparator) {
    case Comparator::eq:
      return equal(actual, expected, tolerance, exact);
    case Comparator::ne:
      return !equal(actual, expected, tolerance, exact);
    case Comparator::lt:
      return less(actual, expected);
    case Comparator::le:
      return !less(expected, actual) && !has_nan(actual, expected);
    case Comparator::gt:
      return less(expected, actual);
    case Comparator::ge:
      break;
  }
  return !less(actual, expected) && !has_nan(actual, expected);
}

std::string_view sign_of(Comparator comparator) {
  constexpr std::array<std::string_view, 6> signs{"", "not ", "< ", "<= ", "> ", ">= "};
  return signs[static_cast<std::size_t>(comparator)];
}

// ---- Pixels ----

// A channel of a pixel: a fraction of the full colour for normalized and float formats, else the number.
struct Sample {
  double value = 0;
  bool whole = false;
};

double linear_of_srgb(double value) {
  return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

// Bits of a packed texel as an unsigned float: 5 bits of exponent, the rest mantissa.
double unsigned_float(std::uint64_t bits, std::uint32_t count) {
  const int mantissa = static_cast<int>(count) - 5;
  const auto exponent = static_cast<int>(bits >> mantissa);
  const auto fraction = static_cast<double>(bits & ((std::uint64_t{1} << mantissa) - 1));
  if (exponent == 31) return fraction == 0 ? INFINITY : NAN;
  const double significand = std::ldexp(fraction, -mantissa);
  return exponent == 0 ? std::ldexp(significand, -14) : std::ldexp(1 + significand, exponent - 15);
}

Sample sample(const Channel& channel, const std::byte* texel) {
  if (channel.mode == Mode::sfloat)
    return {load({Encoding::floating, channel.bits}, texel + channel.shift / 8).real, false};
  std::uint64_t bits = 0;
  const std::uint32_t first = channel.shift / 8, last = (channel.shift + channel.bits + 7) / 8;
  std::memcpy(&bits, texel + first, last - first);
  bits >>= channel.shift % 8;
  if (channel.bits < 64) bits &= (std::uint64_t{1} << channel.bits) - 1;
  const std::uint32_t unused = 64 - channel.bits;
  const auto signed_value =
      static_cast<double>(static_cast<std::int64_t>(bits << unused) >> unused);
  const auto unsigned_value = static_cast<double>(bits);
  const auto scale = [&](std::uint32_t n) { return std::ldexp(1.0, static_cast<int>(n)) - 1; };
  switch (channel.mode) {
    case Mode::unorm:
      return {unsigned_value / scale(channel.bits), false};
    case Mode::snorm:
      return {std::max(-1.0, signed_value / scale(channel.bits - 1)), false};
    case Mode::srgb: {
      const double value = unsigned_value / scale(channel.bits);
      return {channel.name == 'A' ? value : linear_of_srgb(value), false};
    }
    case Mode::ufloat:
      return {unsigned_float(bits, channel.bits), false};
    case Mode::sint:
    case Mode::sscaled:
      return {signed_value, true};
    default:
      return {unsigned_value, true};
  }
}

// The channels R, G, B, A of a pixel; missing ones are left out.
std::array<std::optional<Sample>, 4> samples(const Buffer& buffer, const std::byte* texel) {
  std::array<std::optional<Sample>, 4> result;
  if (buffer.type.format) {
    for (const Channel& channel : buffer.type.format->channels) {
      const std::size_t index = std::string_view("RGBA").find(channel.name);
      if (index < result.size()) result[index] = sample(channel, texel);
    }
    return result;
  }
  const auto& components = buffer.layout.components;
  for (std::size_t k = 0; k < std::min(components.size(), result.size()); ++k) {
    const Number number = components[k].number;
    result[k] = Sample{load(number, texel + components[k].byte).real,
                       number.encoding != Encoding::floating};
  }
  return result;
}

std::string text_of(const std::array<std::optional<Sample>, 4>& pixel, std::size_t channels) {
  std::string text;
  for (std::size_t k = 0; k < channels; ++k) {
    if (k > 0) text += ", ";
    if (!pixel[k])
      text += "none";
    else
      text += fmt::format("{:.6g}", pixel[k]->whole ? pixel[k]->value : pixel[k]->value * 255);
  }
  return text;
}

// ---- Buffers ----

std::optional<std::string> check_equal(const Buffer& buffer, const Buffer& other,
                                       std::span<const std::byte> bytes,
                                       std::span<const std::byte> others) {
  const auto& components = buffer.layout.components;
  std::size_t differing = 0, first = 0;
  std::string got, expected;
  for (std::size_t i = 0; i < std::size_t{buffer.count} * components.size(); ++i) {
    const Component& component = components[i % components.size()];
    const std::size_t at = i / components.size() * buffer.layout.stride + component.byte;
    if (std::memcmp(bytes.data() + at, others.data() + at, component.number.bits / 8) == 0)
      continue;
    if (differing++ > 0) continue;
    first = i;
    got = load(component.number, bytes.data() + at).text();
    expected = load(component.number, others.data() + at).text();
  }
  if (differing == 0) return std::nullopt;
  return fmt::format("buffer {}, index {}: expected {} as in {}, got {}; {} values differ",
                     buffer.name, first, expected, other.name, got, differing);
}

std::optional<std::string> check_root_mean_square(const ExpectBuffers& expectation,
                                                  const Buffer& buffer, const Buffer& other,
                                                  std::span<const std::byte> bytes,
                                                  std::span<const std::byte> others) {
  double sum = 0;
  for (std::size_t at = 0; at < bytes.size(); at += buffer.layout.stride)
    for (const Component& component : buffer.layout.components) {
      const double difference = load(component.number, &bytes[at + component.byte]).real -
                                load(component.number, &others[at + component.byte]).real;
      sum += difference * difference;
    }
  const auto values =
      static_cast<double>(buffer.count) * static_cast<double>(buffer.layout.components.size());
  const double error = std::sqrt(sum / values);
  if (error <= expectation.tolerance) return std::nullopt;
  return fmt::format(
      "buffer {}: the root mean square error against {} is {}, more than the tolerance of {}",
      buffer.name, other.name, error, expectation.tolerance);
}

// Moves a histogram's surplus to where it lacks values: each value counts by the bins it moves.
double distance(const std::array<std::int64_t, 256>& surplus, double pixels) {
  double moved = 0;
  std::int64_t carried = 0;
  for (const std::int64_t bin : surplus) {
    carried += bin;
    moved += std::abs(static_cast<double>(carried));
  }
  return moved / pixels / static_cast<double>(surplus.size());
}

std::optional<std::string> check_histogram(const ExpectBuffers& expectation, const Buffer& buffer,
                                           const Buffer& other, std::span<const std::byte> bytes,
                                           std::span<const std::byte> others) {
  double largest = 0;
  for (const Component& component : buffer.layout.components) {
    std::array<std::int64_t, 256> surplus{};
    for (std::size_t at = component.byte; at < bytes.size(); at += buffer.layout.stride) {
      ++surplus[std::to_integer<std::size_t>(bytes[at])];
      --surplus[std::to_integer<std::size_t>(others[at])];
    }
    largest = std::max(largest, distance(surplus, static_cast<double>(buffer.count)));
  }
  if (largest <= expectation.tolerance) return std::nullopt;
  return fmt::format(
      "buffer {}: the distance between its histogram and the one of {} is {}, more than the "
      "tolerance of {}",
      buffer.name, other.name, largest, expectation.tolerance);
}

}  // namespace

std::optional<std::string> check(const ExpectValues& expectation, const Buffer& buffer,
                                 std::span<const std::byte> bytes) {
  const auto& components = buffer.layout.components;
  const std::size_t count = expectation.values.size();
  const std::size_t elements = (count + components.size() - 1) / components.size();
  if (expectation.offset + elements * buffer.layout.stride > bytes.size())
    return fmt::format("buffer {} has {} bytes, but {} values from IDX {} were expected",
                       buffer.name, bytes.size(), count, expectation.offset);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t k = i % components.size();
    const std::size_t at =
        expectation.offset + i / components.size() * buffer.layout.stride + components[k].byte;
    const Value actual = load(components[k].number, &bytes[at]);
    const Value expected = expected_value(expectation.values[i], components[k].number);
    const Tolerance tolerance = tolerance_of(expectation.tolerances, k, default_tolerance);
    if (holds(expectation.comparator, actual, expected, tolerance, expectation.tolerances.empty()))
      continue;
    return fmt::format("buffer {}, index {} (byte {}): expected {}{}, got {}", buffer.name, i, at,
                       sign_of(expectation.comparator), expected.text(), actual.text());
  }
  return std::nullopt;
}

std::optional<std::string> check(const ExpectPixels& expectation, const Buffer& buffer,
                                 std::span<const std::byte> bytes) {
  const std::size_t channels = expectation.alpha ? 4 : 3;
  std::size_t wrong = 0;
  std::string first;
  for (std::uint32_t y = expectation.y; y < expectation.y + expectation.height; ++y) {
    for (std::uint32_t x = expectation.x; x < expectation.x + expectation.width; ++x) {
      const std::size_t texel = std::size_t{y} * buffer.width + x;
      const auto pixel = samples(buffer, &bytes[texel * buffer.layout.stride]);
      bool right = true;
      for (std::size_t k = 0; k < channels; ++k) {
        if (!pixel[k]) continue;
        const double colour = expectation.colour[k];
        right = right && within(pixel[k]->value, pixel[k]->whole ? colour : colour / 255,
                                tolerance_of(expectation.tolerances, k, default_pixel_tolerance));
      }
      if (right || wrong++ > 0) continue;
      std::string expected;
      for (std::size_t k = 0; k < channels; ++k)
        expected += fmt::format("{}{}", k == 0 ? "" : ", ", expectation.colour[k]);
      first = fmt::format("buffer {}, pixel ({}, {}): expected {}, got {}", buffer.name, x, y,
                          expected, text_of(pixel, channels));
    }
  }
  if (wrong == 0) return std::nullopt;
  return fmt::format("{}; {} pixels differ", first, wrong);
}

std::optional<std::string> check(const ExpectBuffers& expectation, const Buffer& buffer,
                                 const Buffer& other, std::span<const std::byte> bytes,
                                 std::span<const std::byte> others) {
  switch (expectation.kind) {
    case ExpectBuffers::Kind::equal:
      return check_equal(buffer, other, bytes, others);
    case ExpectBuffers::Kind::root_mean_square:
      return check_root_mean_square(expectation, buffer, other, bytes, others);
    case ExpectBuffers::Kind::histogram:
      break;
  }
  return check_histogram(expectation, buffer, other, bytes, others);
}

}  // namespace lockstep::amber
