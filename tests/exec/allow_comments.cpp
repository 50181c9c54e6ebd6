#include <lockstep/exec/allow_comments.hpp>

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

std::vector<int> allowed_lines(const AllowComments& comments, const char* file,
                               std::string_view rule) {
  std::vector<int> lines;
  for (int line = 0; line <= 7; ++line)
    if (comments.allow(at(file, line, rule))) lines.push_back(line);
  return lines;
}

}  // namespace

TEST_CASE("comments allow the rules that they name in their lines, or all") {
  AllowComments comments;
  comments.add("text.comp", text);
  CHECK(allowed_lines(comments, "text.comp", "data-race") == std::vector{2, 3, 4});
  CHECK(allowed_lines(comments, "text.comp", "out-of-bounds") == std::vector{3, 4});
  CHECK(allowed_lines(comments, "text.comp", "no-progress") == std::vector{4});
  CHECK(allowed_lines(comments, "no such file", "data-race").empty());
}

TEST_CASE("a comment in the line of the other end allows a finding") {
  AllowComments comments;
  comments.add("text.comp", text);
  Finding race = at("text.comp", 1);
  race.other.emplace();
  race.other->where = {"text.comp", 2};
  CHECK(comments.allow(race));
  race.other->where.line = 5;
  CHECK_FALSE(comments.allow(race));
}

TEST_CASE("comments of files are read from them") {
  const std::string path =
      (std::filesystem::temp_directory_path() / "lockstep_allow_comments.comp").string();
  std::ofstream(path) << text;
  CHECK(allowed_lines({}, path.c_str(), "data-race") == std::vector{2, 3, 4});
  std::remove(path.c_str());
}

TEST_CASE("FaultLog: allowed findings go, and do not count") {
  AllowComments comments;
  comments.add("text.comp", text);
  FaultLog log;
  Finding twice = at("text.comp", 2);
  twice.count = 2;
  log.record(twice);
  log.record(at("text.comp", 1));
  log.remove_allowed(comments);
  REQUIRE(log.findings().size() == 1);
  CHECK(log.first().where.line == 1);
  CHECK(log.count() == 1);
}
