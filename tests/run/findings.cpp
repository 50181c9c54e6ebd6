#include "run/findings.hpp"

#include <nlohmann/json.hpp>

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
          "file": "a.comp", "line": 7, "workgroup": [1, 2, 3], "subgroup": 4, "lanes": [3, 70],
          "count": 5})");
  CHECK(nlohmann::json(lockstep::run::to_json(finding)) == expected);

  finding.origin = {"b.glsl", 9};
  finding.access = {AccessKind::atomic,
                    {MemoryObject::Kind::buffer, 1, 2, 3, "In"},
                    LaneAccess::Unit::byte,
                    40,
                    32};
  expected["origin"] = nlohmann::json::parse(R"({"file": "b.glsl", "line": 9})");
  expected["access"] = nlohmann::json::parse(
      R"({"kind": "atomic", "unit": "byte", "index": 40, "size": 32,
          "object": {"kind": "buffer", "set": 1, "binding": 2, "element": 3, "name": "In"}})");
  CHECK(nlohmann::json(lockstep::run::to_json(finding)) == expected);

  FaultLog log;
  CHECK(lockstep::run::to_json(log).empty());
  CHECK(lockstep::run::to_json(log).is_array());
  log.record(finding);
  CHECK(nlohmann::json(lockstep::run::to_json(log)) == nlohmann::json::array({expected}));
}
