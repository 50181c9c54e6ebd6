#include <lockstep/exec/finding_error.hpp>

#include <string>

#include <catch2/catch.hpp>

#include <lockstep/exec/checks.hpp>

using namespace lockstep;

TEST_CASE("the text of a finding that ends a run is its place and message") {
  Finding finding = finding_of(Check::no_progress);
  finding.where = {"a.comp", 7};
  finding.message = "it waits";
  const FindingError error(finding);
  CHECK(std::string(error.what()) == "a.comp:7: it waits");
  CHECK(error.finding().rule == "no-progress");
}

TEST_CASE("a finding that ends a run has what was found before, workgroup by workgroup") {
  FindingError error(finding_of(Check::no_progress));
  CHECK(error.earlier().count() == 0);
  for (const std::uint32_t workgroup : {2u, 0u, 1u}) {
    Finding finding = finding_of(Check::out_of_bounds);
    finding.where = {"a.comp", static_cast<int>(workgroup) + 10};
    finding.workgroup = {workgroup, 0, 0};
    FaultLog log;
    log.record(finding);
    error.add_earlier(log);
  }
  REQUIRE(error.earlier().findings().size() == 3);
  CHECK(error.earlier().count() == 3);
  for (std::size_t k = 0; k < 3; ++k)
    CHECK(error.earlier().findings()[k].where.line == static_cast<int>(k) + 10);
}
