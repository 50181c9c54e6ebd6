#include "amber/layout.hpp"

#include <catch2/catch.hpp>
#include <memory>

using namespace lockstep::amber;

namespace {

using Bytes = std::vector<std::uint32_t>;

/// The places of a type's components, followed by the stride.
Bytes bytes(const Type& type, Layout layout) {
  const ElementLayout element = layout_of(type, layout);
  Bytes result;
  for (const Component& component : element.components) result.push_back(component.byte);
  result.push_back(element.stride);
  return result;
}
Bytes bytes(const char* type, Layout layout) {
  const auto parsed = parse_type(type);
  REQUIRE(parsed);
  return bytes(*parsed, layout);
}

Type structure(std::vector<Member> members, std::optional<std::uint32_t> stride = {}) {
  Type type;
  type.name = "s";
  type.structure = std::make_shared<const Struct>(Struct{std::move(members), stride});
  return type;
}
Member member(const char* name, const char* type) { return {name, *parse_type(type), {}, {}, {}}; }

}  // namespace

TEST_CASE("vectors of three take the place of four") {
  CHECK(bytes("float", Layout::std430) == Bytes{0, 4});
  CHECK(bytes("float", Layout::std140) == Bytes{0, 4});
  CHECK(bytes("vec2<uint8>", Layout::std430) == Bytes{0, 1, 2});
  CHECK(bytes("vec3<float>", Layout::std430) == Bytes{0, 4, 8, 16});
  CHECK(bytes("vec3<double>", Layout::std430) == Bytes{0, 8, 16, 32});
  CHECK(bytes("vec4<float16>", Layout::std140) == Bytes{0, 2, 4, 6, 8});
}

TEST_CASE("elements of std140 arrays and columns start at multiples of 16") {
  CHECK(bytes("float[]", Layout::std430) == Bytes{0, 4});
  CHECK(bytes("float[]", Layout::std140) == Bytes{0, 16});
  CHECK(bytes("vec2<float>[]", Layout::std140) == Bytes{0, 4, 16});
  CHECK(bytes("mat2x2<float>", Layout::std430) == Bytes{0, 4, 8, 12, 16});
  CHECK(bytes("mat2x2<float>", Layout::std140) == Bytes{0, 4, 16, 20, 32});
  CHECK(bytes("mat2x3<float>", Layout::std430) == Bytes{0, 4, 8, 16, 20, 24, 32});
}

TEST_CASE("members of structures are aligned") {
  const Type type = structure({member("a", "float"), member("b", "vec3<float>"),
                               member("c", "float"), member("d", "uint8")});
  CHECK(bytes(type, Layout::std430) == Bytes{0, 16, 20, 24, 28, 32, 48});
  const Type small = structure({member("a", "float"), member("b", "int32")});
  CHECK(bytes(small, Layout::std430) == Bytes{0, 4, 8});
  CHECK(bytes(small, Layout::std140) == Bytes{0, 4, 16});
  Member inner{"inner", small, {}, {}, {}};
  CHECK(bytes(structure({member("a", "float"), inner}), Layout::std430) == Bytes{0, 4, 8, 12});
  CHECK(bytes(structure({member("a", "float"), inner}), Layout::std140) == Bytes{0, 16, 20, 32});
}

TEST_CASE("a script can place members itself") {
  Member late = member("b", "float");
  late.offset = 20;
  CHECK(bytes(structure({member("a", "float"), late}), Layout::std430) == Bytes{0, 20, 24});
  CHECK(bytes(structure({member("a", "float"), late}, 64), Layout::std430) == Bytes{0, 20, 64});
  Member matrix = member("m", "mat2x2<float>");
  matrix.matrix_stride = 32;
  CHECK(bytes(structure({matrix}), Layout::std430) == Bytes{0, 4, 32, 36, 64});
  late.offset = 2;
  CHECK_THROWS_WITH(bytes(structure({member("a", "float"), late}), Layout::std430),
                    "has a member b whose OFFSET is too small for its own elements or the members "
                    "before it; raise it");
  matrix.matrix_stride = 4;
  CHECK_THROWS_WITH(bytes(structure({matrix}), Layout::std430),
                    "has a member m whose MATRIX_STRIDE is too small for its own elements or the "
                    "members before it; raise it");
  CHECK_THROWS_WITH(bytes(structure({member("a", "double")}, 4), Layout::std430),
                    "has a STRIDE smaller than its members; raise it");
  late.offset = 0xffffffff;
  CHECK_THROWS_WITH(bytes(structure({late}), Layout::std430),
                    "has an element of more than 16 MiB; make it smaller");
}

TEST_CASE("texels are as large as their format says") {
  CHECK(bytes("R8G8B8_UNORM", Layout::std430) == Bytes{0, 1, 2, 3});
  CHECK(bytes("R16G16B16A16_SFLOAT", Layout::std430) == Bytes{0, 2, 4, 6, 8});
  CHECK(bytes("A2B10G10R10_UNORM_PACK32", Layout::std430) == Bytes{0, 4});
}
