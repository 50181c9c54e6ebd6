#include "amber/junit.hpp"

#include <catch2/catch.hpp>
#include <vector>

using namespace lockstep::amber;

TEST_CASE("outcomes become cases of one suite") {
  const std::vector<Outcome> outcomes{
      {"a.amber", Verdict::passed, "", {}, 0.5},
      {"b&<c>.amber", Verdict::failed, "expected \"1\", got 2\x01\n", {}, 0.25},
      {"d.amber", Verdict::skipped, "no", {}, 0},
      {"e.amber", Verdict::error, "e.amber:3: bad", {}, 0}};
  const std::string numbers =
      "tests=\"4\" failures=\"1\" errors=\"1\" skipped=\"1\" time=\"0.750\"";
  CHECK(junit(outcomes) ==
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites " + numbers +
            ">\n  <testsuite name=\"lockstep\" " + numbers +
            ">\n"
            "    <testcase classname=\"amber\" name=\"a.amber\" time=\"0.500\"/>\n"
            "    <testcase classname=\"amber\" name=\"b&amp;&lt;c&gt;.amber\" time=\"0.250\">\n"
            "      <failure message=\"expected &quot;1&quot;, got 2?&#10;\"/>\n    </testcase>\n"
            "    <testcase classname=\"amber\" name=\"d.amber\" time=\"0.000\">\n"
            "      <skipped message=\"no\"/>\n    </testcase>\n"
            "    <testcase classname=\"amber\" name=\"e.amber\" time=\"0.000\">\n"
            "      <error message=\"e.amber:3: bad\"/>\n    </testcase>\n"
            "  </testsuite>\n</testsuites>\n");
}
