#include <lockstep/workgroup/atomics.hpp>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <random>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/lanes/float16.hpp>

using namespace lockstep;

namespace {

constexpr int W = 24;

// Each operation beside what one lane's turn does, in a plain loop.
template <class T, class Atomic>
void check(Atomic atomic, std::function<T(T old, T value)> turn, bool only_thread,
           bool same_element, bool same_data) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 40; ++round) {
    std::vector<T> memory(6), expected;
    for (T& x : memory) x = static_cast<T>(random());
    expected = memory;
    Mask<W> active;
    for (int i = 0; i < W; ++i) {
      if (random() % 2 == 0 && round > 0) active = active | Mask<W>::lane(i);
    }
    if (round % 4 == 1) active = active.lowest();
    Location location{.only_thread = only_thread, .faults = {}};
    T value[W];
    std::uint32_t index[W];
    for (int i = 0; i < W; ++i) {
      value[i] = same_data && i > 0 ? value[0] : static_cast<T>(random());
      index[i] =
          same_element ? 2 : static_cast<std::uint32_t>(random() % 8);  // 6 and 7 do not exist
    }
    const auto values = Lanes<T, W>::generate([&](int i) { return value[i % W]; });
    const auto indices = Lanes<std::uint32_t, W>::generate([&](int i) { return index[i % W]; });
    const Array<T, W> array({memory.data(), 6, 0, &active, &location});

    const Lanes<T, W> old =
        same_data ? same_element ? atomic(array[2u], value[0]) : atomic(array[indices], value[0])
        : same_element ? atomic(array[2u], values)
                       : atomic(array[indices], values);

    std::uint64_t faults = 0;
    for (int i = 0; i < W; ++i) {
      T want = 0;
      if (active.test(i) && index[i] < 6) {
        want = expected[index[i]];
        expected[index[i]] = turn(want, value[i]);
      } else if (active.test(i)) {
        ++faults;
      }
      CHECK(old[i] == want);
    }
    CHECK(memory == expected);
    CHECK(location.faults.count() == faults);
  }
}

}  // namespace

TEMPLATE_TEST_CASE("atomics: lanes take their turns in rising order", "", std::int32_t,
                   std::uint32_t, std::int64_t, std::uint64_t) {
  using T = TestType;
  using U = std::make_unsigned_t<T>;
  using E = T;
  for (const bool only_thread : {false, true}) {
    for (const bool same : {false, true}) {
      for (const bool same_data : {false, true}) {
#define CHECK_ATOMIC(name, result)                                        \
  check<T>([](auto&& e, const auto& v) { return name(std::move(e), v); }, \
           [](E old, E value) { return static_cast<T>(result); }, only_thread, same, same_data)
        CHECK_ATOMIC(atomicAdd, static_cast<U>(old) + static_cast<U>(value));
        CHECK_ATOMIC(atomicExchange, (static_cast<void>(old), value));
        CHECK_ATOMIC(atomicMin, value < old ? value : old);
        CHECK_ATOMIC(atomicMax, value > old ? value : old);
        CHECK_ATOMIC(atomicAnd, value & old);
        CHECK_ATOMIC(atomicOr, value | old);
        CHECK_ATOMIC(atomicXor, value ^ old);
#undef CHECK_ATOMIC
      }
    }
  }
}

namespace {

/// What one lane finds and leaves.
template <class T>
struct Turn {
  T (*result)(T old, T value);
};

// Which NaN a sum of NaNs is depends on the order of its operands.
template <class T>
bool same(T a, T b) {
  return (a != a && b != b) || std::memcmp(&a, &b, sizeof(T)) == 0;
}

/// Numbers of all kinds: NaN, infinities, both zeros, and sums that need rounding.
template <class T>
T draw(std::mt19937& random) {
  const float special[] = {NAN, INFINITY, -INFINITY, 0.0f, -0.0f};
  const auto k = random() % 20;
  if (k < 5) return static_cast<T>(special[k]);
  return static_cast<T>(static_cast<float>(static_cast<int>(random() % 20001) - 10000) / 77.0f);
}

template <class T, class Atomic>
void check_floats(Atomic atomic, Turn<T> turn, bool only_thread) {
  std::mt19937 random(5);
  for (int round = 0; round < 60; ++round) {
    std::vector<T> memory(5), expected;
    for (T& x : memory) x = draw<T>(random);
    expected = memory;
    const auto active = Mask<W>::from_bits(round == 0 ? ~0u : static_cast<std::uint32_t>(random()));
    Location location{.only_thread = only_thread, .faults = {}};
    T value[W];
    std::uint32_t index[W];
    for (int i = 0; i < W; ++i) {
      value[i] = draw<T>(random);
      index[i] = static_cast<std::uint32_t>(random() % 6);  // 5 does not exist
    }
    const auto values = Lanes<T, W>::generate([&](int i) { return value[i % W]; });
    const auto indices = Lanes<std::uint32_t, W>::generate([&](int i) { return index[i % W]; });
    const Array<T, W> array({memory.data(), 5, 0, &active, &location});
    const Lanes<T, W> old = atomic(array[indices], values);
    std::uint64_t faults = 0;
    for (int i = 0; i < W; ++i) {
      T want(0);
      if (active.test(i) && index[i] < 5) {
        want = expected[index[i]];
        expected[index[i]] = turn.result(want, value[i]);
      } else if (active.test(i)) {
        ++faults;
      }
      CAPTURE(round, i, static_cast<float>(value[i]));
      CHECK(same(old[i], want));
    }
    for (std::size_t k = 0; k < memory.size(); ++k) CHECK(same(memory[k], expected[k]));
    CHECK(location.faults.count() == faults);
  }
}

}  // namespace

TEMPLATE_TEST_CASE("atomics of floats: numbers win over NaN, sums round in the lanes' order", "",
                   float, double, float16_t) {
  using T = TestType;
  using E = Element<Lanes<T, W>, T, Lanes<std::uint32_t, W>>;
  using L = Lanes<T, W>;
  for (const bool only_thread : {false, true}) {
    check_floats<T>([](E&& e, const L& v) { return atomicAdd(std::move(e), v); },
                    {[](T old, T value) { return static_cast<T>(old + value); }}, only_thread);
    check_floats<T>([](E&& e, const L& v) { return atomicExchange(std::move(e), v); },
                    {[](T, T value) { return value; }}, only_thread);
    check_floats<T>([](E&& e, const L& v) { return atomicMin(std::move(e), v); },
                    {[](T old, T value) { return old != old || value < old ? value : old; }},
                    only_thread);
    check_floats<T>([](E&& e, const L& v) { return atomicMax(std::move(e), v); },
                    {[](T old, T value) { return old != old || value > old ? value : old; }},
                    only_thread);
  }
}

TEMPLATE_TEST_CASE("atomics: no turn is lost between threads", "", std::uint32_t, std::uint64_t,
                   float, double, float16_t) {
  using T = TestType;
  T sum(0), largest(0);
  const auto body = [&](int first) {
    const Mask<4> active = Mask<4>::all();
    Location location;
    const Array<T, 4> one({&sum, 1, 0, &active, &location});
    const Array<T, 4> other({&largest, 1, 1, &active, &location});
    for (int k = 0; k < 100; ++k) {
      atomicAdd(one[0u], T(1));
      const auto mine = Lanes<T, 4>::generate([&](int i) { return T((first * 100 + k) * 4 + i); });
      atomicMax(other[0u], mine);
    }
  };
  std::thread a(body, 0), b(body, 1);
  a.join();
  b.join();
  CHECK(static_cast<double>(sum) == 800);  // exact in float16_t, too
  CHECK(static_cast<double>(largest) == 799);
}

TEST_CASE("atomicCompSwap: replaces where the element holds the expected value") {
  std::vector<std::uint32_t> memory = {5, 6};
  const Mask<W> active = Mask<W>::first_n(3);
  Location location;
  const Array<std::uint32_t, W> array({memory.data(), 2, 0, &active, &location});
  // Lane 0 finds 5, lane 1 what lane 0 wrote, lane 2 something it does not expect.
  const auto expected = Lanes<std::uint32_t, W>::generate([](int i) { return i == 0 ? 5 : 10; });
  const auto wanted = Lanes<std::uint32_t, W>::generate([](int i) { return 10 + i; });
  const Lanes<std::uint32_t, W> old = atomicCompSwap(array[0u], expected, wanted);
  CHECK(old[0] == 5);
  CHECK(old[1] == 10);
  CHECK(old[2] == 11);
  CHECK(old[3] == 0);
  CHECK(memory == std::vector<std::uint32_t>{11, 6});
}

TEST_CASE("atomicCompSwap: the same numbers in all lanes") {
  std::vector<std::uint32_t> memory = {5, 6, 5};
  const Mask<W> active = Mask<W>::from_bits(0b1011);
  Location location;
  const Array<std::uint32_t, W> array({memory.data(), 3, 0, &active, &location});
  const auto index = Lanes<std::uint32_t, W>::generate([](int i) { return i % 3; });
  const Lanes<std::uint32_t, W> old = atomicCompSwap(array[index], 5u, 9u);
  CHECK(old[0] == 5);
  CHECK(old[1] == 6);
  CHECK(old[2] == 0);
  CHECK(old[3] == 9);  // what lane 0 wrote
  CHECK(memory == std::vector<std::uint32_t>{9, 6, 5});
}
