#include <lockstep/glsl/eigen.hpp>

#include <bit>
#include <catch2/catch.hpp>

#include "glsl/check_vec.hpp"
#include "support/expected.hpp"

using namespace lockstep;
using namespace lockstep::test;

TEST_CASE("Vectors travel to Eigen and back") {
  for_each_vec([]<class T, int N, int W>(Type<T>, Size<N>, Size<W>) {
    Random random = make_random(W);
    const auto in_a = sample_vec<T, N, W>(random, Values::small);
    const auto in_b = sample_vec<T, N, W>(random, Values::small);
    const auto a = to_eigen(vec_from<T, W>(in_a));
    const auto b = to_eigen(vec_from<T, W>(in_b));
    const Vec<T, N, W> same = from_eigen(a);
    const Vec<T, N, W> computed = from_eigen((a * b - a).matrix());
    const Vec<T, N, W> turned = from_eigen(a.matrix().transpose());
    VecArray<T, N, W> want;
    for (std::size_t k = 0; k < N; ++k) {
      for (std::size_t i = 0; i < W; ++i)
        want[k][i] = expected::sub(expected::mul(in_a[k][i], in_b[k][i]), in_a[k][i]);
    }
    CHECK(difference_of(same, in_a) == "");
    CHECK(difference_of(computed, want) == "");
    CHECK(difference_of(turned, in_a) == "");
  });
}

TEST_CASE("Matrices travel to Eigen and back") {
  const auto check = []<class T, int C, int R, int W>(Type<T>, Size<C>, Size<R>, Size<W>) {
    const auto value = [](int c, int r, int i) { return T(static_cast<float>(c + 4 * r + i % 8)); };
    const auto a = Mat<T, C, R, W>::generate([&](auto c) {
      return Vec<T, R, W>::generate(
          [&](auto r) { return Lanes<T, W>::generate([&](int i) { return value(c, r, i); }); });
    });
    const Mat<T, C, R, W> same = from_eigen(to_eigen(a));
    const Mat<T, R, C, W> turned = from_eigen(to_eigen(a).transpose());
    for (int c = 0; c < C; ++c) {
      for (int r = 0; r < R; ++r) {
        for (int i = 0; i < W; ++i) {
          CHECK(same[c][r][i] == value(c, r, i));
          CHECK(turned[r][c][i] == value(c, r, i));
        }
      }
    }
  };
  check(Type<float>{}, Size<2>{}, Size<2>{}, Size<3>{});
  check(Type<float>{}, Size<4>{}, Size<3>{}, Size<16>{});
  check(Type<double>{}, Size<2>{}, Size<4>{}, Size<16>{});
  check(Type<float16_t>{}, Size<3>{}, Size<4>{}, Size<3>{});
}

TEST_CASE("float16_t converts as Eigen's half does") {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    const auto ours = static_cast<float>(std::bit_cast<float16_t>(half));
    const auto theirs = static_cast<float>(std::bit_cast<Eigen::half>(half));
    if (ours != ours && theirs != theirs) continue;
    if (bits_of(ours) != bits_of(theirs)) FAIL(bits);
  }
  // Each float with these upper bits, and its neighbours' rounding.
  for (std::uint32_t upper = 0; upper < 0x80000; ++upper) {
    for (const std::uint32_t lower : {0x0000u, 0x0001u, 0x0fffu, 0x1000u, 0x1001u, 0x1fffu}) {
      const auto value = std::bit_cast<float>(upper << 13 | lower);
      if (value != value) continue;
      if (float16_t(value).bits != std::bit_cast<std::uint16_t>(Eigen::half(value))) FAIL(value);
    }
  }
}
