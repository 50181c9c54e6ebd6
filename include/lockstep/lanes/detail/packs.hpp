#pragma once

#include <cstring>

#include <lockstep/lanes/detail/batch.hpp>

namespace lockstep::inline LOCKSTEP_ABI::detail {

/// The number of lanes of T in one batch when there are P in all: as many as fit a register.
template <class T, int P>
inline constexpr int batch_lanes =
    is_register<T, LOCKSTEP_REGISTER_BYTES / static_cast<int>(sizeof(T))>
        ? scalar::min(P, LOCKSTEP_REGISTER_BYTES / static_cast<int>(sizeof(T)))
        : scalar::min(P, 16);

/// The bits of batch `index` in a mask of all lanes.
template <int Each, class Word>
LOCKSTEP_INLINE std::uint64_t batch_bits(Word bits, int index) {
  if constexpr (Each >= 8 * static_cast<int>(sizeof(Word)))
    return static_cast<std::uint64_t>(bits);
  else
    return static_cast<std::uint64_t>(bits >> (index * Each)) & (~std::uint64_t{0} >> (64 - Each));
}

// A few batches are unrolled from the start, which lets the compiler keep each in a register. More
// would spill anyway, and a loop keeps the code small.
template <int Count, class F>
LOCKSTEP_INLINE void for_each_batch(F&& f) {
  if constexpr (Count <= 8) {
    unrolled<Count>(f);
  } else {
    for (int k = 0; k < Count; ++k) f(k);
  }
}

/// P lanes of T as an array of batches: the storage of Lanes. P is a power of two.
template <class T, int P>
struct Packs {
  static constexpr int lanes_each = batch_lanes<T, P>;
  static constexpr int count = P / lanes_each;
  using Ops = BatchOps<T, lanes_each>;
  using Each = typename Ops::type;
  static_assert(sizeof(Each) == lanes_each * sizeof(T));

  Packs() = default;
  // Batch by batch: g++ copies such a struct as bytes, in halves of a 64-byte register, and
  // reloading the register then waits until both stores have left the core.
  LOCKSTEP_INLINE Packs(const Packs& other) { *this = other; }
  // NOLINTNEXTLINE(bugprone-unhandled-self-assignment): each batch becomes what it is
  LOCKSTEP_INLINE Packs& operator=(const Packs& other) {
    for_each_batch<count>([&](auto k)
                              __attribute__((always_inline)) { batch[k] = other.batch[k]; });
    return *this;
  }

  Each batch[count];
};

/// The same bits as lanes of another type of the same size.
template <class To, class From, int P>
LOCKSTEP_INLINE Packs<To, P> reinterpret_packs(const Packs<From, P>& from) {
  static_assert(sizeof(To) == sizeof(From));
  Packs<To, P> r;
  for_each_batch<Packs<To, P>::count>([&](auto k) __attribute__((always_inline)) {
    r.batch[k] = Packs<To, P>::Ops::reinterpret(from.batch[k]);
  });
  return r;
}

/// Packs whose batch k is f(k).
template <class T, int P, class F>
LOCKSTEP_INLINE Packs<T, P> make_packs(F&& f) {
  Packs<T, P> r;
  for_each_batch<Packs<T, P>::count>([&](auto k) __attribute__((always_inline)) {
    r.batch[k] = f(static_cast<int>(k));
  });
  return r;
}

template <class T, int P>
LOCKSTEP_INLINE Packs<T, P> load_packs(const T* from) {
  using Ops = typename Packs<T, P>::Ops;
  return make_packs<T, P>([&](int k) __attribute__((always_inline)) {
    return Ops::load(from + k * Packs<T, P>::lanes_each);
  });
}

template <class T, int P>
LOCKSTEP_INLINE void store_packs(T* to, const Packs<T, P>& v) {
  using Ops = typename Packs<T, P>::Ops;
  for_each_batch<Packs<T, P>::count>([&](auto k) __attribute__((always_inline)) {
    Ops::store(to + static_cast<int>(k) * Packs<T, P>::lanes_each, v.batch[k]);
  });
}

#if LOCKSTEP_REGISTER_BYTES == 64
/// Two masks of Each lanes, concatenated. In mask registers this is one instruction; the shift and
/// or of integers take more.
template <int Each>
LOCKSTEP_INLINE std::uint64_t join_masks(std::uint64_t low, std::uint64_t high) {
  if constexpr (Each == 8)
    return _mm512_kunpackb(static_cast<__mmask8>(high), static_cast<__mmask8>(low));
  else if constexpr (Each == 16)
    return _mm512_kunpackw(static_cast<__mmask16>(high), static_cast<__mmask16>(low));
  else
    return _mm512_kunpackd(static_cast<__mmask32>(high), static_cast<__mmask32>(low));
}
#endif

/// One bit per lane: the bits of `of(k)` for each batch, concatenated.
template <class Word, class T, int P, class F>
LOCKSTEP_INLINE Word collect_bits(F&& of) {
  using Pack = Packs<T, P>;
#if LOCKSTEP_REGISTER_BYTES == 64
  if constexpr (Pack::count == 2 && sizeof(typename Pack::Each) == 64 && Pack::lanes_each <= 32) {
    return static_cast<Word>(join_masks<Pack::lanes_each>(of(0), of(1)));
  }
#endif
  // In 64-bit words, not in one 128-bit integer: with those, g++ 12 at -O1 generates AVX-512 code
  // that loses bits of a spilled mask (seen with 16-bit lanes at 100 lanes).
  constexpr int words = (P + 63) / 64;
  std::uint64_t word[words] = {};
  for_each_batch<Pack::count>([&](auto k) __attribute__((always_inline)) {
    const int lane = static_cast<int>(k) * Pack::lanes_each;
    word[lane / 64] |= of(static_cast<int>(k)) << (lane % 64);
  });
  if constexpr (words == 1)
    return static_cast<Word>(word[0]);
  else
    return static_cast<Word>(static_cast<Word>(word[1]) << 64 | word[0]);
}

}  // namespace lockstep::inline LOCKSTEP_ABI::detail
