#include <lockstep/exec/tangles.hpp>

#include <utility>
#include <vector>

#include <catch2/catch.hpp>

namespace {

using namespace lockstep;

Tangle one(int lane) { return {LaneSet::lane(lane), lane % 3 == 0}; }

/// The tangles of lanes 0 to n - 1, each on its own.
Tangles apart(int n) {
  Tangles tangles;
  for (int lane = 0; lane < n; ++lane) tangles.push_back(one(lane));
  return tangles;
}
std::vector<Tangle> as_vector(const Tangles& tangles) { return {tangles.begin(), tangles.end()}; }
std::vector<Tangle> expected(int n) {
  std::vector<Tangle> all;
  for (int lane = 0; lane < n; ++lane) all.push_back(one(lane));
  return all;
}

TEST_CASE("tangles keep their order, few or many") {
  for (int n = 0; n <= 5; ++n) {
    Tangles tangles = apart(n);
    CHECK(as_vector(tangles) == expected(n));
    CHECK(tangles.size() == static_cast<std::size_t>(n));
    CHECK(tangles.empty() == (n == 0));
    CHECK(tangles.lanes() == LaneSet::first_n(n));
    for (int lane = 0; lane < n; ++lane)
      CHECK(tangles[static_cast<std::size_t>(lane)] == one(lane));
    if (n > 0) {
      CHECK(tangles.front() == one(0));
      CHECK(tangles.back() == one(n - 1));
      tangles[0].whole_workgroup = false;
      CHECK_FALSE(tangles == apart(n));
    }
    tangles.clear();
    CHECK(tangles.empty());
    tangles.push_back(one(7));
    CHECK(as_vector(tangles) == std::vector{one(7)});
  }
  CHECK(Tangles{one(0), one(1), one(2)} == apart(3));
  CHECK_FALSE(apart(2) == apart(3));
}

TEST_CASE("tangles shrink to the first ones") {
  for (int from = 0; from <= 5; ++from) {
    for (int to = 0; to <= from; ++to) {
      Tangles tangles = apart(from);
      tangles.shrink(static_cast<std::size_t>(to));
      CHECK(as_vector(tangles) == expected(to));
      tangles.push_back(one(to));
      CHECK(as_vector(tangles) == expected(to + 1));
    }
  }
}

TEST_CASE("tangles are copied, moved and taken, few or many") {
  for (int from = 0; from <= 4; ++from) {
    for (int to = 0; to <= 4; ++to) {
      CAPTURE(from, to);
      const Tangles source = apart(from);
      Tangles copy = apart(to);
      copy = source;
      CHECK(as_vector(copy) == expected(from));
      CHECK(as_vector(Tangles(source)) == expected(from));
      Tangles given = source, moved = apart(to);
      moved = std::move(given);
      CHECK(as_vector(moved) == expected(from));
      CHECK(given.empty());
      const Tangles made(std::move(moved));
      CHECK(as_vector(made) == expected(from));
      CHECK(moved.empty());

      Tangles first = apart(to), behind;
      for (int lane = to; lane < to + from; ++lane) behind.push_back(one(lane));
      first.take(behind);
      CHECK(as_vector(first) == expected(to + from));
      CHECK(behind.empty());
    }
  }
  Tangles same = apart(3);
  const Tangles& itself = same;
  same = itself;
  CHECK(as_vector(same) == expected(3));
}

}  // namespace
