#include <algorithm>
#include <cstdint>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/check/checker.hpp>
#include <lockstep/exec/event.hpp>
#include <lockstep/spirv/shader.hpp>

/// \file
/// Which built-ins of shaders checks and other observers that ask for no values are told, and with which operands.

namespace {

using namespace lockstep;

/// A rule needs the operands of the built-ins in lines marked so.
const std::string source = R"(#version 450
#extension GL_KHR_shader_subgroup_basic : enable
#extension GL_KHR_shader_subgroup_vote : enable
#extension GL_KHR_shader_subgroup_arithmetic : enable
#extension GL_KHR_shader_subgroup_ballot : enable
#extension GL_KHR_shader_subgroup_shuffle : enable
#extension GL_KHR_shader_subgroup_clustered : enable
#extension GL_KHR_shader_subgroup_quad : enable
layout(local_size_x = 32) in;
layout(binding = 0) buffer Ballots { uvec4 ballots[2]; };
layout(binding = 1) buffer Sums { uint sums[]; };
void main() {
  uint lane = gl_SubgroupInvocationID;
  uint sum = subgroupAdd(lane);
  uvec4 loaded = ballots[0];
  uvec4 mine = subgroupBallot(lane % 3 == 0);
  sum += subgroupBallotBitCount(mine);
  sum += subgroupBallotFindLSB(mine);
  sum += subgroupBallotFindMSB(mine & loaded);
  sum += subgroupBallotExclusiveBitCount(mine | loaded); // judged
  sum += subgroupBallotBitCount(loaded); // judged
  sum += subgroupBallotInclusiveBitCount(mine.yxzw); // judged
  sum += subgroupBallotBitCount(mine << 1); // judged
  sum += subgroupBallotBitCount(gl_SubgroupLtMask); // judged
  uvec4 chosen = uvec4(0);
  uvec4 mixed = uvec4(0);
  for (uint k = 0; k < lane % 4; ++k) {
    chosen = lane > 6 ? subgroupBallot(k > 1) : mine;
    mixed = mixed ^ (k == 2 ? loaded : mine);
  }
  sum += subgroupBallotBitCount(chosen);
  sum += subgroupBallotBitCount(mixed); // judged
  sum += subgroupBallotBitCount(uvec4(7, 0, 0, 0)); // judged
  sum += subgroupBallotBitCount(uvec4(0));
  sum += subgroupInverseBallot(mine) ? 1 : 0; // judged
  sum += subgroupBallotBitExtract(loaded, 3) ? 1 : 0;
  sum += subgroupBroadcast(lane, 5); // judged
  sum += subgroupBroadcastFirst(lane);
  sum += subgroupShuffleXor(lane, 1);
  sum += subgroupClusteredAdd(lane, 4); // judged
  sum += subgroupQuadSwapHorizontal(lane); // judged
  sum += subgroupAny(lane == 3) ? 1 : 0;
  if (subgroupElect()) sums[0] = sum;
}
)";

/// Keeps the built-ins that it is told.
template <class Base>
struct Keeping : Base {
  using Base::Base;
  void on(const Event& event) override {
    if (event.kind == Event::Kind::built_in) events.push_back(event);
  }
  std::vector<Event> events;
};
struct Asking : Observer {
  explicit Asking(bool asks_values) : values(asks_values) {}
  Interest interest() const override { return {{Event::Kind::built_in}, values}; }
  bool values;
};

template <class Base>
std::vector<Event> told(Keeping<Base>&& observer, Rule rule) {
  const Convergence convergence{.rule = rule, .observer = &observer};
  std::vector<std::uint32_t> ballots(8, 0x0f0f0f0f), sums(1);
  auto shader = Shader::from_glsl(source, {}, "judged.comp");
  shader.bind(0, ballots)
      .bind(1, sums)
      .dispatch({1}, {.subgroup_size = 32, .convergence = &convergence});
  return observer.events;
}

std::set<int> judged_lines() {
  std::set<int> lines;
  std::istringstream text(source);
  int number = 0;
  for (std::string line; std::getline(text, line);) {
    ++number;
    if (line.ends_with("// judged")) lines.insert(number);
  }
  return lines;
}
std::set<int> lines_of(const std::vector<Event>& events) {
  std::set<int> lines;
  for (const Event& event : events) lines.insert(event.where.line);
  return lines;
}

}  // namespace

TEST_CASE("checks are told of the built-ins alone whose operands a rule needs") {
  for (const Rule rule : {Rule::maximal, Rule::core}) {
    INFO(to_string(rule));
    const auto full = told(Keeping<Asking>(true), rule);
    const auto judged = told(Keeping<Checker>(Checks::all(), 32), rule);
    CHECK(lines_of(judged) == judged_lines());
    std::vector<Event> expected;
    std::ranges::copy_if(full, std::back_inserter(expected), [](const Event& event) {
      return judged_lines().contains(event.where.line);
    });
    REQUIRE(judged.size() == expected.size());
    for (std::size_t k = 0; k < judged.size(); ++k) {
      INFO(to_string(expected[k]));
      CHECK(judged[k].name == expected[k].name);
      CHECK(judged[k].tangles == expected[k].tangles);
      CHECK(judged[k].operands == expected[k].operands);
    }
  }
}

TEST_CASE("other observers that ask for no values are told of all built-ins") {
  const auto full = told(Keeping<Asking>(true), Rule::maximal);
  const auto bare = told(Keeping<Asking>(false), Rule::maximal);
  REQUIRE(bare.size() == full.size());
  for (std::size_t k = 0; k < bare.size(); ++k) {
    INFO(to_string(full[k]));
    CHECK(bare[k].name == full[k].name);
    CHECK(bare[k].tangles == full[k].tangles);
    const bool is_judged = judged_lines().contains(full[k].where.line);
    // Of ballots they may get more.
    const bool is_of_ballot = full[k].name.starts_with("subgroupBallot");
    CHECK(((bare[k].operands.empty() && !is_judged) ||
           (bare[k].operands == full[k].operands && (is_judged || is_of_ballot))));
  }
}
