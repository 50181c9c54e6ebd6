#include "io/spec_constants.hpp"

#include <bit>
#include <catch2/catch.hpp>

using namespace lockstep;
using lockstep::io::specialization;

namespace {

const std::vector<DeclaredConstant> declared{
    {0, "on", NumberType::boolean, 0},    {3, "count", NumberType::uint32, 0},
    {4, "", NumberType::int64, 0},        {5, "narrow", NumberType::int8, 0},
    {6, "scale", NumberType::float32, 0}, {7, "half_", NumberType::float16, 0},
};

std::uint64_t bits(const std::string& text) {
  const auto values = specialization({text}, declared);
  REQUIRE(values.size() == 1);
  CHECK(values.begin()->second.is_bits());
  return values.begin()->second.integer();
}

}  // namespace

TEST_CASE("values are those of the constants' types") {
  CHECK(bits("0=true") == 1);
  CHECK(bits("0=0") == 0);
  CHECK(bits("3=4294967295") == 0xffffffff);
  CHECK(bits("3=0x10") == 16);
  CHECK(bits("4=-9223372036854775808") == std::uint64_t{1} << 63);
  CHECK(bits("5=-128") == 0x80);
  CHECK(bits("6=0.1") == std::bit_cast<std::uint32_t>(0.1f));
  CHECK(bits("6=3") == std::bit_cast<std::uint32_t>(3.0f));
  CHECK(bits("7=1") == 0x3c00);
  CHECK(specialization({"3=1", "6=2"}, declared).size() == 2);
  CHECK(bits("count=7") == 7);
  CHECK(specialization({"scale=3"}, declared).begin()->first == 6);
}

TEST_CASE("a value that does not fit its constant is an error with the type") {
  const std::pair<const char*, const char*> wrong[] = {
      {"3=64.7", "--spec 3=64.7: constant 3 (uint count) takes an integer from 0 to 4294967295"},
      {"3=5000000000",
       "--spec 3=5000000000: constant 3 (uint count) takes an integer from 0 to 4294967295"},
      {"3=-1", "--spec 3=-1: constant 3 (uint count) takes an integer from 0 to 4294967295"},
      {"3=true", "--spec 3=true: constant 3 (uint count) takes an integer from 0 to 4294967295"},
      {"4=9223372036854775808",
       "--spec 4=9223372036854775808: constant 4 (int64_t) takes an integer from "
       "-9223372036854775808 to 9223372036854775807"},
      {"5=128", "--spec 5=128: constant 5 (int8_t narrow) takes an integer from -128 to 127"},
      {"0=2", "--spec 0=2: constant 0 (bool on) takes true or false"},
      {"7=1e9", "--spec 7=1e9: constant 7 (float16_t half_) takes a number in its range"},
      {"6=x", "--spec 6=x: constant 6 (float scale) takes a number in its range"},
  };
  for (const auto& [text, message] : wrong)
    CHECK_THROWS_WITH(specialization({text}, declared), message);
}

TEST_CASE("an id that is unknown, given twice or malformed is an error") {
  CHECK_THROWS_WITH(specialization({"9=1"}, declared),
                    "--spec 9=1: the shader has no specialization constant 9; it has 0 (bool on), "
                    "3 (uint count), 4 (int64_t), 5 (int8_t narrow), 6 (float scale), "
                    "7 (float16_t half_)");
  CHECK_THROWS_WITH(specialization({"9=1"}, {}),
                    "--spec 9=1: the shader has no specialization constant 9; it has none");
  CHECK_THROWS_WITH(
      specialization({"counts=1"}, {}),
      "--spec counts=1: the shader has no specialization constant counts; it has none");
  CHECK_THROWS_WITH(specialization({"3=1", "count=2"}, declared),
                    "--spec count=2: constant 3 (uint count) is given twice; remove one");
  CHECK_THROWS_WITH(specialization({"3=1", "3=2"}, declared),
                    "--spec 3=2: constant 3 (uint count) is given twice; remove one");
  for (const std::string text : {"", "1", "1=", "=1", "a", "a="})
    CHECK_THROWS_WITH(
        specialization({text}, declared),
        "--spec '" + text +
            "': write ID=VALUE or NAME=VALUE, a constant and a number, true or false");
}
