#include "explain/rows.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <string>
#include <vector>

#include <lockstep/exec/checks.hpp>

namespace {

using namespace lockstep;
using namespace lockstep::explain;

TEST_CASE("every built-in has a signature, a meaning and a mistake to avoid") {
  std::size_t functions = 0;
  for (const Row& row : rows()) {
    INFO(row.name());
    CHECK(signature(row).find(row.name()) != std::string::npos);
    CHECK(meaning(row).ends_with("."));
    CHECK(meaning(row).find("the  of") == std::string::npos);
    CHECK_FALSE(mistakes(row).empty());
    CHECK((signature(row).find("T ") == std::string::npos || !types_of_value(row).empty()));
    functions += row.kind == Row::Kind::function ? 1 : 0;
  }
  CHECK(functions == spec::functions().size());
  CHECK(rows().size() == functions + spec::variables().size() + spec::barriers().size());
}

TEST_CASE("the rules that mistakes name exist") {
  std::set<std::string_view> rules;
  for (const CheckInfo& info : all_checks()) rules.insert(info.name);
  for (const Row& row : rows())
    for (const Mistake& mistake : mistakes(row)) {
      INFO(row.name() << ": " << mistake.rule);
      CHECK((mistake.rule.empty() || rules.count(mistake.rule) == 1));
    }
}

TEST_CASE("signatures are GLSL's") {
  const auto of = [](const char* name) { return signature(*find_row(name)); };
  CHECK(of("subgroupElect") == "bool subgroupElect()");
  CHECK(of("subgroupAll") == "bool subgroupAll(bool value)");
  CHECK(of("subgroupAllEqual") == "bool subgroupAllEqual(T value)");
  CHECK(of("subgroupBallot") == "uvec4 subgroupBallot(bool value)");
  CHECK(of("ballotARB") == "uint64_t ballotARB(bool value)");
  CHECK(of("subgroupInverseBallot") == "bool subgroupInverseBallot(uvec4 value)");
  CHECK(of("subgroupBallotBitCount") == "uint subgroupBallotBitCount(uvec4 value)");
  CHECK(of("subgroupShuffleXor") == "T subgroupShuffleXor(T value, uint mask)");
  CHECK(of("subgroupRotate") == "T subgroupRotate(T value, uint delta)");
  CHECK(of("subgroupClusteredRotate") ==
        "T subgroupClusteredRotate(T value, uint delta, uint clusterSize)");
  CHECK(of("subgroupPartitionNV") == "uvec4 subgroupPartitionNV(T value)");
  CHECK(of("gl_SubgroupLtMask") == "uvec4 gl_SubgroupLtMask");
  CHECK(of("subgroupBarrier") == "void subgroupBarrier()");
}

TEST_CASE("built-ins are found by their names in other languages") {
  const auto found = [](const char* name) {
    std::string names;
    for (const Row* row : rows_named_elsewhere(name)) names += std::string(row->name()) + " ";
    return names;
  };
  CHECK(found("WaveActiveSum") == "subgroupAdd ");
  CHECK(found("__ballot_sync") == "subgroupBallot ");
  CHECK(found("simd_prefix_exclusive_sum") == "subgroupExclusiveAdd ");
  CHECK(found("quadSwapX") == "subgroupQuadSwapHorizontal ");
  CHECK(found("WaveReadLaneAt") == "subgroupBroadcast subgroupShuffle ");
  CHECK(found("nothing") == "");
}

TEST_CASE("unknown names get the nearest ones") {
  std::vector<std::string> names;
  for (const Row& row : rows()) names.emplace_back(row.name());
  CHECK(nearest("subgroupBalot", names).front() == "subgroupBallot");
  CHECK(nearest("shufle", names).front() == "subgroupShuffle");
  CHECK(nearest("SUBGROUPADD", names).front() == "subgroupAdd");
  CHECK(nearest("exclusiveadd", names).front() == "subgroupExclusiveAdd");
  CHECK(nearest("xyzzy plugh", names).empty());
}

}  // namespace
