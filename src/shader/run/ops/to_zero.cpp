#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include "shader/run/ops/exact.hpp"
#include "shader/run/ops/find.hpp"
#include "shader/run/ops/number.hpp"

/// \file
/// Operations on floats that round towards zero (RoundingModeRTZ). They compute with integers: processors round as they
/// are told, but not all can be told, and the other operations of a shader round to nearest.

namespace lockstep::spirv {
namespace {

Exact product(const Exact& a, const Exact& b) {
  return {a.negative != b.negative, a.magnitude * b.magnitude, a.exponent + b.exponent};
}
/// With more digits than any format has.
Exact quotient(const Exact& a, const Exact& b) {
  const Exact top = shifted_up(a);
  return {a.negative != b.negative, top.magnitude / b.magnitude, top.exponent - b.exponent};
}
/// The same, of a positive number.
Exact root(const Exact& a) {
  Exact square = shifted_up(a);
  if (square.exponent % 2 != 0) {
    square.magnitude >>= 1;
    ++square.exponent;
  }
  // A digit after the other; the lowest of a number's 53 is never lost above.
  Wide found = 0;
  for (Wide bit = Wide{1} << 62; bit != 0; bit >>= 1)
    if ((found | bit) * (found | bit) <= square.magnitude) found |= bit;
  return {false, found, square.exponent / 2};
}

template <class T>
T multiply_to_zero(T a, T b) {
  if (!is_plain(a) || !is_plain(b)) return a * b;
  return cut_off<T>(product(exact(a), exact(b)));
}
template <class T>
T divide_to_zero(T a, T b) {
  if (!is_plain(a) || !is_plain(b)) return a / b;
  return cut_off<T>(quotient(exact(a), exact(b)));
}
template <class T>
T fma_to_zero(T a, T b, T c) {
  if (!is_plain(a) || !is_plain(b)) return a * b + c;
  if (!std::isfinite(static_cast<double>(c))) return c;
  const Exact all = product(exact(a), exact(b));
  if (!is_plain(c)) return cut_off<T>(all);
  const Exact more = sum(all, exact(c));
  return more.magnitude == 0 ? T(0.0f) : cut_off<T>(more);
}
template <class T>
T root_to_zero(T a) {
  const auto value = static_cast<double>(a);
  // Of numbers that have none, and of exact ones, the type's own.
  if (!is_plain(a) || value < 0) return T(std::sqrt(value));
  return cut_off<T>(root(exact(a)));
}

template <class To, class From>
To convert_to_zero(From x) {
  if constexpr (std::integral<From>) {
    const bool negative = std::is_signed_v<From> && x < From(0);
    const auto wide = static_cast<std::uint64_t>(x);
    const std::uint64_t magnitude = negative ? 0 - wide : wide;
    return magnitude == 0 ? To(0.0f) : cut_off<To>({negative, magnitude, 0});
  } else {
    if (!is_plain(x)) return To(x);
    return cut_off<To>(exact(x));
  }
}

/// f of each lane's numbers.
template <class R, class F, class... A>
Chunk<R> each_lane(F f, const Chunk<A>&... operands) {
  R results[chunk_lanes];
  const auto numbers = [](const auto& chunk) {
    using T = typename std::remove_cvref_t<decltype(chunk)>::value_type;
    std::array<T, chunk_lanes> all;
    chunk.store(all.data());
    return all;
  };
  [&](const auto&... all) {
    for (std::size_t n = 0; n < chunk_lanes; ++n) results[n] = f(all[n]...);
  }(numbers(operands)...);
  return Chunk<R>::load(results);
}

template <class T>
Run find_of(Code code) {
  using L = Chunk<T>;
  const std::pair<Code, Run> all[] = {
      {Code::add,
       binary<T>([](const L& a, const L& b) { return each_lane<T>(add_to_zero<T>, a, b); })},
      {Code::sub,
       binary<T>([](const L& a, const L& b) { return each_lane<T>(add_to_zero<T>, a, -b); })},
      {Code::mul,
       binary<T>([](const L& a, const L& b) { return each_lane<T>(multiply_to_zero<T>, a, b); })},
      {Code::div,
       binary<T>([](const L& a, const L& b) { return each_lane<T>(divide_to_zero<T>, a, b); })},
      {Code::sqrt, unary<T>([](const L& a) { return each_lane<T>(root_to_zero<T>, a); })},
      {Code::fma,
       [](const Inst* i, Context& c) {
         return each_chunk<T, T, T, T>(i, c, [](const L& x, const L& y, const L& z) {
           return each_lane<T>(fma_to_zero<T>, x, y, z);
         });
       }},
  };
  const auto* const found = std::ranges::find(all, code, &std::pair<Code, Run>::first);
  return found == std::end(all) ? nullptr : found->second;
}

}  // namespace

Run find_to_zero(Code code, Scalar type) {
  return for_float(type, [&]<class T>() { return find_of<T>(code); });
}

Run find_convert_to_zero(Scalar to, Scalar from) {
  return for_float(to, [&]<class To>() {
    return for_number(from, []<class From>() -> Run {
      return [](const Inst* i, Context& c) {
        return each_chunk<To, From>(
            i, c, [](const Chunk<From>& x) { return each_lane<To>(convert_to_zero<To, From>, x); });
      };
    });
  });
}

}  // namespace lockstep::spirv
