#include "subgroup/ballot.hpp"

#include <catch2/catch.hpp>

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// Ballots to try: none and all of the 128 bits, one bit, bits from one position on, any bits.
Ballot any_ballot(Random& random) {
  const auto k = static_cast<int>(random() % 128);
  const auto ballot = [](MaskBits m) {
    return Ballot(static_cast<std::uint32_t>(m.low), static_cast<std::uint32_t>(m.low >> 32),
                  static_cast<std::uint32_t>(m.high), static_cast<std::uint32_t>(m.high >> 32));
  };
  switch (random() % 6) {
    case 0:
      return ballot({});
    case 1:
      return ballot(~MaskBits{});
    case 2:
      return ballot(MaskBits::lane(k));
    case 3:
      return ballot(~MaskBits::first_n(k));
    default:
      return ballot({random(), random()});
  }
}

/// Calls f(active, size, random) for each mask, at the full subgroup size and at a smaller one.
template <int W, class F>
void for_each_mask_and_size(F&& f) {
  Random random = make_random(W);
  for (const Mask<W> mask : masks<W>()) {
    f(mask, W, random);
    const int size = 1 + static_cast<int>(random() % W);
    f(mask & Mask<W>::first_n(size), size, random);
  }
}

struct Counts {
  std::uint32_t all = 0, inclusive = 0, exclusive = 0;
  int lowest = -1, highest = -1;
};

/// The expected counts and searches of lane i.
Counts counts(const Ballot& ballot, int lane, int size) {
  Counts c;
  for (int k = 0; k < size; ++k) {
    if (!bit(ballot, k)) continue;
    ++c.all;
    if (k <= lane) ++c.inclusive;
    if (k < lane) ++c.exclusive;
    if (c.lowest < 0) c.lowest = k;
    c.highest = k;
  }
  return c;
}

}  // namespace

TEST_CASE("subgroupBroadcast, subgroupBroadcastFirst: all lanes read one lane") {
  check_moves<BroadcastCalls, std::uint32_t>();
}

TEST_CASE("subgroupBallot: a bit for each active lane that holds true") {
  for_each_size([]<int W>(Size<W>) {
    Random random = make_random(W);
    for (const Mask<W> active : masks<W>()) {
      INFO(describe(active));
      const auto values = sample_values<bool, W>(random, Values::special);
      for (int garbage = 0; garbage < 2; ++garbage) {
        const auto lanes = lanes_from<bool, W>(with_garbage<bool, W>(values, active, random));
        const Ballot ballot = subgroupBallot(active, lanes);
        bool right = true;
        for (int k = 0; k < 128; ++k) {
          const bool expected = k < W && active.test(k) && values[static_cast<std::size_t>(k)];
          right = right && bit(ballot, k) == expected;
        }
        CHECK(right);
      }
    }
  });
}

TEST_CASE("subgroupInverseBallot: each lane's own bit") {
  for_each_size([]<int W>(Size<W>) {
    Random random = make_random(W);
    for (const Mask<W> active : masks<W>()) {
      INFO(describe(active));
      const Ballot common = any_ballot(random);
      LaneArray<bool, W> expected = {};
      for (int i = 0; i < W; ++i) expected[static_cast<std::size_t>(i)] = bit(common, i);
      // Inactive lanes hold any ballot.
      const auto lanes = BallotLanes<W>::generate(
          [&](int i) { return i < W && active.test(i) ? common : any_ballot(random); });
      CHECK(difference(subgroupInverseBallot(active, common), expected, active) == "");
      CHECK(difference(subgroupInverseBallot(active, lanes), expected, active) == "");
      CHECK(undefined::subgroupInverseBallot(active, common) == Mask<W>::none());
      CHECK(undefined::subgroupInverseBallot(active, lanes) == Mask<W>::none());

      // One active lane differs in one bit: undefined for all, unless it is the only one.
      const int victim = active.last();
      const auto k = static_cast<int>(random() % 128);
      const auto differing = BallotLanes<W>::generate([&](int i) {
        const Ballot flip(k / 32 == 0 ? 1u << k % 32 : 0, k / 32 == 1 ? 1u << k % 32 : 0,
                          k / 32 == 2 ? 1u << k % 32 : 0, k / 32 == 3 ? 1u << k % 32 : 0);
        return i == victim ? common ^ flip : common;
      });
      CHECK(undefined::subgroupInverseBallot(active, differing) ==
            (active.count() > 1 ? active : Mask<W>::none()));
    }
  });
}

TEST_CASE("subgroupBallotBitExtract: the bit at an index") {
  for_each_size([]<int W>(Size<W>) {
    for_each_mask_and_size<W>([](Mask<W> active, int size, Random& random) {
      INFO(describe(active) << ", size = " << size);
      Arguments a;
      a.width = W;
      a.size = size;
      const Ballot common = any_ballot(random);
      const auto ballots = BallotLanes<W>::generate([&](int) { return any_ballot(random); });
      LaneArray<std::uint32_t, W> index;
      for (std::uint32_t& k : index) {
        k = static_cast<std::uint32_t>(random() % (random() % 2 == 0 ? W : 140));
        if (random() % 16 == 0) k = random_bits<std::uint32_t>(random);
      }
      const auto indices = lanes_from<std::uint32_t, W>(index);

      LaneArray<bool, W> of_common = {}, of_own = {};
      Mask<W> beyond;
      for (int i = 0; i < W; ++i) {
        const std::uint32_t k = index[static_cast<std::size_t>(i)];
        if (k >= static_cast<std::uint32_t>(size)) {
          beyond = beyond | (active & Mask<W>::lane(i));
          continue;
        }
        of_common[static_cast<std::size_t>(i)] = bit(common, static_cast<int>(k));
        of_own[static_cast<std::size_t>(i)] = bit(ballots[i], static_cast<int>(k));
      }
      const Mask<W> defined = active.without(beyond);
      CHECK(difference(subgroupBallotBitExtract(active, common, indices), of_common, defined) ==
            "");
      CHECK(difference(subgroupBallotBitExtract(active, ballots, indices), of_own, defined) == "");
      CHECK(undefined::subgroupBallotBitExtract(active, common, indices, size) == beyond);
      CHECK(undefined::subgroupBallotBitExtract(active, ballots, indices, size) == beyond);

      const std::uint32_t k = index[0];
      const bool in_range = k < static_cast<std::uint32_t>(size);
      if (in_range)
        CHECK(subgroupBallotBitExtract(active, common, k) == bit(common, static_cast<int>(k)));
      CHECK(undefined::subgroupBallotBitExtract(active, common, k, size) ==
            (in_range ? Mask<W>::none() : active));
    });
  });
}

TEST_CASE("subgroupBallotBitCount, InclusiveBitCount, ExclusiveBitCount, FindLSB, FindMSB") {
  for_each_size([]<int W>(Size<W>) {
    for_each_mask_and_size<W>([](Mask<W> active, int size, Random& random) {
      INFO(describe(active) << ", size = " << size);
      const auto lane = [](int i) { return static_cast<std::size_t>(i); };
      const Ballot common = any_ballot(random);
      const auto own = BallotLanes<W>::generate([&](int) { return any_ballot(random); });

      LaneArray<std::uint32_t, W> inclusive = {}, exclusive = {};
      LaneArray<std::uint32_t, W> own_all = {}, own_inclusive = {}, own_exclusive = {};
      LaneArray<std::uint32_t, W> own_lowest = {}, own_highest = {};
      Mask<W> own_empty;
      for (int i = 0; i < size; ++i) {
        inclusive[lane(i)] = counts(common, i, size).inclusive;
        exclusive[lane(i)] = counts(common, i, size).exclusive;
        const Counts c = counts(own[i], i, size);
        own_all[lane(i)] = c.all;
        own_inclusive[lane(i)] = c.inclusive;
        own_exclusive[lane(i)] = c.exclusive;
        if (c.lowest < 0) own_empty = own_empty | (active & Mask<W>::lane(i));
        own_lowest[lane(i)] = static_cast<std::uint32_t>(c.lowest);
        own_highest[lane(i)] = static_cast<std::uint32_t>(c.highest);
      }

      const Counts all = counts(common, 0, size);
      CHECK(subgroupBallotBitCount(active, common, size) == all.all);
      CHECK(difference(subgroupBallotBitCount(active, own, size), own_all, active) == "");
      CHECK(difference(subgroupBallotInclusiveBitCount(active, common), inclusive, active) == "");
      CHECK(difference(subgroupBallotInclusiveBitCount(active, own), own_inclusive, active) == "");
      CHECK(difference(subgroupBallotExclusiveBitCount(active, common), exclusive, active) == "");
      CHECK(difference(subgroupBallotExclusiveBitCount(active, own), own_exclusive, active) == "");

      const Mask<W> empty = all.lowest < 0 ? active : Mask<W>::none();
      CHECK(undefined::subgroupBallotFindLSB(active, common, size) == empty);
      CHECK(undefined::subgroupBallotFindMSB(active, common, size) == empty);
      if (all.lowest >= 0) {
        CHECK(subgroupBallotFindLSB(active, common, size) ==
              static_cast<std::uint32_t>(all.lowest));
        CHECK(subgroupBallotFindMSB(active, common, size) ==
              static_cast<std::uint32_t>(all.highest));
      }
      CHECK(undefined::subgroupBallotFindLSB(active, own, size) == own_empty);
      CHECK(undefined::subgroupBallotFindMSB(active, own, size) == own_empty);
      const Mask<W> found = active.without(own_empty);
      CHECK(difference(subgroupBallotFindLSB(active, own, size), own_lowest, found) == "");
      CHECK(difference(subgroupBallotFindMSB(active, own, size), own_highest, found) == "");
    });
  });
}

TEST_CASE("subgroupBallotBitCount: inactive lanes' bits count, bits beyond the size do not") {
  const Ballot everything = ~Ballot();
  CHECK(subgroupBallotBitCount(Mask<24>::lane(3), everything) == 24);
  CHECK(subgroupBallotBitCount(Mask<24>::lane(3), everything, 20) == 20);
  CHECK(subgroupBallotBitCount(Mask<24>::all(), Ballot(0xff000000u, ~0u, ~0u, ~0u)) == 0);
  CHECK(subgroupBallotFindMSB(Mask<24>::lane(3), everything) == 23);
  CHECK(undefined::subgroupBallotFindLSB(Mask<24>::all(), Ballot(0xff000000u, ~0u, ~0u, ~0u)) ==
        Mask<24>::all());
}
