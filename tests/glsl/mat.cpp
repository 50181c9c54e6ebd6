#include <catch2/catch.hpp>
#include <cmath>

#include <lockstep/glsl/mat.hpp>

#include "glsl/check_vec.hpp"
#include "support/expected.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// Component (column c, row r) of lane i is values[c][r][i].
template <class T, int C, int R, int W>
using MatArray = std::array<VecArray<T, R, W>, static_cast<std::size_t>(C)>;

/// Numbers of which few-term sums of products are exact in float and double, and in float16_t too.
template <class T, int C, int R, int W>
MatArray<T, C, R, W> sample_mat(Random& random) {
  MatArray<T, C, R, W> values;
  for (auto& column : values) column = sample_vec<T, R, W>(random, Values::small);
  return values;
}

template <class T, int C, int R, int W>
Mat<T, C, R, W> mat_from(const MatArray<T, C, R, W>& values) {
  return Mat<T, C, R, W>::generate([&](auto c) { return vec_from<T, W>(values[c]); });
}

template <class T, int C, int R, int W>
std::string mat_difference(const Mat<T, C, R, W>& got, const MatArray<T, C, R, W>& want) {
  std::string text;
  for (int c = 0; c < C; ++c) {
    const std::string wrong =
        difference_of(got[c], want[static_cast<std::size_t>(c)], same_value<T>);
    if (!wrong.empty()) text += "column " + std::to_string(c) + ", " + wrong;
  }
  return text;
}

/// The matrix whose component (c, r) of lane i is f(c, r, i).
template <class T, int C, int R, int W, class F>
MatArray<T, C, R, W> each_component(F f) {
  MatArray<T, C, R, W> result{};
  for (std::size_t c = 0; c < C; ++c) {
    for (std::size_t r = 0; r < R; ++r) {
      for (std::size_t i = 0; i < W; ++i) result[c][r][i] = static_cast<T>(f(c, r, i));
    }
  }
  return result;
}

/// Calls f(Type<T>{}, Size<C>{}, Size<R>{}, Size<W>{}) for every kind of shape, in a padded or a
/// full subgroup.
template <class F>
void for_each_shape(F&& f) {
  f(Type<float>{}, Size<2>{}, Size<2>{}, Size<3>{});
  f(Type<float>{}, Size<2>{}, Size<4>{}, Size<16>{});
  f(Type<float>{}, Size<3>{}, Size<3>{}, Size<16>{});
  f(Type<float>{}, Size<4>{}, Size<4>{}, Size<3>{});
  f(Type<double>{}, Size<3>{}, Size<2>{}, Size<16>{});
  f(Type<double>{}, Size<4>{}, Size<4>{}, Size<3>{});
  f(Type<float16_t>{}, Size<3>{}, Size<4>{}, Size<3>{});
}

/// One shape at every size.
template <class F>
void for_each_mat_size(F&& f) {
  for_each_size(VecSizes{}, [&](auto width) { f(Type<float>{}, Size<4>{}, Size<3>{}, width); });
}

template <class T>
double real(T value) {
  return static_cast<double>(value);
}

/// One lane's matrix in double, with the textbook determinant: expansion along the first column.
struct LaneMatrix {
  int size;
  double at[4][4];  // [column][row]

  double minor_of(int column, int row) const {
    LaneMatrix rest{size - 1, {}};
    for (int c = 0, to = 0; c < size; ++c) {
      if (c == column) continue;
      for (int r = 0, down = 0; r < size; ++r) {
        if (r != row) rest.at[to][down++] = at[c][r];
      }
      ++to;
    }
    return rest.determinant();
  }
  double cofactor(int column, int row) const {
    return ((column + row) % 2 == 0 ? 1 : -1) * minor_of(column, row);
  }
  double determinant() const {
    if (size == 1) return at[0][0];
    double sum = 0;
    for (int r = 0; r < size; ++r) sum += at[0][r] * cofactor(0, r);
    return sum;
  }
};

template <class T, std::size_t P, std::size_t N>
LaneMatrix lane_of(const std::array<std::array<std::array<T, P>, N>, N>& values, std::size_t i) {
  LaneMatrix m{static_cast<int>(N), {}};
  for (std::size_t c = 0; c < N; ++c) {
    for (std::size_t r = 0; r < N; ++r) m.at[c][r] = real(values[c][r][i]);
  }
  return m;
}

// Matrices near c times the identity keep their distance from singular ones: with c = 4 and other
// components of at most 1/2, each column is dominated by its diagonal.
template <class T, int N, int W>
MatArray<T, N, N, W> sample_regular(Random& random) {
  auto values = sample_mat<T, N, N, W>(random);
  for (std::size_t c = 0; c < N; ++c) {
    for (std::size_t r = 0; r < N; ++r) {
      for (std::size_t i = 0; i < W; ++i) {
        values[c][r][i] =
            static_cast<T>(static_cast<float>(values[c][r][i]) / 32.0f + (c == r ? 4.0f : 0.0f));
      }
    }
  }
  return values;
}

template <int N, class T, int W>
void check_inverse(Type<T>, Size<W>) {
  INFO(N << " x " << N << " " << type_name<T>() << ", " << W << " lanes");
  Random random = make_random(W);
  const auto values = sample_regular<T, N, W>(random);
  const auto m = mat_from<T, N, N, W>(values);
  const Lanes<T, W> determinants = determinant(Variable(m));
  const Mat<T, N, N, W> inverses = inverse(Variable(m));
  // The products of a determinant add up to at most the product of the columns' sums of sizes, each
  // below 4.5 + 3 * 0.5; components of an inverse stay below 1. Each of the four levels of the
  // computation rounds by half an epsilon of that.
  const double epsilon = real(std::numeric_limits<T>::epsilon());
  const double determinant_error = 4 * epsilon * std::pow(6.0, N);
  const double inverse_error = 16 * epsilon;
  for (std::size_t i = 0; i < W; ++i) {
    const LaneMatrix lane = lane_of(values, i);
    const double want = lane.determinant();
    const int at = static_cast<int>(i);
    CHECK(std::fabs(real(determinants[at]) - want) <= determinant_error);
    for (int c = 0; c < N; ++c) {
      for (int r = 0; r < N; ++r) {
        // The adjugate is the transposed matrix of cofactors.
        CHECK(std::fabs(real(inverses[c][r][at]) - lane.cofactor(r, c) / want) <= inverse_error);
      }
    }
  }
}

}  // namespace

TEST_CASE("A matrix is made of its columns, or of components column by column") {
  for_each_size(VecSizes{}, []<int W>(Size<W>) {
    Random random = make_random(W);
    const auto values = sample_mat<float, 2, 3, W>(random);
    const auto a = vec_from<float, W>(values[0]);
    const auto b = vec_from<float, W>(values[1]);
    CHECK(mat_difference(Mat<float, 2, 3, W>(a, b), values) == "");
    CHECK(mat_difference(Mat<float, 2, 3, W>(Variable(a), Variable(b.x), b.yz()), values) == "");
    CHECK(mat_difference(Mat<float, 2, 3, W>(a.x, a.y, a.z, b.x, b.y, b.z), values) == "");
    CHECK(mat_difference(Mat<float, 2, 3, W>(a.xy(), Vec<float, 4, W>(a.z, b)), values) == "");
    const Vec<std::int32_t, 4, W> four(a.xy(), b.xy());
    const auto square =
        each_component<float, 2, 2, W>([&](auto c, auto r, auto i) { return values[c][r][i]; });
    CHECK(mat_difference(Mat<float, 2, 2, W>(four), square) == "");
    const auto counted =
        each_component<float, 2, 2, W>([](auto c, auto r, auto) { return 2 * c + r; });
    CHECK(mat_difference(Mat<float, 2, 2, W>(0, 1.0f, 2u, 3.0), counted) == "");
  });
  using F = Lanes<float, 8>;
  using F3 = Vec<float, 3, 8>;
  STATIC_REQUIRE(std::is_constructible_v<Mat<float, 2, 3, 8>, F3, F3>);
  STATIC_REQUIRE(!std::is_constructible_v<Mat<float, 2, 3, 8>, F3, F>);  // too few
  STATIC_REQUIRE(
      !std::is_constructible_v<Mat<float, 2, 3, 8>, F3, F3, F3>);  // the last adds nothing
  STATIC_REQUIRE(!std::is_constructible_v<Mat<float, 2, 3, 8>, Mat<float, 2, 3, 16>>);
  STATIC_REQUIRE(!std::is_copy_assignable_v<Mat<float, 2, 3, 8>>);
  STATIC_REQUIRE(!std::is_convertible_v<float, Mat<float, 2, 2, 8>>);
}

TEST_CASE("One scalar makes a diagonal") {
  for_each_shape([]<class T, int C, int R, int W>(Type<T>, Size<C>, Size<R>, Size<W>) {
    Random random = make_random(W);
    const auto s = sample_values<T, W>(random, Values::special);
    const auto varying =
        each_component<T, C, R, W>([&](auto c, auto r, auto i) { return c == r ? s[i] : T(0); });
    const auto uniform =
        each_component<T, C, R, W>([](auto c, auto r, auto) { return c == r ? 3 : 0; });
    CHECK(mat_difference(Mat<T, C, R, W>(lanes_from<T, W>(s)), varying) == "");
    CHECK(mat_difference(Mat<T, C, R, W>(Variable(lanes_from<T, W>(s))), varying) == "");
    CHECK(mat_difference(Mat<T, C, R, W>(3), uniform) == "");
  });
}

TEST_CASE("Another matrix is cut, filled up from the identity and converted") {
  const auto check = []<class T, int C, int R, class U, int C2, int R2>(
                         Type<T>, Size<C>, Size<R>, Type<U>, Size<C2>, Size<R2>) {
    constexpr int W = 24;
    Random random = make_random(C * R2);
    const auto from = sample_mat<U, C2, R2, W>(random);
    const auto want = each_component<T, C, R, W>([&](auto c, auto r, auto i) {
      return c < C2 && r < R2 ? real(from[c < C2 ? c : 0][r < R2 ? r : 0][i]) : c == r ? 1.0 : 0.0;
    });
    CHECK(mat_difference(Mat<T, C, R, W>(mat_from<U, C2, R2, W>(from)), want) == "");
  };
  const Type<float> single;
  const Type<double> twice;
  check(single, Size<2>{}, Size<2>{}, single, Size<4>{}, Size<4>{});
  check(single, Size<4>{}, Size<4>{}, single, Size<2>{}, Size<2>{});
  check(single, Size<4>{}, Size<4>{}, single, Size<4>{}, Size<2>{});
  check(single, Size<3>{}, Size<2>{}, twice, Size<2>{}, Size<4>{});
  check(twice, Size<3>{}, Size<3>{}, single, Size<3>{}, Size<3>{});
}

TEST_CASE("Columns and components are indexed") {
  const Mat<float, 2, 3, 5> m(0, 1, 2, 10, 11, 12);
  for (int c = 0; c < 2; ++c) {
    for (int r = 0; r < 3; ++r) {
      for (int i = 0; i < 5; ++i) CHECK(m[c][r][i] == static_cast<float>(10 * c + r));
    }
  }
  CHECK(&m.component<1, 2>() == &m[1].z);
}

TEST_CASE("+ - / and all operators with a scalar work component by component") {
  for_each_shape([]<class T, int C, int R, int W>(Type<T>, Size<C>, Size<R>, Size<W>) {
    INFO(C << " x " << R << " " << type_name<T>() << ", " << W << " lanes");
    Random random = make_random(W);
    const auto in_a = sample_mat<T, C, R, W>(random);
    const auto in_b = sample_mat<T, C, R, W>(random);
    const auto in_s = sample_values<T, W>(random, Values::small);
    const auto a = mat_from<T, C, R, W>(in_a);
    const Variable b(mat_from<T, C, R, W>(in_b));
    const Variable s(lanes_from<T, W>(in_s));
    const T u(2.5f);
    const auto with_b = [&](T (*f)(T, T)) {
      return each_component<T, C, R, W>(
          [&](auto c, auto r, auto i) { return f(in_a[c][r][i], in_b[c][r][i]); });
    };
    const auto with_s = [&](T (*f)(T, T), bool turned) {
      return each_component<T, C, R, W>([&](auto c, auto r, auto i) {
        return turned ? f(in_s[i], in_a[c][r][i]) : f(in_a[c][r][i], in_s[i]);
      });
    };
    const auto with_u = [&](T (*f)(T, T)) {
      return each_component<T, C, R, W>(
          [&](auto c, auto r, auto i) { return f(in_a[c][r][i], u); });
    };
    CHECK(mat_difference(a + b, with_b(expected::add<T>)) == "");
    CHECK(mat_difference(a - b, with_b(expected::sub<T>)) == "");
    CHECK(mat_difference(a / b, with_b(expected::div<T>)) == "");
    CHECK(mat_difference(matrixCompMult(a, b), with_b(expected::mul<T>)) == "");
    CHECK(mat_difference(a + s, with_s(expected::add<T>, false)) == "");
    CHECK(mat_difference(s - a, with_s(expected::sub<T>, true)) == "");
    CHECK(mat_difference(a * s, with_s(expected::mul<T>, false)) == "");
    CHECK(mat_difference(s / a, with_s(expected::div<T>, true)) == "");
    CHECK(mat_difference(u * a, with_u(expected::mul<T>)) == "");
    CHECK(mat_difference(a / u, with_u(expected::div<T>)) == "");
    CHECK(mat_difference(-a, each_component<T, C, R, W>([&](auto c, auto r, auto i) {
            return expected::neg(in_a[c][r][i]);
          })) == "");
  });
}

TEST_CASE("== asks for all components, != for any; select chooses whole matrices") {
  for_each_shape([]<class T, int C, int R, int W>(Type<T>, Size<C>, Size<R>, Size<W>) {
    Random random = make_random(W);
    const auto in_a = sample_mat<T, C, R, W>(random);
    auto in_b = in_a;
    LaneArray<bool, W> equal{}, different{};
    for (std::size_t i = 0; i < W; ++i) {
      // One component differs, or none.
      const std::size_t other = random() % (2 * C * R);
      if (other < C * R) in_b[other / R][other % R][i] = T(99.0f);
      equal[i] = other >= C * R;
      different[i] = !equal[i];
    }
    const auto a = mat_from<T, C, R, W>(in_a);
    const auto b = mat_from<T, C, R, W>(in_b);
    CHECK(difference(a == b, equal) == "");
    CHECK(difference(Variable(a) != Variable(b), different) == "");

    const auto pick = sample_values<bool, W>(random, Values::special);
    const auto want = each_component<T, C, R, W>(
        [&](auto c, auto r, auto i) { return pick[i] ? in_a[c][r][i] : in_b[c][r][i]; });
    CHECK(mat_difference(select(lanes_from<bool, W>(pick), a, b), want) == "");
    CHECK(mat_difference(select(lanes_from<bool, W>(pick).mask(), a, b), want) == "");
  });
}

TEST_CASE("Products are those of linear algebra") {
  const auto check = []<class T, int C, int R, int W>(Type<T>, Size<C>, Size<R>, Size<W>) {
    INFO(C << " x " << R << " " << type_name<T>() << ", " << W << " lanes");
    Random random = make_random(W);
    const auto in_a = sample_mat<T, C, R, W>(random);
    const auto in_b = sample_mat<T, 2, C, W>(random);
    const auto in_column = sample_vec<T, R, W>(random, Values::small);
    const auto in_row = sample_vec<T, C, W>(random, Values::small);
    const auto a = mat_from<T, C, R, W>(in_a);
    const Variable b(mat_from<T, 2, C, W>(in_b));
    const Variable column(vec_from<T, W>(in_column));
    const auto row = vec_from<T, W>(in_row);

    const auto product = each_component<T, 2, R, W>([&](auto c, auto r, auto i) {
      double sum = 0;
      for (std::size_t k = 0; k < C; ++k) sum += real(in_a[k][r][i]) * real(in_b[c][k][i]);
      return sum;
    });
    VecArray<T, R, W> combined{};
    VecArray<T, C, W> dots{};
    for (std::size_t i = 0; i < W; ++i) {
      for (std::size_t r = 0; r < R; ++r) {
        double sum = 0;
        for (std::size_t c = 0; c < C; ++c) sum += real(in_a[c][r][i]) * real(in_row[c][i]);
        combined[r][i] = static_cast<T>(sum);
      }
      for (std::size_t c = 0; c < C; ++c) {
        double sum = 0;
        for (std::size_t r = 0; r < R; ++r) sum += real(in_column[r][i]) * real(in_a[c][r][i]);
        dots[c][i] = static_cast<T>(sum);
      }
    }
    const auto outer = each_component<T, C, R, W>(
        [&](auto c, auto r, auto i) { return expected::mul(in_column[r][i], in_row[c][i]); });
    const auto turned =
        each_component<T, R, C, W>([&](auto c, auto r, auto i) { return in_a[r][c][i]; });
    CHECK(mat_difference(a * b, product) == "");
    CHECK(difference_of(a * row, combined, same_value<T>) == "");
    CHECK(difference_of(column * a, dots, same_value<T>) == "");
    CHECK(mat_difference(outerProduct(column, row), outer) == "");
    CHECK(mat_difference(transpose(a), turned) == "");
  };
  for_each_shape(check);
  for_each_mat_size(check);
}

TEST_CASE("Sums of products run from the first column to the last") {
  // 2^24 + 1 - 2^24 in float: the order decides.
  const float big = 16777216.0f;
  const Mat<float, 3, 2, 8> m(big, 1, 1, -big, -big, 1);
  const Vec<float, 3, 8> ones(1.0f);
  const Vec<float, 2, 8> sums = m * ones;
  const Vec<float, 2, 8> rows = ones * transpose(m);
  const float first = (big + 1.0f) + -big;
  const float second = (1.0f + -big) + 1.0f;
  for (int i = 0; i < 8; ++i) {
    CHECK(sums.x[i] == first);
    CHECK(sums.y[i] == second);
    CHECK(rows.x[i] == first);
    CHECK(rows.y[i] == second);
  }
}

TEST_CASE("determinant and inverse agree with cofactors") {
  for_each_size(VecSizes{}, [](auto width) { check_inverse<3>(Type<float>{}, width); });
  for_each_size(TwoSizes{}, [](auto width) {
    check_inverse<2>(Type<float>{}, width);
    check_inverse<4>(Type<float>{}, width);
    check_inverse<4>(Type<double>{}, width);
  });
  check_inverse<2>(Type<float16_t>{}, Size<3>{});
}
