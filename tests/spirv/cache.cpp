#include "shader/front/cache.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include <lockstep/exec/error.hpp>
#include <lockstep/spirv/module.hpp>

#include "support/directory.hpp"

using namespace lockstep;
using lockstep::test::Directory;
namespace fs = std::filesystem;

namespace {

/// Sets an environment variable as long as it lives.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    setenv(name, value.c_str(), 1);
  }
  ~Variable() {
    if (before_)
      setenv(name_, before_->c_str(), 1);
    else
      unsetenv(name_);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

/// A directory of its own, also for the cache.
struct CacheDirectory : Directory {
  std::vector<fs::path> entries() const {
    std::error_code error;
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(path() / "lockstep", error))
      found.push_back(entry.path());
    return found;
  }

  Variable cache{"XDG_CACHE_HOME", path().string()};
  Variable on{"LOCKSTEP_CACHE", "on"};
};

constexpr const char* shader = R"(#version 460
#include "value.glsl"
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Out { uint result[]; };
void main() { result[gl_GlobalInvocationID.x] = VALUE; })";

std::string contents(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("compiled GLSL is cached until a file or option that it depends on changes") {
  const CacheDirectory directory;
  directory.write("value.glsl", "#define VALUE 1");
  spirv::CompileOptions options;
  options.include_dirs = {directory.path().string()};
  const auto compile = [&] { return spirv::compile_glsl(shader, "shader.comp", options).words; };
  const auto first = compile();
  REQUIRE(directory.entries().size() == 1);
  const auto written = fs::last_write_time(directory.entries()[0]);
  CHECK(compile() == first);
  CHECK(fs::last_write_time(directory.entries()[0]) == written);

  SECTION("an included file") {
    directory.write("value.glsl", "#define VALUE 2");
    CHECK(compile() != first);
    directory.write("value.glsl", "#define VALUE 1");
    CHECK(compile() == first);
  }
  SECTION("an included file that is gone is an error as before") {
    fs::remove(directory.path() / "value.glsl");
    CHECK_THROWS_AS(compile(), Error);
  }
  SECTION("the options") {
    options.defines = {{"OTHER", "1"}};
    compile();
    CHECK(directory.entries().size() == 2);
  }
  SECTION("a damaged entry") {
    const fs::path entry = directory.entries()[0];
    const std::string whole = contents(entry);
    for (const std::size_t at : {std::size_t{0}, whole.size() / 2, whole.size() - 1}) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(damaged[at] ^ 1);
      std::ofstream(entry, std::ios::binary) << damaged;
      CHECK(compile() == first);
      std::ofstream(entry, std::ios::binary) << whole.substr(0, at);
      CHECK(compile() == first);
      CHECK(contents(entry) == whole);
    }
  }
}

TEST_CASE("a shader that was compiled before is found without a process of its own") {
  const CacheDirectory directory;
  directory.write("value.glsl", "#define VALUE 1");
  const std::string path = directory.write("shader.comp", shader);
  ModuleOptions options;
  options.limits = CompileLimits{};
  // Children leave the pages that they touched in their parent's account.
  const auto started_process = [&] {
    const auto pages = [] {
      rusage of_children{};
      getrusage(RUSAGE_CHILDREN, &of_children);
      return of_children.ru_minflt;
    };
    const long before = pages();
    CHECK(Module::load(path, options).name() == path);
    return pages() != before;
  };
  CHECK(started_process());
  CHECK_FALSE(started_process());
  directory.write("value.glsl", "#define VALUE 2");
  CHECK(started_process());
  CHECK_FALSE(started_process());
  directory.write("shader.comp", "nothing");
  CHECK_THROWS_AS(Module::load(path, options), Error);
}

TEST_CASE("nothing is kept when the cache is off") {
  const CacheDirectory directory;
  const Variable off("LOCKSTEP_CACHE", "off");
  directory.write("value.glsl", "#define VALUE 1");
  spirv::CompileOptions options;
  options.include_dirs = {directory.path().string()};
  spirv::compile_glsl(shader, "shader.comp", options);
  CHECK(directory.entries().empty());
}

TEST_CASE("only the module that was valid is cached as valid") {
  const CacheDirectory directory;
  spirv::CompileOptions options;
  const std::string text = R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 8 1 1
%void = OpTypeVoid
%type = OpTypeFunction %void
%main = OpFunction %void None %type
%begin = OpLabel
OpReturn
OpFunctionEnd
)";
  spirv::CompileOptions oldest;
  oldest.target = "vulkan1.0";
  const auto words = spirv::assemble(text, "valid.spvasm", oldest).words;
  REQUIRE(directory.entries().empty());
  auto invalid = words;
  // OpReturn becomes OpNop: a block without an end.
  const auto found = std::find(invalid.begin(), invalid.end(), 1u << 16 | 253u);
  REQUIRE(found != invalid.end());
  *found = 1u << 16;
  const auto write = [&](const char* name, const std::vector<std::uint32_t>& module) {
    directory.write(name, std::string(reinterpret_cast<const char*>(module.data()),
                                      module.size() * sizeof module[0]));
    return (directory.path() / name).string();
  };
  const std::string good = write("good.spv", words), bad = write("bad.spv", invalid);
  const auto load = [&](const std::string& path) { return spirv::load_file(path, options).words; };
  REQUIRE(load(good) == words);
  REQUIRE(directory.entries().size() == 1);
  const fs::path entry = directory.entries()[0];
  const std::string whole = contents(entry);
  const auto written = fs::last_write_time(entry);
  CHECK(load(good) == words);
  CHECK(fs::last_write_time(entry) == written);

  SECTION("an invalid one stays invalid and is not remembered") {
    for (int k = 0; k < 2; ++k) CHECK_THROWS_WITH(load(bad), Catch::Contains("is not valid"));
    CHECK(directory.entries().size() == 1);
  }
  SECTION("by the rules of another target it is another matter") {
    options.target = "vulkan1.0";
    CHECK(load(good) == words);
    CHECK(directory.entries().size() == 2);
  }
  SECTION("a damaged entry says nothing, wherever the damage is") {
    for (std::size_t at = 0; at < whole.size(); ++at) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(damaged[at] ^ 1);
      std::ofstream(entry, std::ios::binary) << damaged;
      REQUIRE(load(good) == words);
      REQUIRE(contents(entry) == whole);
    }
  }
  SECTION(
      "another module's entry, a damaged one or half of one does not let an invalid module in") {
    fs::path place;
    for (int environment = 0; environment < 40; ++environment) {
      const auto before = directory.entries();
      spirv::Validated(invalid, environment).store();
      for (const fs::path& now : directory.entries()) {
        if (std::find(before.begin(), before.end(), now) == before.end()) place = now;
      }
      const std::string own = contents(place);
      std::string damaged = own;
      damaged[own.size() / 2] = static_cast<char>(damaged[own.size() / 2] ^ 4);
      for (const std::string& what : {whole, damaged, own.substr(0, own.size() / 2), own + "x"}) {
        std::ofstream(place, std::ios::binary) << what;
        REQUIRE_THROWS_WITH(load(bad), Catch::Contains("is not valid"));
      }
    }
  }
  SECTION("nothing is kept when the cache is off") {
    fs::remove(entry);
    const Variable off("LOCKSTEP_CACHE", "off");
    CHECK(load(good) == words);
    CHECK(directory.entries().empty());
  }
}
