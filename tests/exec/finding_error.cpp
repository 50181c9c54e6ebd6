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
