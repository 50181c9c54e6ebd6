#include <lockstep/lanes/lanes.hpp>

#include <catch2/catch.hpp>
#include <memory>
#include <string>

#include "support/corpus.hpp"

using namespace lockstep;
using namespace lockstep::test;

TEST_CASE("Lanes: each way to make them, and reading one lane") {
  for_each_type_and_size([]<class T, int W>(Type<T>, Size<W>) {
    using L = Lanes<T, W>;
    static_assert(L::width == W && L::physical >= W && (L::physical < 2 * W));
    static_assert((L::physical & (L::physical - 1)) == 0);
    INFO(describe<T>(Mask<W>::all()));
    Random random = make_random(W);
    const auto values = sample_values<T, W>(random, Values::special);

    const L generated = L::generate([&](int i) { return values[static_cast<std::size_t>(i)]; });
    std::string wrong;
    for (int i = 0; i < L::physical; ++i) {
      if (!bit_equal(T(generated[i]), values[static_cast<std::size_t>(i)])) wrong += "generate\n";
    }
    const L copy = generated;
    wrong += difference(copy, values);
    LaneArray<T, W> expected;
    expected.fill(values[0]);
    const L uniform = values[0];
    wrong += difference(uniform, expected);
    for (std::size_t i = 0; i < expected.size(); ++i)
      expected[i] = static_cast<T>(static_cast<int>(i));
    wrong += difference(L::iota(), expected);
    wrong += difference(L(generated.packs()), values);
    if (!bit_equal(generated.lane0(), values[0])) wrong += "lane0\n";
    CHECK(wrong == "");
  });
}

TEST_CASE("Lanes: load reads and store writes W elements and no more") {
  for_each_type_and_size([]<class T, int W>(Type<T>, Size<W>) {
    INFO(describe<T>(Mask<W>::all()));
    Random random = make_random(W);
    const auto values = sample_values<T, W>(random, Values::special);
    // Blocks of exactly the size needed, which the address sanitizer guards.
    const auto from = std::make_unique<T[]>(W);
    for (std::size_t i = 0; i < W; ++i) from[i] = values[i];
    const Lanes<T, W> loaded = Lanes<T, W>::load(from.get());
    CHECK(difference(loaded, values) == "");
    const auto to = std::make_unique<T[]>(W);
    loaded.store(to.get());
    bool same = true;
    for (std::size_t i = 0; i < W; ++i) same = same && bit_equal(to[i], values[i]);
    CHECK(same);

    // Every start within a register, with guards on both sides.
    bool guarded = true;
    for (std::size_t start = 1; start < 5; ++start) {
      std::array<T, W + 128> memory;
      for (T& element : memory) element = T(42);
      loaded.store(memory.data() + start);
      for (std::size_t i = 0; i < memory.size(); ++i) {
        const bool inside = i >= start && i < start + W;
        guarded = guarded && bit_equal(memory[i], inside ? values[i - start] : T(42));
      }
      guarded = guarded && difference(Lanes<T, W>::load(memory.data() + start), values) == "";
    }
    CHECK(guarded);
  });
}

TEST_CASE("Lanes: select") {
  for_each_type_and_size([]<class T, int W>(Type<T>, Size<W>) {
    Random random = make_random(W);
    for (const Mask<W> mask : masks<W>()) {
      const auto a = with_garbage<T, W>(sample_values<T, W>(random, Values::finite), mask, random);
      const auto b = with_garbage<T, W>(sample_values<T, W>(random, Values::finite), ~mask, random);
      LaneArray<T, W> expected = {};
      for (int i = 0; i < W; ++i) {
        const auto lane = static_cast<std::size_t>(i);
        expected[lane] = mask.test(i) ? a[lane] : b[lane];
      }
      const Lanes<T, W> a_lanes = lanes_from<T, W>(a), b_lanes = lanes_from<T, W>(b);
      INFO(describe<T>(mask));
      const std::string wrong =
          difference(select(mask, a_lanes, b_lanes), expected) +
          difference(select(Lanes<bool, W>(mask), a_lanes, b_lanes), expected);
      CHECK(wrong == "");
    }
  });
}

TEST_CASE("Lanes: a function applied lane by lane") {
  for_each_type_and_size([]<class T, int W>(Type<T>, Size<W>) {
    Random random = make_random(W);
    const auto a = sample_values<T, W>(random, Values::special);
    const auto b = sample_values<T, W>(random, Values::special);
    const Lanes<T, W> a_lanes = lanes_from<T, W>(a), b_lanes = lanes_from<T, W>(b);
    LaneArray<BitsOf<T>, W> one = {};
    LaneArray<T, W> two = {};
    LaneArray<bool, W> three = {};
    for (std::size_t i = 0; i < W; ++i) {
      one[i] = bits_of(a[i]);
      two[i] = i % 2 == 0 ? b[i] : a[i];
      three[i] = bits_of(a[i]) % 3 == bits_of(b[i]) % 3;
    }
    INFO(describe<T>(Mask<W>::all()));
    std::string wrong = difference(detail::map([](T x) { return bits_of(x); }, a_lanes), one);
    const auto pick = [](T x, T y, int i) { return i % 2 == 0 ? y : x; };
    wrong += difference(detail::map(pick, a_lanes, b_lanes, Lanes<int, W>::iota()), two);
    const auto alike = [](T x, T y) { return bits_of(x) % 3 == bits_of(y) % 3; };
    wrong += difference(detail::map(alike, a_lanes, b_lanes), three);
    CHECK(wrong == "");
  });
}

TEST_CASE("Lanes: what must not compile") {
  for_each_type([]<class T>(Type<T>) {
    using L = Lanes<T, 8>;
    using Other = Lanes<std::conditional_t<std::is_same_v<T, float>, double, float>, 8>;
    static_assert(!std::is_copy_assignable_v<L> && !std::is_move_assignable_v<L>);
    static_assert(!std::is_assignable_v<L&, T>);
    static_assert(!std::is_default_constructible_v<L>);
    static_assert(std::is_convertible_v<T, L>);
    static_assert(std::is_constructible_v<L, Other> && !std::is_convertible_v<Other, L>);
    static_assert(!std::is_constructible_v<L, Lanes<T, 16>>);
    static_assert(!std::is_constructible_v<bool, L>);
    static_assert(!requires(L a, Other b) { a + b; });
    static_assert(!requires(L a, Other b) { a < b; });
    static_assert(!requires(L a) { (a && a); });
    static_assert(!requires(L a) { a || a; });
    if constexpr (is_floating<T>) {
      static_assert(!requires(L a) { a % a; });
      static_assert(!requires(L a) { (a & a); });
      static_assert(!requires(L a) { a << a; });
      static_assert(!requires(L a) { ~a; });
    }
  });
  // A template, as a requirement that fails outside of one is an error.
  const auto bools = []<class B>(Type<B>) {
    static_assert(!std::is_copy_assignable_v<B> && !std::is_default_constructible_v<B>);
    // Explicitly, and with && and ||, too, it does not compile: see tests/compile_fail.
    static_assert(!std::is_convertible_v<B, bool>);
    static_assert(!std::is_convertible_v<int, B>);
    static_assert(!requires(B a) { a + a; });
  };
  bools(Type<Lanes<bool, 8>>{});
  SUCCEED();
}

TEST_CASE("Lanes<bool>: making, reading and storing") {
  for_each_size([]<int W>(Size<W>) {
    using B = Lanes<bool, W>;
    CHECK(B(true).mask() == Mask<W>::all());
    CHECK(B(false).mask() == Mask<W>::none());
    for (const Mask<W> mask : masks<W>()) {
      INFO(describe(mask));
      LaneArray<bool, W> values = {};
      for (int i = 0; i < W; ++i) values[static_cast<std::size_t>(i)] = mask.test(i);
      const B lanes = mask;
      CHECK(lanes.mask() == mask);
      CHECK(difference(lanes, values) == "");
      CHECK(difference(B::generate([&](int i) { return values[static_cast<std::size_t>(i)]; }),
                       values) == "");

      const auto from = std::make_unique<bool[]>(W);
      for (std::size_t i = 0; i < W; ++i) from[i] = values[i];
      CHECK(B::load(from.get()).mask() == mask);
      const auto to = std::make_unique<bool[]>(W);
      lanes.store(to.get());
      bool same = true;
      for (std::size_t i = 0; i < W; ++i) same = same && to[i] == values[i];
      CHECK(same);
      std::array<unsigned char, W + 2> memory;
      memory.fill(0xee);
      lanes.store(reinterpret_cast<bool*>(memory.data() + 1));
      CHECK(memory.front() == 0xee);
      CHECK(memory.back() == 0xee);
    }
  });
}

TEST_CASE("Lanes<bool>: logic and select") {
  for_each_size([]<int W>(Size<W>) {
    using B = Lanes<bool, W>;
    Random random = make_random(W);
    for (const Mask<W> p : masks<W>()) {
      const Mask<W> q = random_mask<W>(random), c = random_mask<W>(random);
      LaneArray<bool, W> not_p = {}, both = {}, either = {}, differ = {}, same = {}, chosen = {};
      for (int i = 0; i < W; ++i) {
        const auto lane = static_cast<std::size_t>(i);
        not_p[lane] = !p.test(i);
        both[lane] = p.test(i) && q.test(i);
        either[lane] = p.test(i) || q.test(i);
        differ[lane] = p.test(i) != q.test(i);
        same[lane] = p.test(i) == q.test(i);
        chosen[lane] = c.test(i) ? p.test(i) : q.test(i);
      }
      INFO(describe(p));
      INFO(describe(q));
      INFO(describe(c));
      const B a = p, b = q, condition = c;
      std::string wrong =
          difference(!a, not_p) + difference(a & b, both) + difference(a | b, either) +
          difference(a ^ b, differ) + difference(a != b, differ) + difference(a == b, same) +
          difference(select(c, a, b), chosen) + difference(select(condition, a, b), chosen);
      CHECK(wrong == "");
      // Bits above W would be lanes that do not exist.
      CHECK(only_lanes_below_width((!a).mask()));
      CHECK(only_lanes_below_width((a == b).mask()));
    }
  });
}
