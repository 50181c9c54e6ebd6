#pragma once

#include <lockstep/lanes/detail/fold.hpp>
#include <lockstep/subgroup/detail/lift.hpp>

/// \file
/// Implementation of the arithmetic, clustered and partitioned built-ins, for numbers (on registers
/// of lanes) and for bools (on the mask that holds them).

namespace lockstep::inline LOCKSTEP_ABI::detail {

template <class V, int W>
struct ValueType {};
template <class V, int W>
requires(is_vec<V>) struct ValueType<V, W> {
  using type = typename V::lane_type::value_type;
};
template <class V, int W>
requires(!is_vec<V> && requires(const V& v) { lanes_of<W>(v); }) struct ValueType<V, W> {
  using type =
      typename std::remove_cvref_t<decltype(lanes_of<W>(std::declval<const V&>()))>::value_type;
};

/// Values that Add, Mul, Min and Max take: numbers, not bools.
template <class V, int W>
concept Numeric = Number<typename ValueType<V, W>::type>;
/// Values that And, Or and Xor take: integers and bools.
template <class V, int W>
concept Bitwise =
    Integer<typename ValueType<V, W>::type> || std::same_as < typename ValueType<V, W>::type,
bool > ;

/// Lanes that a loop inside a built-in replaces as a whole. Lanes itself has no assignment, because
/// in kernels assignments must respect the active mask; here all lanes are assigned.
template <class L>
class Assignable : private L {
 public:
  LOCKSTEP_INLINE Assignable(const L& value) : L(value) {}
  LOCKSTEP_INLINE void set(const L& value) { L::replace(value); }
  LOCKSTEP_INLINE const L& get() const { return *this; }
};

/// Bit i of a word set where bit `Distance` of i is clear, e.g. ...00110011 for Distance 2.
template <class Word, int Distance>
constexpr Word lower_partners() {
  Word pattern = 0;
  for (int i = 0; i < 8 * static_cast<int>(sizeof(Word)); ++i) {
    if ((i & Distance) == 0) pattern |= static_cast<Word>(Word{1} << i);
  }
  return pattern;
}

/// The operator on bools, 64 or 128 lanes at a time: masks are combined as integers.
template <class Op, class Word>
LOCKSTEP_INLINE Word combine_bits(Word a, Word b) {
  if constexpr (std::same_as<Op, And>)
    return a & b;
  else if constexpr (std::same_as<Op, Or>)
    return a | b;
  else
    return a ^ b;
}

template <class Op, int W>
LOCKSTEP_INLINE Mask<W> participants(Mask<W> mask, const Lanes<bool, W>& v) {
  if constexpr (std::same_as<Op, And>)
    return v.mask() | ~mask;
  else
    return v.mask() & mask;
}

template <class Op, int Distance, class Word>
LOCKSTEP_INLINE Word butterfly_bits(Word bits) {
  if constexpr (Distance > 0) {
    constexpr Word lower = lower_partners<Word, Distance>();
    const auto partner =
        static_cast<Word>(((bits >> Distance) & lower) | ((bits & lower) << Distance));
    bits = butterfly_bits<Op, Distance / 2>(combine_bits<Op>(bits, partner));
  }
  return bits;
}

/// Every lane of an aligned cluster gets the operator over the cluster's lanes in the mask. Lanes
/// missing from the last cluster must be neutral as well.
template <class Op, int Cluster, int W>
LOCKSTEP_INLINE Mask<W> cluster_bits(Mask<W> mask, const Lanes<bool, W>& v) {
  using Word = typename Mask<W>::Word;
  constexpr auto absent = static_cast<Word>(~full_word<W>);
  constexpr Word neutral = std::same_as<Op, And> ? absent : Word{0};
  const auto taking_part = static_cast<Word>(participants<Op>(mask, v).bits() | neutral);
  return Mask<W>::from_bits(butterfly_bits<Op, Cluster / 2>(taking_part));
}

/// Bit i becomes the operator over bits 0 to i.
template <class Op, int Distance, class Word>
LOCKSTEP_INLINE Word scan_bits(Word bits) {
  if constexpr (Distance < 8 * static_cast<int>(sizeof(Word))) {
    constexpr Word bottom =
        std::same_as<Op, And> ? static_cast<Word>((Word{1} << Distance) - 1) : Word{0};
    bits = scan_bits<Op, 2 * Distance>(
        combine_bits<Op>(bits, static_cast<Word>(bits << Distance | bottom)));
  }
  return bits;
}

template <class Op, class V, int W>
LOCKSTEP_INLINE auto reduce(Mask<W> mask, const V& value) {
  return lift<W>(
      value, [&](const auto& v) __attribute__((always_inline)) {
        using T = typename std::remove_cvref_t<decltype(v)>::value_type;
        if constexpr (std::same_as<T, bool>) {
          const Mask<W> taking_part = participants<Op>(mask, v);
          if constexpr (std::same_as<Op, And>)
            return taking_part.all_lanes();
          else if constexpr (std::same_as<Op, Or>)
            return taking_part.any_lane();
          else
            return taking_part.count() % 2 == 1;
        } else {
          return reduce_all<Op>(participants<Op>(mask, v).packs());
        }
      });
}

template <class Op, class V, int W>
LOCKSTEP_INLINE auto inclusive_scan(Mask<W> mask, const V& value) {
  return lift<W>(
      value, [&](const auto& v) __attribute__((always_inline)) {
        using L = std::remove_cvref_t<decltype(v)>;
        if constexpr (std::same_as<typename L::value_type, bool>) {
          return L(Mask<W>::from_bits(scan_bits<Op, 1>(participants<Op>(mask, v).bits())));
        } else {
          return L(inclusive_scan_all<Op>(participants<Op>(mask, v).packs()));
        }
      });
}

template <class Op, class V, int W>
LOCKSTEP_INLINE auto exclusive_scan(Mask<W> mask, const V& value) {
  return lift<W>(
      value, [&](const auto& v) __attribute__((always_inline)) {
        using L = std::remove_cvref_t<decltype(v)>;
        using T = typename L::value_type;
        if constexpr (std::same_as<T, bool>) {
          const auto inclusive = scan_bits<Op, 1>(participants<Op>(mask, v).bits());
          constexpr auto bottom =
              static_cast<typename Mask<W>::Word>(std::same_as<Op, And> ? 1 : 0);
          return L(
              Mask<W>::from_bits(static_cast<typename Mask<W>::Word>(inclusive << 1 | bottom)));
        } else {
          const auto inclusive = inclusive_scan_all<Op>(participants<Op>(mask, v).packs());
          const L exclusive(shift_up_one(inclusive, Op::template identity<T>()));
          // The neutral element of a float sum is -0; the identity that GLSL promises the first
          // active lane is +0.
          if constexpr (std::same_as<Op, Add> && Floating<T>)
            return select(mask.lowest(), L(T(0)), exclusive);
          else
            return exclusive;
        }
      });
}

LOCKSTEP_INLINE constexpr bool legal_cluster(std::uint32_t cluster_size, int size) {
  return std::has_single_bit(cluster_size) && cluster_size <= static_cast<std::uint32_t>(size);
}

/// Calls f(integral_constant N) for the cluster size N, if it is a power of two from 2 to Largest.
template <int Largest, class F>
LOCKSTEP_INLINE void for_cluster_size(std::uint32_t cluster_size, F&& f) {
  if constexpr (Largest >= 2) {
    if (cluster_size == Largest)
      f(std::integral_constant<int, Largest>{});
    else
      for_cluster_size<Largest / 2>(cluster_size, f);
  }
}

template <class Op, class V, int W>
LOCKSTEP_INLINE auto clustered(Mask<W> mask, const V& value, std::uint32_t cluster_size) {
  return lift<W>(
      value, [&](const auto& v) __attribute__((always_inline)) {
        using L = Lanes<typename std::remove_cvref_t<decltype(v)>::value_type, W>;
        using T = typename L::value_type;
        Assignable<L> result(v);
        for_cluster_size<static_cast<int>(std::bit_floor(static_cast<unsigned>(W)))>(
            cluster_size, [&](auto size) __attribute__((always_inline)) {
              constexpr int n = decltype(size)::value;
              if constexpr (std::same_as<T, bool>) {
                result.set(cluster_bits<Op, n>(mask, v));
              } else {
                result.set(L(butterfly<Op, n>(participants<Op>(mask, v).packs())));
              }
            });
        return result.get();
      });
}

/// The union of f(component) over the components of a vector, or f of the one value.
template <int W, class V, class F>
LOCKSTEP_INLINE Mask<W> in_any_component(const V& value, F&& f) {
  if constexpr (is_vec<V>) {
    Mask<W> lanes;
    for (int k = 0; k < V::components; ++k) lanes = lanes | f(value[k]);
    return lanes;
  } else {
    return f(value);
  }
}

/// The active lanes that hold a number: all but those with NaN.
template <int W, class V>
LOCKSTEP_INLINE Mask<W> numbers(Mask<W> active, const V& value) {
  const auto& v = lanes_of<W>(value);
  if constexpr (Floating<typename std::remove_cvref_t<decltype(v)>::value_type>)
    return active & (v == v).mask();
  else
    return active;
}

}  // namespace lockstep::inline LOCKSTEP_ABI::detail
