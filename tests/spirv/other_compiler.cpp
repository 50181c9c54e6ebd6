#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/exec/error.hpp>
#include <lockstep/spirv/module.hpp>
#include <lockstep/spirv/shader.hpp>

#include "support/directory.hpp"

/// \file
/// Compilers that are programs: a real glslangValidator, and scripts that stand for the others.

using namespace lockstep;
using lockstep::test::Directory;
namespace fs = std::filesystem;

namespace {

const std::string seven =
    "#version 460\nlayout(local_size_x = 1) in;\n"
    "layout(set = 0, binding = 0) buffer Out { uint o; };\n"
    "#ifndef VALUE\n#define VALUE 7u\n#endif\nvoid main() { o = VALUE; }\n";

const std::string seven_in_hlsl =
    "[[vk::binding(0)]] RWStructuredBuffer<uint> o;\n"
    "#ifndef VALUE\n#define VALUE 7u\n#endif\n"
    "[numthreads(1, 1, 1)] void start() { o[0] = VALUE; }\n";

ModuleOptions by(const std::string& compiler) {
  ModuleOptions options;
  options.compiler = compiler;
  options.limits = CompileLimits{};
  return options;
}

std::uint32_t result_of(const Module& module) {
  std::vector<std::uint32_t> out(1);
  ShaderOptions options;
  options.entry = module.entry_points().at(0);
  Shader::from_module(module, options).bind(0, out).dispatch({1});
  return out[0];
}

/// A program in the directory that runs these lines of the shell.
std::string script(const Directory& directory, const std::string& name, const std::string& lines) {
  const std::string path = directory.write(name, "#!/bin/sh\n" + lines);
  fs::permissions(path, fs::perms::owner_all);
  return path;
}

/// A script that writes its arguments into a file, and the module of a file as its own.
std::string copier(const Directory& directory, const std::string& name, const std::string& option) {
  return script(directory, name,
                "echo \"$@\" > '" + (directory / "arguments") + "'\nwhile [ \"$1\" != " + option +
                    " ]; do shift; done\ncp '" + (directory / "made.spv") + "' \"$2\"\n");
}

std::string arguments_of(const Directory& directory) {
  std::ifstream file(directory / "arguments");
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A module as the compiler would have made it.
void make_module(const Directory& directory) {
  const Module module = Module::from_glsl(seven);
  std::ofstream out(directory / "made.spv", std::ios::binary);
  out.write(reinterpret_cast<const char*>(module.words().data()),
            static_cast<std::streamsize>(module.words().size_bytes()));
}

}  // namespace

TEST_CASE("glslangValidator compiles GLSL and HLSL with macros and an entry point") {
  const Directory directory;
  const std::string glsl = directory.write("seven.comp", seven);
  const std::string hlsl = directory.write("seven.hlsl", seven_in_hlsl);
  ModuleOptions options = by("glslangValidator");
  CHECK(result_of(Module::load(glsl, options)) == 7);
  options.defines = {{"VALUE", "8u"}};
  CHECK(result_of(Module::load(glsl, options)) == 8);
  options.entry = "start";
  CHECK(result_of(Module::load(hlsl, options)) == 8);
}

TEST_CASE("another compiler's errors have file and line") {
  const Directory directory;
  const std::string bad = directory.write("bad.comp", "#version 450\nvoid main() { nothing; }\n");
  CHECK_THROWS_WITH(Module::load(bad, by("glslangValidator")),
                    Catch::StartsWith(bad + ":2: 'nothing' : undeclared identifier"));
}

TEST_CASE("glslc and dxc get the options that they know") {
  const Directory directory;
  make_module(directory);
  const std::string glsl = directory.write("a.comp", seven);
  const std::string hlsl = directory.write("a.hlsl", seven_in_hlsl);
  ModuleOptions options = by(copier(directory, "glslc", "-o"));
  options.defines = {{"A", "1"}, {"B", ""}};
  options.include_dirs = {"/x"};
  CHECK(result_of(Module::load(glsl, options)) == 7);
  CHECK_THAT(
      arguments_of(directory),
      Catch::StartsWith("-g -fshader-stage=compute --target-env=vulkan1.3 -DA=1 -DB -I/x -o ") &&
          Catch::EndsWith(" " + glsl + "\n"));
  options.target = "spv1.6";
  CHECK(result_of(Module::load(glsl, options)) == 7);
  CHECK_THAT(arguments_of(directory), Catch::Contains(" --target-spv=spv1.6 "));
  options.target = "";
  options.entry = "start";
  options.compiler = copier(directory, "dxc-1.8", "-Fo");
  CHECK(result_of(Module::load(hlsl, options)) == 7);
  CHECK_THAT(
      arguments_of(directory),
      Catch::StartsWith("-spirv -T cs_6_6 -E start -fspv-debug=line "
                        "-fspv-target-env=vulkan1.3 -fvk-t-shift 1000 all "
                        "-fvk-s-shift 2000 all -fvk-u-shift 3000 all -D A=1 -D B -I /x -Fo "));
  CHECK_THROWS_WITH(Module::load(glsl, options), Catch::Contains("dxc compiles HLSL only"));
}

TEST_CASE("a compiler that cannot be used is named") {
  const Directory directory;
  const std::string glsl = directory.write("a.comp", seven);
  CHECK_THROWS_WITH(Module::load(glsl, by("/nowhere/glslc")),
                    "/nowhere/glslc: cannot be run: No such file or directory");
  CHECK_THROWS_WITH(
      Module::load(glsl, by("/bin/true")),
      "/bin/true: which compiler it is cannot be told: its name must contain glslang, "
      "glslc or dxc");
  const std::string idle = script(directory, "glslc-idle", "exit 0\n");
  CHECK_THROWS_WITH(Module::load(glsl, by(idle)),
                    glsl + ": " + idle + " has ended well without making a module");
  const std::string dying = script(directory, "glslc-dying", "kill -ABRT $$\n");
  CHECK_THROWS_WITH(Module::load(glsl, by(dying)),
                    glsl + ": " + dying + " has ended with signal 6");
}

TEST_CASE("a compiler that does not end is ended at the limit") {
  const Directory directory;
  const std::string glsl = directory.write("a.comp", seven);
  const std::string busy = script(directory, "glslc-busy", "while :; do :; done\n");
  const std::string waiting = script(directory, "glslc-waiting", "exec sleep 1000\n");
  for (const std::string& compiler : {busy, waiting}) {
    ModuleOptions options = by(compiler);
    options.limits->seconds = 1;
    CHECK_THROWS_WITH(Module::load(glsl, options),
                      glsl + ": " + compiler + " takes longer than the limit");
  }
}
