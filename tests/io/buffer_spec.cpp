#include "io/buffer_spec.hpp"

#include <catch2/catch.hpp>
#include <fstream>
#include <map>

#include "io/error.hpp"
#include "support/directory.hpp"

using lockstep::io::make_array;
using lockstep::io::parse_buffer_spec;
using lockstep::npy::Array;
using lockstep::test::Directory;

namespace {

Array made(std::string_view text) { return make_array(parse_buffer_spec(text)); }

template <class T>
std::vector<T> values(std::string_view text) {
  const Array array = made(text);
  const auto span = array.values<T>();
  CHECK(array.shape == std::vector<std::size_t>{span.size()});
  return {span.begin(), span.end()};
}

}  // namespace

TEST_CASE("rules make elements") {
  CHECK(values<std::uint32_t>("zeros:u32:3") == std::vector<std::uint32_t>{0, 0, 0});
  CHECK(values<std::int16_t>("fill:i16:2:-7") == std::vector<std::int16_t>{-7, -7});
  CHECK(values<float>("fill:float32:2:0.1") == std::vector<float>{0.1F, 0.1F});
  CHECK(values<double>("iota:f64:3") == std::vector<double>{0, 1, 2});
  const auto wrapped = values<std::uint8_t>("iota:u8:258");
  for (std::size_t i = 0; i < wrapped.size(); ++i) CHECK(wrapped[i] == i % 256);
}

TEST_CASE("random elements stay in their range and reach its ends") {
  std::size_t seen[9] = {};
  for (const std::int16_t v : values<std::int16_t>("random:i16:2000:3:-4:4")) {
    REQUIRE((v >= -4 && v <= 4));
    ++seen[v + 4];
  }
  for (const std::size_t count : seen) CHECK(count > 0);
  double low = 9, high = -9;
  for (const float v : values<float>("random:f32:2000:3:-2.5:0.5")) {
    low = std::min<double>(low, v);
    high = std::max<double>(high, v);
  }
  CHECK((low >= -2.5 && low < -2.4 && high <= 0.5 && high > 0.4));
}

TEST_CASE("random elements depend on the seed only and cover the range") {
  CHECK(values<std::uint32_t>("random:u32:100:7") == values<std::uint32_t>("random:uint32:100:7"));
  CHECK(values<std::uint32_t>("random:u32:100:7") != values<std::uint32_t>("random:u32:100:8"));
  std::map<std::uint8_t, int> seen;
  for (const std::uint8_t v : values<std::uint8_t>("random:u8:10000:1")) ++seen[v];
  CHECK(seen.size() == 256);
  double low = 1, high = 0;
  for (const float v : values<float>("random:f32:10000:1")) {
    low = std::min(low, static_cast<double>(v));
    high = std::max(high, static_cast<double>(v));
  }
  CHECK(low >= 0);
  CHECK(low < 0.01);
  CHECK(high < 1);
  CHECK(high > 0.99);
}

TEST_CASE("files are taken with their type, or as bytes") {
  const Directory directory;
  const std::vector<std::int16_t> written{-1, 5, 300};
  lockstep::npy::write<std::int16_t>(directory / "a.npy", written);
  CHECK(values<std::int16_t>(directory / "a.npy") == written);

  std::ofstream(directory / "b.bin", std::ios::binary) << "\x01\xff";
  CHECK(values<std::uint8_t>(directory / "b.bin") == std::vector<std::uint8_t>{1, 255});
}

TEST_CASE("a spec that is wrong is explained") {
  const std::map<std::string, std::string> cases{
      {"input.txt",
       "'input.txt': does not describe the contents of a buffer; give file.npy, file.bin, "
       "zeros:TYPE:N, fill:TYPE:N:VALUE, iota:TYPE:N or random:TYPE:N:SEED[:LOW:HIGH]"},
      {"zeros", "'zeros': write zeros:TYPE:N"},
      {"zeros:u32", "'zeros:u32': write zeros:TYPE:N"},
      {"zeros:u32:4:5", "'zeros:u32:4:5': write zeros:TYPE:N"},
      {"fill:u32:4", "'fill:u32:4': write fill:TYPE:N:VALUE"},
      {"random:u32:4", "'random:u32:4': write random:TYPE:N:SEED[:LOW:HIGH]"},
      {"random:u32:4:1:0", "'random:u32:4:1:0': write random:TYPE:N:SEED[:LOW:HIGH]"},
      {"random:u8:4:1:0:256",
       "'random:u8:4:1:0:256': '256' is not a value of type u8; use a number in its range"},
      {"random:f32:4:1:2:1", "'random:f32:4:1:2:1': 2 is not below 1; write the lower bound first"},
      {"random:u32:4:x", "'random:u32:4:x': 'x' is not a seed; use an integer from 0"},
      {"zeros:u33:4",
       "'zeros:u33:4': 'u33' is not a type; use one of u8, u16, u32, u64, i8, i16, i32, i64, f16, "
       "f32, f64"},
      {"zeros:u32:0", "'zeros:u32:0': '0' is not a number of elements; use 1 or more"},
      {"zeros:u32:-1", "'zeros:u32:-1': '-1' is not a number of elements; use 1 or more"},
      {"zeros:u32:1073741824",
       "'zeros:u32:1073741824': is more than 4 GiB, the largest size of a buffer; use fewer "
       "elements"},
      {"zeros:u64:18446744073709551615",
       "'zeros:u64:18446744073709551615': is more than 4 GiB, the largest size of a buffer; use "
       "fewer elements"},
      {"fill:u8:4:256",
       "'fill:u8:4:256': '256' is not a value of type u8; use a number in its range"},
      {"fill:f16:4:1e9",
       "'fill:f16:4:1e9': '1e9' is not a value of type f16; use a number in its range"},
  };
  for (const auto& [text, message] : cases) CHECK_THROWS_WITH(parse_buffer_spec(text), message);
}

TEST_CASE("files that cannot be buffers are refused") {
  const Directory directory;
  const bool flags[] = {true};
  lockstep::npy::write<bool>(directory / "flags.npy", flags);
  CHECK_THROWS_WITH(made(directory / "flags.npy"),
                    (directory / "flags.npy") +
                        ": holds bool, which shader buffers cannot hold; save it as uint32");
  lockstep::npy::write<float>(directory / "none.npy", {});
  CHECK_THROWS_WITH(
      made(directory / "none.npy"),
      (directory / "none.npy") + ": holds no elements; give an array of at least one");
  std::ofstream(directory / "none.bin").close();
  CHECK_THROWS_WITH(made(directory / "none.bin"),
                    (directory / "none.bin") + ": is empty; give a file of at least one byte");
  CHECK_THROWS_WITH(made(directory / "gone.bin"),
                    (directory / "gone.bin") + ": does not exist; give the path of a file");
  CHECK_THROWS_AS(made(directory / "gone.npy"), lockstep::npy::Error);
}
