#include "amber/literal.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>

using namespace lockstep::amber;

namespace {

constexpr Number int8{Encoding::signed_int, 8}, uint8{Encoding::unsigned_int, 8};
constexpr Number int64{Encoding::signed_int, 64}, uint64{Encoding::unsigned_int, 64};
constexpr Number half{Encoding::floating, 16}, single{Encoding::floating, 32};

std::string stored(const char* text, Number number) {
  const auto literal = parse_literal(text);
  REQUIRE(literal);
  REQUIRE(fits(*literal, number));
  std::array<std::byte, 8> bytes;
  bytes.fill(std::byte{0xcd});
  store(*literal, number, bytes.data());
  for (std::size_t k = number.bits / 8; k < bytes.size(); ++k) CHECK(bytes[k] == std::byte{0xcd});
  return load(number, bytes.data()).text();
}

bool can_hold(const char* text, Number number) {
  const auto literal = parse_literal(text);
  REQUIRE(literal);
  return fits(*literal, number);
}

}  // namespace

TEST_CASE("literals are numbers and nothing else") {
  for (const char* text :
       {"0", "-1", "0x1F", "1.5", "-.5", "1e9", "NaN", "nan", "18446744073709551615"})
    CHECK(parse_literal(text));
  for (const char* text : {"", "-", "--1", "+1", "0x", "0xg", "1f", "1.5.5", "inf", "-inf",
                           "nan(1)", "1,2", " 1", "e", "."})
    CHECK_FALSE(parse_literal(text));
  CHECK(parse_literal("99999999999999999999")->fractional);
}

TEST_CASE("values are stored as the type has them") {
  CHECK(stored("-1", int8) == "-1");
  CHECK(stored("255", int8) == "-1");
  CHECK(stored("-1", uint8) == "255");
  CHECK(stored("0xff", uint8) == "255");
  CHECK(stored("-9223372036854775808", int64) == "-9223372036854775808");
  CHECK(stored("0xffffffffffffffff", uint64) == "18446744073709551615");
  CHECK(stored("-3.0", int64) == "-3");
  CHECK(stored("-0.0", uint8) == "0");
  CHECK(stored("0.1", single) == "0.1");
  CHECK(stored("0x10", single) == "16");
  CHECK(stored("-3", single) == "-3");
  CHECK(stored("NaN", single) == "nan");
  CHECK(stored("0.5", half) == "0.5");
  CHECK(stored("1e300", {Encoding::floating, 64}) == "1e+300");
}

TEST_CASE("integers must fit, with or without a sign") {
  CHECK(can_hold("255", uint8));
  CHECK_FALSE(can_hold("256", uint8));
  CHECK(can_hold("-128", int8));
  CHECK_FALSE(can_hold("-129", int8));
  CHECK(can_hold("1.0", uint8));
  CHECK(can_hold("-128.0", int8));
  CHECK_FALSE(can_hold("-128.5", int8));
  CHECK_FALSE(can_hold("1.5", uint8));
  CHECK_FALSE(can_hold("256.0", uint8));
  CHECK_FALSE(can_hold("1e300", uint64));
  CHECK_FALSE(can_hold("nan", uint8));
  CHECK(can_hold("1.0", single));
}
