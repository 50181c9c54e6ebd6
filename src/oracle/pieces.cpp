#include "oracle/pieces.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "oracle/precision.hpp"

namespace lockstep::oracle {
namespace {

constexpr int infinite_half = 0x7c00;

int bits_of(const Pieces& pieces) { return 32 / pieces.count; }

/// The place of one.
double most_of(const Pieces& pieces) {
  const bool has_sign = pieces.kind == Pieces::Kind::signed_fractions;
  return std::ldexp(1.0, bits_of(pieces) - (has_sign ? 1 : 0)) - 1;
}

/// The bits of a half without its sign, which rise with its size.
int place_of_half(double x) {
  const double size = std::abs(x);
  int place = infinite_half;
  if (size < float16.smallest_normal) {
    place = static_cast<int>(size / float16.smallest);
  } else if (!std::isinf(size)) {
    const int exponent = std::ilogb(size);
    place = static_cast<int>(std::ldexp(size, 10 - exponent)) + (exponent + 14) * 1024;
  }
  return x < 0 ? -place : place;
}

std::int32_t place_in(const Pieces& pieces, std::uint32_t word, std::size_t k) {
  const int bits = bits_of(pieces);
  const std::uint32_t mask = bits == 16 ? 0xffff : 0xff;
  const std::uint32_t piece = word >> (static_cast<int>(k) * bits) & mask;
  const std::uint32_t sign = (mask + 1) / 2;
  const auto place = static_cast<std::int32_t>(piece);
  if (pieces.kind == Pieces::Kind::unsigned_fractions || (piece & sign) == 0) return place;
  if (pieces.kind == Pieces::Kind::halves) return -static_cast<std::int32_t>(piece & ~sign);
  return place - static_cast<std::int32_t>(mask + 1);
}

double number_at(const Pieces& pieces, std::int32_t place) {
  if (pieces.kind != Pieces::Kind::halves) return std::max(place / most_of(pieces), -1.0);
  const auto size = static_cast<std::uint64_t>(std::abs(place));
  return std::copysign(from_bits(size, float16), place);
}

}  // namespace

void Pieces::set(std::size_t k, const Interval& numbers) {
  if (kind == Kind::halves) {
    const Interval rounded = correctly_rounded(numbers, {.format = float16});
    low[k] = place_of_half(rounded.low);
    high[k] = place_of_half(rounded.high);
    return;
  }
  const double least = kind == Kind::signed_fractions ? -1 : 0;
  const auto scaled = [&](double x) { return std::clamp(x, least, 1.0) * most_of(*this); };
  low[k] = static_cast<std::int32_t>(std::floor(scaled(numbers.low)));
  high[k] = static_cast<std::int32_t>(std::ceil(scaled(numbers.high)));
}

bool Pieces::allows(std::uint32_t word) const {
  for (std::size_t k = 0; k < count; ++k) {
    const std::int32_t place = place_in(*this, word, k);
    if (place < low[k] || place > high[k]) return false;
  }
  return true;
}

Interval Pieces::numbers(std::size_t k) const {
  return {number_at(*this, low[k]), number_at(*this, high[k])};
}

std::string Pieces::text(bool highest) const {
  std::string all;
  for (std::size_t k = 0; k < count; ++k)
    all += fmt::format("{}{}", k == 0 ? "(" : ", ", number_at(*this, highest ? high[k] : low[k]));
  return all + ")";
}

}  // namespace lockstep::oracle
