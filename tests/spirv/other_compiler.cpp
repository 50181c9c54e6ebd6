#include <algorithm>
#include <cstdint>
#include <cstdlib>
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

/// PATH, which is as it was at the end.
class PathVariable {
 public:
  PathVariable() : before_(std::getenv("PATH")) {}
  ~PathVariable() { set(before_); }
  PathVariable(const PathVariable&) = delete;
  PathVariable& operator=(const PathVariable&) = delete;
  void set(const std::string& value) const { setenv("PATH", value.c_str(), 1); }

 private:
  std::string before_;
};

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

TEST_CASE("languages that no library compiles go to the compiler in PATH") {
  const Directory directory, empty;
  make_module(directory);
  const PathVariable path;
  struct Language {
    std::string ending, compilers, program, arguments;
  };
  for (const Language& language :
       {Language{".slang", "slangc", "slangc",
                 "-target spirv -g1 -fvk-use-entrypoint-name -fvk-t-shift 1000 all -fvk-s-shift "
                 "2000 all "
                 "-fvk-u-shift 3000 all -DA=1 -I/x -o "},
        Language{".wgsl", "naga or tint", "tint", "--format spirv -o "},
        Language{".cl", "clspv", "clspv", "--spv-version=1.5 -g -DA=1 -I/x -o "}}) {
    const std::string file = directory.write("a" + language.ending, "anything");
    ModuleOptions options = by("");
    options.defines = {{"A", "1"}};
    options.include_dirs = {"/x"};
    path.set(empty.path().string());
    CHECK_THROWS_WITH(Module::load(file, options),
                      file + ": is compiled by " + language.compilers +
                          ", which is not in PATH: install it, or name it with --compiler");
    // The shell and its commands are behind it.
    path.set(empty.path().string() + ":" + directory.path().string() + ":/usr/bin:/bin");
    copier(directory, language.program, "-o");
    CHECK(result_of(Module::load(file, options)) == 7);
    CHECK_THAT(arguments_of(directory),
               Catch::StartsWith(language.arguments) && Catch::EndsWith(" " + file + "\n"));
  }
  // naga is looked for before tint. It takes two files, and recent versions need -g to write lines.
  script(directory, "naga",
         "echo \"$@\" > '" + (directory / "arguments") + "'\ncp '" + (directory / "made.spv") +
             "' \"$3\"\n");
  CHECK(result_of(Module::load(directory / "a.wgsl", by(""))) == 7);
  CHECK_THAT(arguments_of(directory), Catch::StartsWith("-g " + (directory / "a.wgsl")));
  script(directory, "naga",
         "if [ $1 = -g ]; then echo 'Unrecognized argument: -g'; exit 1; fi\ncp '" +
             (directory / "made.spv") + "' \"$2\"\n");
  CHECK(result_of(Module::load(directory / "a.wgsl", by(""))) == 7);
  script(directory, "naga", "echo 'a.wgsl:3:4 error: no such thing'\nexit 1\n");
  CHECK_THROWS_WITH(Module::load(directory / "a.wgsl", by("")),
                    Catch::Contains("a.wgsl:3:4 error: no such thing"));
}

TEST_CASE("a message of naga starts with its place") {
  const Directory directory;
  const std::string file = directory.write("a.wgsl", "anything");
  const auto said = [&](const std::string& report) {
    directory.write("report", report);
    return by(script(directory, "naga", "cat '" + (directory / "report") + "'\nexit 1\n"));
  };
  CHECK_THROWS_WITH(Module::load(file, said("Could not parse WGSL:\n"
                                            "error: no definition in scope for identifier: `x`\n"
                                            "   ┌─ C:a.wgsl:12:7\n   │\n12 │   x = 1;\n"
                                            "   │   ^ unknown identifier\n   │\n"
                                            "   = note: tell its makers\n")),
                    file + ":12:7: no definition in scope for identifier: `x`");
  CHECK_THROWS_WITH(Module::load(file, said("error: Entry point main is invalid\n"
                                            "  ┌─ a.wgsl:3:1\n  │\n"
                                            "  = The return value does not match\n  = It is 1\n")),
                    file +
                        ":3:1: Entry point main is invalid; The return value does not match; "
                        "It is 1");
  // It may have none.
  CHECK_THROWS_WITH(Module::load(file, said("error: no more memory\n")), file + ": no more memory");
}

TEST_CASE("naga compiles WGSL that enables subgroups, under the name of its file") {
  const Directory directory;
  const std::string file =
      directory.write("a.wgsl", "// enable subgroups;\nenable subgroups;\nfn main() {}\n");
  // It refuses the directive outside of the comment, and writes the names of the file that it reads into the module.
  directory.write("made.spvasm", R"(
    OpCapability Shader
    OpMemoryModel Logical GLSL450
    OpEntryPoint GLCompute %main "main"
    OpExecutionMode %main LocalSize 1 1 1
    %file = OpString "@"
    %void = OpTypeVoid
    %type = OpTypeFunction %void
    %main = OpFunction %void None %type
    %start = OpLabel
    OpLine %file 3 1
    OpReturn
    OpFunctionEnd
)");
  const std::string naga =
      script(directory, "naga",
             "if grep -q '^enable' \"$2\"; then\n"
             "  echo 'error: the `subgroups` enable-extension is not yet supported'\n  exit 1\nfi\n"
             "cat \"$2\" > '" +
                 (directory / "read") +
                 "'\n"
                 "sed \"s#@#$2#\" '" +
                 (directory / "made.spvasm") +
                 "' |"
                 " spirv-as --target-env spv1.0 -o \"$3\" -\n");
  const Module module = Module::load(file, by(naga));
  std::ifstream read(directory / "read");
  CHECK(std::string(std::istreambuf_iterator<char>(read), {}) ==
        "// enable subgroups;\n                 \nfn main() {}\n");
  const std::string words(reinterpret_cast<const char*>(module.words().data()),
                          module.words().size_bytes());
  CHECK_THAT(words, Catch::Contains(file));
  CHECK_THAT(words, !Catch::Contains("lockstep."));  // the folder where it was compiled
}

TEST_CASE("HLSL that glslang does not know goes to dxc, if there is one") {
  const Directory directory, empty;
  make_module(directory);
  const PathVariable path;
  const std::string file =
      directory.write("new.hlsl",
                      "template<typename T> T twice(T x) { return x + x; }\n"
                      "RWStructuredBuffer<uint> o : register(u0);\n"
                      "[numthreads(1, 1, 1)] void start() { o[0] = twice(3u); }\n");
  path.set(empty.path().string());
  CHECK_THROWS_WITH(
      Module::load(file, by("")),
      Catch::StartsWith(file + ":1: ") &&
          Catch::Contains("; dxc compiles newer HLSL, if PATH has it or --compiler names it") &&
          !Catch::Contains(".;"));
  path.set(directory.path().string() + ":/usr/bin:/bin");
  copier(directory, "dxc", "-Fo");
  CHECK(result_of(Module::load(file, by(""))) == 7);
  CHECK_THAT(arguments_of(directory), Catch::StartsWith("-spirv -T cs_6_6 -E start "));
}

TEST_CASE("a module of naga that uses subgroups is of SPIR-V 1.3") {
  const Directory directory;
  const Module module = Module::from_assembly(R"(
    ; Version: 1.3
    OpCapability Shader
    OpCapability GroupNonUniform
    OpExtension "SPV_KHR_storage_buffer_storage_class"
    OpMemoryModel Logical GLSL450
    OpEntryPoint GLCompute %main "main"
    OpExecutionMode %main LocalSize 1 1 1
    OpDecorate %block Block
    OpMemberDecorate %block 0 Offset 0
    OpDecorate %out DescriptorSet 0
    OpDecorate %out Binding 0
    %void = OpTypeVoid
    %uint = OpTypeInt 32 0
    %bool = OpTypeBool
    %block = OpTypeStruct %uint
    %of_block = OpTypePointer StorageBuffer %block
    %of_uint = OpTypePointer StorageBuffer %uint
    %type = OpTypeFunction %void
    %zero = OpConstant %uint 0
    %three = OpConstant %uint 3
    %seven = OpConstant %uint 7
    %out = OpVariable %of_block StorageBuffer
    %main = OpFunction %void None %type
    %start = OpLabel
    %first = OpGroupNonUniformElect %bool %three
    %value = OpSelect %uint %first %seven %zero
    %to = OpAccessChain %of_uint %out %zero
    OpStore %to %value
    OpReturn
    OpFunctionEnd)");
  std::vector<std::uint32_t> words(module.words().begin(), module.words().end());
  words[1] = 0x00010000;  // as naga writes
  std::ofstream(directory / "made.spv", std::ios::binary)
      .write(reinterpret_cast<const char*>(words.data()),
             static_cast<std::streamsize>(words.size() * sizeof words[0]));
  const std::string file = directory.write("a.wgsl", "anything");
  const std::string naga =
      script(directory, "naga", "cp '" + (directory / "made.spv") + "' \"$3\"\n");
  CHECK(result_of(Module::load(file, by(naga))) == 7);
  const std::string tint = script(
      directory, "tint",
      "while [ \"$1\" != -o ]; do shift; done\ncp '" + (directory / "made.spv") + "' \"$2\"\n");
  CHECK_THROWS_WITH(Module::load(file, by(tint)), Catch::Contains("is not valid"));
}

TEST_CASE("what a program compiles is kept until the program or the shader changes") {
  const Directory directory;
  make_module(directory);
  const char* const before = std::getenv("XDG_CACHE_HOME");
  const std::string home = before != nullptr ? before : "";
  setenv("XDG_CACHE_HOME", (directory / "cache").c_str(), 1);
  const auto compiler = [&](const std::string& more) {
    return script(directory, "naga",
                  "echo run >> '" + (directory / "runs") + "'\ncp '" + (directory / "made.spv") +
                      "' \"$3\"\n" + more);
  };
  const auto runs = [&] {
    std::ifstream file(directory / "runs");
    return std::count(std::istreambuf_iterator<char>(file), {}, '\n');
  };
  const std::string naga = compiler("");
  const std::string file = directory.write("a.wgsl", "anything");
  for (const int expected : {1, 1}) {
    CHECK(result_of(Module::load(file, by(naga))) == 7);
    CHECK(runs() == expected);
  }
  directory.write("a.wgsl", "anything else");
  CHECK(result_of(Module::load(file, by(naga))) == 7);
  CHECK(runs() == 2);
  compiler("# another version\n");
  CHECK(result_of(Module::load(file, by(naga))) == 7);
  CHECK(runs() == 3);
  // The cache does not know what else the program reads.
  directory.write("a.wgsl", "import other");
  for (const int expected : {4, 5}) {
    CHECK(result_of(Module::load(file, by(naga))) == 7);
    CHECK(runs() == expected);
  }
  if (before != nullptr)
    setenv("XDG_CACHE_HOME", home.c_str(), 1);
  else
    unsetenv("XDG_CACHE_HOME");
}

#if !defined(__SANITIZE_ADDRESS__)
TEST_CASE("HLSL that crashes glslang goes to dxc, if there is one") {
  const Directory directory, empty;
  make_module(directory);
  const PathVariable path;
  // glslang 12 crashes on buffers that are parameters.
  const std::string file = directory.write("crash.hlsl",
                                           "RWStructuredBuffer<uint> o : register(u0);\n"
                                           "void put(RWStructuredBuffer<uint> b) { b[0] = 7; }\n"
                                           "[numthreads(1, 1, 1)] void main() { put(o); }\n");
  path.set(directory.path().string() + ":/usr/bin:/bin");
  copier(directory, "dxc", "-Fo");
  const Module module = Module::load(file, by(""));
  CHECK(module.entry_points().size() == 1);
  if (!fs::exists(directory / "arguments")) return;  // a later glslang
  CHECK(result_of(module) == 7);
  path.set(empty.path().string());
  CHECK_THROWS_WITH(Module::load(file, by("")), Catch::Contains("its compiler crashed"));
}
#endif

TEST_CASE("a shader with another language's ending is named") {
  const Directory directory;
  const std::string hlsl = directory.write("a.comp", seven_in_hlsl);
  CHECK_THROWS_WITH(Module::load(hlsl, by("")),
                    hlsl + ": looks like HLSL ([numthreads): give it the extension .hlsl");
  const std::string opencl =
      directory.write("b.comp", "__kernel void k(__global uint* o) { *o = 7; }\n");
  CHECK_THROWS_WITH(Module::load(opencl, by("")),
                    opencl + ": looks like OpenCL C (__kernel): give it the extension .cl");
  const std::string glsl = directory.write("c.hlsl", seven);
  CHECK_THROWS_WITH(Module::load(glsl, by("")),
                    glsl + ": looks like GLSL (#version): give it the extension .comp");
  // A mistake in the right language is what its compiler says.
  const std::string wrong =
      directory.write("d.comp", "#version 450\n// [numthreads\nvoid main() { x; }\n");
  CHECK_THROWS_WITH(Module::load(wrong, by("")), Catch::StartsWith(wrong + ":3: 'x'"));
}

TEST_CASE("a module may name a source language that the validator does not know") {
  const Module module = Module::from_assembly(
      "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"\n"
      "OpExecutionMode %main LocalSize 1 1 1\nOpSource !11 1\n%void = OpTypeVoid\n"
      "%type = OpTypeFunction %void\n%main = OpFunction %void None %type\n%entry = OpLabel\n"
      "OpReturn\nOpFunctionEnd\n");
  CHECK(module.entry_points() == std::vector<std::string>{"main"});
}

TEST_CASE("features that are too new are named, although other tools fail first") {
  const Directory directory;
  const std::string tensors = directory.write(
      "t.comp",
      "#version 460\n#extension GL_ARM_tensors : enable\nlayout(local_size_x = 1) in;\n"
      "layout(binding = 0) uniform tensorARM<float, 4> t;\nvoid main() {}\n");
  CHECK_THROWS_WITH(
      Module::load(tensors, by("")),
      Catch::StartsWith(tensors + ":4: ") &&
          Catch::EndsWith("; the compiler does not know GL_ARM_tensors; a newer one may "
                          "(--compiler)"));
  CHECK_THROWS_WITH(Module::from_assembly(
                        "OpCapability Shader\nOpCapability !4174\nOpMemoryModel Logical GLSL450\n"),
                    Catch::EndsWith("tensors (capability 4174) are not supported"));
}

TEST_CASE("a compiler that cannot be used is named") {
  const Directory directory;
  const std::string glsl = directory.write("a.comp", seven);
  CHECK_THROWS_WITH(Module::load(glsl, by("/nowhere/glslc")),
                    "/nowhere/glslc: cannot be run: No such file or directory");
  CHECK_THROWS_WITH(Module::load(glsl, by("/bin/true")),
                    "/bin/true: is an unknown compiler: its name must contain glslang, "
                    "glslc, dxc, slangc, naga, tint or clspv");
  const std::string idle = script(directory, "glslc-idle", "exit 0\n");
  CHECK_THROWS_WITH(Module::load(glsl, by(idle)),
                    glsl + ": " + idle + " succeeded without writing a module");
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
