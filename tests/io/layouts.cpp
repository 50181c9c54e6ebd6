#include "io/layouts.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace lockstep;
using namespace lockstep::io;

namespace {

LayoutType number(NumberType type) {
  LayoutType made;
  made.number = type;
  made.name = glsl_name(type);
  made.size = size_of(type);
  return made;
}
LayoutType array(const LayoutType& element, std::uint64_t count, std::uint64_t stride) {
  LayoutType made;
  made.kind = LayoutType::Kind::array;
  made.count = count;
  made.stride = stride;
  made.size = count * stride;
  made.name = element.name;
  made.members.push_back({"", 0, element});
  return made;
}
LayoutType structure(const std::string& name, std::vector<LayoutMember> members,
                     std::uint64_t size) {
  LayoutType made;
  made.kind = LayoutType::Kind::structure;
  made.name = name;
  made.members = std::move(members);
  made.size = size;
  return made;
}

LayoutType example() {
  LayoutType matrix = number(NumberType::float32);
  matrix.kind = LayoutType::Kind::matrix;
  matrix.name = "mat2";
  matrix.stride = 16;
  matrix.row_major = true;
  const LayoutType particle =
      structure("Particle", {{"mass", 0, number(NumberType::float32)}, {"turn", 16, matrix}}, 48);
  return structure("Block",
                   {{"count", 0, number(NumberType::uint32)},
                    {"", 4, array(array(number(NumberType::int8), 3, 1), 2, 4)},
                    {"rest", 16, array(particle, 0, 48)}},
                   16);
}

}  // namespace

TEST_CASE("a block is its members, in one line or with their bytes") {
  CHECK(members_of(example()) == "uint count, int8_t (no name)[2][3], Particle rest[]");
  CHECK(lines_of(example()) == std::vector<std::string>{
                                   "     0  uint count",
                                   "     4  int8_t (no name)[2][3]  (every 4 bytes)",
                                   "    16  Particle rest[]  (every 48 bytes)",
                                   "     0    float mass",
                                   "    16    mat2 turn  (rows every 16 bytes)",
                               });
}

TEST_CASE("an array without a size has as many elements as are asked for") {
  CHECK(bytes_with(example(), 0) == 16);
  CHECK(bytes_with(example(), 1) == 64);
  CHECK(bytes_with(example(), 1024) == 16 + 1024 * 48);
  const LayoutType closed = structure("Closed", {{"x", 0, number(NumberType::uint32)}}, 16);
  CHECK(bytes_with(closed, 1024) == 16);
  CHECK(bytes_with(structure("Empty", {}, 0), 1024) == 0);
}

TEST_CASE("a block is JSON with everything that is known of it") {
  const auto json = to_json(example());
  CHECK(json.at("size") == 16);
  const auto& rest = json.at("members").at(2);
  CHECK(rest.at("name") == "rest");
  CHECK(rest.at("offset") == 16);
  CHECK(rest.at("count") == 0);
  CHECK(rest.at("stride") == 48);
  const auto& turn = rest.at("element").at("members").at(1);
  CHECK(turn.at("type") == "mat2");
  CHECK(turn.at("stride") == 16);
  CHECK(turn.at("row_major") == true);
}
