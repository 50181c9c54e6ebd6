#pragma once

#include <cstring>
#include <utility>

#include <lockstep/lanes/float16.hpp>
#include <lockstep/lanes/lanes.hpp>

#include "shader/run/program.hpp"

/// \file
/// Register access for the functions that run instructions.

namespace lockstep::spirv {

template <class T>
using Chunk = Lanes<T, chunk_lanes>;

template <class T>
inline constexpr std::uint32_t chunk_bytes = chunk_lanes * sizeof(T);
template <>
inline constexpr std::uint32_t chunk_bytes<bool> = chunk_lanes / 8;

template <class T>
LOCKSTEP_INLINE Chunk<T> get(const std::byte* at) {
  if constexpr (std::same_as<T, bool>) {
    std::uint16_t bits;
    std::memcpy(&bits, at, sizeof bits);
    return Mask<chunk_lanes>::from_bits(bits);
  } else {
    return Chunk<T>::load(reinterpret_cast<const T*>(at));
  }
}

template <class T>
LOCKSTEP_INLINE void put(std::byte* at, const Chunk<T>& value) {
  if constexpr (std::same_as<T, bool>) {
    const auto bits = static_cast<std::uint16_t>(value.mask().bits());
    std::memcpy(at, &bits, sizeof bits);
  } else {
    value.store(reinterpret_cast<T*>(at));
  }
}

/// A uniform bool.
LOCKSTEP_INLINE void put_bool(std::byte* at, bool value) {
  std::memset(at, value ? 0xff : 0, bool_bytes);
}

template <class T>
LOCKSTEP_INLINE T get_first(const std::byte* at) {
  if constexpr (std::same_as<T, bool>) {
    return (static_cast<unsigned>(*at) & 1) != 0;
  } else {
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
  }
}

LOCKSTEP_INLINE Mask<128> get_mask(const std::byte* at) {
  detail::Uint128 bits;
  std::memcpy(&bits, at, sizeof bits);
  return Mask<128>::from_bits(bits);
}
LOCKSTEP_INLINE void put_mask(std::byte* at, Mask<128> mask) {
  const detail::Uint128 bits = mask.bits();
  std::memcpy(at, &bits, sizeof bits);
}

/// The active lanes of chunk k.
LOCKSTEP_INLINE Mask<chunk_lanes> chunk_mask(const Mask<128>& mask, int k) {
  const std::uint64_t word = k < 4 ? mask.low64() >> (16 * k) : mask.high64() >> (16 * (k - 4));
  return Mask<chunk_lanes>::from_bits(static_cast<std::uint32_t>(word & 0xffff));
}

/// The lanes of a bool, concatenated from its chunks.
class BoolResult {
 public:
  LOCKSTEP_INLINE void add(unsigned chunk, Chunk<bool> lanes) {
    const std::uint64_t bits = lanes.mask().bits();
    (chunk < 4 ? low_ : high_) |= bits << (chunk % 4 * chunk_lanes);
  }
  LOCKSTEP_INLINE Mask<128> mask() const {
    return Mask<128>::from_bits(static_cast<detail::Uint128>(high_) << 64 | low_);
  }
  LOCKSTEP_INLINE bool first() const { return (low_ & 1) != 0; }
  /// Writes it in the halves in which it is read. A read that spans several writes stalls, because the
  /// store buffer cannot forward it.
  LOCKSTEP_INLINE void put(std::byte* at) const {
    std::memcpy(at, &low_, sizeof low_);
    std::memcpy(at + sizeof low_, &high_, sizeof high_);
  }

 private:
  std::uint64_t low_ = 0, high_ = 0;
};

/// Calls f(k) for each chunk k: N of them, or the instruction's number if N is 0.
template <int N, class F>
LOCKSTEP_INLINE void for_chunks(const Inst* i, F f) {
  if constexpr (N == 0) {
    for (unsigned k = 0; k < i->chunks; ++k) f(k);
  } else {
    [&]<unsigned... C>(std::integer_sequence<unsigned, C...>) __attribute__((always_inline)) {
      (f(C), ...);
    }
    (std::make_integer_sequence<unsigned, N>{});
  }
}

/// The places of an instruction's operands.
template <class... A>
struct Operands {
  const std::byte* at[sizeof...(A)];
  std::uint32_t step[sizeof...(A)];

  template <std::size_t... K>
  LOCKSTEP_INLINE Operands(const Inst* i, const Context& c, std::index_sequence<K...>) {
    const std::uint32_t places[4] = {i->a, i->b, i->c, static_cast<std::uint32_t>(i->imm)};
    ((at[K] = c.regs + places[K], step[K] = i->varying(static_cast<int>(K)) ? chunk_bytes<A> : 0),
     ...);
  }
  /// f(chunk k of each operand).
  template <class F, std::size_t... K>
  LOCKSTEP_INLINE auto apply(F f, unsigned k, std::index_sequence<K...>) const {
    return f(get<A>(at[K] + k * step[K])...);
  }
};

/// f of the operands' chunks, as a bool.
template <int N, class... A, class F, std::size_t... K>
LOCKSTEP_INLINE BoolResult bool_of_chunks(const Inst* i, const Context& c, F f,
                                          std::index_sequence<K...> numbers) {
  const Operands<A...> operands(i, c, numbers);
  BoolResult bits;
  for_chunks<N>(
      i, [&](unsigned k)
             __attribute__((always_inline)) { bits.add(k, operands.apply(f, k, numbers)); });
  return bits;
}

/// Writes f of the operands' chunks to the result's, or only to its active lanes.
template <int N, bool masked, class R, class... A, class F, std::size_t... K>
LOCKSTEP_INLINE void each_of_chunks(const Inst* i, const Context& c, F f,
                                    std::index_sequence<K...> numbers) {
  std::byte* const to = c.regs + i->dst;
  if constexpr (std::same_as<R, bool>) {
    const BoolResult bits = bool_of_chunks<N, A...>(i, c, f, numbers);
    if (i->varying_result())
      bits.put(to);
    else
      put_bool(to, bits.first());
  } else {
    const Operands<A...> operands(i, c, numbers);
    for_chunks<N>(
        i, [&](unsigned k) __attribute__((always_inline)) {
          std::byte* const here = to + k * chunk_bytes<R>;
          const Chunk<R> value(operands.apply(f, k, numbers));
          if constexpr (masked)
            put<R>(here,
                   select(chunk_mask(c.state.active, static_cast<int>(k)), value, get<R>(here)));
          else
            put<R>(here, value);
        });
  }
}

/// Applies f to the operands, chunk by chunk.
template <class R, class... A, class F>
LOCKSTEP_INLINE const Inst* each_chunk(const Inst* i, Context& c, F f) {
  constexpr auto operands = std::index_sequence_for<A...>{};
  if constexpr (!std::same_as<R, bool>) {
    if (i->masked()) {
      each_of_chunks<0, true, R, A...>(i, c, f, operands);
      return i + 1;
    }
  }
  each_of_chunks<0, false, R, A...>(i, c, f, operands);
  return i + 1;
}

}  // namespace lockstep::spirv
