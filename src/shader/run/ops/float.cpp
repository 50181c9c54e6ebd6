#include <limits>

#include <lockstep/glsl/functions/common.hpp>

#include "shader/run/ops/compute.hpp"
#include "shader/run/ops/find.hpp"
#include "shader/run/ops/number.hpp"

/// \file
/// Operations on floats.

namespace lockstep::spirv {
namespace {

/// Prefers a number to NaN.
template <class L>
LOCKSTEP_INLINE L number_min(const L& a, const L& b) {
  return select(a == a, select(b < a, b, a), b);
}
template <class L>
LOCKSTEP_INLINE L number_max(const L& a, const L& b) {
  return select(a == a, select(a < b, b, a), b);
}
/// Zero keeps the sign.
template <class L>
LOCKSTEP_INLINE L denormal_as_zero(const L& a) {
  using T = typename L::value_type;
  return select(abs(a) < L(std::numeric_limits<T>::min()), a * L(T(0.0f)), a);
}

}  // namespace

LOCKSTEP_COMPUTE(nmin, number_min(a, b));
LOCKSTEP_COMPUTE(nmax, number_max(a, b));
LOCKSTEP_COMPUTE_OF_THREE(nclamp, number_min(number_max(a, b), c));
LOCKSTEP_COMPUTE_OF_ONE(flush, denormal_as_zero(a));
LOCKSTEP_COMPUTE_OF_ONE(is_nan, isnan(a));
LOCKSTEP_COMPUTE_OF_ONE(is_inf, isinf(a));
LOCKSTEP_COMPUTE_OF_ONE(round, round(a));
LOCKSTEP_COMPUTE_OF_ONE(round_even, roundEven(a));
LOCKSTEP_COMPUTE_OF_ONE(trunc, trunc(a));
LOCKSTEP_COMPUTE_OF_ONE(floor, floor(a));
LOCKSTEP_COMPUTE_OF_ONE(ceil, ceil(a));
LOCKSTEP_COMPUTE_OF_ONE(fract, fract(a));
LOCKSTEP_COMPUTE_OF_THREE(fma, fma(a, b, c));
LOCKSTEP_COMPUTE_OF_THREE(mix, mix(a, b, c));
LOCKSTEP_COMPUTE(step, step(a, b));
LOCKSTEP_COMPUTE_OF_THREE(smooth_step, smoothstep(a, b, c));

Run find_float(Code code, Scalar type) {
  return for_float(type, [&]<class T>() {
    return find_computed<T, Numbers::number, Numbers::wrapping_number, Numbers::real>(code);
  });
}

}  // namespace lockstep::spirv
