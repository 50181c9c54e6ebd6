#pragma once

#include <Eigen/Core>

#include <lockstep/glsl/detail/lane_scalar.hpp>
#include <lockstep/glsl/mat.hpp>

/// \file
/// GLSL's vectors and matrices of lanes as Eigen's, and back. lockstep.hpp does not include this
/// header, and lockstep::lockstep does not need Eigen.

namespace lockstep::inline LOCKSTEP_ABI {

/// \defgroup eigen Conversions to and from Eigen
///
/// Requires      Eigen 3.4; the project links Eigen3::Eigen itself. Components are numbers, not bools.
/// Active lanes  All lanes are computed, including inactive ones.
/// Errors        None.
/// Cost          A copy. Eigen's expressions with more than 16 lanes per component stay in memory under
///               g++ 12.
/// Spec          None.
/// Example       tests/glsl/eigen.cpp
/// @{

/// The components as an Eigen array.
template <class T, int N, int W>
requires(!std::same_as<detail::Plain<T>, bool>) LOCKSTEP_INLINE
    auto to_eigen(const Vec<T, N, W>& v) {
  Eigen::Array<detail::LaneScalar<T, W>, N, 1> values;
  detail::unrolled<N>([&](auto k) __attribute__((always_inline)) {
    values.coeffRef(k) = v.template component<k>();
  });
  return values;
}
/// The components as an Eigen matrix.
template <class T, int C, int R, int W>
LOCKSTEP_INLINE auto to_eigen(const Mat<T, C, R, W>& m) {
  Eigen::Matrix<detail::LaneScalar<T, W>, R, C> values;
  detail::unrolled<C>([&](auto c) __attribute__((always_inline)) {
    detail::unrolled<R>([&](auto r) __attribute__((always_inline)) {
      values.coeffRef(r, c) = m.template component<c, r>();
    });
  });
  return values;
}

namespace detail {

template <class Scalar>
struct LanesOfScalar;
template <class T, int W>
struct LanesOfScalar<LaneScalar<T, W>> {
  template <int N>
  using VecOf = Vec<T, N, W>;
  template <int C, int R>
  using MatOf = Mat<T, C, R, W>;
};

}  // namespace detail

/// The value of an Eigen expression of such components: a vector if it has one row or column, otherwise a
/// matrix.
template <class Derived>
LOCKSTEP_INLINE auto from_eigen(const Eigen::DenseBase<Derived>& expression) {
  using Of = detail::LanesOfScalar<typename Derived::Scalar>;
  constexpr int C = Derived::ColsAtCompileTime, R = Derived::RowsAtCompileTime;
  const typename Derived::PlainObject values(expression.derived());
  if constexpr (C == 1 || R == 1) {
    return Of::template VecOf<C * R>::generate([&](auto k) __attribute__((always_inline)) {
      return values.coeff(k);
    });
  } else {
    using M = typename Of::template MatOf<C, R>;
    return M::generate([&](auto c) __attribute__((always_inline)) {
      return M::Column::generate([&](auto r)
                                     __attribute__((always_inline)) { return values.coeff(r, c); });
    });
  }
}
/// @}

}  // namespace lockstep::inline LOCKSTEP_ABI
