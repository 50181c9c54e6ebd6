#include <lockstep/subgroup/variables.hpp>

#include <catch2/catch.hpp>

#include "support/scalar_subgroup.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

// Compiled once: compares a ballot per lane with in_relation(lane, position), for the lanes and
// positions below size; all other positions are zero.
std::string mistakes(const std::vector<Ballot>& masks, int size, bool (*in_relation)(int, int)) {
  std::string wrong;
  for (int i = 0; i < size; ++i) {
    for (int k = 0; k < 128; ++k) {
      const bool expected = k < size && in_relation(i, k);
      if (bit(masks[static_cast<std::size_t>(i)], k) != expected && wrong.size() < 200)
        wrong += "lane " + std::to_string(i) + ", bit " + std::to_string(k) + "\n";
    }
  }
  return wrong;
}

template <int W>
std::string mistakes(const BallotLanes<W>& masks, int size, bool (*in_relation)(int, int)) {
  std::vector<Ballot> ballots;
  for (int i = 0; i < W; ++i) ballots.push_back(masks[i]);
  return mistakes(ballots, size, in_relation);
}

}  // namespace

TEST_CASE(
    "gl_SubgroupEqMask, gl_SubgroupGeMask, gl_SubgroupGtMask, gl_SubgroupLeMask, "
    "gl_SubgroupLtMask: lanes in relation to one's own, below the size") {
  for_each_size([]<int W>(Size<W>) {
    for (const int size : {W, W - 1, (W + 1) / 2, 1}) {
      if (size < 1) continue;
      INFO("W = " << W << ", size = " << size);
      CHECK(mistakes(subgroup_eq_mask<W>(size), size, [](int i, int k) { return k == i; }) == "");
      CHECK(mistakes(subgroup_ge_mask<W>(size), size, [](int i, int k) { return k >= i; }) == "");
      CHECK(mistakes(subgroup_gt_mask<W>(size), size, [](int i, int k) { return k > i; }) == "");
      CHECK(mistakes(subgroup_le_mask<W>(size), size, [](int i, int k) { return k <= i; }) == "");
      CHECK(mistakes(subgroup_lt_mask<W>(size), size, [](int i, int k) { return k < i; }) == "");
    }
    CHECK(mistakes(subgroup_ge_mask<W>(), W, [](int i, int k) { return k >= i; }) == "");
  });
}
