#pragma once

#include <lockstep/glsl/kernel.hpp>
#include <lockstep/vocabulary/detail/values.hpp>

/// \file
/// The wave intrinsics of HLSL shader model 6.0 to 6.7, implemented with the equivalent GLSL
/// built-ins: as pure functions of (active mask, values) and as members of hlsl::Kernel<S>.
///
/// HLSL has no inclusive scans, no scans except sums and products, no relative shuffles, rotations
/// or clusters, and no operations on masks; this header has none either.
/// [WaveOpsIncludeHelperLanes] has no counterpart: helper lanes take part.

namespace lockstep::inline LOCKSTEP_ABI::hlsl {

using detail::IntegerValue, detail::NumberValue;
/// \defgroup hlsl_wave Wave intrinsics
///
/// Requires      As for the GLSL built-in that each names.
/// Active lanes  As for the GLSL built-in that each names.
/// Errors        None.
/// Cost          As for the GLSL built-in that each names.
/// Spec          HLSL SM 6.0 to 6.7 · GLSL and SPIR-V as each says
/// Example       tests/vocabulary/hlsl.cpp
/// @{

/// Whether this is the first active lane: subgroupElect.
template <int W>
LOCKSTEP_INLINE Lanes<bool, W> WaveIsFirstLane(Mask<W> active) {
  return subgroupElect(active);
}
/// Whether it holds in any active lane: subgroupAny.
template <int W, BoolValue<W> B>
LOCKSTEP_INLINE bool WaveActiveAnyTrue(Mask<W> active, const B& condition) {
  return subgroupAny(active, condition);
}
/// Whether it holds in all active lanes: subgroupAll.
template <int W, BoolValue<W> B>
LOCKSTEP_INLINE bool WaveActiveAllTrue(Mask<W> active, const B& condition) {
  return subgroupAll(active, condition);
}
/// The active lanes where it holds: subgroupBallot.
template <int W, BoolValue<W> B>
LOCKSTEP_INLINE Ballot WaveActiveBallot(Mask<W> active, const B& condition) {
  return subgroupBallot(active, condition);
}
/// Whether all active lanes hold the same value: subgroupAllEqual. A vector gives one bool per
/// component, where GLSL gives one for all.
template <int W, LaneValue<W> V>
LOCKSTEP_INLINE auto WaveActiveAllEqual(Mask<W> active, const V& value) {
  if constexpr (VecOfLanes<V>)
    return value.map([&](const auto& component) __attribute__((always_inline)) {
      return subgroupAllEqual(active, component);
    });
  else
    return subgroupAllEqual(active, value);
}
/// The number of active lanes where it holds: subgroupBallotBitCount of subgroupBallot.
template <int W, BoolValue<W> B>
LOCKSTEP_INLINE std::uint32_t WaveActiveCountBits(Mask<W> active, const B& condition) {
  return subgroupBallotBitCount(active, subgroupBallot(active, condition));
}
/// The sum over active lanes: subgroupAdd.
template <int W, NumberValue<W> V>
LOCKSTEP_INLINE auto WaveActiveSum(Mask<W> active, const V& value) {
  return subgroupAdd(active, value);
}
/// The product over active lanes: subgroupMul.
template <int W, NumberValue<W> V>
LOCKSTEP_INLINE auto WaveActiveProduct(Mask<W> active, const V& value) {
  return subgroupMul(active, value);
}
/// The smallest value of active lanes: subgroupMin.
template <int W, NumberValue<W> V>
LOCKSTEP_INLINE auto WaveActiveMin(Mask<W> active, const V& value) {
  return subgroupMin(active, value);
}
/// The largest value of active lanes: subgroupMax.
template <int W, NumberValue<W> V>
LOCKSTEP_INLINE auto WaveActiveMax(Mask<W> active, const V& value) {
  return subgroupMax(active, value);
}
/// The bits set in all active lanes: subgroupAnd, of integers only.
template <int W, IntegerValue<W> V>
LOCKSTEP_INLINE auto WaveActiveBitAnd(Mask<W> active, const V& value) {
  return subgroupAnd(active, value);
}
/// The bits set in any active lane: subgroupOr, of integers only.
template <int W, IntegerValue<W> V>
LOCKSTEP_INLINE auto WaveActiveBitOr(Mask<W> active, const V& value) {
  return subgroupOr(active, value);
}
/// The bits set in an odd number of active lanes: subgroupXor, of integers only.
template <int W, IntegerValue<W> V>
LOCKSTEP_INLINE auto WaveActiveBitXor(Mask<W> active, const V& value) {
  return subgroupXor(active, value);
}
/// The sum over the active lanes below: subgroupExclusiveAdd.
template <int W, NumberValue<W> V>
LOCKSTEP_INLINE auto WavePrefixSum(Mask<W> active, const V& value) {
  return subgroupExclusiveAdd(active, value);
}
/// The product over the active lanes below: subgroupExclusiveMul.
template <int W, NumberValue<W> V>
LOCKSTEP_INLINE auto WavePrefixProduct(Mask<W> active, const V& value) {
  return subgroupExclusiveMul(active, value);
}
/// The number of active lanes below where it holds: subgroupBallotExclusiveBitCount of subgroupBallot.
template <int W, BoolValue<W> B>
LOCKSTEP_INLINE Lanes<std::uint32_t, W> WavePrefixCountBits(Mask<W> active, const B& condition) {
  return subgroupBallotExclusiveBitCount(active, subgroupBallot(active, condition));
}
/// The first active lane's value: subgroupBroadcastFirst.
template <int W, LaneValue<W> V>
LOCKSTEP_INLINE auto WaveReadLaneFirst(Mask<W> active, const V& value) {
  return subgroupBroadcastFirst(active, value);
}
/// The value of lane `index`, which may differ from lane to lane: subgroupShuffle.
template <int W, LaneValue<W> V>
LOCKSTEP_INLINE auto WaveReadLaneAt(Mask<W> active, const V& value,
                                    const std::type_identity_t<Lanes<std::uint32_t, W>>& index) {
  return subgroupShuffle(active, value, index);
}
/// The horizontal neighbour's value: subgroupQuadSwapHorizontal.
template <int W, LaneValue<W> V>
LOCKSTEP_INLINE auto QuadReadAcrossX(Mask<W> active, const V& value) {
  return subgroupQuadSwapHorizontal(active, value);
}
/// The vertical neighbour's value: subgroupQuadSwapVertical.
template <int W, LaneValue<W> V>
LOCKSTEP_INLINE auto QuadReadAcrossY(Mask<W> active, const V& value) {
  return subgroupQuadSwapVertical(active, value);
}
/// The diagonal neighbour's value: subgroupQuadSwapDiagonal.
template <int W, LaneValue<W> V>
LOCKSTEP_INLINE auto QuadReadAcrossDiagonal(Mask<W> active, const V& value) {
  return subgroupQuadSwapDiagonal(active, value);
}
/// The value of the quad's member `index`: subgroupQuadBroadcast.
template <int W, LaneValue<W> V>
LOCKSTEP_INLINE auto QuadReadLaneAt(Mask<W> active, const V& value,
                                    const std::type_identity_t<Lanes<std::uint32_t, W>>& index) {
  return subgroupQuadBroadcast(active, value, index);
}
/// Whether it holds in any active lane of the quad: subgroupQuadAny.
template <int W, BoolValue<W> B>
LOCKSTEP_INLINE Lanes<bool, W> QuadAny(Mask<W> active, const B& condition) {
  return subgroupQuadAny(active, condition);
}
/// Whether it holds in all active lanes of the quad: subgroupQuadAll.
template <int W, BoolValue<W> B>
LOCKSTEP_INLINE Lanes<bool, W> QuadAll(Mask<W> active, const B& condition) {
  return subgroupQuadAll(active, condition);
}
/// The active lanes that hold the same value: subgroupPartitionNV.
template <int W, LaneValue<W> V>
LOCKSTEP_INLINE BallotLanes<W> WaveMatch(Mask<W> active, const V& value) {
  return subgroupPartitionNV(active, value);
}
/// The sum over the lanes below in the lane's own subset: subgroupPartitionedExclusiveAddNV.
template <int W, NumberValue<W> V>
LOCKSTEP_INLINE auto WaveMultiPrefixSum(Mask<W> active, const V& value,
                                        const BallotLanes<W>& subset) {
  return subgroupPartitionedExclusiveAddNV(active, value, subset);
}
/// The product over the lanes below in the lane's own subset: subgroupPartitionedExclusiveMulNV.
template <int W, NumberValue<W> V>
LOCKSTEP_INLINE auto WaveMultiPrefixProduct(Mask<W> active, const V& value,
                                            const BallotLanes<W>& subset) {
  return subgroupPartitionedExclusiveMulNV(active, value, subset);
}
/// The bits set in all lanes below in the lane's own subset: subgroupPartitionedExclusiveAndNV.
template <int W, IntegerValue<W> V>
LOCKSTEP_INLINE auto WaveMultiPrefixBitAnd(Mask<W> active, const V& value,
                                           const BallotLanes<W>& subset) {
  return subgroupPartitionedExclusiveAndNV(active, value, subset);
}
/// The bits set in any lane below in the lane's own subset: subgroupPartitionedExclusiveOrNV.
template <int W, IntegerValue<W> V>
LOCKSTEP_INLINE auto WaveMultiPrefixBitOr(Mask<W> active, const V& value,
                                          const BallotLanes<W>& subset) {
  return subgroupPartitionedExclusiveOrNV(active, value, subset);
}
/// The bits set in an odd number of lanes below in the lane's own subset: subgroupPartitionedExclusiveXorNV.
template <int W, IntegerValue<W> V>
LOCKSTEP_INLINE auto WaveMultiPrefixBitXor(Mask<W> active, const V& value,
                                           const BallotLanes<W>& subset) {
  return subgroupPartitionedExclusiveXorNV(active, value, subset);
}
/// The number of lanes below, in the lane's own subset, where it holds: subgroupBallotExclusiveBitCount.
template <int W, BoolValue<W> B>
LOCKSTEP_INLINE Lanes<std::uint32_t, W> WaveMultiPrefixCountBits(Mask<W> active, const B& condition,
                                                                 const BallotLanes<W>& subset) {
  return subgroupBallotExclusiveBitCount(
      active, subset & BallotLanes<W>(subgroupBallot(active, condition)));
}
/// @}

// clang-format off
// Each with its number of arguments and the GLSL built-in whose features it needs. DXC makes QuadAny and QuadAll
// from swaps.
#define LOCKSTEP_HLSL_BUILT_INS(X) \
  X(WaveIsFirstLane, 0, subgroupElect) X(WaveActiveAnyTrue, 1, subgroupAny) \
  X(WaveActiveAllTrue, 1, subgroupAll) X(WaveActiveBallot, 1, subgroupBallot) \
  X(WaveActiveAllEqual, 1, subgroupAllEqual) X(WaveActiveCountBits, 1, subgroupBallotBitCount) \
  X(WaveActiveSum, 1, subgroupAdd) X(WaveActiveProduct, 1, subgroupMul) \
  X(WaveActiveMin, 1, subgroupMin) X(WaveActiveMax, 1, subgroupMax) \
  X(WaveActiveBitAnd, 1, subgroupAnd) X(WaveActiveBitOr, 1, subgroupOr) \
  X(WaveActiveBitXor, 1, subgroupXor) X(WavePrefixSum, 1, subgroupExclusiveAdd) \
  X(WavePrefixProduct, 1, subgroupExclusiveMul) \
  X(WavePrefixCountBits, 1, subgroupBallotExclusiveBitCount) \
  X(WaveReadLaneFirst, 1, subgroupBroadcastFirst) X(WaveReadLaneAt, 2, subgroupShuffle) \
  X(QuadReadAcrossX, 1, subgroupQuadSwapHorizontal) \
  X(QuadReadAcrossY, 1, subgroupQuadSwapVertical) \
  X(QuadReadAcrossDiagonal, 1, subgroupQuadSwapDiagonal) \
  X(QuadReadLaneAt, 2, subgroupQuadBroadcast) X(QuadAny, 1, subgroupQuadSwapDiagonal) \
  X(QuadAll, 1, subgroupQuadSwapDiagonal) X(WaveMatch, 1, subgroupPartitionNV) \
  X(WaveMultiPrefixSum, 2, subgroupPartitionedExclusiveAddNV) \
  X(WaveMultiPrefixProduct, 2, subgroupPartitionedExclusiveMulNV) \
  X(WaveMultiPrefixBitAnd, 2, subgroupPartitionedExclusiveAndNV) \
  X(WaveMultiPrefixBitOr, 2, subgroupPartitionedExclusiveOrNV) \
  X(WaveMultiPrefixBitXor, 2, subgroupPartitionedExclusiveXorNV) \
  X(WaveMultiPrefixCountBits, 2, subgroupPartitionedExclusiveAddNV)
// clang-format on

/// The base class of kernels in HLSL: struct K : hlsl::Kernel<S> { LOCKSTEP_HLSL(S); ... }.
///
/// Requires      As for lockstep::Kernel.
/// Active lanes  As for lockstep::Kernel.
/// Errors        None of its own.
/// Cost          As for lockstep::Kernel.
/// Spec          HLSL compute shader
/// Example       tests/vocabulary/hlsl.cpp
template <class S>
class Kernel : public lockstep::Kernel<S> {
  static constexpr int width = S::width;

 public:
  using lockstep::Kernel<S>::Kernel;

  /// Lanes of the subgroup, including those without an invocation: gl_SubgroupSize.
  LOCKSTEP_INLINE std::uint32_t WaveGetLaneCount() const { return this->gl_SubgroupSize; }
  /// Each lane's number in the subgroup: gl_SubgroupInvocationID.
  LOCKSTEP_INLINE const ValueOn<S, std::uint32_t>& WaveGetLaneIndex() const {
    return this->gl_SubgroupInvocationID;
  }
  /// Waits for the workgroup: co_await GroupMemoryBarrierWithGroupSync().
  auto GroupMemoryBarrierWithGroupSync(CallSite where = CallSite::current()) const {
    return this->barrier(where);
  }

#define LOCKSTEP_HLSL_CALL(name)                                                    \
  [](Mask<width> active, const auto&... arguments) __attribute__((always_inline)) { \
    return hlsl::name(active, arguments...);                                        \
  }
#define LOCKSTEP_ROW(name, arguments, like) \
  LOCKSTEP_MEMBER_LIKE(name, arguments, like, LOCKSTEP_HLSL_CALL)
  LOCKSTEP_HLSL_BUILT_INS(LOCKSTEP_ROW)
#undef LOCKSTEP_ROW
#undef LOCKSTEP_HLSL_CALL
};

}  // namespace lockstep::inline LOCKSTEP_ABI::hlsl

#define LOCKSTEP_HLSL_USING(name, ...) using LockstepHlsl::name;

/// The first line of a kernel in HLSL: brings its names into scope.
#define LOCKSTEP_HLSL(S)                                                \
  LOCKSTEP_KERNEL(S);                                                   \
  using LockstepHlsl = ::lockstep::hlsl::Kernel<S>;                     \
  using LockstepHlsl::GroupMemoryBarrierWithGroupSync;                  \
  using LockstepHlsl::WaveGetLaneCount, LockstepHlsl::WaveGetLaneIndex; \
  LOCKSTEP_HLSL_BUILT_INS(LOCKSTEP_HLSL_USING)                          \
  static_assert(true, "LOCKSTEP_HLSL(S) ends with a semicolon")
