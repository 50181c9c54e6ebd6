#pragma once

#include <lockstep/lanes/detail/packs.hpp>

/// \file
/// Arrays of small groups of numbers, such as vectors: loads one number of each group into lanes
/// and stores lanes back into groups, in whole registers.

namespace lockstep::inline LOCKSTEP_ABI::detail {

/// Whether whole registers can load and store P lanes of T in groups of this size.
template <class T, int P, int Group>
inline constexpr bool can_interleave = (Group == 1 || Group == 2 || Group == 4 || Group == 8) &&
                                       is_register<T, Packs<T, P>::lanes_each>;

/// Every second lane of two concatenated batches.
template <int Odd>
struct EverySecond {
  LOCKSTEP_INLINE static constexpr int lane(int i) { return 2 * i + Odd; }
};
/// Alternates the lanes of two batches of N, given their halves.
template <int N, int Half>
struct TakingTurns {
  LOCKSTEP_INLINE static constexpr int lane(int i) { return (i % 2) * N + i / 2 + Half * N / 2; }
};

/// Number K of each group, for groups that fill Count batches.
template <class Ops, int K, int Count>
LOCKSTEP_INLINE typename Ops::type pick(const typename Ops::type* batches) {
  if constexpr (Count == 1) {
    return batches[0];
  } else {
    typename Ops::type half[Count / 2];
    unrolled<Count / 2>([&](auto j) __attribute__((always_inline)) {
      half[j] = Ops::template shuffle<EverySecond<K % 2>>(batches[2 * j], batches[2 * j + 1]);
    });
    return pick<Ops, K / 2, Count / 2>(half);
  }
}

/// Lane i is number K of group i. Reads P whole groups.
template <class T, int P, int Group, int K>
LOCKSTEP_INLINE Packs<T, P> load_of_groups(const T* from) {
  using Ops = typename Packs<T, P>::Ops;
  constexpr int each = Packs<T, P>::lanes_each;
  return make_packs<T, P>([&](int batch) __attribute__((always_inline)) {
    typename Ops::type batches[Group];
    unrolled<Group>([&](auto j) __attribute__((always_inline)) {
      batches[j] = Ops::load(from + (batch * Group + j) * each);
    });
    return pick<Ops, K, Group>(batches);
  });
}

/// Group i becomes lane i of each of two or four Packs. Writes P whole groups.
template <class T, int P, class... More>
LOCKSTEP_INLINE void store_groups(T* to, const Packs<T, P>& x, const Packs<T, P>& y,
                                  const More&... more) {
  using Pack = Packs<T, P>;
  using Ops = typename Pack::Ops;
  constexpr int each = Pack::lanes_each;
  const auto low = [](const auto& a, const auto& b) __attribute__((always_inline)) {
    return Ops::template shuffle<TakingTurns<each, 0>>(a, b);
  };
  const auto high = [](const auto& a, const auto& b) __attribute__((always_inline)) {
    return Ops::template shuffle<TakingTurns<each, 1>>(a, b);
  };
  for_each_batch<Pack::count>([&](auto k) __attribute__((always_inline)) {
    const auto put = [&](int j, const auto& batch) __attribute__((always_inline)) {
      Ops::store(to + (static_cast<int>(k) * (2 + static_cast<int>(sizeof...(More))) + j) * each,
                 batch);
    };
    if constexpr (sizeof...(More) == 0) {
      put(0, low(x.batch[k], y.batch[k]));
      put(1, high(x.batch[k], y.batch[k]));
    } else {
      [&](const Pack& z, const Pack& w) __attribute__((always_inline)) {
        const auto xz_low = low(x.batch[k], z.batch[k]), xz_high = high(x.batch[k], z.batch[k]);
        const auto yw_low = low(y.batch[k], w.batch[k]), yw_high = high(y.batch[k], w.batch[k]);
        put(0, low(xz_low, yw_low));
        put(1, high(xz_low, yw_low));
        put(2, low(xz_high, yw_high));
        put(3, high(xz_high, yw_high));
      }
      (more...);
    }
  });
}

}  // namespace lockstep::inline LOCKSTEP_ABI::detail
