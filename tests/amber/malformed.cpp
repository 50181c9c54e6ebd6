#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "amber/runner.hpp"

/// \file
/// Failing scripts in tests/amber/malformed: each has its verdict and message in the list next to it.

using namespace lockstep::amber;
namespace fs = std::filesystem;

namespace {

const fs::path directory = fs::path(LOCKSTEP_SOURCE_DIR) / "tests" / "amber" / "malformed";

std::string text_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

std::string outcome_of(const std::string& name, const std::string& text) {
  RunSettings settings;
  settings.threads = 1;
  settings.max_steps = 10000;
  const Outcome outcome =
      run_text(name, text, settings, [](const std::string& path) -> std::string {
        throw std::runtime_error(path + ": cannot be read");
      });
  const std::string message(outcome.message, 0, outcome.message.find('\n'));
  return std::string(to_string(outcome.verdict)) + " " + message;
}

}  // namespace

TEST_CASE("a script that cannot run says why") {
  std::ifstream list(directory / "messages.txt");
  std::size_t count = 0;
  for (std::string line; std::getline(list, line); ++count) {
    const std::size_t bar = line.find('|');
    REQUIRE(bar != std::string::npos);
    const fs::path file = directory / line.substr(0, bar);
    INFO(file);
    REQUIRE(fs::exists(file));
    CHECK_THAT(outcome_of(file.filename(), text_of(file)), Catch::StartsWith(line.substr(bar + 1)));
  }
  const auto files = std::distance(fs::directory_iterator(directory), fs::directory_iterator());
  CHECK(count + 1 == static_cast<std::size_t>(files));
}

TEST_CASE("every beginning of a script has an outcome") {
  const std::string text = text_of(directory / "access_outside.amber");
  for (std::size_t length = 0; length < text.size(); ++length) {
    const std::string outcome = outcome_of("a.amber", text.substr(0, length));
    INFO(length);
    // Only the complete file reaches the failing access.
    const bool is_whole = length + 1 == text.size();
    CHECK((is_whole || outcome.starts_with("PASS") || outcome.starts_with("ERROR a.amber:")));
  }
}
