#include "amber/memory.hpp"

#include <catch2/catch.hpp>
#include <cstring>

#include "amber/error.hpp"

using namespace lockstep::amber;

namespace {

std::string no_files(const std::string& path) {
  FAIL(path);
  return {};
}

/// The first buffer of a script that declares it in one statement.
Buffer buffer_of(const std::string& statement) {
  return parse("#!amber\n" + statement + "\n").buffers.at(0);
}

template <class T>
std::vector<T> values(const std::string& statement, const ReadFile& read = no_files) {
  const auto bytes = initial_bytes(buffer_of(statement), read);
  std::vector<T> result(bytes.size() / sizeof(T));
  std::memcpy(result.data(), bytes.data(), bytes.size());
  return result;
}

}  // namespace

TEST_CASE("buffers are filled by values, a value or a series") {
  CHECK(values<std::int16_t>("BUFFER b DATA_TYPE int16 DATA 1 -2\n 0x10 # three\nEND") ==
        std::vector<std::int16_t>{1, -2, 16});
  CHECK(values<float>("BUFFER b DATA_TYPE float SIZE 3 FILL 0.5") ==
        std::vector<float>{0.5F, 0.5F, 0.5F});
  CHECK(values<std::uint8_t>("BUFFER b DATA_TYPE uint8 SIZE 4 SERIES_FROM 250 INC_BY 3") ==
        std::vector<std::uint8_t>{250, 253, 0, 3});
  CHECK(values<std::int32_t>("BUFFER b DATA_TYPE int32 SIZE 3 SERIES_FROM -1 INC_BY -2") ==
        std::vector<std::int32_t>{-1, -3, -5});
  CHECK(values<double>("BUFFER b DATA_TYPE double SIZE 3 SERIES_FROM 1 INC_BY 0.25") ==
        std::vector<double>{1, 1.25, 1.5});
  CHECK(values<std::uint32_t>("IMAGE b FORMAT R32_UINT DIM_2D WIDTH 2 HEIGHT 2 FILL 7") ==
        std::vector<std::uint32_t>{7, 7, 7, 7});
  CHECK(values<std::uint32_t>("IMAGE b FORMAT R32_UINT DIM_1D WIDTH 2") ==
        std::vector<std::uint32_t>{0, 0});
}

TEST_CASE("padding is zero") {
  CHECK(values<std::uint32_t>("BUFFER b DATA_TYPE vec3<uint32> DATA 1 2 3 4 5 6 END") ==
        std::vector<std::uint32_t>{1, 2, 3, 0, 4, 5, 6, 0});
  CHECK(values<std::uint32_t>("BUFFER b DATA_TYPE vec3<uint32> SIZE 1 FILL 9") ==
        std::vector<std::uint32_t>{9, 9, 9, 0});
  CHECK(values<std::uint32_t>("BUFFER b DATA_TYPE uint32[] STD140 DATA 1 2 END") ==
        std::vector<std::uint32_t>{1, 0, 0, 0, 2, 0, 0, 0});
}

TEST_CASE("files hold numbers or bytes") {
  const auto read = [](const std::string& path) -> std::string {
    return path == "n.txt" ? "1 2 # two\n3" : std::string("\1\0\0\0\2\0\0\0\3\0\0\0", 12);
  };
  const std::vector<std::uint32_t> expected{1, 2, 3};
  CHECK(values<std::uint32_t>("BUFFER b DATA_TYPE uint32 SIZE 3 FILE TEXT n.txt", read) ==
        expected);
  CHECK(values<std::uint32_t>("BUFFER b DATA_TYPE uint32 SIZE 3 FILE BINARY n.bin", read) ==
        expected);
  CHECK_THROWS_WITH(
      values<std::uint32_t>("BUFFER b DATA_TYPE vec2<uint32> SIZE 1 FILE BINARY n.bin", read),
      "n.bin has 12 bytes, but an element of b takes 8; give whole elements");
  CHECK_THROWS_WITH(
      values<std::uint8_t>("BUFFER b DATA_TYPE vec2<uint8> SIZE 2 FILE TEXT n.txt", read),
      "n.txt has 3 values, but an element of b takes 2; give whole elements");
  CHECK_THROWS_WITH(values<std::uint8_t>("BUFFER b DATA_TYPE uint8 SIZE 1 FILE TEXT e.txt",
                                         [](const std::string&) { return "# nothing\n"; }),
                    "e.txt is empty, but b needs an element; add one");
  CHECK_THROWS_WITH(
      values<std::uint8_t>("BUFFER b DATA_TYPE uint8 SIZE 1 FILE TEXT x",
                           [](const std::string&) { return std::string("1\n256"); }),
      "x:2: '256' is not a valid value for the uint8 of b; write a number in its range");
}

TEST_CASE("a file says how many elements there are, SIZE does not, unless they have rows") {
  const auto read = [](const std::string&) { return std::string("7 8 9"); };
  for (const char* size : {"1", "3", "1000"}) {
    const std::string buffer = "BUFFER b DATA_TYPE uint8 SIZE " + std::string(size);
    CHECK(values<std::uint8_t>(buffer + " FILE TEXT f", read) ==
          std::vector<std::uint8_t>{7, 8, 9});
    CHECK(values<std::uint8_t>(buffer + " FILE BINARY f", read) ==
          std::vector<std::uint8_t>{'7', ' ', '8', ' ', '9'});
  }
  const std::string rows = "BUFFER b DATA_TYPE uint8 WIDTH 3 HEIGHT ";
  CHECK(values<std::uint8_t>(rows + "1 FILE TEXT f", read) == std::vector<std::uint8_t>{7, 8, 9});
  CHECK_THROWS_WITH(
      values<std::uint8_t>(rows + "2 FILE TEXT f", read),
      "f does not hold the 6 elements of b (6 bytes); change WIDTH and HEIGHT or the file");
}
