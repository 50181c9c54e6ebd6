#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include "shader/run/ops/find.hpp"
#include "shader/run/ops/number.hpp"

/// \file
/// Operations on floats that round towards zero (RoundingModeRTZ). They compute with integers: processors round as they
/// are told, but not all can be told, and the other operations of a shader round to nearest.

namespace lockstep::spirv {
namespace {

__extension__ using Wide = unsigned __int128;

/// A binary format: digits of the significand with the leading one, and the exponent of the smallest normal number.
template <class T>
struct FormatOf;
template <>
struct FormatOf<float16_t> {
  using Bits = std::uint16_t;
  static constexpr int digits = 11, least_exponent = -14;
};
template <>
struct FormatOf<float> {
  using Bits = std::uint32_t;
  static constexpr int digits = 24, least_exponent = -126;
};
template <>
struct FormatOf<double> {
  using Bits = std::uint64_t;
  static constexpr int digits = 53, least_exponent = -1022;
};

/// magnitude * 2^exponent, other than zero.
struct Exact {
  bool negative = false;
  Wide magnitude = 0;
  int exponent = 0;
};

int width_of(Wide x) {
  const auto high = static_cast<std::uint64_t>(x >> 64);
  return high != 0 ? 64 + static_cast<int>(std::bit_width(high))
                   : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(x)));
}

template <class T>
bool is_plain(T x) {
  const auto value = static_cast<double>(x);
  return std::isfinite(value) && value != 0;
}

/// Of a number that is_plain.
template <class T>
Exact exact(T x) {
  using F = FormatOf<T>;
  using Bits = typename F::Bits;
  const auto bits = std::uint64_t{std::bit_cast<Bits>(x)};
  constexpr std::uint64_t leading = std::uint64_t{1} << (F::digits - 1);
  constexpr int exponent_bits = static_cast<int>(8 * sizeof(Bits)) - F::digits;
  const auto exponent = static_cast<int>(bits >> (F::digits - 1) & ((1u << exponent_bits) - 1));
  const std::uint64_t fraction = bits & (leading - 1);
  return {bits >> (8 * sizeof(Bits) - 1) != 0, exponent == 0 ? fraction : fraction | leading,
          F::least_exponent - F::digits + 1 + (exponent == 0 ? 0 : exponent - 1)};
}

/// The number of the format that is nearest to an exact one among those that are not farther from zero.
template <class T>
T cut_off(const Exact& x) {
  using F = FormatOf<T>;
  using Bits = typename F::Bits;
  constexpr int smallest = F::least_exponent - F::digits + 1;
  constexpr std::uint64_t leading = std::uint64_t{1} << (F::digits - 1);
  // The exponent of the last digit that is kept.
  const int last = std::max(smallest, x.exponent + width_of(x.magnitude) - F::digits);
  const int drop = last - x.exponent;
  const Wide kept = drop >= 128 ? 0 : drop >= 0 ? x.magnitude >> drop : x.magnitude << -drop;
  const auto digits = static_cast<std::uint64_t>(kept);
  constexpr std::uint64_t infinite = (std::uint64_t{1} << (8 * sizeof(Bits) - 1)) - leading;
  std::uint64_t bits = digits;
  if (digits >= leading) bits += static_cast<std::uint64_t>(last - smallest) * leading;
  if (digits >= leading && last - smallest > 1 - 2 * F::least_exponent) bits = infinite - 1;
  const std::uint64_t sign = std::uint64_t{x.negative} << (8 * sizeof(Bits) - 1);
  return std::bit_cast<T>(static_cast<Bits>(bits | sign));
}

/// With the highest digit in place 125, so that sums have room.
Exact shifted_up(Exact x) {
  const int by = 126 - width_of(x.magnitude);
  x.magnitude <<= by;
  x.exponent -= by;
  return x;
}

/// The sum, or a number between it and zero with more digits than any format has. Zero if it is zero.
Exact sum(const Exact& a, const Exact& b) {
  Exact large = shifted_up(a), small = shifted_up(b);
  const auto is_below = [](const Exact& x, const Exact& y) {
    return x.exponent != y.exponent ? x.exponent < y.exponent : x.magnitude < y.magnitude;
  };
  if (is_below(large, small)) std::swap(large, small);
  const int by = large.exponent - small.exponent;
  const Wide kept = by >= 128 ? 0 : small.magnitude >> by;
  const bool lost = by >= 128 || kept << by != small.magnitude;
  if (large.negative == small.negative)
    large.magnitude += kept;
  else
    large.magnitude -= kept + (lost ? 1 : 0);
  return large;
}
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
T add_to_zero(T a, T b) {
  if (!is_plain(a) || !is_plain(b)) return a + b;
  const Exact all = sum(exact(a), exact(b));
  return all.magnitude == 0 ? T(0.0f) : cut_off<T>(all);
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
