#include "explain/experiment.hpp"

#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

/// \file
/// What each lane gets from every built-in, against loops over lanes.

namespace {

using namespace lockstep;
using namespace lockstep::explain;

/// A set of lanes as plain numbers.
using Lanes = std::vector<int>;

struct Call {
  std::string name;
  int size = 0;
  std::vector<bool> active;
  std::vector<std::uint32_t> value, second;  ///< numbers
  std::vector<std::set<int>> ballot;         ///< of a ballot argument, for each lane
  int cluster = 0;
};

/// One lane's result: undefined if there is none.
struct Expected {
  std::optional<std::uint32_t> number;
  std::optional<std::set<int>> ballot;
  std::optional<std::set<int>> sources;
};

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

std::uint32_t combined(const std::string& name, const Call& call, const Lanes& lanes) {
  const auto is = [&](const char* op) { return has(name, op); };
  std::uint32_t result = is("Mul") ? 1 : is("Min") || is("And") ? 0xffffffffu : 0;
  for (const int lane : lanes) {
    const std::uint32_t v = call.value[static_cast<std::size_t>(lane)];
    if (is("Add"))
      result = result + v;
    else if (is("Mul"))
      result = result * v;
    else if (is("Min"))
      result = v < result ? v : result;
    else if (is("Max"))
      result = v > result ? v : result;
    else if (is("And"))
      result = result & v;
    else if (is("Xor"))
      result = result ^ v;
    else
      result = result | v;
  }
  return result;
}

bool is_combining(const std::string& name) {
  if (name == "subgroupShuffleXor") return false;
  for (const char* op : {"Add", "Mul", "Min", "Max", "And", "Xor"})
    if (has(name, op)) return true;
  return name.ends_with("Or") || name.ends_with("OrNV");
}

/// The lane that a result is moved from; none if there is no such lane.
std::optional<int> source_of(const Call& call, int lane) {
  const std::string& name = call.name;
  const int second =
      call.second.empty() ? 0 : static_cast<int>(call.second[static_cast<std::size_t>(lane)]);
  int from = -1;
  if (name == "subgroupBroadcast" || name == "readInvocationARB" || name == "subgroupShuffle")
    from = second;
  if (name == "subgroupShuffleXor") from = lane ^ second;
  if (name == "subgroupShuffleUp") from = lane - second;
  if (name == "subgroupShuffleDown") from = lane + second;
  if (name == "subgroupRotate") from = (lane + second) % call.size;
  if (name == "subgroupClusteredRotate")
    from = lane / call.cluster * call.cluster + (lane + second) % call.cluster;
  if (name == "subgroupQuadBroadcast") from = lane / 4 * 4 + second;
  if (name == "subgroupQuadSwapHorizontal") from = lane / 4 * 4 + (lane % 4 ^ 1);
  if (name == "subgroupQuadSwapVertical") from = lane / 4 * 4 + (lane % 4 ^ 2);
  if (name == "subgroupQuadSwapDiagonal") from = lane / 4 * 4 + (lane % 4 ^ 3);
  if (name == "subgroupBroadcastFirst" || name == "readFirstInvocationARB") {
    for (from = 0; !call.active[static_cast<std::size_t>(from)];) ++from;
  }
  if (from < 0 || from >= call.size || !call.active[static_cast<std::size_t>(from)])
    return std::nullopt;
  return from;
}

/// The lanes that are combined for a lane.
Lanes lanes_for(const Call& call, int lane) {
  Lanes lanes;
  for (int other = 0; other < call.size; ++other) {
    if (!call.active[static_cast<std::size_t>(other)]) continue;
    if (has(call.name, "Inclusive") && other > lane) continue;
    if (has(call.name, "Exclusive") && other >= lane) continue;
    if (call.cluster > 0 && other / call.cluster != lane / call.cluster) continue;
    if (has(call.name, "Quad") && other / 4 != lane / 4) continue;
    if (has(call.name, "Partitioned") &&
        call.ballot[static_cast<std::size_t>(lane)].count(other) == 0)
      continue;
    lanes.push_back(other);
  }
  return lanes;
}

bool is_power_of_two(int n) { return n > 0 && (n & (n - 1)) == 0; }

Expected expected(const Call& call, int lane) {
  const std::string& name = call.name;
  const Lanes lanes = lanes_for(call, lane);
  const std::set<int> all(lanes.begin(), lanes.end());
  const auto value = [&](int other) { return call.value[static_cast<std::size_t>(other)]; };
  if (call.cluster > 0 && (!is_power_of_two(call.cluster) || call.cluster > call.size)) return {};
  if (has(name, "Quad") && call.size < 4) return {};
  if (is_combining(name)) return {combined(name, call, lanes), std::nullopt, all};

  const auto vote = [&](bool holds) { return Expected{holds ? 1u : 0u, std::nullopt, all}; };
  const auto is_true = [&](int other) { return value(other) != 0; };
  if (name == "subgroupElect") return vote(lane == lanes.front());
  if (name == "subgroupAll" || name.starts_with("allInvocations") || name == "subgroupQuadAll") {
    if (!name.starts_with("allInvocationsEqual")) return vote(std::ranges::all_of(lanes, is_true));
  }
  if (name == "subgroupAny" || name.starts_with("anyInvocation") || name == "subgroupQuadAny")
    return vote(std::ranges::any_of(lanes, is_true));
  if (name == "subgroupAllEqual" || name.starts_with("allInvocationsEqual"))
    return vote(std::ranges::all_of(lanes, [&](int k) { return value(k) == value(lanes[0]); }));
  if (name == "subgroupBallot" || name == "ballotARB") {
    std::set<int> set;
    for (const int k : lanes)
      if (is_true(k) && (name == "subgroupBallot" || k < 64)) set.insert(k);
    return {std::nullopt, set, all};
  }
  if (name == "subgroupPartitionNV") {
    std::set<int> set;
    for (const int k : lanes)
      if (value(k) == value(lane)) set.insert(k);
    return {std::nullopt, set, set};
  }
  if (name.starts_with("subgroupBallot") || name == "subgroupInverseBallot") {
    const std::set<int>& bits = call.ballot[static_cast<std::size_t>(lane)];
    std::set<int> seen;
    for (const int bit : bits) {
      if (bit >= call.size) continue;
      if (has(name, "Inclusive") && bit > lane) continue;
      if (has(name, "Exclusive") && bit >= lane) continue;
      if (name == "subgroupInverseBallot" && bit != lane) continue;
      seen.insert(bit);
    }
    const auto count = static_cast<std::uint32_t>(seen.size());
    if (has(name, "BitCount")) return {count, std::nullopt, seen};
    if (name == "subgroupInverseBallot") return {count, std::nullopt, seen};
    if (name == "subgroupBallotBitExtract") {
      const auto bit = static_cast<int>(call.second[static_cast<std::size_t>(lane)]);
      if (bit >= call.size) return {};
      return {bits.count(bit) != 0 ? 1u : 0u, std::nullopt, std::nullopt};
    }
    if (seen.empty()) return {};
    return {static_cast<std::uint32_t>(name.ends_with("LSB") ? *seen.begin() : *seen.rbegin()),
            std::nullopt, seen};
  }
  if (name == "gl_SubgroupSize") return {static_cast<std::uint32_t>(call.size), {}, {}};
  if (name == "gl_SubgroupInvocationID") return {static_cast<std::uint32_t>(lane), {}, {}};
  if (name == "gl_NumSubgroups") return {1u, {}, {}};
  if (name == "gl_SubgroupID") return {0u, {}, {}};
  if (name.starts_with("gl_Subgroup")) {
    std::set<int> set;
    for (int k = 0; k < call.size; ++k) {
      const bool in = has(name, "Eq")   ? k == lane
                      : has(name, "Ge") ? k >= lane
                      : has(name, "Gt") ? k > lane
                      : has(name, "Le") ? k <= lane
                                        : k < lane;
      if (in) set.insert(k);
    }
    return {std::nullopt, set, std::nullopt};
  }
  const std::optional<int> from = source_of(call, lane);
  if (!from) return {};
  return {value(*from), std::nullopt, std::set<int>{*from}};
}

std::set<int> to_set(LaneSet lanes) {
  std::set<int> set;
  for_each_lane(lanes, [&](int lane) { set.insert(lane); });
  return set;
}

Call call_of(const Row& row, const Answer& answer) {
  Call call{std::string(row.name()), answer.size, {}, {}, {}, {}, static_cast<int>(answer.cluster)};
  for (int lane = 0; lane < answer.size; ++lane) call.active.push_back(answer.active.test(lane));
  for (std::size_t k = 0; k < answer.arguments.size(); ++k) {
    const Column& column = answer.arguments[k];
    for (const Words& words : column.lanes) {
      if (column.kind == Kind::ballot)
        call.ballot.push_back(to_set(to_lanes(words)));
      else
        (k == 0 ? call.value : call.second).push_back(words[0]);
    }
  }
  return call;
}

/// What differs, or nothing.
std::string difference(const Row& row, const Answer& answer) {
  const Call call = call_of(row, answer);
  for (int lane = 0; lane < answer.size; ++lane) {
    const auto at = static_cast<std::size_t>(lane);
    if (!call.active[at]) {
      if (answer.undefined.test(lane)) return fmt::format("lane {} is not active", lane);
      continue;
    }
    const Expected wanted = expected(call, lane);
    const bool defined = wanted.number || wanted.ballot;
    if (answer.undefined.test(lane) == defined)
      return fmt::format("lane {}: defined is {}", lane, defined);
    if (!defined) continue;
    if (wanted.number && answer.result.lanes[at][0] != *wanted.number)
      return fmt::format("lane {}: {} instead of {}", lane, answer.result.lanes[at][0],
                         *wanted.number);
    if (wanted.ballot && to_set(to_lanes(answer.result.lanes[at])) != *wanted.ballot)
      return fmt::format("lane {}: another ballot", lane);
    if (wanted.sources && to_set(answer.sources[at]) != *wanted.sources)
      return fmt::format("lane {}: other sources", lane);
  }
  return {};
}

std::vector<LaneSet> masks(int size) {
  std::vector<LaneSet> all{LaneSet::first_n(size), usual_lanes(size), LaneSet::lane(0),
                           LaneSet::lane(size - 1), LaneSet::first_n((size + 1) / 2)};
  for (const char* text : {"even", "odd"}) all.push_back(parse_lanes(text, size));
  LaneSet some;
  std::uint32_t seed = 12345;
  for (int lane = 0; lane < size; ++lane) {
    seed = seed * 1664525u + 1013904223u;
    if (seed >> 31 != 0) some = some | LaneSet::lane(lane);
  }
  all.push_back(some);
  return all;
}

void check(const Row& row, int size, const Arguments& arguments) {
  Experiment experiment(row, size, arguments);
  for (const LaneSet active : masks(size)) {
    if (!active.any_lane()) continue;
    INFO(row.name() << " at size " << size << ", active " << to_string(active));
    CHECK(difference(row, experiment.run(active)) == "");
  }
}

TEST_CASE("explain shows what plain loops give, for every built-in at every size") {
  for (const Row& row : rows()) {
    if (row.kind == Row::Kind::barrier) continue;
    for (const int size : {1, 2, 4, 8, 32, 64, 128}) check(row, size, {});
  }
}

TEST_CASE("explain shows what plain loops give for given arguments") {
  const auto with = [](const char* name, Arguments arguments) {
    INFO(name);
    const Row* row = find_row(name);
    REQUIRE(row != nullptr);
    for (const int size : {4, 8, 32}) check(*row, size, arguments);
  };
  with("subgroupShuffle", {{"5", "6", "7"}, {"3", "0", "77", "2"}, {}});
  with("subgroupShuffleUp", {{"5", "6", "7"}, {"3", "0", "1"}, {}});
  with("subgroupShuffleDown", {{"5", "6", "7"}, {"1", "4"}, {}});
  with("subgroupShuffleXor", {{"5", "6", "7"}, {"9"}, {}});
  with("subgroupRotate", {{"5", "6", "7"}, {"3"}, {}});
  with("subgroupBroadcast", {{"5", "6", "7"}, {"2"}, {}});
  with("subgroupQuadBroadcast", {{"5", "6", "7"}, {"2"}, {}});
  with("subgroupClusteredAdd", {{"5", "6", "7"}, {}, 2u});
  with("subgroupClusteredRotate", {{"5", "6", "7"}, {"1"}, 2u});
  with("subgroupClusteredMax", {{"5", "6", "7"}, {}, 16u});
  with("subgroupBallotFindLSB", {{"none", "0x6"}, {}, {}});
  with("subgroupBallotBitExtract", {{"0x6"}, {"1", "40"}, {}});
  with("subgroupAll", {{"true"}, {}, {}});
  with("subgroupAny", {{"false"}, {}, {}});
  with("subgroupAllEqual", {{"7", "8"}, {}, {}});
}

TEST_CASE("explain takes negative numbers and floats") {
  Experiment sums(*find_row("subgroupInclusiveAdd"), 4, {{"-1", "5"}, {}, {}});
  const Answer signed_sums = sums.run(LaneSet::first_n(4));
  Experiment minima(*find_row("subgroupMin"), 4, {{"nan", "nan", "nan", "0.5"}, {}, {}});
  std::string text;
  for (const Words& words : signed_sums.result.lanes) text += to_text(Kind::integer, words) + " ";
  CHECK(text == "-1 4 3 8 ");
  const Answer least = minima.run(LaneSet::first_n(4));
  CHECK(to_text(Kind::real, least.result.lanes[0]) == "0.5");
  const Answer undefined = minima.run(LaneSet::first_n(2));
  CHECK(undefined.undefined == LaneSet::first_n(2));
  REQUIRE(undefined.reasons.size() == 1);
  CHECK(undefined.reasons[0].rule == "all-nan");
}

}  // namespace
