#include <lockstep/dispatch/mapping.hpp>

#include <algorithm>
#include <set>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/exec/error.hpp>

namespace {

using namespace lockstep;
using Numbers = std::vector<std::uint32_t>;

TEST_CASE("every mapping gives each invocation one lane") {
  for (const Size3 local : {Size3{1}, Size3{5}, Size3{6, 4, 3}, Size3{128}, Size3{1000}}) {
    for (const int size : {1, 2, 4, 5, 8, 24, 31, 32, 33, 64, 100, 128}) {
      const std::uint32_t count = local.x * local.y * local.z;
      const std::size_t subgroups =
          (count + static_cast<std::size_t>(size) - 1) / static_cast<std::size_t>(size);
      for (const Mapping& mapping : {Mapping::linear(), Mapping::reversed(), Mapping::shuffled(1),
                                     Mapping::shuffled(2), Mapping::quads()}) {
        if (mapping.kind == Mapping::Kind::quads &&
            (local.x % 2 + local.y % 2 != 0 || size % 4 != 0)) {
          CHECK_THROWS_AS(invocations(mapping, local, size), Error);
          continue;
        }
        const Numbers lanes = invocations(mapping, local, size);
        REQUIRE(lanes.size() == subgroups * static_cast<std::size_t>(size));
        std::vector<int> seen(count);
        std::size_t holes = 0;
        std::vector<int> in_subgroup(subgroups);
        for (std::size_t k = 0; k < lanes.size(); ++k) {
          if (lanes[k] == no_invocation) {
            ++holes;
            continue;
          }
          REQUIRE(lanes[k] < count);
          ++seen[lanes[k]];
          ++in_subgroup[k / static_cast<std::size_t>(size)];
        }
        CHECK(holes == lanes.size() - count);
        CHECK(seen == std::vector<int>(count, 1));
        CHECK(std::ranges::count(in_subgroup, 0) == 0);
      }
    }
  }
}

TEST_CASE("mappings are what their names say") {
  CHECK(invocations(Mapping::linear(), {5}, 4) ==
        Numbers{0, 1, 2, 3, 4, no_invocation, no_invocation, no_invocation});
  CHECK(invocations(Mapping::reversed(), {5}, 4) ==
        Numbers{4, 3, 2, 1, 0, no_invocation, no_invocation, no_invocation});
  // Rows of 4: the first block is 0, 1, 4, 5; the second layer starts at 8.
  CHECK(invocations(Mapping::quads(), {4, 2, 2}, 8) ==
        Numbers{0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15});
  const Numbers first = invocations(Mapping::shuffled(1), {64}, 8);
  CHECK(first == invocations(Mapping::shuffled(1), {64}, 8));
  CHECK(first != invocations(Mapping::shuffled(2), {64}, 8));
  CHECK(first != invocations(Mapping::linear(), {64}, 8));
  CHECK_THROWS_WITH(invocations(Mapping::quads(), {3, 2}, 8),
                    Catch::Contains("(3, 2, 1)") && Catch::Contains("even"));
}

TEST_CASE("shuffled mappings leave holes in any subgroup") {
  std::set<std::size_t> holes;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Numbers lanes = invocations(Mapping::shuffled(seed), {11}, 4);
    holes.insert(static_cast<std::size_t>(std::ranges::find(lanes, no_invocation) - lanes.begin()));
  }
  CHECK(holes.size() == 12);
}

TEST_CASE("a filling spreads all invocations over one subgroup more, none of them empty") {
  for (const Size3 local : {Size3{1}, Size3{5}, Size3{64}, Size3{6, 4, 3}}) {
    for (const int size : {1, 4, 8, 31, 64}) {
      const std::uint32_t count = local.x * local.y * local.z;
      const auto each = static_cast<std::uint32_t>(size);
      const std::uint32_t subgroups = std::min((count + each - 1) / each + 1, count);
      for (const Mapping& order : {Mapping::linear(), Mapping::shuffled(3)}) {
        for (const Mapping& mapping :
             {order.filled(Mapping::Filling::even), order.filled(Mapping::Filling::random, 1),
              order.filled(Mapping::Filling::random, 2)}) {
          CHECK(subgroup_count(mapping, count, size) == subgroups);
          const Numbers lanes = invocations(mapping, local, size);
          REQUIRE(lanes.size() == std::size_t{subgroups} * each);
          std::vector<int> seen(count), in_subgroup(subgroups);
          for (std::size_t k = 0; k < lanes.size(); ++k) {
            if (lanes[k] == no_invocation) continue;
            ++seen[lanes[k]];
            ++in_subgroup[k / each];
          }
          CHECK(seen == std::vector<int>(count, 1));
          CHECK(std::ranges::count(in_subgroup, 0) == 0);
        }
      }
    }
  }
  CHECK(invocations(Mapping::linear().filled(Mapping::Filling::even), {6}, 4) ==
        Numbers{0, 1, no_invocation, no_invocation, 2, 3, no_invocation, no_invocation, 4, 5,
                no_invocation, no_invocation});
  CHECK(invocations(Mapping::linear().filled(Mapping::Filling::random, 1), {64}, 8) !=
        invocations(Mapping::linear().filled(Mapping::Filling::random, 2), {64}, 8));
}

}  // namespace
