#include "io/numbers.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>

using lockstep::io::Dtype;

namespace {

template <class T>
T value(Dtype type, std::string_view text) {
  const auto bytes = lockstep::io::parse_element(type, text);
  REQUIRE(bytes);
  REQUIRE(bytes->size() == sizeof(T));
  T result;
  std::memcpy(&result, bytes->data(), sizeof(T));
  return result;
}

bool fits(Dtype type, std::string_view text) {
  return lockstep::io::parse_element(type, text).has_value();
}

}  // namespace

TEST_CASE("integers are decimal or hexadecimal, and nothing else") {
  using lockstep::io::parse_integer;
  using lockstep::io::parse_unsigned;
  CHECK(parse_unsigned("0") == 0U);
  CHECK(parse_unsigned("0xFf") == 255U);
  CHECK(parse_unsigned("18446744073709551615") == 18446744073709551615U);
  for (const char* text : {"", "-1", "+1", " 1", "1 ", "1.0", "0x", "0x-1", "abc",
                           "18446744073709551616", "0x10000000000000000"})
    CHECK_FALSE(parse_unsigned(text));
  CHECK(parse_integer("-1") == 18446744073709551615U);
  CHECK(parse_integer("-9223372036854775808") == std::uint64_t{1} << 63);
  CHECK_FALSE(parse_integer("-9223372036854775809"));
  CHECK_FALSE(parse_integer("--1"));
}

TEST_CASE("an element must fit its type") {
  CHECK(value<std::uint8_t>(Dtype::uint8, "255") == 255);
  CHECK_FALSE(fits(Dtype::uint8, "256"));
  CHECK_FALSE(fits(Dtype::uint8, "-1"));
  CHECK(value<std::int8_t>(Dtype::int8, "-128") == -128);
  CHECK_FALSE(fits(Dtype::int8, "-129"));
  CHECK_FALSE(fits(Dtype::int8, "128"));
  CHECK(value<std::int64_t>(Dtype::int64, "-9223372036854775808") == INT64_MIN);
  CHECK_FALSE(fits(Dtype::int64, "9223372036854775808"));
  CHECK(value<std::uint64_t>(Dtype::uint64, "0xffffffffffffffff") == UINT64_MAX);
  CHECK_FALSE(fits(Dtype::uint32, "1.5"));
  CHECK(value<float>(Dtype::float32, "-2.5e3") == -2500.0F);
  CHECK(value<float>(Dtype::float32, "0x10") == 16.0F);
  CHECK(std::isnan(value<float>(Dtype::float32, "nan")));
  CHECK(value<double>(Dtype::float64, "-inf") == -INFINITY);
  CHECK_FALSE(fits(Dtype::float32, "1e39"));
  CHECK_FALSE(fits(Dtype::float16, "70000"));
  CHECK_FALSE(fits(Dtype::float64, "1.0f"));
  CHECK(static_cast<float>(value<lockstep::float16_t>(Dtype::float16, "0.5")) == 0.5F);
}

TEST_CASE("types have short names and NumPy's") {
  for (const char* both :
       {"u8 uint8", "u16 uint16", "u32 uint32", "u64 uint64", "i8 int8", "i16 int16", "i32 int32",
        "i64 int64", "f16 float16", "f32 float32", "f64 float64"}) {
    const std::string_view text = both;
    const std::size_t space = text.find(' ');
    const auto type = lockstep::io::find_type(text.substr(0, space));
    REQUIRE(type);
    CHECK(type == lockstep::io::find_type(text.substr(space + 1)));
    CHECK(lockstep::io::name_of(*type) == text.substr(0, space));
    CHECK(lockstep::io::bytes_of(*type) * 8 == std::stoul(std::string(text.substr(1, space - 1))));
  }
  CHECK_FALSE(lockstep::io::find_type("u33"));
  CHECK_FALSE(lockstep::io::find_type("bool"));
}
