#include "shader/front/compared_constants.hpp"

#include <catch2/catch.hpp>

#include <lockstep/spirv/module.hpp>

/// \file
/// The constants that a search for inputs tries first.

using namespace lockstep;

TEST_CASE("constants that a condition compares with are found, and labels of switches") {
  const Module module = Module::from_glsl(
      "#version 450\n"
      "layout(local_size_x = 8) in;\n"
      "layout(binding = 0) buffer B { uint o[8]; int i; float f; };\n"
      "void main() {\n"
      "  if (o[0] == 100000u) o[1] = 2000000u;\n"
      "  if (i < -70000) o[2] = 77u;\n"
      "  if (f > 2.5) f = 3.5;\n"
      "  switch (i) {\n"
      "    case -31000: o[3] = 1u; break;\n"
      "    case 90001: o[4] = 1u; break;\n"
      "  }\n"
      "}\n");
  const auto found = spirv::compared_constants(module.words());
  for (const std::int64_t value : {100000, -70000, -31000, 90001})
    CHECK(found.integers.contains(value));
  CHECK(!found.integers.contains(77));
  CHECK(found.other_integers.contains(77));
  CHECK(!found.other_integers.contains(2000000));
  CHECK(found.floats == std::set<double>{2.5});
}

TEST_CASE("a damaged module has no constants to compare with") {
  const std::vector<std::uint32_t> words{1, 2, 3, 4, 5, 0x00ff0001};
  CHECK(spirv::compared_constants(words).integers.empty());
}
