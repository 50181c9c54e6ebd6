#include "io/numbers.hpp"

#include <cctype>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

namespace lockstep::io {
namespace {

bool is_negative(std::string_view text) { return !text.empty() && text.front() == '-'; }

template <class T>
std::vector<std::byte> bytes_of_value(T value) {
  std::vector<std::byte> bytes(sizeof(T));
  std::memcpy(bytes.data(), &value, sizeof(T));
  return bytes;
}

template <class T>
std::optional<std::vector<std::byte>> parse_whole(std::string_view text) {
  const auto bits = parse_integer(text);
  if (!bits) return std::nullopt;
  if (is_negative(text)) {
    const auto value = static_cast<std::int64_t>(*bits);
    if (std::is_unsigned_v<T> || value < static_cast<std::int64_t>(std::numeric_limits<T>::min()))
      return std::nullopt;
  } else if (*bits > static_cast<std::uint64_t>(std::numeric_limits<T>::max())) {
    return std::nullopt;
  }
  return bytes_of_value(static_cast<T>(*bits));
}

}  // namespace

std::optional<std::uint64_t> parse_unsigned(std::string_view text) {
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    text.remove_prefix(2);
    base = 16;
  }
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value, base);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> parse_integer(std::string_view text) {
  if (!is_negative(text)) return parse_unsigned(text);
  const auto value = parse_unsigned(text.substr(1));
  if (!value || *value > std::uint64_t{1} << 63) return std::nullopt;
  return 0 - *value;
}

namespace {

std::optional<double> parse_decimal(std::string_view text) {
  double value = 0;
#ifdef __cpp_lib_to_chars
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
#else  // libc++ 19 reads integers only
  const std::string copy(text);
  if (copy.empty() || copy[0] == '+' || std::isspace(static_cast<unsigned char>(copy[0])) != 0)
    return std::nullopt;
  char* stop = nullptr;
  errno = 0;
  value = std::strtod(copy.c_str(), &stop);
  if (stop != copy.c_str() + copy.size() || (errno == ERANGE && (std::isinf(value) || value == 0)))
    return std::nullopt;
#endif
  return value;
}

}  // namespace

std::optional<double> parse_double(std::string_view text) {
  if (text.find_first_of("xX") != std::string_view::npos) {
    const auto bits = parse_integer(text);
    if (!bits) return std::nullopt;
    return is_negative(text) ? static_cast<double>(static_cast<std::int64_t>(*bits))
                             : static_cast<double>(*bits);
  }
  return parse_decimal(text);
}

std::optional<std::vector<std::byte>> parse_element(Dtype type, std::string_view text) {
  return visit_type(
      type, [text]<class T>(std::type_identity<T>) -> std::optional<std::vector<std::byte>> {
        if constexpr (is_float<T>) {
          const auto value = parse_double(text);
          if (!value) return std::nullopt;
          const T rounded = static_cast<T>(*value);
          if (std::isfinite(*value) && !std::isfinite(static_cast<double>(rounded)))
            return std::nullopt;
          return bytes_of_value(rounded);
        } else {
          return parse_whole<T>(text);
        }
      });
}

}  // namespace lockstep::io
