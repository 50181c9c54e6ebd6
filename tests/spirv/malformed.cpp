#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <lockstep/exec/error.hpp>
#include <lockstep/spirv/shader.hpp>

/// \file
/// Shaders that cannot run, in tests/spirv/malformed: each has its message in the list next to it.

using namespace lockstep;
namespace fs = std::filesystem;

namespace {

const fs::path directory = fs::path(LOCKSTEP_SOURCE_DIR) / "tests" / "spirv" / "malformed";

/// The message without the directory.
std::string message_of(const fs::path& path) {
  try {
    auto shader = Shader::load(path.string());
    shader.dispatch({0, 0, 0});
  } catch (const Error& error) {
    std::string text = error.what();
    const std::string prefix = directory.string() + "/";
    for (std::size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix))
      text.erase(at, prefix.size());
    return text.substr(0, text.find('\n'));
  }
  return "nothing is wrong";
}

}  // namespace

TEST_CASE("a shader that cannot run is rejected with the reason") {
  std::ifstream list(directory / "messages.txt");
  std::size_t count = 0;
  for (std::string line; std::getline(list, line); ++count) {
    const std::size_t bar = line.find('|');
    REQUIRE(bar != std::string::npos);
    const fs::path file = directory / line.substr(0, bar);
    INFO(file);
    REQUIRE(fs::exists(file));
    // The validator's wording differs from version to version.
    CHECK_THAT(message_of(file), Catch::StartsWith(line.substr(bar + 1)));
  }
  const auto files = std::distance(fs::directory_iterator(directory), fs::directory_iterator());
  CHECK(count + 1 == static_cast<std::size_t>(files));
}

TEST_CASE("every truncated module is rejected") {
  std::ifstream in(directory / "no_entry_point.spvasm");
  const std::string text(std::istreambuf_iterator<char>(in), {});
  for (std::size_t length = 0; length < text.size(); length += 3)
    CHECK_THROWS_AS(Shader::from_assembly(text.substr(0, length)), Error);
}
