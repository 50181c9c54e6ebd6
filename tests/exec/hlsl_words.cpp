#include "runtime/exec/hlsl_words.hpp"

#include <catch2/catch.hpp>

#include <lockstep/exec/checks.hpp>
#include <lockstep/exec/fault_log.hpp>

using namespace lockstep;

TEST_CASE("the names of built-ins become those of HLSL") {
  CHECK(in_words_of_hlsl("use subgroupShuffle") == "use WaveReadLaneAt");
  CHECK(in_words_of_hlsl("subgroupBallotBitCount(subgroupBallot(true)) or gl_SubgroupSize") ==
        "WaveActiveCountBits(true) or WaveGetLaneCount()");
  CHECK(in_words_of_hlsl("subgroupElect(), barrier()") ==
        "WaveIsFirstLane(), GroupMemoryBarrierWithGroupSync()");
  // Words that only begin or end like one.
  CHECK(in_words_of_hlsl("subgroupShuffleUp mysubgroupAdd subgroupAddX memoryBarrier()") ==
        "subgroupShuffleUp mysubgroupAdd subgroupAddX memoryBarrier()");
  CHECK(in_words_of_hlsl("") == "");
}

TEST_CASE("findings in HLSL have its names") {
  CHECK(is_hlsl_file("a/b.hlsl"));
  CHECK(is_hlsl_file("b.hlsli"));
  CHECK_FALSE(is_hlsl_file("hlsl.comp"));
  FaultLog log;
  Finding finding = finding_of(Check::undefined_shuffle);
  finding.message = "subgroupShuffle reads";
  finding.origin_message = "subgroupElect() chose";
  finding.where = {"a.hlsl", 3, 0};
  log.record(finding);
  finding.where = {"a.comp", 3, 0};
  log.record(finding);
  CHECK(log.findings()[0].message == "WaveReadLaneAt reads");
  CHECK(log.findings()[0].origin_message == "WaveIsFirstLane() chose");
  CHECK(log.findings()[1].message == "subgroupShuffle reads");
  CHECK(log.findings()[1].origin_message == "subgroupElect() chose");
}
