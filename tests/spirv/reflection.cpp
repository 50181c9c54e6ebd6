#include <lockstep/spirv/reflection.hpp>

#include <bit>
#include <catch2/catch.hpp>

#include <lockstep/exec/error.hpp>

using namespace lockstep;

namespace {

/// "offset name type" of each member, recursively; arrays with their length and stride.
void describe(const LayoutType& type, const std::string& indent, std::string& out) {
  for (const LayoutMember& member : type.members) {
    if (type.kind == LayoutType::Kind::structure)
      out += indent + std::to_string(member.offset) + " " + member.name;
    else
      out += indent + "[" + std::to_string(type.count) + "] by " + std::to_string(type.stride);
    out += " " + member.type.name + "\n";
    if (member.type.kind == LayoutType::Kind::structure ||
        member.type.kind == LayoutType::Kind::array)
      describe(member.type, indent + "  ", out);
  }
}
std::string described(const LayoutType& type) {
  std::string out;
  describe(type, "", out);
  return out;
}

using Kind = Reflection::Binding::Kind;

}  // namespace

TEST_CASE("reflection has the members of blocks with offsets, types and strides") {
  const Module module = Module::from_glsl(R"(#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 8, local_size_y = 2) in;
layout(constant_id = 3) const uint length = 5;
struct Particle { vec3 position; float mass; uint hits[4]; };
layout(buffer_reference) buffer Node;
layout(buffer_reference, buffer_reference_align = 8) buffer Node { Node next; uint value; };
layout(set = 1, binding = 2, std430) buffer Block {
  uint count;
  dmat3x2 turn;
  f16vec2 half_precision;
  Particle first[length];
  Node head;
  Particle rest[];
} data;
layout(row_major, set = 0, binding = 4, std140) uniform Settings { mat4x3 m; bool on; int table[2]; };
layout(push_constant) uniform Push { layout(offset = 16) i64vec2 at; } push;
void main() { data.count = uint(m[0][0]) + (on ? table[1] : 0) + uint(push.at.x); }
)");
  const Reflection reflection = reflect(module);
  CHECK(reflection.entry == "main");
  CHECK(reflection.local_size == Size3{8, 2, 1});
  REQUIRE(reflection.bindings.size() == 2);

  const auto& settings = reflection.bindings[0];
  CHECK(settings.kind == Kind::uniform_buffer);
  CHECK(settings.binding == 4);
  CHECK(settings.name == "Settings");
  CHECK_FALSE(settings.writable);
  CHECK(described(settings.block) == "0 m mat4x3\n48 on uint\n64 table int\n  [2] by 16 int\n");
  CHECK(settings.block.members[0].type.row_major);
  CHECK(settings.block.members[0].type.stride == 16);
  CHECK(settings.block.members[0].type.columns == 4);
  CHECK(settings.block.members[0].type.rows == 3);

  const auto& block = reflection.bindings[1];
  CHECK(block.kind == Kind::storage_buffer);
  CHECK(block.set == 1);
  CHECK(block.name == "data");
  CHECK(block.type == "Block");
  CHECK(block.writable);
  const std::string particle = "0 position vec3\n12 mass float\n16 hits uint\n";
  CHECK(described(block.block) ==
        "0 count uint\n16 turn dmat3x2\n64 half_precision f16vec2\n80 first Particle\n"
        "  [5] by 32 Particle\n    0 position vec3\n    12 mass float\n    16 hits uint\n"
        "      [4] by 4 uint\n240 head Node\n256 rest Particle\n"
        "  [0] by 32 Particle\n    0 position vec3\n    12 mass float\n    16 hits uint\n"
        "      [4] by 4 uint\n");
  CHECK(block.block.size == 256);
  CHECK(block.block.members[4].type.kind == LayoutType::Kind::address);
  CHECK(numbers_of(block.block) == std::vector{NumberType::uint32, NumberType::float64,
                                               NumberType::float16, NumberType::float32,
                                               NumberType::uint64});

  REQUIRE(reflection.push_constants);
  CHECK(described(*reflection.push_constants) == "16 at i64vec2\n");
  CHECK(reflection.push_constants->size == 32);
  CHECK(reflection.push_constants_name == "push");
}

TEST_CASE("reflection has specialization constants with their types and defaults") {
  const Module module = Module::from_glsl(R"(#version 460
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x_id = 9) in;
layout(constant_id = 7) const float scale = 1.5;
layout(constant_id = 2) const bool on = true;
layout(constant_id = 4) const int64_t large = -5l;
layout(constant_id = 5) const uint16_t narrow = uint16_t(65535u);
layout(binding = 0) buffer B { float v[on ? 4 : 8]; };
void main() { v[0] = scale + float(large) + float(narrow); }
)");
  const Reflection reflection = reflect(module, "main", {{9, 24u}});
  CHECK(reflection.local_size.x == 24);
  REQUIRE(reflection.constants.size() == 5);
  const auto& constants = reflection.constants;
  const std::vector<std::uint32_t> ids{2, 4, 5, 7, 9};
  for (std::size_t k = 0; k < ids.size(); ++k) CHECK(constants[k].id == ids[k]);
  CHECK(constants[0].name == "on");
  CHECK(constants[0].type == NumberType::boolean);
  CHECK(constants[0].bits == 1);
  CHECK(constants[1].type == NumberType::int64);
  CHECK(static_cast<std::int64_t>(constants[1].bits) == -5);
  CHECK(constants[2].type == NumberType::uint16);
  CHECK(constants[2].bits == 65535);
  CHECK(constants[3].name == "scale");
  CHECK(constants[3].type == NumberType::float32);
  CHECK(constants[3].bits == std::bit_cast<std::uint32_t>(1.5f));
  CHECK(constants[4].type == NumberType::uint32);
}

TEST_CASE("reflection names images and samplers as GLSL does") {
  const Module module = Module::from_glsl(R"(#version 460
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 1) in;
layout(binding = 0, rgba8) uniform readonly image2D a;
layout(binding = 1, r32ui) uniform uimage3D b[3];
layout(binding = 2) uniform sampler2DArrayShadow c;
layout(binding = 3) uniform itexture2D d[3];
layout(binding = 4) uniform sampler e;
layout(binding = 5, rg16f) uniform writeonly imageBuffer f;
layout(binding = 6) uniform samplerBuffer g;
layout(binding = 7) uniform samplerCube h;
layout(binding = 8) uniform texture2D i;
void main() {
  imageStore(b[1], ivec3(0), uvec4(uint(imageLoad(a, ivec2(0)).x)));
  imageStore(f, 0, texelFetch(g, 0) + textureLod(h, vec3(1), 0) +
                       texelFetch(d[2], ivec2(0), 0) + textureLod(sampler2D(i, e), vec2(0), 0) +
                       vec4(textureGrad(c, vec4(0), vec2(0), vec2(0))));
}
)");
  const Reflection reflection = reflect(module);
  struct Expected {
    Kind kind;
    const char* type;
    const char* format;
    std::uint32_t elements;
    bool writable;
  };
  const Expected expected[] = {
      {Kind::storage_image, "image2D", "rgba8", 1, false},
      {Kind::storage_image, "uimage3D", "r32ui", 3, true},
      {Kind::combined_image_sampler, "sampler2DArrayShadow", "", 1, false},
      {Kind::sampled_image, "itexture2D", "", 3, false},
      {Kind::sampler, "sampler", "", 1, false},
      {Kind::storage_texel_buffer, "imageBuffer", "rg16f", 1, true},
      {Kind::uniform_texel_buffer, "textureBuffer", "", 1, false},
      {Kind::combined_image_sampler, "samplerCube", "", 1, false},
      {Kind::sampled_image, "texture2D", "", 1, false},
  };
  REQUIRE(reflection.bindings.size() == std::size(expected));
  for (std::uint32_t k = 0; k < std::size(expected); ++k) {
    const auto& binding = reflection.bindings[k];
    INFO(binding.name);
    CHECK(binding.binding == k);
    CHECK(binding.kind == expected[k].kind);
    CHECK(binding.type == expected[k].type);
    CHECK(binding.format == expected[k].format);
    CHECK(binding.elements == expected[k].elements);
    CHECK(binding.writable == expected[k].writable);
  }
}

TEST_CASE("reflection throws for an entry point that the module lacks") {
  const Module module =
      Module::from_glsl("#version 450\nlayout(local_size_x = 1) in;\nvoid main() {}\n");
  CHECK_THROWS_WITH(reflect(module, "other"),
                    "shader.comp: has no compute entry point 'other'; it has 'main'");
}
