#pragma once

#include <Eigen/Core>

#include <lockstep/lanes/detail/plain.hpp>
#include <lockstep/lanes/lanes.hpp>

/// \file
/// Lanes as the scalar of Eigen's fixed-size vectors and matrices.

namespace lockstep::inline LOCKSTEP_ABI::detail {

/// Lanes with the default construction and assignment that Eigen requires of a scalar. Kernels
/// never see it: their assignments are masked, this one's are not.
template <class T, int W>
class LaneScalar {
  using L = Lanes<T, W>;

 public:
  /// Uninitialised, as Eigen leaves the scalars of a new matrix.
  LaneScalar() = default;
  LOCKSTEP_INLINE LaneScalar(const L& lanes) : packs_(lanes.packs()) {}
  /// Eigen spells constants Scalar(0) and Scalar(1).
  template <class U>
  requires std::is_arithmetic_v<U> LOCKSTEP_INLINE LaneScalar(U uniform)
      : LaneScalar(L(scalar::convert<Plain<T>>(uniform))) {}

  LOCKSTEP_INLINE operator L() const { return L(packs_); }

  LOCKSTEP_INLINE friend LaneScalar operator+(const LaneScalar& a, const LaneScalar& b) {
    return L(a) + L(b);
  }
  LOCKSTEP_INLINE friend LaneScalar operator-(const LaneScalar& a, const LaneScalar& b) {
    return L(a) - L(b);
  }
  LOCKSTEP_INLINE friend LaneScalar operator*(const LaneScalar& a, const LaneScalar& b) {
    return L(a) * L(b);
  }
  LOCKSTEP_INLINE friend LaneScalar operator/(const LaneScalar& a, const LaneScalar& b) {
    return L(a) / L(b);
  }
  LOCKSTEP_INLINE friend LaneScalar operator-(const LaneScalar& a) { return -L(a); }

  LOCKSTEP_INLINE LaneScalar& operator+=(const LaneScalar& b) { return *this = *this + b; }
  LOCKSTEP_INLINE LaneScalar& operator-=(const LaneScalar& b) { return *this = *this - b; }
  LOCKSTEP_INLINE LaneScalar& operator*=(const LaneScalar& b) { return *this = *this * b; }
  LOCKSTEP_INLINE LaneScalar& operator/=(const LaneScalar& b) { return *this = *this / b; }

 private:
  typename L::Packs packs_;
};

}  // namespace lockstep::inline LOCKSTEP_ABI::detail

/// What Eigen must know about lanes as scalars.
template <class T, int W>
struct Eigen::NumTraits<lockstep::detail::LaneScalar<T, W>>
    : Eigen::GenericNumTraits<lockstep::detail::LaneScalar<T, W>> {
  enum {
    IsInteger = Eigen::NumTraits<lockstep::detail::Plain<T>>::IsInteger,
    IsSigned = Eigen::NumTraits<lockstep::detail::Plain<T>>::IsSigned,
    IsComplex = 0,
    RequireInitialization = 0,
    // Zero cost, so that Eigen unrolls every loop: only then do lanes stay in registers.
    ReadCost = 0,
    AddCost = 0,
    MulCost = 0
  };
};
