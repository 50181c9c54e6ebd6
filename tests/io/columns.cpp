#include "io/columns.hpp"

#include <cstring>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/spirv/module.hpp>

#include "io/error.hpp"

using namespace lockstep;
using namespace lockstep::io;

namespace {

/// The block of a shader's only binding.
LayoutType block_of(const std::string& structures, const std::string& members,
                    const std::string& layout = "std430") {
  const auto module =
      Module::from_glsl("#version 460\nlayout(local_size_x = 1) in;\n" + structures + "\nlayout(" +
                        layout + ", binding = 0) buffer B { " + members + " };\nvoid main() {}\n");
  return reflect(module).bindings.at(0).block;
}

/// Fifteen bytes behind `hits`, up to a stride of 48, belong to nothing; four behind each member before it do not.
const std::string particle = "struct Particle { vec3 position; float mass; uint hits[3]; };";

template <class T>
T number_at(const std::vector<std::byte>& bytes, std::size_t at) {
  T number;
  std::memcpy(&number, bytes.data() + at, sizeof(T));
  return number;
}

}  // namespace

TEST_CASE("columns hold every number of a block once, at its byte") {
  const LayoutType block = block_of(particle, "uint count; int other; Particle all[];");
  // The array starts at 16, and each element has 32 bytes: 12 + 4 + 12, rounded up to 16.
  const auto columns = columns_of(block, 16 + 5 * 32 + 7);
  REQUIRE(columns.size() == 5);
  CHECK(columns[0].title() == "count");
  CHECK(columns[0].type == npy::Dtype::uint32);
  CHECK(columns[1].title() == "other");
  CHECK(columns[1].type == npy::Dtype::int32);
  CHECK(columns[1].place(0) == 4);
  CHECK(columns[2].title() == "all[].position.xyz");
  CHECK(columns[2].type == npy::Dtype::float32);
  CHECK(columns[2].size() == 15);
  CHECK(columns[2].path(7) == "all[2].position.y");
  CHECK(columns[2].place(7) == 16 + 2 * 32 + 4);
  CHECK(columns[3].path(4) == "all[4].mass");
  CHECK(columns[3].place(4) == 16 + 4 * 32 + 12);
  CHECK(columns[4].title() == "all[].hits[]");
  CHECK(columns[4].path(5) == "all[1].hits[2]");
  CHECK(columns[4].place(5) == 16 + 32 + 16 + 8);
}

TEST_CASE("matrices lie in columns or rows") {
  const LayoutType block = block_of("", "mat2x3 a; layout(row_major) mat2x3 b; uint n;");
  const auto columns = columns_of(block, 1000);
  REQUIRE(columns.size() == 3);
  CHECK(columns[0].path(4) == "a[1][1]");
  CHECK(columns[0].place(4) == 16 + 4);
  CHECK(columns[1].path(4) == "b[1][1]");
  CHECK(columns[1].place(4) == 32 + 8 + 4);
  CHECK(columns[2].place(0) == 32 + 3 * 8);
}

TEST_CASE("a buffer smaller than its block has the members that it holds") {
  const LayoutType block = block_of(particle, "uint count; int other; Particle all[];");
  CHECK(columns_of(block, 3).empty());
  CHECK(columns_of(block, 7).size() == 1);
  CHECK(columns_of(block, 47).size() == 2);
}

TEST_CASE("members are set by their paths") {
  const LayoutType block = block_of(particle, "uint count; mat2 turn; Particle all[];");
  std::vector<std::byte> bytes(32 + 4 * 32);
  const auto columns = columns_of(block, bytes.size());
  const auto set = [&](const char* path, const char* value) {
    set_member(columns, path, value, bytes);
  };
  set("count", "7");
  set("all[3].mass", "2.5");
  set("all[1].position", "1,-2,3");
  set("all[2].position.z", "9");
  set("all[0].hits[2]", "4000000000");
  set("turn[1]", "5,6");
  CHECK(number_at<std::uint32_t>(bytes, 0) == 7);
  CHECK(number_at<float>(bytes, 32 + 3 * 32 + 12) == 2.5f);
  CHECK(number_at<float>(bytes, 32 + 32 + 4) == -2.0f);
  CHECK(number_at<float>(bytes, 32 + 2 * 32 + 8) == 9.0f);
  CHECK(number_at<std::uint32_t>(bytes, 32 + 16 + 8) == 4000000000u);
  CHECK(number_at<float>(bytes, 8 + 8) == 5.0f);
  CHECK(number_at<float>(bytes, 8 + 12) == 6.0f);

  CHECK_THROWS_WITH(set("mass", "1"),
                    "there is no member 'mass'; there are count, turn[2][2], all[].position.xyz, "
                    "all[].mass, all[].hits[]");
  CHECK_THROWS_WITH(set("all[4].mass", "1"),
                    "'all[4].mass' is outside: the last one is all[3].mass");
  CHECK_THROWS_WITH(set("all.mass", "1"),
                    "'all.mass' is an array; write the index of one: all[0].mass");
  CHECK_THROWS_WITH(set("all[1].mass[0]", "1"),
                    "'all[1].mass[0]' has too many indices; write all[0].mass");
  CHECK_THROWS_WITH(set("all[x].mass", "1"), "'[x].mass' is not an index; write [3]");
  CHECK_THROWS_WITH(set("all[1].position", "1,2"),
                    "'1,2' is 2 numbers, but 'all[1].position' has 3");
  CHECK_THROWS_WITH(set("count", "2.5"),
                    "'2.5' is not a value of type u32; use a number in its range");
}

TEST_CASE("a column's numbers are gathered") {
  const LayoutType block = block_of(particle, "Particle all[];");
  std::vector<std::byte> bytes(3 * 32);
  const auto columns = columns_of(block, bytes.size());
  set_member(columns, "all[2].mass", "4", bytes);
  const npy::Array mass = gather(columns.at(1), bytes);
  CHECK(mass.shape == std::vector<std::size_t>{3});
  CHECK(std::vector<float>(mass.values<float>().begin(), mass.values<float>().end()) ==
        std::vector<float>{0, 0, 4});
}

TEST_CASE("records have NumPy's types") {
  const auto all = record_type_of(block_of(particle, "Particle all[];"), 3 * 32);
  REQUIRE(all.has_value());
  CHECK(all->descr ==
        "[('position', '<f4', (3,)), ('mass', '<f4'), ('hits', '<u4', (3,)), ('', '|V4')]");
  CHECK(all->size == 32);
  CHECK(all->shape == std::vector<std::size_t>{3});

  const auto block =
      record_type_of(block_of(particle, "uint n; dvec2 d; mat3x2 m; Particle all[2]; vec3 v[];"),
                     16 + 16 + 32 + 64 + 5 * 16);
  REQUIRE(block.has_value());
  CHECK(block->shape.empty());
  CHECK(block->descr ==
        "[('n', '<u4'), ('', '|V12'), ('d', '<f8', (2,)), ('m', '<f4', (3, 2)), ('', '|V8'), "
        "('all', [('position', '<f4', (3,)), ('mass', '<f4'), ('hits', '<u4', (3,)), ('', '|V4')], "
        "(2,)), ('v', [('value', '<f4', (3,)), ('', '|V4')], (5,))]");

  // One type of number needs none.
  CHECK_FALSE(record_type_of(block_of("", "vec3 v[];"), 64).has_value());
}
