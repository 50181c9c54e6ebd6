#include "run/arguments.hpp"

#include <catch2/catch.hpp>

using namespace lockstep::run;
using lockstep::Size3;

TEST_CASE("bindings are in set 0 unless another is named") {
  const SlotArgument plain = parse_slot_argument("--buffer", "3=zeros:u32:4");
  CHECK(plain.slot == Slot{0, 3});
  CHECK(plain.rest == "zeros:u32:4");
  const SlotArgument other = parse_slot_argument("--save", "2:0x10=a=b.npy");
  CHECK(other.slot == Slot{2, 16});
  CHECK(other.rest == "a=b.npy");
  CHECK(to_string(plain.slot) == "3");
  CHECK(to_string(other.slot) == "2:16");
}

TEST_CASE("bindings that are wrong are explained") {
  CHECK_THROWS_WITH(parse_slot_argument("--buffer", "zeros:u32:4"),
                    "--buffer 'zeros:u32:4': write [SET:]BINDING=SPEC");
  CHECK_THROWS_WITH(parse_slot_argument("--save", "1="),
                    "--save '1=': write [SET:]BINDING=FILE.npy");
  for (const std::string where : {"", "x", "-1", "1:", ":1", "1:2:3", "4294967296", " 1"})
    CHECK_THROWS_WITH(parse_slot_argument("--against", where + "=a.npy"),
                      "--against '" + where + "=a.npy': '" + where +
                          "' is not a binding; write BINDING or SET:BINDING as integers");
}

TEST_CASE("groups have up to three dimensions") {
  CHECK(parse_groups("7") == Size3{7, 1, 1});
  CHECK(parse_groups("7,8") == Size3{7, 8, 1});
  CHECK(parse_groups("7,8,9") == Size3{7, 8, 9});
  for (const std::string text : {"", "0", "1,0", "1,2,3,4", "1,", ",1", "a", "-1", "4294967296"})
    CHECK_THROWS_WITH(
        parse_groups(text),
        "--groups '" + text + "': write X, X,Y or X,Y,Z, the workgroups in each dimension from 1");
}

TEST_CASE("specialization constants are numbers, true or false") {
  CHECK(parse_spec_constant("0=64") == std::pair<std::uint32_t, lockstep::SpecConstant>{0, 64});
  CHECK(parse_spec_constant("7=-1.5") == std::pair<std::uint32_t, lockstep::SpecConstant>{7, -1.5});
  CHECK(parse_spec_constant("1=true").second == 1);
  CHECK(parse_spec_constant("1=false").second == 0);
  CHECK(parse_spec_constant("1=0xff").second == 255);
  CHECK(parse_spec_constant("1=18446744073709551615").second.integer() == ~std::uint64_t{0});
  CHECK(parse_spec_constant("1=-9223372036854775807").second.integer() ==
        (std::uint64_t{1} << 63) + 1);
  for (const std::string text : {"", "1", "1=", "=1", "a=1", "1=yes", "1=2x"})
    CHECK_THROWS_WITH(
        parse_spec_constant(text),
        "--spec '" + text + "': write ID=VALUE, a constant_id and a number, true or false");
}

TEST_CASE("defines are names with or without a value") {
  using Define = std::pair<std::string, std::string>;
  CHECK(parse_define("SIZE") == Define{"SIZE", "1"});
  CHECK(parse_define("SIZE=2*3") == Define{"SIZE", "2*3"});
  CHECK(parse_define("_a1=") == Define{"_a1", ""});
  for (const std::string text : {"", "=1", "1A", "a b", "A=1\nB"})
    CHECK_THROWS_WITH(parse_define(text), "-D '" + text + "': write NAME or NAME=VALUE");
}
