#pragma once

#include <cstring>
#include <utility>

#include <lockstep/lanes/float16.hpp>
#include <lockstep/lanes/lanes.hpp>

#include "spirv/program.hpp"

/// \file
/// How the functions behind instructions read and write registers.

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

/// One bool for all lanes.
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

template <class R, class... A, class F, std::size_t... K>
LOCKSTEP_INLINE void each_chunk_of(const Inst* i, const Context& c, F f,
                                   std::index_sequence<K...>) {
  std::byte* const base = c.regs;
  const std::uint32_t at[4] = {i->a, i->b, i->c, static_cast<std::uint32_t>(i->imm)};
  const std::uint32_t step[] = {(i->varying(static_cast<int>(K)) ? chunk_bytes<A> : 0)...};
  const unsigned chunks = i->chunks;
  const bool masked = !std::same_as<R, bool> && i->masked();
  for (unsigned k = 0; k < chunks; ++k) {
    std::byte* const to = base + i->dst + k * chunk_bytes<R>;
    const Chunk<R> value(f(get<A>(base + at[K] + k * step[K])...));
    if (masked)
      put<R>(to, select(chunk_mask(c.state.active, static_cast<int>(k)), value, get<R>(to)));
    else
      put<R>(to, value);
  }
}

/// Applies f to the operands chunk by chunk.
template <class R, class... A, class F>
LOCKSTEP_INLINE const Inst* each_chunk(const Inst* i, Context& c, F f) {
  each_chunk_of<R, A...>(i, c, f, std::index_sequence_for<A...>{});
  if constexpr (std::same_as<R, bool>) {
    if (!i->varying_result()) put_bool(c.regs + i->dst, get_first<bool>(c.regs + i->dst));
  }
  return i + 1;
}

}  // namespace lockstep::spirv
