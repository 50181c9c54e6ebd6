#include <cmath>

#include <lockstep/glsl/functions/common.hpp>

#include "spirv/exec/ops/find.hpp"
#include "spirv/exec/ops/number.hpp"

namespace lockstep::spirv {
namespace {

template <class T, class F>
Run ternary(F) {
  return [](const Inst* i, Context& c) { return each_chunk<T, T, T, T>(i, c, F{}); };
}
template <class T, class F>
Run question(F) {
  return [](const Inst* i, Context& c) { return each_chunk<bool, T>(i, c, F{}); };
}
template <class T, class F>
Run comparison(F) {
  return [](const Inst* i, Context& c) { return each_chunk<bool, T, T>(i, c, F{}); };
}

/// x - y * trunc(x / y), exactly: the sign is x's.
template <class T>
Chunk<T> remainder(const Chunk<T>& a, const Chunk<T>& b) {
  return detail::map_real([](auto x, auto y) { return std::fmod(x, y); }, a, b);
}

/// Prefers a number to NaN.
template <class L>
LOCKSTEP_INLINE L number_min(const L& a, const L& b) {
  return select(a == a, select(b < a, b, a), b);
}
template <class L>
LOCKSTEP_INLINE L number_max(const L& a, const L& b) {
  return select(a == a, select(a < b, b, a), b);
}

}  // namespace

Run find_float(Code code, Scalar type) {
  return for_float(type, [&]<class T>() -> Run {
    using L = Chunk<T>;
    switch (code) {
      case Code::add:
        return binary<T>([](const L& a, const L& b) { return a + b; });
      case Code::sub:
        return binary<T>([](const L& a, const L& b) { return a - b; });
      case Code::mul:
        return binary<T>([](const L& a, const L& b) { return a * b; });
      case Code::div:
        return binary<T>([](const L& a, const L& b) { return a / b; });
      case Code::mod:
        return binary<T>([](const L& a, const L& b) { return mod(a, b); });
      case Code::rem:
        return binary<T>([](const L& a, const L& b) { return remainder<T>(a, b); });
      case Code::neg:
        return unary<T>([](const L& a) { return -a; });
      case Code::abs:
        return unary<T>([](const L& a) { return abs(a); });
      case Code::sign:
        return unary<T>([](const L& a) { return sign(a); });
      case Code::equal:
        return comparison<T>([](const L& a, const L& b) { return a == b; });
      case Code::not_equal:
        return comparison<T>([](const L& a, const L& b) { return a != b; });
      case Code::less:
        return comparison<T>([](const L& a, const L& b) { return a < b; });
      case Code::less_equal:
        return comparison<T>([](const L& a, const L& b) { return a <= b; });
      case Code::is_nan:
        return question<T>([](const L& a) { return isnan(a); });
      case Code::is_inf:
        return question<T>([](const L& a) { return isinf(a); });
      case Code::min:
        return binary<T>([](const L& a, const L& b) { return min(a, b); });
      case Code::max:
        return binary<T>([](const L& a, const L& b) { return max(a, b); });
      case Code::clamp:
        return ternary<T>(
            [](const L& x, const L& low, const L& high) { return clamp(x, low, high); });
      case Code::nmin:
        return binary<T>([](const L& a, const L& b) { return number_min(a, b); });
      case Code::nmax:
        return binary<T>([](const L& a, const L& b) { return number_max(a, b); });
      case Code::nclamp:
        return ternary<T>([](const L& x, const L& low, const L& high) {
          return number_min(number_max(x, low), high);
        });
      case Code::round:
        return unary<T>([](const L& a) { return round(a); });
      case Code::round_even:
        return unary<T>([](const L& a) { return roundEven(a); });
      case Code::trunc:
        return unary<T>([](const L& a) { return trunc(a); });
      case Code::floor:
        return unary<T>([](const L& a) { return floor(a); });
      case Code::ceil:
        return unary<T>([](const L& a) { return ceil(a); });
      case Code::fract:
        return unary<T>([](const L& a) { return fract(a); });
      case Code::fma:
        return ternary<T>([](const L& a, const L& b, const L& d) { return fma(a, b, d); });
      case Code::mix:
        return ternary<T>([](const L& a, const L& b, const L& d) { return mix(a, b, d); });
      case Code::step:
        return binary<T>([](const L& edge, const L& x) { return step(edge, x); });
      case Code::smooth_step:
        return ternary<T>([](const L& a, const L& b, const L& x) { return smoothstep(a, b, x); });
      default:
        return nullptr;
    }
  });
}

}  // namespace lockstep::spirv
