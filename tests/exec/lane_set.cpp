#include <lockstep/exec/lane_set.hpp>

#include <algorithm>
#include <set>
#include <vector>

#include <catch2/catch.hpp>

#include "support/settings.hpp"

namespace {

using lockstep::LaneSet;

/// The same set as a list of numbers.
std::set<int> numbers(LaneSet lanes) {
  std::set<int> result;
  for (int i = 0; i < 128; ++i) {
    if ((i < 64 ? lanes.low >> i : lanes.high >> (i - 64)) & 1) result.insert(i);
  }
  return result;
}

std::vector<LaneSet> samples() {
  std::vector<LaneSet> sets = {{}, {~0ull, ~0ull}, {1, 0}, {0, 1ull << 63}, {1ull << 63, 1}};
  auto random = lockstep::test::make_random(1);
  for (int n = 0; n < 20; ++n) sets.push_back({random(), random() & random()});
  return sets;
}

TEST_CASE("a lane set is a set of the numbers 0 to 127") {
  for (const LaneSet a : samples()) {
    const std::set<int> want = numbers(a);
    CHECK(a.count() == static_cast<int>(want.size()));
    CHECK(a.any_lane() == !want.empty());
    CHECK(a.first() == (want.empty() ? 128 : *want.begin()));
    CHECK(a.last() == (want.empty() ? -1 : *want.rbegin()));
    std::vector<int> visited;
    for_each_lane(a, [&](int i) { visited.push_back(i); });
    CHECK(visited == std::vector<int>(want.begin(), want.end()));
    for (int i = 0; i < 128; ++i) CHECK(a.test(i) == (want.count(i) != 0));
  }
}

TEST_CASE("lane sets combine lane by lane") {
  for (const LaneSet a : samples()) {
    for (const LaneSet b : samples()) {
      bool within = true;
      for (int i = 0; i < 128; ++i) {
        const bool in_a = numbers(a).count(i) != 0, in_b = numbers(b).count(i) != 0;
        if ((a & b).test(i) != (in_a && in_b)) FAIL("&");
        if ((a | b).test(i) != (in_a || in_b)) FAIL("|");
        if (a.without(b).test(i) != (in_a && !in_b)) FAIL("without");
        within = within && (!in_a || in_b);
      }
      CHECK(a.within(b) == within);
      CHECK((a == b) == (numbers(a) == numbers(b)));
    }
  }
}

TEST_CASE("lane sets of the first lanes and of one lane") {
  for (int n = -1; n <= 130; ++n) CHECK(LaneSet::first_n(n).count() == std::clamp(n, 0, 128));
  for (int i = 0; i < 128; ++i) CHECK(numbers(LaneSet::lane(i)) == std::set<int>{i});
  CHECK(LaneSet::first_n(70).last() == 69);
}

}  // namespace
