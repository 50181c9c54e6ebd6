#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/lanes/float16.hpp>
#include <lockstep/subgroup/detail/scan.hpp>

/// \file
/// The order in which scans add and multiply floats, which must not depend on the registers of an instruction set: sums
/// of the last 2, 4, 8, ... lanes within blocks, then of the blocks before.

using namespace lockstep;

namespace {

template <class T>
constexpr int block = sizeof(T) == 8 ? 8 : 16;

template <class T, class F>
std::vector<T> scan_of(std::vector<T> v, F combine) {
  const int size = static_cast<int>(v.size());
  for (int distance = 1; distance < block<T>; distance *= 2) {
    for (int i = size; i-- > 0;) {
      if (i % block<T> >= distance)
        v[static_cast<std::size_t>(i)] =
            combine(v[static_cast<std::size_t>(i - distance)], v[static_cast<std::size_t>(i)]);
    }
  }
  for (int i = block<T>; i < size; ++i)
    v[static_cast<std::size_t>(i)] = combine(
        v[static_cast<std::size_t>(i / block<T> * block<T> - 1)], v[static_cast<std::size_t>(i)]);
  return v;
}

template <class T, int W>
void check(std::mt19937& random) {
  std::vector<T> values(W), sums(W), products(W);
  Mask<W> active = Mask<W>::none();
  for (int i = 0; i < W; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const float number = static_cast<float>(static_cast<int>(random() % 2001) - 1000) / 77.0f;
    values[k] = static_cast<T>(number);
    const bool is_active = random() % 4 != 0;
    if (is_active) active = active | Mask<W>::lane(i);
    sums[k] = is_active ? values[k] : static_cast<T>(-0.0f);
    values[k] = static_cast<T>(is_active ? number : 1e30f);
    products[k] = static_cast<T>(is_active ? 1 + number / 100 : 1.0f);
  }
  const auto lanes =
      Lanes<T, W>::generate([&](int i) { return values[static_cast<std::size_t>(i % W)]; });
  const auto factors =
      Lanes<T, W>::generate([&](int i) { return products[static_cast<std::size_t>(i % W)]; });
  const Lanes<T, W> sum = detail::inclusive_scan<detail::Add>(active, lanes);
  const Lanes<T, W> product = detail::inclusive_scan<detail::Mul>(active, factors);
  const std::vector<T> want_sum = scan_of(sums, [](T a, T b) { return static_cast<T>(a + b); });
  const std::vector<T> want_product =
      scan_of(products, [](T a, T b) { return static_cast<T>(a * b); });
  for (int i = 0; i < W; ++i) {
    CAPTURE(W, i);
    const T got[] = {sum[i], product[i]};
    const T want[] = {want_sum[static_cast<std::size_t>(i)],
                      want_product[static_cast<std::size_t>(i)]};
    CHECK(std::memcmp(got, want, sizeof got) == 0);
  }
}

}  // namespace

TEMPLATE_TEST_CASE("scans of floats have one order on every instruction set", "", float, double,
                   lockstep::float16_t) {
  std::mt19937 random(7);
  for (int round = 0; round < 20; ++round) {
    check<TestType, 3>(random);
    check<TestType, 8>(random);
    check<TestType, 24>(random);
    check<TestType, 32>(random);
    check<TestType, 64>(random);
    check<TestType, 100>(random);
    check<TestType, 128>(random);
  }
}
