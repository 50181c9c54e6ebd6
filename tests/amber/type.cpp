#include "amber/type.hpp"

#include <catch2/catch.hpp>

using namespace lockstep::amber;

TEST_CASE("data types are numbers, vectors and matrices") {
  struct Case {
    const char* name;
    Number number;
    std::uint32_t columns, rows;
    bool array;
  };
  for (const Case& c : {Case{"int8", {Encoding::signed_int, 8}, 1, 1, false},
                        Case{"uint64[]", {Encoding::unsigned_int, 64}, 1, 1, true},
                        Case{"float16", {Encoding::floating, 16}, 1, 1, false},
                        Case{"double", {Encoding::floating, 64}, 1, 1, false},
                        Case{"vec3<float>", {Encoding::floating, 32}, 1, 3, false},
                        Case{"vec2<int16>[]", {Encoding::signed_int, 16}, 1, 2, true},
                        Case{"mat2x4<float>", {Encoding::floating, 32}, 2, 4, false},
                        Case{"mat4x3<double>[]", {Encoding::floating, 64}, 4, 3, true}}) {
    INFO(c.name);
    const auto type = parse_type(c.name);
    REQUIRE(type);
    CHECK(type->number == c.number);
    CHECK(type->columns == c.columns);
    CHECK(type->rows == c.rows);
    CHECK(type->array == c.array);
    CHECK(type->name == c.name);
  }
  for (const char* name :
       {"", "int", "int128", "vec1<float>", "vec5<float>", "vec3", "vec3<", "vec3<>",
        "vec3<vec2<int8>>", "mat1x2<float>", "mat2x5<float>", "mat22<float>", "mat2x2float>",
        "vec3<float>[4]", "[]", "float[][]", "vec3<R8_UINT>", "R8_UINT[]"})
    CHECK_FALSE(parse_type(name));
}

TEST_CASE("image formats have channels in their order") {
  const auto rgba = parse_format("R8G8B8A8_UNORM");
  REQUIRE(rgba);
  CHECK(rgba->bits == 32);
  CHECK_FALSE(rgba->packed);
  CHECK(rgba->channels == std::vector<Channel>{{'R', Mode::unorm, 8, 0},
                                               {'G', Mode::unorm, 8, 8},
                                               {'B', Mode::unorm, 8, 16},
                                               {'A', Mode::unorm, 8, 24}});
  const auto bgra = parse_format("B8G8R8A8_SRGB");
  REQUIRE(bgra);
  CHECK(bgra->channels[0] == Channel{'B', Mode::srgb, 8, 0});
  const auto packed = parse_format("A2B10G10R10_UINT_PACK32");
  REQUIRE(packed);
  CHECK(packed->packed);
  CHECK(packed->channels == std::vector<Channel>{{'A', Mode::uint, 2, 30},
                                                 {'B', Mode::uint, 10, 20},
                                                 {'G', Mode::uint, 10, 10},
                                                 {'R', Mode::uint, 10, 0}});
  const auto depth = parse_format("D24_UNORM_S8_UINT");
  REQUIRE(depth);
  CHECK(depth->channels[0].mode == Mode::unorm);
  CHECK(depth->channels[1].mode == Mode::uint);
}

TEST_CASE("image formats are those that Vulkan has") {
  for (const char* name :
       {"R8_UINT", "R16G16_SFLOAT", "R32G32B32_SINT", "R64G64B64A64_UINT", "R64_SFLOAT",
        "B8G8R8_SSCALED", "R8G8_SRGB", "R16_UNORM", "B10G11R11_UFLOAT_PACK32", "R4G4_UNORM_PACK8",
        "X8_D24_UNORM_PACK32", "S8_UINT", "R5G6B5_UNORM_PACK16"})
    CHECK(parse_format(name));
  for (const char* name : {"",           "R",         "R8",
                           "R8_",        "R8_FLOAT",  "R8_SFLOAT",
                           "R16_SRGB",   "R32_UNORM", "R64_UNORM",
                           "G8_UINT",    "R8B8_UINT", "B16G16R16_UINT",
                           "R8G16_UINT", "R8_UINT_",  "R8_UINT_PACK8",
                           "R24_UINT",   "r8_uint",   "R99999999999999_UINT",
                           "R0_UINT",    "_UINT",     "R8_UINTG8"})
    CHECK_FALSE(parse_format(name));
}
