#include "spirv/cache.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>

#include <lockstep/exec/error.hpp>

#include "support/directory.hpp"

using namespace lockstep;
using lockstep::test::Directory;
namespace fs = std::filesystem;

namespace {

/// Sets a variable of the environment as long as it lives.
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

/// A directory of its own, which is the cache's as well.
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

TEST_CASE("what was compiled is found again until something it came from changes") {
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

TEST_CASE("nothing is kept when the cache is off") {
  const CacheDirectory directory;
  const Variable off("LOCKSTEP_CACHE", "off");
  directory.write("value.glsl", "#define VALUE 1");
  spirv::CompileOptions options;
  options.include_dirs = {directory.path().string()};
  spirv::compile_glsl(shader, "shader.comp", options);
  CHECK(directory.entries().empty());
}
