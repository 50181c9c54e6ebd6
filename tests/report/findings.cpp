#include "report/findings.hpp"

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include <catch2/catch.hpp>

#include <lockstep/exec/checks.hpp>

using namespace lockstep;

TEST_CASE("findings are JSON with everything they know, and nothing else") {
  Finding finding = finding_of(Check::out_of_bounds);
  finding.message = "it went wrong";
  finding.where = {"a.comp", 7};
  finding.workgroup = {1, 2, 3};
  finding.subgroup = 4;
  finding.lanes = LaneSet::lane(3) | LaneSet::lane(70);
  finding.count = 5;
  auto expected = nlohmann::json::parse(
      R"({"rule": "out-of-bounds", "severity": "error", "message": "it went wrong",
          "file": "a.comp", "line": 7, "column": 0, "workgroup": [1, 2, 3], "subgroup": 4, "lanes": "3,70",
          "count": 5})");
  CHECK(nlohmann::json(report::to_json(finding)) == expected);

  finding.origin = {"b.glsl", 9};
  finding.access = {AccessKind::atomic,
                    {MemoryObject::Kind::buffer, 1, 2, 3, "In"},
                    LaneAccess::Unit::byte,
                    40,
                    32};
  finding.other = OtherEnd{{"c.glsl", 3, 4}, "it was written here", {1, 0, 0}, 2, LaneSet::lane(1)};
  expected["memory"] = "buffer";
  expected["origin"] = nlohmann::json::parse(
      R"({"file": "b.glsl", "line": 9, "column": 0, "message": "the value comes from here"})");
  expected["other"] = nlohmann::json::parse(
      R"({"file": "c.glsl", "line": 3, "column": 4, "message": "it was written here",
          "workgroup": [1, 0, 0], "subgroup": 2, "lanes": "1"})");
  expected["access"] = nlohmann::json::parse(
      R"({"kind": "atomic", "unit": "byte", "index": 40, "size": 32,
          "object": {"kind": "buffer", "set": 1, "binding": 2, "element": 3, "name": "In"}})");
  CHECK(nlohmann::json(report::to_json(finding)) == expected);

  report::Findings findings;
  CHECK(report::to_json(findings).is_array());
  CHECK(report::to_json(findings).empty());
  findings.list.push_back(finding);
  CHECK(nlohmann::json(report::to_json(findings)) == nlohmann::json::array({expected}));

  // Of what is undefined the memory is known, and no access to it.
  finding.origin_message = "it is undefined";
  expected["origin"]["message"] = "it is undefined";
  expected.erase("access");
  CHECK(nlohmann::json(report::to_json(finding)) == expected);
}

TEST_CASE("findings are diagnostics as clang writes them") {
  Finding finding = finding_of(Check::data_race);
  finding.message = "it went wrong";
  finding.where = {"a.comp", 7, 3};
  finding.lanes = LaneSet::lane(3);
  CHECK(report::to_diagnostic(finding) ==
        "a.comp:7:3: error: it went wrong (workgroup (0, 0, 0), subgroup 0, lane 3) [data-race]\n");
  finding.severity = Severity::note;
  finding.where.column = 0;
  finding.origin = {"b.glsl", 9, 2};
  finding.origin_message = "undefined here";
  finding.lanes = LaneSet::first_n(2);
  finding.count = 9;
  finding.other = OtherEnd{{"c.glsl", 3}, "it was written here", {}, 0, {}};
  CHECK(report::to_diagnostic(finding) ==
        "a.comp:7: note: it went wrong (workgroup (0, 0, 0), subgroup 0, lanes 0-1, 9 times) "
        "[data-race]\nb.glsl:9:2: note: undefined here\nc.glsl:3: note: it was written here\n");
}

TEST_CASE("findings that are notes come after the errors that they belong to") {
  report::Findings findings;
  findings.list = {finding_of(Check::no_progress), finding_of(Check::data_race)};
  findings.list[0].severity = Severity::note;
  findings.list[0].message = "it waits";
  findings.list[1].message = "it races";
  const std::string text = report::to_diagnostics(findings);
  CHECK(text.find("error: it races") == 0);
  CHECK(text.find("note: it waits") != std::string::npos);
}

TEST_CASE("findings: a comment in the line allows a rule there") {
  const std::string path = "findings_allowed.comp";
  std::ofstream(path)
      << "a;\nb; // lockstep: allow data-race, no-progress\nc;  // lockstep: allow\n";
  const auto left = [&](int line, Check check, int other = 0) {
    FaultLog log;
    Finding finding = finding_of(check);
    finding.where = {path.c_str(), line};
    if (other > 0) finding.other = OtherEnd{{path.c_str(), other}, "", {}, 0, {}};
    log.record(finding);
    report::Findings findings;
    findings.add(log);
    CHECK(findings.more == 0);
    return findings.any_error();
  };
  CHECK(left(1, Check::data_race));
  CHECK_FALSE(left(2, Check::data_race));
  CHECK_FALSE(left(2, Check::no_progress));
  CHECK(left(2, Check::out_of_bounds));
  CHECK_FALSE(left(3, Check::out_of_bounds));
  CHECK_FALSE(left(1, Check::data_race, 2));
  CHECK(left(4, Check::data_race));
  std::remove(path.c_str());
}

TEST_CASE("findings: warnings are no errors, and what is only counted is one") {
  report::Findings findings;
  CHECK_FALSE(findings.any());
  findings.list.push_back(finding_of(Check::not_coherent));
  CHECK(findings.any());
  CHECK_FALSE(findings.any_error());
  FaultLog log;
  for (int line = 1; line <= static_cast<int>(FaultLog::most_kept) + 4; ++line) {
    Finding finding = finding_of(Check::not_coherent);
    finding.where = {"a.comp", line};
    log.record(finding);
  }
  findings.add(log);
  CHECK(findings.more == 4);
  CHECK(findings.any_error());
  CHECK_THAT(report::to_diagnostics(findings),
             Catch::EndsWith("error: 4 more findings in other places, which were not kept; fix "
                             "these and run again\n"));
}

namespace {

using Json = nlohmann::json;

/// What SARIF 2.1.0 requires of the objects that we write; the text says what is wrong.
std::string wrong_location(const Json& location) {
  const Json& physical = location.at("physicalLocation");
  const std::string uri = physical.at("artifactLocation").at("uri");
  if (uri.find(' ') != std::string::npos) return "a URI with a blank";
  if (uri.starts_with('/')) return "a relative reference that starts with a slash";
  if (physical.contains("region") && physical.at("region").at("startLine") < 1) return "line 0";
  return "";
}

}  // namespace

TEST_CASE("findings are SARIF") {
  report::Findings findings;
  findings.list.push_back(finding_of(Check::data_race));
  Finding finding = finding_of(Check::not_coherent);
  finding.message = "it went wrong";
  finding.where = {"my shader.comp", 7, 3};
  finding.origin = {"/home/me/b.glsl", 9};
  finding.other = OtherEnd{{"c.glsl", 3}, "it was written here", {}, 0, {}};
  findings.list.push_back(finding);
  const Json sarif = report::to_sarif(findings);
  CHECK(sarif.at("version") == "2.1.0");
  REQUIRE(sarif.at("runs").is_array());
  REQUIRE(sarif.at("runs").size() == 1);
  const Json& run = sarif.at("runs").at(0);
  const Json& driver = run.at("tool").at("driver");
  CHECK(driver.at("name") == "lockstep");
  CHECK(driver.at("rules").size() == all_checks().size());
  for (const Json& rule : driver.at("rules")) {
    CHECK(rule.at("id").is_string());
    CHECK(rule.at("shortDescription").at("text").is_string());
  }
  REQUIRE(run.at("results").size() == 2);
  const Json& unknown = run.at("results").at(0);
  CHECK(unknown.at("locations").empty());
  CHECK(unknown.at("level") == "error");
  const Json& result = run.at("results").at(1);
  CHECK(result.at("ruleId") == "not-coherent");
  CHECK(result.at("level") == "warning");
  CHECK(result.at("message").at("text") == "it went wrong");
  REQUIRE(result.at("locations").size() == 1);
  CHECK(wrong_location(result.at("locations").at(0)) == "");
  CHECK(result.at("locations").at(0).at("physicalLocation").at("region").at("startColumn") == 3);
  REQUIRE(result.at("relatedLocations").size() == 2);
  const Json& origin = result.at("relatedLocations").at(0).at("physicalLocation");
  CHECK(origin.at("artifactLocation").at("uri") == "file:///home/me/b.glsl");
  for (const Json& related : result.at("relatedLocations")) {
    CHECK(wrong_location(related) == "");
    CHECK(related.at("message").at("text").is_string());
  }
}
