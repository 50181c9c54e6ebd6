#include "io/buffer_spec.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <span>

#include "io/error.hpp"
#include "io/files.hpp"
#include "io/numbers.hpp"
#include "io/text.hpp"

namespace lockstep::io {
namespace {

// The limit of Vulkan's 32-bit ranges.
constexpr std::uint64_t max_bytes = 0xffffffff;

constexpr std::string_view forms =
    "give file.npy, file.bin, zeros:TYPE:N, fill:TYPE:N:VALUE, iota:TYPE:N or "
    "random:TYPE:N:SEED[:LOW:HIGH]";

// TYPE:N, the start of every generator.
void parse_type_and_count(BufferSpec& spec, std::string_view text,
                          const std::vector<std::string_view>& parts) {
  const auto type = find_type(parts[1]);
  if (!type) refuse(text, fmt::format("'{}' is not a type; use one of {}", parts[1], type_names()));
  const auto count = parse_unsigned(parts[2]);
  if (!count || *count == 0)
    refuse(text, fmt::format("'{}' is not a number of elements; use 1 or more", parts[2]));
  if (*count > max_bytes / bytes_of(*type))
    refuse(text, "is more than 4 GiB, the largest size of a buffer; use fewer elements");
  spec.type = *type;
  spec.count = static_cast<std::size_t>(*count);
}

/// The range of random numbers, which the type must hold.
std::pair<double, double> range_of(const BufferSpec& spec, std::string_view text,
                                   std::string_view low, std::string_view high) {
  const auto value = [&](std::string_view bound) {
    const auto bytes = parse_element(Dtype::float64, bound);
    if (!parse_element(spec.type, bound) || !bytes)
      refuse(text, fmt::format("'{}' is not a value of type {}; use a number in its range", bound,
                               name_of(spec.type)));
    double number = 0;
    std::memcpy(&number, bytes->data(), sizeof number);
    return number;
  };
  const std::pair range{value(low), value(high)};
  if (!(range.first < range.second) || !std::isfinite(range.second - range.first))
    refuse(text, fmt::format("{} is not below {}; write the lower bound first", low, high));
  return range;
}

bool is_rule(std::string_view word) {
  return word == "zeros" || word == "fill" || word == "iota" || word == "random";
}

BufferSpec parse_rule(std::string_view text, const std::vector<std::string_view>& parts) {
  const std::string_view rule = parts[0];
  const bool has_fourth = rule == "fill" || rule == "random";
  const bool has_range = rule == "random" && parts.size() == 6;
  if (parts.size() != (has_fourth ? 4U : 3U) && !has_range) {
    const std::string_view fourth = rule == "fill"     ? ":VALUE"
                                    : rule == "random" ? ":SEED[:LOW:HIGH]"
                                                       : "";
    refuse(text, fmt::format("write {}:TYPE:N{}", rule, fourth));
  }
  BufferSpec spec;
  parse_type_and_count(spec, text, parts);
  if (rule == "zeros") {
    spec.element.assign(bytes_of(spec.type), std::byte{0});
  } else if (rule == "fill") {
    auto element = parse_element(spec.type, parts[3]);
    if (!element)
      refuse(text, fmt::format("'{}' is not a value of type {}; use a number in its range",
                               parts[3], name_of(spec.type)));
    spec.element = std::move(*element);
  } else if (rule == "iota") {
    spec.kind = BufferSpec::Kind::iota;
  } else {
    spec.kind = BufferSpec::Kind::random;
    const auto seed = parse_unsigned(parts[3]);
    if (!seed) refuse(text, fmt::format("'{}' is not a seed; use an integer from 0", parts[3]));
    spec.seed = *seed;
    if (has_range) spec.range = range_of(spec, text, parts[4], parts[5]);
  }
  return spec;
}

template <class T>
T random_value(std::mt19937_64& random) {
  const std::uint64_t bits = random();
  if constexpr (is_float<T>) {  // as many bits as the type has, so that none is rounded up to 1
    constexpr int digits = std::is_same_v<T, float16_t> ? 11 : std::numeric_limits<T>::digits;
    return static_cast<T>(std::ldexp(static_cast<double>(bits >> (64 - digits)), -digits));
  } else {
    return static_cast<T>(bits >> (64 - 8 * sizeof(T)));
  }
}

/// The same from the lowest to the highest of a range; of floats the nearest of the type.
template <class T>
T random_within(std::mt19937_64& random, const std::pair<double, double>& range) {
  constexpr int digits = 53;
  const double share = std::ldexp(static_cast<double>(random() >> (64 - digits)), -digits);
  const auto [low, high] = range;
  if constexpr (is_float<T>)
    return static_cast<T>(low + share * (high - low));
  else
    return static_cast<T>(low + std::floor(share * (high - low + 1)));
}

template <class T>
void make_elements(const BufferSpec& spec, std::span<std::byte> bytes) {
  std::mt19937_64 random(spec.seed);
  for (std::size_t i = 0; i < spec.count; ++i) {
    T value{};
    if (spec.kind == BufferSpec::Kind::fill)
      std::memcpy(&value, spec.element.data(), sizeof(T));
    else if (spec.kind == BufferSpec::Kind::random)
      value = spec.range ? random_within<T>(random, *spec.range) : random_value<T>(random);
    else if constexpr (is_float<T>)
      value = static_cast<T>(static_cast<double>(i));
    else
      value = static_cast<T>(i);
    std::memcpy(bytes.data() + i * sizeof(T), &value, sizeof(T));
  }
}

npy::Array read_npy(const std::string& path) {
  npy::Array array = npy::read(path, npy::Records::accepted);
  if (array.dtype == Dtype::boolean)
    throw InputError(path + ": holds bool, which shader buffers cannot hold; save it as uint32");
  if (array.bytes.empty())
    throw InputError(path + ": holds no elements; give an array of at least one");
  return array;
}

npy::Array read_raw(const std::string& path) {
  std::vector<std::byte> bytes = read_bytes(path);
  if (bytes.empty()) throw InputError(path + ": is empty; give a file of at least one byte");
  const std::size_t count = bytes.size();
  return {Dtype::uint8, {count}, std::move(bytes)};
}

}  // namespace

BufferSpec parse_buffer_spec(std::string_view text) {
  const auto parts = parts_of(text, ':');
  if (is_rule(parts[0])) return parse_rule(text, parts);
  BufferSpec spec;
  spec.path = text;
  if (text.ends_with(".npy"))
    spec.kind = BufferSpec::Kind::npy_file;
  else if (text.ends_with(".bin"))
    spec.kind = BufferSpec::Kind::bytes_file;
  else
    refuse(text, fmt::format("does not describe the contents of a buffer; {}", forms));
  return spec;
}

npy::Array make_array(const BufferSpec& spec) {
  if (spec.kind == BufferSpec::Kind::npy_file) return read_npy(spec.path);
  if (spec.kind == BufferSpec::Kind::bytes_file) return read_raw(spec.path);
  npy::Array array{spec.type, {spec.count}, {}};
  array.bytes.resize(spec.count * bytes_of(spec.type));
  visit_type(spec.type,
             [&]<class T>(std::type_identity<T>) { make_elements<T>(spec, array.bytes); });
  return array;
}

}  // namespace lockstep::io
