#include <algorithm>
#include <catch2/catch.hpp>
#include <sstream>
#include <string>

#include <nlohmann/json.hpp>

#include "cli/run_program.hpp"

TEST_CASE("explain shows a built-in") {
  const Outcome outcome = run_program("explain subgroupInclusiveAdd --active 0-2,7 --values 1,2,3");
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err.empty());
  for (const char* part :
       {"T subgroupInclusiveAdd(T value)\n", "  subgroup size 8, active lanes 0-2,7\n",
        "  result      1  3  6  .  .  .  .  8\n", "  Lane 7: 1 + 2 + 3 + 2 = 8\n",
        "  OpGroupNonUniformIAdd (349), InclusiveScan\n", "  HLSL   WavePrefixSum(v) + v\n"}) {
    INFO(part);
    CHECK(contains(outcome.out, part));
  }
  CHECK_FALSE(contains(outcome.out, "\x1b["));
  CHECK(contains(run_program("explain subgroupAdd --color always").out, "\x1b["));
}

TEST_CASE("explain says what is undefined, and by which rule") {
  const Outcome outcome = run_program("explain subgroupShuffleDown --size 4 --active 0,1,3");
  CHECK(contains(outcome.out, "  from lane   1  ?  .  ?\n"));
  CHECK(contains(outcome.out, "Here in lane 1: "));
  CHECK(contains(outcome.out, "[undefined-shuffle]"));
  CHECK(contains(outcome.out, "[shuffle-past-edge]"));
}

TEST_CASE("explain alone lists built-ins and topics") {
  const Outcome outcome = run_program("explain");
  CHECK(outcome.exit_code == 0);
  for (const char* name :
       {"subgroupElect", "gl_SubgroupLtMask", "subgroupPartitionedExclusiveXorNV", "ballotARB",
        "reconvergence", "float-order"})
    CHECK(contains(outcome.out, name));
  std::istringstream lines(outcome.out);
  for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 80);
  const auto listed = nlohmann::json::parse(run_program("explain --json").out);
  CHECK(listed["topics"].size() == 6);
}

TEST_CASE("explain knows other languages' names, and names that are nearly right") {
  CHECK(contains(run_program("explain WaveActiveSum").out, "WaveActiveSum in GLSL: subgroupAdd\n"));
  check_error("explain subgroupBalot", 2,
              "'subgroupBalot' is neither a built-in nor a topic; the nearest: subgroupBallot, "
              "subgroupAll, subgroupElect, subgroupAny");
  check_error("explain xyzzyplugh", 2,
              "'xyzzyplugh' is neither a built-in nor a topic; lockstep explain lists them");
  check_error("explain WaveReadLaneAt", 2,
              "'WaveReadLaneAt' is, depending on how it is used, one of: subgroupBroadcast, "
              "subgroupShuffle");
}

TEST_CASE("explain --brief prints the lanes, and what is undefined in them") {
  const std::string name = "explain subgroupShuffleDown --size 4 --active 0,1,3";
  const std::string all = run_program(name).out, brief = run_program(name + " --brief").out;
  CHECK(brief.starts_with("  subgroup size 4, active lanes 0-1,3\n"));
  CHECK(brief.ends_with("[shuffle-past-edge].\n"));
  CHECK(contains(all, brief));
  CHECK(run_program("explain subgroupShuffle --size 2 --active all --brief").out ==
        "  subgroup size 2, active lanes 0-1\n\n"
        "  lane        0  1\n  value      10 11\n  id          1  0\n  from lane   1  0\n"
        "  result     11 10\n");
  check_error("explain subgroupAdd --brief --json", 2,
              "--brief is for text: remove it, or --json, --glsl and -o");
  check_error("explain tangles --brief", 2, "--brief does not apply to a topic; remove it");
}

TEST_CASE("explain refuses what has no effect, and what it cannot read") {
  check_error("explain tangles --active all", 2, "--active does not apply to a topic; remove it");
  check_error("explain subgroupBarrier -o a.svg", 2,
              "-o does not apply to subgroupBarrier, which gives no values; remove it");
  check_error("explain --glsl", 2, "--glsl does not apply to the list; remove it");
  check_error("explain subgroupBarrier --values 1", 2,
              "--values does not apply to subgroupBarrier, which gives no values; remove it");
  check_error("explain subgroupAdd --active 9", 2,
              "'9' names lane 9, but a subgroup of size 8 has lanes 0 to 7");
  check_error("explain subgroupAdd -o picture.png", 2,
              "-o picture.png: figures are written as SVG; choose a name that ends with .svg");
}

TEST_CASE("explain writes a figure, and prints the shader that ran") {
  const Directory directory;
  const std::string svg = directory / "scan.svg";
  CHECK(run_program("explain subgroupInclusiveAdd -o " + svg).out == "wrote " + svg + "\n");
  CHECK(contains(contents_of(svg), ">81</text>"));
  CHECK(run_program("explain sizes -o " + svg).out == "wrote " + svg + "\n");
  CHECK(contains(contents_of(svg), ">  gl_NumSubgroups           128  64  32  16  8   4   2   1"));
  CHECK(contains(run_program("explain subgroupInclusiveAdd --glsl").out,
                 "result[i] = uvec4(subgroupInclusiveAdd(value[i].x), 0u, 0u, 0u);"));
}

TEST_CASE("explain as JSON") {
  const auto elect =
      nlohmann::json::parse(run_program("explain subgroupElect --size 4 --active 1,3 --json").out);
  CHECK(elect["name"] == "subgroupElect");
  CHECK(elect["run"]["result"].dump() == "[null,true,null,false]");
  const auto topic = nlohmann::json::parse(run_program("explain tangles --json").out);
  CHECK(topic["name"] == "tangles");
}
