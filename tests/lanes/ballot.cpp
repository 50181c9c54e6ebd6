#include <lockstep/lanes/ballot.hpp>

#include <catch2/catch.hpp>

#include "support/corpus.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

using Components = std::array<std::uint32_t, 4>;

Components random_components(Random& random) {
  Components c;
  for (std::uint32_t& component : c) component = static_cast<std::uint32_t>(random());
  return c;
}

Ballot make_ballot(const Components& c) { return {c[0], c[1], c[2], c[3]}; }

bool holds(Ballot ballot, const Components& c) {
  return ballot.x == c[0] && ballot.y == c[1] && ballot.z == c[2] && ballot.w == c[3];
}

bool bit(const Components& c, std::size_t k) { return (c[k / 32] >> (k % 32) & 1) != 0; }

template <class Op>
Components combine(const Components& a, const Components& b, Op op) {
  Components c = {};
  for (std::size_t k = 0; k < 128; ++k)
    c[k / 32] |= (op(bit(a, k), bit(b, k)) ? 1u : 0u) << (k % 32);
  return c;
}

template <int W>
using BallotArray = std::array<Components, static_cast<std::size_t>(physical_lanes(W))>;

template <int W>
BallotArray<W> random_ballots(Random& random) {
  BallotArray<W> ballots;
  for (Components& c : ballots) c = random_components(random);
  return ballots;
}

template <int W>
bool holds(const BallotLanes<W>& lanes, const BallotArray<W>& ballots) {
  bool same = true;
  for (int i = 0; i < W; ++i) {
    const Components& c = ballots[static_cast<std::size_t>(i)];
    same = same && holds(lanes[i], c) && lanes.x[i] == c[0] && lanes.y[i] == c[1] &&
           lanes.z[i] == c[2] && lanes.w[i] == c[3];
  }
  return same;
}

template <int W, class Op>
BallotArray<W> combine_each(const BallotArray<W>& a, const BallotArray<W>& b, Op op) {
  BallotArray<W> c = {};
  for (std::size_t i = 0; i < c.size(); ++i) c[i] = combine(a[i], b[i], op);
  return c;
}

constexpr auto both = [](bool p, bool q) { return p && q; };
constexpr auto either = [](bool p, bool q) { return p || q; };
constexpr auto differ = [](bool p, bool q) { return p != q; };
constexpr auto not_first = [](bool p, bool) { return !p; };

}  // namespace

TEST_CASE("Ballot: components and bits") {
  CHECK(holds(Ballot(), {0, 0, 0, 0}));
  Random random = make_random();
  for (int n = 0; n < 100; ++n) {
    const Components c = random_components(random);
    const Ballot ballot = make_ballot(c);
    INFO("seed = " << seed());
    CHECK(holds(ballot, c));
    CHECK(ballot.low64() == (std::uint64_t{c[1]} << 32 | c[0]));
    CHECK(ballot.high64() == (std::uint64_t{c[3]} << 32 | c[2]));
    bool same = true;
    for (std::uint32_t k = 0; k < 128; ++k) same = same && ballot.bit(k) == bit(c, k);
    for (const std::uint32_t k : {128u, 129u, 192u, 1u << 31, ~0u}) same = same && !ballot.bit(k);
    CHECK(same);
  }
}

TEST_CASE("Ballot: from a mask and back") {
  for_each_size([]<int W>(Size<W>) {
    for (const MaskBits lanes : mask_corpus(W)) {
      const Mask<W> mask = to_mask<W>(lanes);
      INFO(describe(mask));
      Components c = {};
      for (int i = 0; i < W; ++i)
        c[static_cast<std::size_t>(i / 32)] |= (lanes.test(i) ? 1u : 0u) << (i % 32);
      const Ballot ballot = mask;
      CHECK(holds(ballot, c));
      CHECK(ballot.template to_mask<W>() == mask);
      // Bits above W belong to no lane.
      Components more = c;
      for (int k = W; k < 128; ++k) more[static_cast<std::size_t>(k / 32)] |= 1u << (k % 32);
      CHECK(make_ballot(more).template to_mask<W>() == mask);
    }
  });
}

TEST_CASE("Ballot: operators") {
  Random random = make_random();
  for (int n = 0; n < 100; ++n) {
    const Components a = random_components(random);
    Components b = n % 2 == 0 ? a : random_components(random);
    // One component that differs is enough to be unequal.
    if (n % 4 == 0) b[static_cast<std::size_t>(n / 4 % 4)] ^= 1u << (n % 32);
    const Ballot x = make_ballot(a), y = make_ballot(b);
    INFO("seed = " << seed() << ", n = " << n);
    CHECK(holds(x & y, combine(a, b, both)));
    CHECK(holds(x | y, combine(a, b, either)));
    CHECK(holds(x ^ y, combine(a, b, differ)));
    CHECK(holds(~x, combine(a, a, not_first)));
    CHECK((x == y) == (a == b));
    CHECK((x != y) == (a != b));
  }
}

TEST_CASE("Ballot: works in constant expressions") {
  static_assert(Ballot(Mask<33>::lane(32)) == Ballot(0, 1, 0, 0));
  static_assert((~Ballot()).to_mask<5>() == Mask<5>::all());
  static_assert(Ballot(0, 0, 0, 1u << 31).bit(127));
  SUCCEED();
}

TEST_CASE("BallotLanes: a ballot in each lane") {
  for_each_size([]<int W>(Size<W>) {
    using B = BallotLanes<W>;
    using Word = Lanes<std::uint32_t, W>;
    Random random = make_random(W);
    for (int n = 0; n < 4; ++n) {
      const BallotArray<W> a = random_ballots<W>(random), b = random_ballots<W>(random);
      const auto generate = [](const BallotArray<W>& from) {
        return B::generate([&](int i) { return make_ballot(from[static_cast<std::size_t>(i)]); });
      };
      const B x = generate(a), y = generate(b);
      INFO(describe(Mask<W>::all()));
      CHECK(holds(x, a));
      const auto component = [&](std::size_t k) {
        return Word::generate([&](int i) { return a[static_cast<std::size_t>(i)][k]; });
      };
      CHECK(holds(B(component(0), component(1), component(2), component(3)), a));
      BallotArray<W> uniform;
      uniform.fill(b[0]);
      CHECK(holds(B(make_ballot(b[0])), uniform));
      CHECK(holds(x & y, combine_each<W>(a, b, both)));
      CHECK(holds(x | y, combine_each<W>(a, b, either)));
      CHECK(holds(x ^ y, combine_each<W>(a, b, differ)));
      CHECK(holds(~x, combine_each<W>(a, a, not_first)));
    }
  });
}
