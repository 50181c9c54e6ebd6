#pragma once

#include <lockstep/lanes/ballot.hpp>

#include "shader/run/ops/chunk.hpp"

/// \file
/// Whole registers of P lanes, for operations between lanes.

namespace lockstep::spirv {

/// The active lanes of a subgroup of P.
template <int P>
LOCKSTEP_INLINE Mask<P> active_lanes(const Context& c) {
  return Mask<P>::from_bits(static_cast<typename Mask<P>::Word>(c.state.active.bits()));
}

template <class T, int P>
LOCKSTEP_INLINE Lanes<T, P> get_wide(const std::byte* at, bool varying) {
  if constexpr (std::same_as<T, bool>) {
    return Mask<P>::from_bits(static_cast<typename Mask<P>::Word>(get_mask(at).bits()));
  } else {
    if (varying) return Lanes<T, P>::load(reinterpret_cast<const T*>(at));
    return Lanes<T, P>(get_first<T>(at));
  }
}

template <class T, int P>
LOCKSTEP_INLINE void put_wide(std::byte* at, const Lanes<T, P>& value) {
  if constexpr (std::same_as<T, bool>)
    put_mask(at, Mask<128>::from_bits(value.mask().bits()));
  else
    value.store(reinterpret_cast<T*>(at));
}

/// One uniform value.
template <class T>
LOCKSTEP_INLINE void put_one(const Inst* i, std::byte* at, T value) {
  if constexpr (std::same_as<T, bool>) {
    put_bool(at, value);
  } else {
    for (unsigned k = 0; k < i->chunks; ++k) put<T>(at + k * chunk_bytes<T>, Chunk<T>(value));
  }
}

/// Writes the built-in's result, lanes or one value, to the instruction's register.
template <int P, class V>
LOCKSTEP_INLINE const Inst* give(const Inst* i, Context& c, const V& value) {
  if constexpr (requires { V::width; })
    put_wide<typename V::value_type, P>(c.regs + i->dst, value);
  else
    put_one<V>(i, c.regs + i->dst, value);
  return i + 1;
}

}  // namespace lockstep::spirv
