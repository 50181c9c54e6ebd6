#include <lockstep/workgroup/std430.hpp>

#include <cstddef>
#include <vector>

#include <catch2/catch.hpp>

namespace {

using namespace lockstep;

TEST_CASE("std430: elements of arrays have their strides") {
  CHECK(sizeof(std430::vec2) == 8);
  CHECK(sizeof(std430::vec3) == 16);
  CHECK(sizeof(std430::uvec4) == 16);
  CHECK(sizeof(std430::dvec2) == 16);
  CHECK(sizeof(std430::dvec3) == 32);
  CHECK(alignof(std430::dvec3) == 32);
  CHECK(sizeof(std430::Vector<std::int16_t, 3>) == 8);
  CHECK(sizeof(std430::mat2) == 16);
  CHECK(sizeof(std430::mat3) == 48);
  CHECK(sizeof(std430::mat4x3) == 64);
  CHECK(sizeof(std430::mat3x4) == 48);
  CHECK(sizeof(std430::dmat3) == 96);
}

TEST_CASE("std430: components and columns by number, equality by value") {
  std430::vec3 v = {1, 2, 3};
  v[1] = 5;
  CHECK(v[1] == 5);
  CHECK(v == std430::vec3{1, 5, 3});
  CHECK_FALSE(v == std430::vec3{1, 5, 4});
  std430::mat2 m = {};
  m[1][0] = 7;
  CHECK(m[1] == std430::vec2{7, 0});
  CHECK_FALSE(m == std430::mat2{});
  const std430::mat2 copy = m;
  CHECK(copy == m);
  CHECK(copy[1][0] == 7);
}

TEST_CASE("std430: components by name, in arrays and in structs") {
  std430::vec2 two{1, 2};
  std430::vec3 three{1, 2, 3};
  std430::VectorMember<int, 4> four{1, 2, 3, 4};
  two.y = 7;
  three.z = 8;
  four.w = 9;
  CHECK(two == std430::vec2{1, 7});
  CHECK(three == std430::vec3{1, 2, 8});
  CHECK(four == std430::VectorMember<int, 4>{1, 2, 3, 9});
  CHECK((two.x == two[0] && two.y == two[1]));
  CHECK((three.x == three[0] && three.y == three[1] && three.z == three[2]));
  CHECK((four.x == four[0u] && four.y == four[1u] && four.z == four[2u] && four.w == four[3u]));
  four[3] = 5;
  CHECK(four.w == 5);
  CHECK(sizeof(std430::VectorMember<float, 3>) == 12);
  CHECK(sizeof(std430::vec3) == 16);
}

TEST_CASE("std430: descriptions agree with the types") {
  CHECK(detail::BlockType<float>::layout == TypeLayout{4, 4});
  CHECK(detail::BlockType<std430::vec3>::layout == TypeLayout{16, 12});
  CHECK(detail::BlockType<std430::mat3>::layout == TypeLayout{16, 48});
  CHECK(detail::BlockType<float[3]>::layout == TypeLayout{4, 12});
  CHECK(detail::BlockType<std430::vec3[2]>::layout == TypeLayout{16, 32});
  CHECK(detail::block_stride<std430::vec3> == sizeof(std430::vec3));
  CHECK(detail::block_stride<std430::dvec3> == sizeof(std430::dvec3));
  const detail::Members<std430::vec2, std430::vec3, float> members;
  CHECK(members.offset[0] == 0);
  CHECK(members.offset[1] == 16);
  CHECK(members.offset[2] == 28);
  CHECK(members.whole == TypeLayout{16, 32});
}

}  // namespace
