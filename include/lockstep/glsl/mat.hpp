#pragma once

#include <lockstep/glsl/vec.hpp>

namespace lockstep::inline LOCKSTEP_ABI {

/// A GLSL matrix of C columns and R rows whose components are Lanes<T, W>: each lane has its own.
///
/// m[c] is column c, m[c][r] the component in its row r. + - / and all operators with a scalar work
/// component-wise. * between matrices and vectors is the linear-algebra product, with sums taken
/// from the first column to the last. == and != give one bool per lane.
///
/// Requires      2 <= C, R <= 4; T is float, double or float16_t; 1 <= W <= 128.
/// Active lanes  As for every Lanes: all lanes are computed, and there is no assignment, because
///               assignment must respect the active mask.
/// Errors        None.
/// Cost          C * R operations on Lanes; products take as many multiplications and additions as
///               by hand.
/// Spec          GLSL mat2 mat3x4 dmat4 ... · SPIR-V OpTypeMatrix, OpMatrixTimesVector, ...
/// Example       tests/glsl/mat.cpp
template <class T, int C, int R, int W>
class Mat {
  static_assert(detail::Floating<detail::Plain<T>>, "a matrix holds float, double or float16_t");
  static_assert(2 <= C && C <= 4 && 2 <= R && R <= 4, "a matrix has 2 to 4 columns and rows");

  struct Generate {};

 public:
  using value_type = T;
  using lane_type = Lanes<T, W>;
  using Bool = typename lane_type::Bool;
  using Column = Vec<T, R, W>;
  using Row = Vec<T, C, W>;
  static constexpr int columns = C;
  static constexpr int rows = R;
  static constexpr int width = W;

  Mat(const Mat&) = default;
  /// Deleted: assignment must respect the active mask. Make a variable with var(value) and assign to
  /// that.
  Mat& operator=(const Mat&) = delete;

  /// Components from scalars and vectors in order, column by column, as in GLSL's
  /// constructors.
  template <class... A>
  requires(detail::fills_components<C * R, T, W, A...>()) LOCKSTEP_INLINE
      explicit(sizeof...(A) == 1) Mat(const A&... a)
      : Mat(
            Generate{}, [&](auto c) __attribute__((always_inline)) {
              return Column::generate([&](auto r) __attribute__((always_inline)) {
                return detail::nth_component<T, W, c * R + r>(a...);
              });
            }) {}
  /// The same with elements of arrays or parts of them, which are read first.
  template <class... A>
  requires((detail::ElementArgument<A> || ...) &&
           std::constructible_from<Mat, decltype(detail::argument(std::declval<A>()))...>)
      LOCKSTEP_INLINE explicit(sizeof...(A) == 1) Mat(A&&... a)
      : Mat(detail::argument(static_cast<A&&>(a))...) {}
  /// One scalar on the diagonal, zero elsewhere.
  template <class A>
  requires detail::OneComponent<A, T, W> LOCKSTEP_INLINE explicit Mat(const A& diagonal)
      : Mat(
            Generate{}, [&](auto c) __attribute__((always_inline)) {
              return Column::generate([&](auto r) __attribute__((always_inline)) {
                return c == r ? detail::to_lanes<T, W>(diagonal) : uniform(0);
              });
            }) {}
  /// Another matrix, truncated, or extended with the identity matrix.
  template <class U, int C2, int R2>
  LOCKSTEP_INLINE explicit Mat(const Mat<U, C2, R2, W>& other)
      : Mat(
            Generate{}, [&](auto c) __attribute__((always_inline)) {
              return Column::generate([&](auto r) __attribute__((always_inline)) {
                if constexpr (c < C2 && r < R2)
                  return lane_type(other.template component<c, r>());
                else
                  return uniform(c == r ? 1 : 0);
              });
            }) {}
  /// Column c is g(c), where c is a std::integral_constant<int, ...>.
  template <class G>
  LOCKSTEP_INLINE static Mat generate(const G& g) {
    return Mat(Generate{}, g);
  }

  /// Column c. Requires 0 <= c < C.
  LOCKSTEP_INLINE const Column& operator[](int c) const { return columns_[c]; }
  /// The component in column c, row r.
  template <int c, int r>
  LOCKSTEP_INLINE const lane_type& component() const {
    return columns_[c].template component<r>();
  }

#define LOCKSTEP_MAT_WITH_SCALAR(op)                                                   \
  LOCKSTEP_INLINE friend Mat operator op(const Mat& a, const lane_type& b) {           \
    return generate([&](auto c) __attribute__((always_inline)) { return a[c] op b; }); \
  }                                                                                    \
  LOCKSTEP_INLINE friend Mat operator op(const lane_type& a, const Mat& b) {           \
    return generate([&](auto c) __attribute__((always_inline)) { return a op b[c]; }); \
  }
#define LOCKSTEP_MAT_COMPONENT_WISE(op)                                                   \
  LOCKSTEP_MAT_WITH_SCALAR(op)                                                            \
  LOCKSTEP_INLINE friend Mat operator op(const Mat& a, const Mat& b) {                    \
    return generate([&](auto c) __attribute__((always_inline)) { return a[c] op b[c]; }); \
  }
  LOCKSTEP_MAT_COMPONENT_WISE(+)
  LOCKSTEP_MAT_COMPONENT_WISE(-)
  LOCKSTEP_MAT_COMPONENT_WISE(/)
  LOCKSTEP_MAT_WITH_SCALAR(*)
#undef LOCKSTEP_MAT_COMPONENT_WISE
#undef LOCKSTEP_MAT_WITH_SCALAR

  LOCKSTEP_INLINE friend Mat operator-(const Mat& a) {
    return generate([&](auto c) __attribute__((always_inline)) { return -a[c]; });
  }

  /// Linear combination of the columns.
  LOCKSTEP_INLINE friend Column operator*(const Mat& m, const Row& v) {
    if constexpr (C == 2)
      return m[0] * v.x + m[1] * v.y;
    else if constexpr (C == 3)
      return m[0] * v.x + m[1] * v.y + m[2] * v.z;
    else
      return m[0] * v.x + m[1] * v.y + m[2] * v.z + m[3] * v.w;
  }
  /// Component c is the sum over rows of v * column c.
  LOCKSTEP_INLINE friend Row operator*(const Column& v, const Mat& m) {
    return Row::generate([&](auto c) __attribute__((always_inline)) {
      return detail::fold_components(
          [](const auto& a, const auto& b) __attribute__((always_inline)) { return a + b; },
          v * m[c]);
    });
  }
  /// Column c is a * column c of b. Inlining is not forced: matrices do not fit the registers anyway.
  template <int C2>
  friend Mat<T, C2, R, W> operator*(const Mat& a, const Mat<T, C2, C, W>& b) {
    return Mat<T, C2, R, W>::generate([&](auto c)
                                          __attribute__((always_inline)) { return a * b[c]; });
  }

  /// The same of a matrix in memory.
  template <detail::ElementArgument E>
  requires(detail::ValueOfElement<E>::columns > 0) friend auto operator*(const Mat& a, E&& b) {
    return a * detail::argument(static_cast<E&&>(b));
  }

  /// Whether all components are equal, lane by lane.
  LOCKSTEP_INLINE friend Bool operator==(const Mat& a, const Mat& b) {
    return all_columns_equal(a, b, std::make_integer_sequence<int, C>{});
  }
  /// Whether some component differs, lane by lane.
  LOCKSTEP_INLINE friend Bool operator!=(const Mat& a, const Mat& b) { return !(a == b); }

  /// a in the lanes of `mask`, b in the others.
  LOCKSTEP_INLINE friend Mat select(Mask<W> mask, const Mat& a, const Mat& b) {
    return generate([&](auto c)
                        __attribute__((always_inline)) { return select(mask, a[c], b[c]); });
  }
  /// a in the lanes where `condition` is true, b in the others: GLSL's ?: without branches.
  LOCKSTEP_INLINE friend Mat select(const Bool& condition, const Mat& a, const Mat& b) {
    return generate([&](auto c)
                        __attribute__((always_inline)) { return select(condition, a[c], b[c]); });
  }

 private:
  template <class G>
  LOCKSTEP_INLINE Mat(Generate, const G& g) : Mat(g, std::make_integer_sequence<int, C>{}) {}
  template <class G, int... c>
  LOCKSTEP_INLINE Mat(const G& g, std::integer_sequence<int, c...>)
      : columns_{g(std::integral_constant<int, c>{})...} {}

  LOCKSTEP_INLINE static lane_type uniform(int value) {
    return detail::scalar::convert<detail::Plain<T>>(value);
  }

  template <int... c>
  LOCKSTEP_INLINE static Bool all_columns_equal(const Mat& a, const Mat& b,
                                                std::integer_sequence<int, c...>) {
    return ((a[c] == b[c]) & ...);
  }

  Column columns_[C];
};

namespace detail {

/// The determinant of two columns and two rows.
template <int c0, int c1, int r0, int r1, class M>
LOCKSTEP_INLINE auto minor_of(const M& m) {
  return m.template component<c0, r0>() * m.template component<c1, r1>() -
         m.template component<c1, r0>() * m.template component<c0, r1>();
}

/// The determinant without column c and row r, with its sign. The others are taken in cyclic order, which
/// turns the sign of a minor of two of three columns as it should, and that of three of four not at all.
template <int c, int r, class T, int N, int W>
LOCKSTEP_INLINE Lanes<T, W> cofactor(const Mat<T, N, N, W>& m) {
  constexpr int c1 = (c + 1) % N, c2 = (c + 2) % N, r1 = (r + 1) % N, r2 = (r + 2) % N;
  if constexpr (N == 2) {
    if constexpr (c == r)
      return m.template component<c1, r1>();
    else
      return -m.template component<c1, r1>();
  } else if constexpr (N == 3) {
    return minor_of<c1, c2, r1, r2>(m);
  } else {
    constexpr int c3 = (c + 3) % N, r3 = (r + 3) % N;
    const auto sum = m.template component<c1, r1>() * minor_of<c2, c3, r2, r3>(m) +
                     m.template component<c1, r2>() * minor_of<c2, c3, r3, r1>(m) +
                     m.template component<c1, r3>() * minor_of<c2, c3, r1, r2>(m);
    if constexpr ((c + r) % 2 == 0)
      return sum;
    else
      return -sum;
  }
}
/// The elements of column c.
template <int c, class T, int N, int W>
LOCKSTEP_INLINE Vec<T, N, W> cofactors(const Mat<T, N, N, W>& m) {
  return Vec<T, N, W>::generate([&](auto r)
                                    __attribute__((always_inline)) { return cofactor<c, r>(m); });
}

template <class T, int N, int W>
LOCKSTEP_INLINE Lanes<T, W> dot_of(const Vec<T, N, W>& a, const Vec<T, N, W>& b) {
  return fold_components(
      [](const auto& x, const auto& y) __attribute__((always_inline)) { return x + y; }, a * b);
}

}  // namespace detail

/// \defgroup matrix Matrix functions (GLSL 4.60, 8.6)
///
/// Requires      Matrices of any shape; determinant and inverse take square ones.
/// Active lanes  All lanes are computed, including inactive ones.
/// Errors        None: the inverse of a singular matrix holds infinities and NaN, which GLSL leaves
///               undefined.
/// Cost          By cofactors, without branches: some 60 operations on Lanes for the determinant of
///               a mat4, 250 for its inverse. The others move or multiply each component once.
/// Spec          GLSL names as below · SPIR-V OpTranspose, OpOuterProduct, GLSL.std.450
///               Determinant, MatrixInverse
/// Example       tests/glsl/mat.cpp
/// @{

/// The component-wise product, unlike *.
template <class T, int C, int R, int W>
LOCKSTEP_INLINE Mat<T, C, R, W> matrixCompMult(const Mat<T, C, R, W>& x, const Mat<T, C, R, W>& y) {
  return Mat<T, C, R, W>::generate([&](auto c)
                                       __attribute__((always_inline)) { return x[c] * y[c]; });
}
/// The column vector c times the row vector r.
template <class T, int C, int R, int W>
LOCKSTEP_INLINE Mat<T, C, R, W> outerProduct(const Vec<T, R, W>& c, const Vec<T, C, W>& r) {
  return Mat<T, C, R, W>::generate([&](auto k) __attribute__((always_inline)) {
    return c * r.template component<k>();
  });
}
/// The transpose.
template <class T, int C, int R, int W>
LOCKSTEP_INLINE Mat<T, R, C, W> transpose(const Mat<T, C, R, W>& m) {
  return Mat<T, R, C, W>::generate([&](auto r) __attribute__((always_inline)) {
    return Vec<T, C, W>::generate([&](auto c) __attribute__((always_inline)) {
      return m.template component<c, r>();
    });
  });
}
/// Determinant of a square matrix.
template <class T, int N, int W>
Lanes<T, W> determinant(const Mat<T, N, N, W>& m) {
  return detail::dot_of(m[0], detail::cofactors<0>(m));
}
/// Inverse of a square matrix.
template <class T, int N, int W>
Mat<T, N, N, W> inverse(const Mat<T, N, N, W>& m) {
  const auto of_columns = Mat<T, N, N, W>::generate([&](auto c) __attribute__((always_inline)) {
    return detail::cofactors<c>(m);
  });
  return transpose(of_columns) * (T(1.0f) / detail::dot_of(m[0], of_columns[0]));
}
/// @}

}  // namespace lockstep::inline LOCKSTEP_ABI
