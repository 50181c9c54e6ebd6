#include "render/compare.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/trace/dispatch.hpp>

#include "allocate_broken/allocate_broken.hpp"
#include "render/uneven.hpp"

using namespace lockstep;
using render::compare;
using render::Comparison;

namespace {

trace::Trace allocation(trace::Request request, int size = 8) {
  std::vector<std::uint32_t> in(16), free_slot{100}, data(200);
  for (std::uint32_t i = 0; i < 16; ++i) in[i] = i;
  return trace::dispatch<kernels::AllocateBroken>(Device{.subgroup_size = size}, request, {1}, in,
                                                  free_slot, data);
}

Comparison compared(const trace::Trace& a, const trace::Trace& b) {
  return compare(a, a.subgroups()[0], b, b.subgroups()[0]);
}

/// Every step of both runs is in one row, and they are in order.
void check_rows(const Comparison& comparison, std::size_t first, std::size_t second) {
  std::size_t i = 0, j = 0;
  for (const Comparison::Row& row : comparison.rows) {
    if (row.first != Comparison::none) CHECK(row.first == i++);
    if (row.second != Comparison::none) CHECK(row.second == j++);
  }
  CHECK(i == first);
  CHECK(j == second);
}

}  // namespace

TEST_CASE("a run compared with itself has no difference") {
  const trace::Trace trace = test::trace_of_uneven(3);
  const Comparison same = compared(trace, trace);
  check_rows(same, trace.timeline().steps.size(), trace.timeline().steps.size());
  CHECK(same.rows.size() == trace.timeline().steps.size());
  CHECK(same.different.empty());
  CHECK(!same.tangles);
  CHECK(!same.value);
  CHECK(to_string(same, trace.timeline(), trace.timeline()) == "no difference");
}

TEST_CASE("another rule: the first lanes apart, and the first lane that reads the wrong base") {
  const trace::Trace right = allocation({});
  const trace::Trace wrong = allocation({.rule = Rule::core, .choose = "rejoin-none"});
  const Comparison comparison = compared(right, wrong);
  check_rows(comparison, right.timeline().steps.size(), wrong.timeline().steps.size());
  // Lanes 0, 2, 4 and 6 want space. Lane 0 is elected, and the others stay apart from it.
  REQUIRE(comparison.tangles);
  const trace::Step apart = wrong.timeline().steps[comparison.rows[*comparison.tangles].second];
  CHECK(apart.kind == trace::Step::Kind::merge);
  std::vector<std::string> tangles;
  for (const LaneSet set : apart.tangles) tangles.push_back(to_string(set));
  CHECK(tangles == std::vector<std::string>{"0", "2,4,6"});
  REQUIRE(comparison.value);
  CHECK(comparison.value->lane == 2);
  CHECK(comparison.value->what == "subgroupBroadcastFirst");
  CHECK(comparison.value->first == "100");
  CHECK(comparison.value->second == "0");
  CHECK(comparison.value->row > *comparison.tangles);
  const std::string text = to_string(comparison, right.timeline(), wrong.timeline());
  CHECK_THAT(text, Catch::Contains("lane 2, subgroupBroadcastFirst: 100, beside 0"));
}

TEST_CASE("rows differ exactly where lanes together or values do") {
  const trace::Trace right = allocation({});
  const trace::Trace wrong = allocation({.rule = Rule::core, .choose = "rejoin-none"});
  const trace::Timeline a = right.timeline(), b = wrong.timeline();
  const Comparison comparison = compared(right, wrong);
  const std::set<std::size_t> different(comparison.different.begin(), comparison.different.end());
  for (std::size_t k = 0; k < comparison.rows.size(); ++k) {
    const auto [i, j] = comparison.rows[k];
    REQUIRE(i != Comparison::none);
    REQUIRE(j != Comparison::none);
    CHECK(a.steps[i].where.line == b.steps[j].where.line);
    if (a.steps[i].tangles != b.steps[j].tangles) CHECK(different.contains(k));
  }
  CHECK(!different.contains(0));
}

TEST_CASE("steps that only one run has stand alone, and the rest is aligned again") {
  const trace::Trace few = test::trace_of_uneven(2), many = test::trace_of_uneven(4);
  const trace::Timeline a = few.timeline(), b = many.timeline();
  const Comparison comparison = compared(few, many);
  check_rows(comparison, a.steps.size(), b.steps.size());
  std::size_t alone = 0;
  for (const auto& [i, j] : comparison.rows) {
    if (i != Comparison::none && j != Comparison::none) {
      CHECK(a.steps[i].where.line == b.steps[j].where.line);
      CHECK(a.steps[i].kind == b.steps[j].kind);
    } else {
      ++alone;
    }
  }
  CHECK(alone >= b.steps.size() - a.steps.size());
  REQUIRE(comparison.tangles);
}

TEST_CASE("at another size the lanes that both have are compared") {
  const trace::Trace small = allocation({}, 4), large = allocation({}, 8);
  const Comparison comparison = compared(small, large);
  CHECK(!comparison.tangles);
  REQUIRE(comparison.value);
  // Two of four lanes want space, and four of eight.
  CHECK(comparison.value->lane == 0);
  CHECK(comparison.value->lane < 4);
}
