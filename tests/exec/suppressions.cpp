#include <lockstep/exec/suppressions.hpp>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/exec/fault_log.hpp>

using namespace lockstep;

namespace {

constexpr const char* text = R"(one
two  // lockstep: allow data-race
three  /* lockstep: allow out-of-bounds, data-race */
four  // lockstep: allow
five  // lockstep: allow data
)";

Finding at(const char* file, int line, std::string_view rule = "data-race") {
  Finding finding;
  finding.rule = rule;
  finding.where = {file, line};
  finding.message = "found";
  return finding;
}

std::vector<int> bound_lines(const Suppressions& comments, const char* file,
                             std::string_view rule) {
  std::vector<int> lines;
  for (int line = 0; line <= 7; ++line)
    if (comments.suppresses(at(file, line, rule))) lines.push_back(line);
  return lines;
}

}  // namespace

TEST_CASE("comments allow the rules that they name in their lines, or all") {
  Suppressions comments;
  comments.add("text.comp", text);
  CHECK(bound_lines(comments, "text.comp", "data-race") == std::vector{2, 3, 4});
  CHECK(bound_lines(comments, "text.comp", "out-of-bounds") == std::vector{3, 4});
  CHECK(bound_lines(comments, "text.comp", "no-progress") == std::vector{4});
  CHECK(bound_lines(comments, "no such file", "data-race").empty());
}

TEST_CASE("a comment in the line of the other end allows a finding") {
  Suppressions comments;
  comments.add("text.comp", text);
  Finding race = at("text.comp", 1);
  race.other.emplace();
  race.other->where = {"text.comp", 2};
  CHECK(comments.suppresses(race));
  race.other->where.line = 5;
  CHECK_FALSE(comments.suppresses(race));
}

TEST_CASE("comments of files are read from them") {
  const std::string path =
      (std::filesystem::temp_directory_path() / "lockstep_suppressions.comp").string();
  std::ofstream(path) << text;
  CHECK(bound_lines({}, path.c_str(), "data-race") == std::vector{2, 3, 4});
  std::remove(path.c_str());
}

TEST_CASE("FaultLog: allowed findings go, and do not count") {
  Suppressions comments;
  comments.add("text.comp", text);
  FaultLog log;
  Finding twice = at("text.comp", 2);
  twice.count = 2;
  log.record(twice);
  log.record(at("text.comp", 1));
  log.remove_suppressed(comments);
  REQUIRE(log.findings().size() == 1);
  CHECK(log.first().where.line == 1);
  CHECK(log.count() == 1);
}
