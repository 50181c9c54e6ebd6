#include "io/arguments.hpp"

#include <catch2/catch.hpp>

using namespace lockstep::io;
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
  CHECK_FALSE(other.element);
}

TEST_CASE("an argument may name an element of an array, or memory") {
  const SlotArgument element = parse_slot_argument("--save", "2:3[17]=a.npy");
  CHECK(element.slot == Slot{2, 3});
  CHECK(element.element == 17);
  const SlotArgument memory = parse_slot_argument("--buffer", "nodes_2=zeros:u32:4");
  CHECK(memory.slot == Slot{0, 0, "nodes_2"});
  CHECK(to_string(memory.slot) == "nodes_2");
}

TEST_CASE("bindings that are wrong are explained") {
  CHECK_THROWS_WITH(parse_slot_argument("--buffer", "zeros:u32:4"),
                    "--buffer 'zeros:u32:4': write [SET:]BINDING=SPEC");
  CHECK_THROWS_WITH(parse_slot_argument("--save", "1="),
                    "--save '1=': write [SET:]BINDING=FILE.npy");
  for (const std::string where :
       {"", "x y", "-1", "1:", ":1", "1:2:3", "4294967296", " 1", "1[", "1[x]", "1[]", "[1]"})
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

TEST_CASE("invocations are rounded up to workgroups") {
  CHECK(parse_invocations("7,8,9") == Size3{7, 8, 9});
  CHECK_THROWS_WITH(
      parse_invocations("0"),
      "--invocations '0': write X, X,Y or X,Y,Z, the invocations in each dimension from 1");
  CHECK(groups_for({64, 1, 1}, {64, 1, 1}) == Size3{1, 1, 1});
  CHECK(groups_for({65, 1, 1}, {64, 1, 1}) == Size3{2, 1, 1});
  CHECK(groups_for({1, 17, 8}, {8, 4, 2}) == Size3{1, 5, 4});
  CHECK(groups_for({0xffffffff, 1, 1}, {2, 1, 1}) == Size3{0x80000000, 1, 1});
}

TEST_CASE("defines are names with or without a value") {
  using Define = std::pair<std::string, std::string>;
  CHECK(parse_define("SIZE") == Define{"SIZE", "1"});
  CHECK(parse_define("SIZE=2*3") == Define{"SIZE", "2*3"});
  CHECK(parse_define("_a1=") == Define{"_a1", ""});
  CHECK(parse_define("f(x)=x") == Define{"f(x)", "x"});
  CHECK(parse_define("g(a, b)=a==b") == Define{"g(a, b)", "a==b"});
  CHECK(parse_define("h()=1") == Define{"h()", "1"});
  for (const std::string text :
       {"", "=1", "1A", "a b", "A=1\nB", "f(=1", "f(1)=1", "f(x,)=1", "(x)=1"})
    CHECK_THROWS_WITH(parse_define(text),
                      "-D '" + text + "': write NAME, NAME=VALUE or NAME(PARAMETERS)=VALUE");
}
