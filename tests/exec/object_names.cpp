#include <lockstep/exec/object_names.hpp>

#include <string>

#include <catch2/catch.hpp>

using namespace lockstep;

TEST_CASE("a name has one number, whatever its address") {
  const std::uint32_t tile = number_of_name("tile");
  CHECK(tile != 0);
  std::string text = "tile";
  CHECK(number_of_name(text) == tile);
  text = "gone";
  CHECK(std::string(name_of_number(tile)) == "tile");
  CHECK(number_of_name("row") != tile);
  CHECK(number_of_name("") == 0);
  CHECK(std::string(name_of_number(0)).empty());

  // Names beyond the last number have none.
  std::uint32_t numbered = 0;
  for (std::uint32_t k = 0; k <= most_object_names; ++k)
    numbered += number_of_name("name " + std::to_string(k)) != 0;
  CHECK(numbered < most_object_names);
  CHECK(number_of_name("one more") == 0);
  CHECK(std::string(name_of_number(number_of_name("name 0"))) == "name 0");
  CHECK(number_of_name("tile") == tile);
}
