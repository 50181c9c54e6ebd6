#include "amber/literal.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include <lockstep/lanes/float16.hpp>

namespace lockstep::amber {
namespace {

template <class T>
bool parse_all(std::string_view text, T& value, int base) {
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value, base);
  return error == std::errc() && stop == end;
}

bool is_nan(std::string_view text) {
  return text.size() == 3 && (text[0] | 0x20) == 'n' && (text[1] | 0x20) == 'a' &&
         (text[2] | 0x20) == 'n';
}

template <class T>
void store_as(T value, std::byte* to) {
  std::memcpy(to, &value, sizeof(T));
}
template <class T>
T load_as(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

}  // namespace

std::optional<Literal> parse_literal(std::string_view text) {
  Literal literal;
  if (is_nan(text)) {
    literal.fractional = true;
    literal.real = std::numeric_limits<double>::quiet_NaN();
    return literal;
  }
  std::string_view digits = text;
  literal.negative = digits.starts_with('-');
  if (literal.negative) digits.remove_prefix(1);
  if (digits.empty() || digits.starts_with('-')) return std::nullopt;
  const bool hex = digits.starts_with("0x") || digits.starts_with("0X");
  if (hex ? parse_all(digits.substr(2), literal.magnitude, 16)
          : parse_all(digits, literal.magnitude, 10)) {
    literal.real = static_cast<double>(literal.magnitude) * (literal.negative ? -1 : 1);
    return literal;
  }
  // from_chars would accept "inf" and "nan(...)" as well.
  if (hex || digits.find_first_not_of("0123456789.eE+-") != std::string_view::npos)
    return std::nullopt;
  literal.magnitude = 0;
  literal.fractional = true;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, literal.real);
  if (error != std::errc() || stop != end) return std::nullopt;
  literal.negative = false;
  return literal;
}

namespace {

/// The same number without a fraction; nothing if it has one.
std::optional<Literal> as_whole(const Literal& literal) {
  if (!literal.fractional) return literal;
  constexpr double all_whole = 0x1p53;  // every larger number is an integer
  if (!(std::abs(literal.real) <= all_whole) || std::trunc(literal.real) != literal.real)
    return std::nullopt;
  return Literal{.fractional = false,
                 .negative = literal.real < 0,
                 .magnitude = static_cast<std::uint64_t>(std::abs(literal.real)),
                 .real = literal.real};
}

}  // namespace

bool fits(const Literal& literal, Number number) {
  if (number.encoding == Encoding::floating) return true;
  const std::optional<Literal> whole = as_whole(literal);
  if (!whole) return false;
  const std::uint64_t half = std::uint64_t{1} << (number.bits - 1);
  if (whole->negative) return whole->magnitude <= half;
  return whole->magnitude <= half - 1 + half;
}

void store(const Literal& literal, Number number, std::byte* to) {
  if (number.encoding == Encoding::floating) {
    if (number.bits == 16)
      store_as(float16_t(static_cast<float>(literal.real)), to);
    else if (number.bits == 32)
      store_as(static_cast<float>(literal.real), to);
    else
      store_as(literal.real, to);
    return;
  }
  const Literal whole = as_whole(literal).value();
  const std::uint64_t bits = whole.negative ? 0 - whole.magnitude : whole.magnitude;
  std::memcpy(to, &bits, number.bits / 8);
}

Value load(Number number, const std::byte* from) {
  Value value{number, 0, 0};
  if (number.encoding == Encoding::floating) {
    if (number.bits == 16)
      value.real = static_cast<double>(static_cast<float>(load_as<float16_t>(from)));
    else if (number.bits == 32)
      value.real = static_cast<double>(load_as<float>(from));
    else
      value.real = load_as<double>(from);
    return value;
  }
  std::memcpy(&value.bits, from, number.bits / 8);
  if (number.encoding == Encoding::signed_int) {
    const std::uint32_t unused = 64 - number.bits;
    const auto extended = static_cast<std::int64_t>(value.bits << unused) >> unused;
    value.bits = static_cast<std::uint64_t>(extended);
    value.real = static_cast<double>(extended);
  } else {
    value.real = static_cast<double>(value.bits);
  }
  return value;
}

std::string Value::text() const {
  switch (number.encoding) {
    case Encoding::signed_int:
      return fmt::format("{}", static_cast<std::int64_t>(bits));
    case Encoding::unsigned_int:
      return fmt::format("{}", bits);
    case Encoding::floating:
      break;
  }
  return number.bits == 64 ? fmt::format("{}", real) : fmt::format("{}", static_cast<float>(real));
}

}  // namespace lockstep::amber
