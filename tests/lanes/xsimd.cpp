#include <lockstep/lanes/xsimd.hpp>

#include <cmath>
#include <cstdint>

#include <catch2/catch.hpp>

using namespace lockstep;

namespace {

template <class T, int W>
void check() {
  const auto value = [](int i) { return static_cast<T>(i * 37 % 101 + 1); };
  const auto other = [](int i) { return static_cast<T>(i * 13 % 29); };
  const auto a = Lanes<T, W>::generate(value), b = Lanes<T, W>::generate(other);
  const auto largest =
      on_batches([](const auto& x, const auto& y) { return xsimd::max(x, y); }, a, b);
  const auto product =
      on_batches([](const auto& x, const auto& y, const auto& z) { return x * y + z; }, a, b, a);
  for (int i = 0; i < W; ++i) {
    CAPTURE(W, i);
    CHECK(largest[i] == (value(i) > other(i) ? value(i) : other(i)));
    CHECK(product[i] == value(i) * other(i) + value(i));
  }
  if constexpr (std::is_floating_point_v<T>) {
    // Not a root: on NEON xsimd estimates it.
    const auto distance =
        on_batches([](const auto& x, const auto& y) { return xsimd::fabs(x - y); }, b, a);
    for (int i = 0; i < W; ++i) CHECK(distance[i] == std::fabs(other(i) - value(i)));
  }
}

}  // namespace

TEMPLATE_TEST_CASE("lanes go through functions of xsimd", "", float, double, std::int32_t,
                   std::uint32_t) {
  check<TestType, 1>();
  check<TestType, 3>();
  check<TestType, 8>();
  check<TestType, 24>();
  check<TestType, 32>();
  check<TestType, 128>();
}
