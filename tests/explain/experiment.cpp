#include "explain/experiment.hpp"

#include <catch2/catch.hpp>
#include <string>

#include <lockstep/exec/error.hpp>
#include <lockstep/exec/event.hpp>

namespace {

using namespace lockstep;
using namespace lockstep::explain;
using Catch::Contains;

TEST_CASE("lanes are named in several ways") {
  const auto lanes = [](const char* text) { return to_string(parse_lanes(text, 64)); };
  CHECK(lanes("all") == "0-63");
  CHECK(lanes("none") == "none");
  CHECK(lanes("first:3") == "0-2");
  CHECK(lanes("0-2,7,40-41") == "0-2,7,40-41");
  CHECK(lanes("0x8000000000000005") == "0,2,63");
  CHECK(lanes("0b1101") == "0,2-3");
  CHECK(to_string(parse_lanes("odd", 6)) == "1,3,5");
  CHECK(to_string(parse_lanes("even", 6)) == "0,2,4");
  CHECK(parse_lanes("0x80000000000000000000000000000000", 128) == LaneSet::lane(127));
}

TEST_CASE("what names no lanes is an error") {
  for (const char* text :
       {"", "x", "3-1", "1,,2", "0x", "0xg", "0b2", "first:", "first:x", "-1", "1-"}) {
    INFO(text);
    CHECK_THROWS_WITH(parse_lanes(text, 8), Contains("names no lanes"));
  }
  CHECK_THROWS_WITH(parse_lanes("0-8", 8),
                    "'0-8' names lane 8, but a subgroup of size 8 has lanes 0 to 7");
  CHECK_THROWS_WITH(parse_lanes("first:9", 8), Contains("names lane 8"));
}

TEST_CASE("arguments that a built-in does not take are errors") {
  const auto make = [](const char* name, Arguments arguments) {
    Experiment experiment(*find_row(name), 8, arguments);
  };
  CHECK_THROWS_WITH(make("subgroupAnd", {{"1.5"}, {}, {}}),
                    Contains("subgroupAnd takes int, uint, bool"));
  CHECK_THROWS_WITH(make("subgroupAdd", {{"true"}, {}, {}}), Contains("subgroupAdd takes float"));
  CHECK_THROWS_WITH(make("subgroupAdd", {{"one"}, {}, {}}), Contains("'one': is not a number"));
  CHECK_THROWS_WITH(make("subgroupAdd", {{"4294967296"}, {}, {}}),
                    Contains("is not a uint of 32 bits"));
  CHECK_THROWS_WITH(make("subgroupAdd", {{}, {"1"}, {}}), Contains("no second argument"));
  CHECK_THROWS_WITH(make("subgroupAdd", {{}, {}, 4u}), Contains("no cluster size"));
  CHECK_THROWS_WITH(make("subgroupElect", {{"1"}, {}, {}}), Contains("takes no value"));
  CHECK_THROWS_WITH(make("subgroupAll", {{"2"}, {}, {}}), Contains("is not true or false"));
  CHECK_THROWS_WITH(make("subgroupClusteredAdd", {{}, {}, 3u}), Contains("not a power of two"));
  CHECK_THROWS_WITH(make("subgroupShuffle", {{}, {"-1"}, {}}), Contains("is not a uint"));
  CHECK_THROWS_WITH(make("subgroupBarrier", {}), Contains("gives no values"));
}

TEST_CASE("no active lane: no result, and nothing undefined") {
  Experiment experiment(*find_row("subgroupShuffleUp"), 8);
  const Answer answer = experiment.run({});
  CHECK(answer.undefined == LaneSet{});
  CHECK(answer.reasons.empty());
}

}  // namespace
