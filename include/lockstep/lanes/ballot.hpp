#pragma once

#include <lockstep/lanes/lanes.hpp>

namespace lockstep::inline LOCKSTEP_ABI {

/// A mask as data: the uvec4 of GLSL's ballots, uniform in the subgroup.
///
/// Requires      None. All 128 bits are kept whatever the subgroup size.
/// Active lanes  A ballot is a value: it does not depend on the active mask.
/// Errors        None.
/// Cost          Two scalar instructions per operation.
/// Spec          GLSL uvec4 of subgroupBallot · SPIR-V OpGroupNonUniformBallot
/// Example       kernels/allocate
struct Ballot {
  std::uint32_t x = 0, y = 0, z = 0, w = 0;

  constexpr Ballot() = default;
  /// Bit k of component x is bit k, of y bit 32 + k, and so on.
  constexpr Ballot(std::uint32_t x_, std::uint32_t y_, std::uint32_t z_, std::uint32_t w_)
      : x(x_), y(y_), z(z_), w(w_) {}
  /// Bit i is set for each lane i of the mask; all others are zero.
  template <int W>
  constexpr Ballot(Mask<W> mask)
      : x(static_cast<std::uint32_t>(mask.low64())),
        y(static_cast<std::uint32_t>(mask.low64() >> 32)),
        z(static_cast<std::uint32_t>(mask.high64())),
        w(static_cast<std::uint32_t>(mask.high64() >> 32)) {}

  /// Bits 0 to 63.
  constexpr std::uint64_t low64() const { return x | std::uint64_t{y} << 32; }
  /// Bits 64 to 127.
  constexpr std::uint64_t high64() const { return z | std::uint64_t{w} << 32; }
  /// Bit k; false for k >= 128.
  constexpr bool bit(std::uint32_t k) const {
    return k < 128 && ((k < 64 ? low64() >> k : high64() >> (k - 64)) & 1) != 0;
  }
  /// The lanes whose bit is set; bits at and above W are dropped.
  template <int W>
  constexpr Mask<W> to_mask() const {
    if constexpr (W <= 64)
      return Mask<W>::from_bits(static_cast<typename Mask<W>::Word>(low64()));
    else
      return Mask<W>::from_bits(detail::Uint128{high64()} << 64 | low64());
  }

  friend constexpr Ballot operator&(Ballot a, Ballot b) {
    return {a.x & b.x, a.y & b.y, a.z & b.z, a.w & b.w};
  }
  friend constexpr Ballot operator|(Ballot a, Ballot b) {
    return {a.x | b.x, a.y | b.y, a.z | b.z, a.w | b.w};
  }
  friend constexpr Ballot operator^(Ballot a, Ballot b) {
    return {a.x ^ b.x, a.y ^ b.y, a.z ^ b.z, a.w ^ b.w};
  }
  friend constexpr Ballot operator~(Ballot a) { return {~a.x, ~a.y, ~a.z, ~a.w}; }
  friend constexpr bool operator==(Ballot, Ballot) = default;
};

/// One ballot per lane: a uvec4 of lanes, where lanes may hold different masks.
///
/// Requires      1 <= W <= 128.
/// Active lanes  As for every Lanes.
/// Errors        None.
/// Cost          Four Lanes operations per operation.
/// Spec          GLSL uvec4
/// Example       tests/subgroup/partitioned.cpp
template <int W>
struct BallotLanes {
  Lanes<std::uint32_t, W> x, y, z, w;

  LOCKSTEP_INLINE BallotLanes(const Lanes<std::uint32_t, W>& x_, const Lanes<std::uint32_t, W>& y_,
                              const Lanes<std::uint32_t, W>& z_, const Lanes<std::uint32_t, W>& w_)
      : x(x_), y(y_), z(z_), w(w_) {}
  /// The same ballot in every lane.
  LOCKSTEP_INLINE BallotLanes(Ballot uniform)
      : x(uniform.x), y(uniform.y), z(uniform.z), w(uniform.w) {}
  /// Lane i is f(i).
  template <class F>
  LOCKSTEP_INLINE static BallotLanes generate(F&& f) {
    constexpr int P = Lanes<std::uint32_t, W>::physical;
    alignas(64) std::uint32_t word[4][P];
    for (int i = 0; i < P; ++i) {
      const Ballot mine = f(i);
      word[0][i] = mine.x;
      word[1][i] = mine.y;
      word[2][i] = mine.z;
      word[3][i] = mine.w;
    }
    const auto lanes = [&](int k) {
      return Lanes<std::uint32_t, W>(detail::load_packs<std::uint32_t, P>(word[k]));
    };
    return {lanes(0), lanes(1), lanes(2), lanes(3)};
  }

  /// The ballot of lane `index`. Requires 0 <= index < physical.
  LOCKSTEP_INLINE Ballot operator[](int index) const {
    return {x[index], y[index], z[index], w[index]};
  }

  LOCKSTEP_INLINE friend BallotLanes operator&(const BallotLanes& a, const BallotLanes& b) {
    return {a.x & b.x, a.y & b.y, a.z & b.z, a.w & b.w};
  }
  LOCKSTEP_INLINE friend BallotLanes operator|(const BallotLanes& a, const BallotLanes& b) {
    return {a.x | b.x, a.y | b.y, a.z | b.z, a.w | b.w};
  }
  LOCKSTEP_INLINE friend BallotLanes operator^(const BallotLanes& a, const BallotLanes& b) {
    return {a.x ^ b.x, a.y ^ b.y, a.z ^ b.z, a.w ^ b.w};
  }
  LOCKSTEP_INLINE friend BallotLanes operator~(const BallotLanes& a) {
    return {~a.x, ~a.y, ~a.z, ~a.w};
  }
};

}  // namespace lockstep::inline LOCKSTEP_ABI
