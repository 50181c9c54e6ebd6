#include "shader/front/compile.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include <lockstep/exec/error.hpp>
#include <lockstep/spirv/module.hpp>
#include <lockstep/spirv/pipeline.hpp>
#include <lockstep/spirv/shader.hpp>

#include "spirv/assembly.hpp"
#include "support/directory.hpp"

using namespace lockstep;
using lockstep::test::Directory;
namespace fs = std::filesystem;

namespace {

std::uint32_t result_of(Shader shader) {
  std::vector<std::uint32_t> out(1);
  shader.bind(0, out).dispatch({1});
  return out[0];
}

const std::string head =
    "#version 460\nlayout(local_size_x = 1) in;\n"
    "layout(set = 0, binding = 0) buffer Out { uint o; };\n";

}  // namespace

TEST_CASE("files are included from the shader's directory and from given directories") {
  const Directory directory;
  const auto shader = directory.write("a/shader.comp", head +
                                                           "#include \"parts/beside.glsl\"\n"
                                                           "#include <far.glsl>\n"
                                                           "void main() { o = beside() + FAR; }\n");
  directory.write("a/parts/beside.glsl",
                  "#include \"deeper.glsl\"\nuint beside() { return DEEPER * 10u; }\n");
  directory.write("a/parts/deeper.glsl", "#define DEEPER 4u\n");
  directory.write("b/far.glsl", "#define FAR 2u\n");
  directory.write("c/far.glsl", "#define FAR 3u\n");
  ShaderOptions options;
  options.include_dirs = {directory / "nowhere", directory / "b", directory / "c"};
  CHECK(result_of(Shader::load(shader, options)) == 42);
  options.include_dirs = {directory / "c", directory / "b"};
  CHECK(result_of(Shader::load(shader, options)) == 43);
  CHECK_THROWS_WITH(Shader::load(shader),
                    Catch::Contains("shader.comp:5") && Catch::Contains("far.glsl"));
}

TEST_CASE("files are included from where repositories keep them") {
  const Directory directory;
  const std::string shader = directory.write(
      "app/passes/blur/shader.comp", head +
                                         "#include \"first.glsl\"\n#include \"lib/second.h\"\n"
                                         "void main() { o = FIRST * SECOND; }\n");
  directory.write(".git/HEAD", "");
  directory.write("app/first.glsl", "#define FIRST 3u\n");
  directory.write("shaders/common/lib/second.h", "#define SECOND 5u\n");
  CHECK(result_of(Shader::load(shader)) == 15);
  // The nearest one counts, and what is given counts more.
  directory.write("app/passes/include/first.glsl", "#define FIRST 4u\n");
  CHECK(result_of(Shader::load(shader)) == 20);
  ShaderOptions options;
  options.include_dirs = {directory / "app"};
  CHECK(result_of(Shader::load(shader, options)) == 15);
}

TEST_CASE("an error about a missing include says where there is one") {
  const Directory directory;
  directory.write(".git/HEAD", "");
  const std::string shader = directory.write(
      "src/shader.comp", head + "#include \"lost.glsl\"\nvoid main() { o = 1u; }\n");
  CHECK_THROWS_WITH(Shader::load(shader),
                    Catch::StartsWith(shader + ":") &&
                        Catch::Contains("name the folder that has lost.glsl with -I"));
  const std::string there = directory.write("third_party/x/lost.glsl", "");
  CHECK_THROWS_WITH(
      Shader::load(shader),
      Catch::Contains("; if " + there + " is the right lost.glsl, name its folder with -I"));
}

TEST_CASE("a fault in an included file is reported with that file's line") {
  const Directory directory;
  const auto shader = directory.write(
      "shader.comp", head + "#include \"part.glsl\"\nvoid main() { o = part(); }\n");
  directory.write("part.glsl", "\n\nuint part() { return nothing; }\n");
  CHECK_THROWS_WITH(Shader::load(shader),
                    Catch::Contains("part.glsl:3: 'nothing' : undeclared identifier"));
}

TEST_CASE("an endless chain of includes is an error") {
  const Directory directory;
  const auto shader =
      directory.write("shader.comp", head + "#include \"self.glsl\"\nvoid main() {}\n");
  directory.write("self.glsl", "#include \"self.glsl\"\n");
  CHECK_THROWS_AS(Shader::load(shader), Error);
}

TEST_CASE("macros are defined, with and without a value") {
  ShaderOptions options;
  options.defines = {{"NUMBER", "40u"}, {"EXTRA", ""}};
  const std::string text = head +
                           "#ifdef EXTRA\nconst uint more = 2u;\n#else\nconst uint more = "
                           "0u;\n#endif\nvoid main() { o = NUMBER + more; }\n";
  CHECK(result_of(Shader::from_glsl(text, options)) == 42);
  options.defines = {{"NUMBER", "7u"}};
  CHECK(result_of(Shader::from_glsl(text, options)) == 7);
  CHECK_THROWS_WITH(Shader::from_glsl(text, {}, "a.comp"),
                    Catch::StartsWith("a.comp:9: 'NUMBER' : undeclared identifier"));
}

TEST_CASE("the target environment decides which features exist") {
  const std::string subgroups =
      "#version 460\n#extension GL_KHR_shader_subgroup_vote : require\n"
      "layout(local_size_x = 1) in;\n"
      "void main() { subgroupAll(true); }\n";
  ShaderOptions options;
  options.target = "vulkan1.0";
  CHECK_THROWS_AS(Shader::from_glsl(subgroups, options), Error);
  options.target = "vulkan1.1";
  CHECK_NOTHROW(Shader::from_glsl(subgroups, options));
  options.target = "vulkan9";
  CHECK_THROWS_WITH(Shader::from_glsl(subgroups, options),
                    Catch::StartsWith("'vulkan9' is not a target: write vulkan1.0"));
}

TEST_CASE("the file extension determines the language") {
  const Directory directory;
  CHECK_THROWS_WITH(Shader::load(directory.write("a.txt", "x")),
                    Catch::Contains("unknown file extension"));
  CHECK_THROWS_WITH(Shader::load(directory.write("a.spv", "xyz")),
                    Catch::Contains("not a multiple of 4"));
  CHECK(result_of(Shader::load(directory.write("a.glsl", head + "void main() { o = 5u; }"))) == 5);
  const auto words = spirv::compile_glsl(head + "void main() { o = 6u; }", "a.comp", {}).words;
  const std::string bytes(reinterpret_cast<const char*>(words.data()), words.size() * 4);
  CHECK(result_of(Shader::load(directory.write("b.spv", bytes))) == 6);
  // The same from a machine of the other byte order.
  std::string swapped = bytes;
  for (std::size_t k = 0; k < swapped.size(); k += 4) {
    std::swap(swapped[k], swapped[k + 3]);
    std::swap(swapped[k + 1], swapped[k + 2]);
  }
  CHECK(result_of(Shader::load(directory.write("c.spv", swapped))) == 6);
}

TEST_CASE("shaders are compiled on several threads at once") {
  std::vector<std::uint32_t> results(8);
  {
    std::vector<std::jthread> threads;
    for (std::uint32_t k = 0; k < 8; ++k)
      threads.emplace_back([&results, k] {
        for (std::uint32_t n = 0; n < 6; ++n) {
          const std::string value = std::to_string(k * 10 + n);
          results[k] += result_of(
              Shader::from_glsl(head + "void main() { o = " + value + "u; }", {}, value + ".comp"));
        }
      });
  }
  for (std::uint32_t k = 0; k < 8; ++k) CHECK(results[k] == k * 60 + 15);
}

namespace {

std::uint32_t version_of(const std::string& assembly, const std::string& target = "") {
  ModuleOptions options;
  options.target = target;
  return Module::from_assembly(assembly, options).words()[1] >> 8 & 0xff;
}

/// The same for a module that 1.4 and later know.
std::string with_capability(const std::string& assembly, const std::string& capability) {
  return "OpCapability " + capability + "\n" + assembly;
}

}  // namespace

TEST_CASE("assembly has the version of its comment, of the target, or the lowest it is valid in") {
  CHECK(version_of(test::older_module("; SPIR-V\n; Version: 1.0\n; Generator: x\n")) == 0);
  CHECK(version_of(test::older_module("\n;Version: 1.3\n")) == 3);
  CHECK(version_of(test::older_module("")) == 0);
  CHECK(version_of(test::older_module("; no number\n")) == 0);
  CHECK(version_of(test::older_module("; Version: 1.3\n"), "spv1.2") == 2);
  CHECK(version_of(test::older_module(""), "vulkan1.1") == 3);
  CHECK_THROWS_WITH(version_of(test::older_module("; Version: 1.6\n")),
                    Catch::Contains("is not valid"));
  CHECK_THROWS_WITH(version_of(test::older_module(""), "vulkan1.3"),
                    Catch::Contains("is not valid"));
  // Subgroup operations came with 1.3.
  CHECK(version_of(with_capability(test::older_module(""), "GroupNonUniform")) == 3);
}

TEST_CASE("a file of assembly may end as glslang's and SPIRV-Cross's tests do") {
  const Directory directory;
  const std::string path = directory / "x.asm.comp";
  std::ofstream(path) << test::older_module("; Version: 1.0\n");
  CHECK(Module::load(path).entry_points() == std::vector<std::string>{"main"});
}

TEST_CASE("rotation takes types of extensions in any order, also from other files") {
  const std::string rotate = "#extension GL_KHR_shader_subgroup_rotate : require\n";
  const std::string half = "#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require\n";
  const std::string body =
      "layout(local_size_x = 4) in;\nlayout(binding = 0) buffer B { uint o[]; };\nvoid main() {\n"
      "  uint i = gl_LocalInvocationID.x;\n"
      "  o[i] = uint(subgroupRotate(f16vec2(float16_t(i), float16_t(9)), 1u).x);\n}\n";
  const Directory directory;
  std::ofstream(directory / "types.glsl") << half;
  ModuleOptions options;
  options.include_dirs = {directory / ""};
  const std::string include = "#include \"types.glsl\"\n";
  for (const std::string& extensions : {rotate + half, half + rotate, include + rotate,
                                        rotate + include, half + include + rotate + rotate}) {
    INFO(extensions);
    const auto module = Module::from_glsl("#version 460\n" + extensions + body, options);
    std::vector<std::uint32_t> out(4);
    DescriptorTable table;
    table.bind(0, out);
    Pipeline(module, {.subgroup_size = 4}).dispatch(table);
    CHECK(out == std::vector<std::uint32_t>{1, 2, 3, 0});
  }
  // Without the types the shader cannot name them; lines stay the same.
  CHECK_THROWS_WITH(Module::from_glsl("#version 460\n" + rotate + body),
                    Catch::StartsWith("shader.comp:7: "));
  CHECK_THROWS_WITH(Module::from_glsl("#version 460\n" + half + rotate + "error;\n"),
                    Catch::StartsWith("shader.comp:4: "));
}
