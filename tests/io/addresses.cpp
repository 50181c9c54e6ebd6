#include "io/addresses.hpp"

#include <catch2/catch.hpp>
#include <cstring>

using namespace lockstep::io;

TEST_CASE("an address is written to a byte, and is that of a byte") {
  const WrittenAddress plain = parse_address("0=1");
  CHECK(plain.at == BufferByte{Slot{0, 0}, 0, 0});
  CHECK(plain.of == BufferByte{Slot{0, 1}, 0, 0});
  const WrittenAddress all = parse_address("2:3[4]+0x10=nodes+24");
  CHECK(all.at == BufferByte{Slot{2, 3}, 4, 16});
  CHECK(all.of == BufferByte{Slot{0, 0, "nodes"}, 0, 24});
  CHECK_THROWS_WITH(parse_address("0"), "--address '0': write WHERE=TARGET");
  for (const std::string wrong : {"", "1+", "1+x", "1[", "1[2", "1[x]", "a b", "-1"}) {
    CHECK_THROWS_WITH(parse_address(wrong + "=1"),
                      "--address '" + wrong + "=1': '" + wrong +
                          "' is not a place; write [SET:]BINDING+OFFSET or NAME+OFFSET");
    CHECK_THROWS_WITH(parse_address("1=" + wrong),
                      "--address '1=" + wrong + "': '" + wrong +
                          "' is not a place; write [SET:]BINDING+OFFSET or NAME+OFFSET");
  }
}

TEST_CASE("values follow one another, each aligned to its size") {
  CHECK(is_values("u32:5"));
  CHECK(is_values("addr:0 u32:5"));
  for (const char* text : {"zeros:u32:1", "a.npy", "u32", "addr", "fill:u8:1:2"})
    CHECK_FALSE(is_values(text));
  const Values values = parse_values("u8:7 f32:1.5  addr:2+8 i16:-2 addr:nodes");
  REQUIRE(values.bytes.size() == 32);
  CHECK(values.bytes[0] == std::byte{7});
  float real = 0;
  std::memcpy(&real, &values.bytes[4], sizeof real);
  CHECK(real == 1.5f);
  std::int16_t small = 0;
  std::memcpy(&small, &values.bytes[16], sizeof small);
  CHECK(small == -2);
  REQUIRE(values.addresses.size() == 2);
  CHECK(values.addresses[0].at == 8);
  CHECK(values.addresses[0].of == BufferByte{Slot{0, 2}, 0, 8});
  CHECK(values.addresses[1].at == 24);
  CHECK(values.addresses[1].of.slot.memory == "nodes");
  CHECK_THROWS_WITH(parse_values("u32:5 u32:-1"),
                    "'u32:-1': '-1' is not a value of type u32; use a number in its range");
  CHECK_THROWS_WITH(parse_values("u32:5 word:1"),
                    "'word:1': 'word' is not a type; use addr, u8, u16, u32, u64, i8, i16, i32, "
                    "i64, f16, f32, f64");
  CHECK_THROWS_WITH(parse_values("addr:x-1"),
                    "'addr:x-1': write addr: and [SET:]BINDING+OFFSET or NAME+OFFSET");
}
