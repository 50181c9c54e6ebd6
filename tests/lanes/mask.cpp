#include <lockstep/lanes/mask.hpp>

#include <catch2/catch.hpp>
#include <climits>

#include "support/corpus.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// Whether exactly those lanes are in the mask, by each way to query its bits.
template <int W>
bool holds(Mask<W> mask, MaskBits lanes) {
  bool same = mask.low64() == lanes.low && mask.high64() == lanes.high;
  for (int i = 0; i < W; ++i) same = same && mask.test(i) == lanes.test(i);
  if constexpr (W <= 64) {
    same = same && mask.bits() == lanes.low;
  } else {
    same = same && static_cast<std::uint64_t>(mask.bits()) == lanes.low &&
           static_cast<std::uint64_t>(mask.bits() >> 64) == lanes.high;
  }
  return same;
}

template <class F>
MaskBits build(int width, F&& in) {
  MaskBits result;
  for (int i = 0; i < width; ++i) {
    if (!in(i)) continue;
    result.low |= MaskBits::lane(i).low;
    result.high |= MaskBits::lane(i).high;
  }
  return result;
}

}  // namespace

TEST_CASE("Mask: the word is the smallest that holds W bits") {
  for_each_size([]<int W>(Size<W>) {
    INFO("W = " << W);
    CHECK(sizeof(Mask<W>) == (W <= 32 ? 4 : W <= 64 ? 8 : 16));
    CHECK(Mask<W>::width == W);
  });
}

TEST_CASE("Mask: ready masks and masks of one lane") {
  for_each_size([]<int W>(Size<W>) {
    INFO("W = " << W);
    CHECK(holds(Mask<W>(), {}));
    CHECK(holds(Mask<W>::none(), {}));
    CHECK(holds(Mask<W>::all(), build(W, [](int) { return true; })));
    for (int lane = 0; lane < W; ++lane) {
      INFO("lane = " << lane);
      CHECK(holds(Mask<W>::lane(lane), build(W, [=](int i) { return i == lane; })));
    }
    for (int count = -2; count <= W + 2; ++count) {
      INFO("count = " << count);
      CHECK(holds(Mask<W>::first_n(count), build(W, [=](int i) { return i < count; })));
    }
    CHECK(holds(Mask<W>::first_n(INT_MIN), {}));
    CHECK(Mask<W>::first_n(INT_MAX) == Mask<W>::all());
  });
}

TEST_CASE("Mask: what it says of its lanes") {
  for_each_size([]<int W>(Size<W>) {
    for (const MaskBits lanes : mask_corpus(W)) {
      const Mask<W> mask = to_mask<W>(lanes);
      INFO(describe(mask));
      int count = 0, first = -1, last = 0;
      std::vector<int> in_order;
      for (int i = 0; i < W; ++i) {
        if (!lanes.test(i)) continue;
        ++count;
        last = i;
        if (first < 0) first = i;
        in_order.push_back(i);
      }
      if (first < 0) first = 0;

      CHECK(holds(mask, lanes));
      CHECK(mask.count() == count);
      CHECK(mask.any_lane() == (count > 0));
      CHECK(mask.all_lanes() == (count == W));
      CHECK(mask.first() == first);
      CHECK(mask.last() == last);
      CHECK(holds(mask.lowest(), count > 0 ? MaskBits::lane(first) : MaskBits{}));
      std::vector<int> visited;
      for_each_lane(mask, [&](int lane) { visited.push_back(lane); });
      CHECK(visited == in_order);
    }
  });
}

TEST_CASE("Mask: bits at and above W are dropped") {
  for_each_size([]<int W>(Size<W>) {
    using Word = typename Mask<W>::Word;
    for (const MaskBits lanes : mask_corpus(W)) {
      const Word outside =
          W == 8 * sizeof(Word) ? Word{0} : static_cast<Word>(~Word{0} << (W - 1) << 1);
      const Mask<W> mask = Mask<W>::from_bits(to_mask<W>(lanes).bits() | outside);
      INFO(describe(mask));
      CHECK(holds(mask, lanes));
    }
  });
}

TEST_CASE("Mask: set operations") {
  for_each_size([]<int W>(Size<W>) {
    const std::vector<MaskBits> corpus = mask_corpus(W);
    for (const MaskBits a_lanes : corpus) {
      const Mask<W> a = to_mask<W>(a_lanes);
      INFO(describe(a));
      CHECK(holds(~a, build(W, [&](int i) { return !a_lanes.test(i); })));
      for (const MaskBits b_lanes : corpus) {
        const Mask<W> b = to_mask<W>(b_lanes);
        INFO(describe(b));
        const auto both = [&](auto op) {
          return build(W, [&](int i) { return op(a_lanes.test(i), b_lanes.test(i)); });
        };
        const bool right = holds(a & b, both([](bool p, bool q) { return p && q; })) &&
                           holds(a | b, both([](bool p, bool q) { return p || q; })) &&
                           holds(a ^ b, both([](bool p, bool q) { return p != q; })) &&
                           holds(a.without(b), both([](bool p, bool q) { return p && !q; })) &&
                           (a == b) == (a_lanes == b_lanes) && (a != b) == !(a_lanes == b_lanes);
        CHECK(right);
      }
    }
  });
}

TEST_CASE("Mask: is a value that can be assigned") {
  for_each_size([]<int W>(Size<W>) {
    Mask<W> a = Mask<W>::lane(W - 1);
    const Mask<W> b = a;
    a = Mask<W>::none();
    CHECK(holds(b, MaskBits::lane(W - 1)));
    CHECK(holds(a, {}));
  });
}

TEST_CASE("Mask: works in constant expressions") {
  static_assert(Mask<5>::all().count() == 5);
  static_assert((~Mask<33>::lane(32)).last() == 31);
  static_assert(Mask<128>::first_n(70).without(Mask<128>::first_n(64)).first() == 64);
  static_assert((Mask<100>::lane(99) | Mask<100>::lane(3)).lowest() == Mask<100>::lane(3));
  static_assert(Mask<64>::first_n(64).all_lanes());
  static_assert([] {
    int sum = 0;
    for_each_lane(Mask<24>::first_n(4), [&](int lane) { sum = 10 * sum + lane; });
    return sum;
  }() == 123);
  SUCCEED();
}

TEST_CASE("Mask: is not a bool") {
  for_each_size([]<int W>(Size<W>) {
    static_assert(!std::is_constructible_v<bool, Mask<W>>);
    static_assert(!requires(Mask<W> a) { a&& a; });
    static_assert(!requires(Mask<W> a) { a || a; });
    static_assert(!requires(Mask<W> a) { a && true; });
    static_assert(!std::is_constructible_v<Mask<W>, typename Mask<W>::Word>);
    static_assert(std::is_trivially_copyable_v<Mask<W>>);
  });
  SUCCEED();
}
