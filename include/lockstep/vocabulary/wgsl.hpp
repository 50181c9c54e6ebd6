#pragma once

#include <string>

#include <lockstep/exec/error.hpp>
#include <lockstep/glsl/kernel.hpp>
#include <lockstep/lanes/float16.hpp>
#include <lockstep/vocabulary/detail/values.hpp>

/// \file
/// WGSL's subgroup and quad built-in functions, as pure functions of (active mask, values) and as
/// members of wgsl::Kernel<S>. Most are GLSL's under the same name, with WGSL's types: i32, u32,
/// f32 and f16, and vectors of them.
///
/// WGSL has no subgroupAllEqual, no operations on masks, no scans except sums and products, no
/// rotations, clusters or partitions and no quad votes; this header has none either.

namespace lockstep::inline LOCKSTEP_ABI::wgsl {
namespace detail {

template <class T>
inline constexpr bool is_numeric =
    std::same_as<T, std::int32_t> || std::same_as<T, std::uint32_t> || std::same_as<T, float> ||
    std::same_as<T, float16_t>;
template <class V, int W>
concept NumericValue = LaneValue<V, W> && is_numeric<lockstep::detail::element_of<V>>;
template <class V, int W>
concept IntegerValue = NumericValue<V, W> && std::integral<lockstep::detail::element_of<V>>;

[[noreturn, gnu::noinline]] inline void fail_broadcast(std::uint32_t id) {
  throw Error("subgroupBroadcast from lane " + std::to_string(id) +
              ", which is not active: WGSL makes that an error, so broadcast from an active lane");
}

}  // namespace detail

using detail::IntegerValue, detail::NumericValue;

/// \defgroup wgsl_subgroup Subgroup and quad built-in functions
///
/// Requires      As for the GLSL built-in of that name, or the one that each names. The delta and
///               mask of relative shuffles are uniform, so they are plain numbers.
/// Active lanes  As for the GLSL built-in of that name.
/// Errors        subgroupBroadcast from an inactive lane throws Error.
/// Cost          As for the GLSL built-in of that name.
/// Spec          WGSL section "Subgroup Built-in Functions" · SPIR-V as the GLSL built-in
/// Example       tests/vocabulary/wgsl.cpp
/// @{

/// Whether this is the first active lane.
template <int W>
LOCKSTEP_INLINE Lanes<bool, W> subgroupElect(Mask<W> active) {
  return lockstep::subgroupElect(active);
}
/// Whether it holds in all active lanes.
template <int W, BoolValue<W> B>
LOCKSTEP_INLINE bool subgroupAll(Mask<W> active, const B& condition) {
  return lockstep::subgroupAll(active, condition);
}
/// Whether it holds in any active lane.
template <int W, BoolValue<W> B>
LOCKSTEP_INLINE bool subgroupAny(Mask<W> active, const B& condition) {
  return lockstep::subgroupAny(active, condition);
}
/// The active lanes where it holds.
template <int W, BoolValue<W> B>
LOCKSTEP_INLINE Ballot subgroupBallot(Mask<W> active, const B& condition) {
  return lockstep::subgroupBallot(active, condition);
}
/// The value of lane `id`, which must be active.
template <int W, NumericValue<W> V>
LOCKSTEP_INLINE auto subgroupBroadcast(Mask<W> active, const V& value, std::uint32_t id) {
  if (active.any_lane() && (id >= W || !active.test(static_cast<int>(id))))
    detail::fail_broadcast(id);
  return lockstep::subgroupBroadcast(active, value, id);
}
/// The first active lane's value.
template <int W, NumericValue<W> V>
LOCKSTEP_INLINE auto subgroupBroadcastFirst(Mask<W> active, const V& value) {
  return lockstep::subgroupBroadcastFirst(active, value);
}
/// The value of the lane that each lane selects.
template <int W, NumericValue<W> V>
LOCKSTEP_INLINE auto subgroupShuffle(Mask<W> active, const V& value,
                                     const std::type_identity_t<Lanes<std::uint32_t, W>>& id) {
  return lockstep::subgroupShuffle(active, value, id);
}
/// The value of the lane whose number differs in the mask's bits.
template <int W, NumericValue<W> V>
LOCKSTEP_INLINE auto subgroupShuffleXor(Mask<W> active, const V& value, std::uint32_t mask) {
  return lockstep::subgroupShuffleXor(active, value, mask);
}
/// The value of the lane `delta` below.
template <int W, NumericValue<W> V>
LOCKSTEP_INLINE auto subgroupShuffleUp(Mask<W> active, const V& value, std::uint32_t delta) {
  return lockstep::subgroupShuffleUp(active, value, delta);
}
/// The value of the lane `delta` above.
template <int W, NumericValue<W> V>
LOCKSTEP_INLINE auto subgroupShuffleDown(Mask<W> active, const V& value, std::uint32_t delta) {
  return lockstep::subgroupShuffleDown(active, value, delta);
}
/// The sum over active lanes.
template <int W, NumericValue<W> V>
LOCKSTEP_INLINE auto subgroupAdd(Mask<W> active, const V& value) {
  return lockstep::subgroupAdd(active, value);
}
/// The sum over the active lanes up to this one.
template <int W, NumericValue<W> V>
LOCKSTEP_INLINE auto subgroupInclusiveAdd(Mask<W> active, const V& value) {
  return lockstep::subgroupInclusiveAdd(active, value);
}
/// The sum over the active lanes below.
template <int W, NumericValue<W> V>
LOCKSTEP_INLINE auto subgroupExclusiveAdd(Mask<W> active, const V& value) {
  return lockstep::subgroupExclusiveAdd(active, value);
}
/// The product over active lanes.
template <int W, NumericValue<W> V>
LOCKSTEP_INLINE auto subgroupMul(Mask<W> active, const V& value) {
  return lockstep::subgroupMul(active, value);
}
/// The product over the active lanes up to this one.
template <int W, NumericValue<W> V>
LOCKSTEP_INLINE auto subgroupInclusiveMul(Mask<W> active, const V& value) {
  return lockstep::subgroupInclusiveMul(active, value);
}
/// The product over the active lanes below.
template <int W, NumericValue<W> V>
LOCKSTEP_INLINE auto subgroupExclusiveMul(Mask<W> active, const V& value) {
  return lockstep::subgroupExclusiveMul(active, value);
}
/// The smallest value of active lanes.
template <int W, NumericValue<W> V>
LOCKSTEP_INLINE auto subgroupMin(Mask<W> active, const V& value) {
  return lockstep::subgroupMin(active, value);
}
/// The largest value of active lanes.
template <int W, NumericValue<W> V>
LOCKSTEP_INLINE auto subgroupMax(Mask<W> active, const V& value) {
  return lockstep::subgroupMax(active, value);
}
/// The bits set in all active lanes.
template <int W, IntegerValue<W> V>
LOCKSTEP_INLINE auto subgroupAnd(Mask<W> active, const V& value) {
  return lockstep::subgroupAnd(active, value);
}
/// The bits set in any active lane.
template <int W, IntegerValue<W> V>
LOCKSTEP_INLINE auto subgroupOr(Mask<W> active, const V& value) {
  return lockstep::subgroupOr(active, value);
}
/// The bits set in an odd number of active lanes.
template <int W, IntegerValue<W> V>
LOCKSTEP_INLINE auto subgroupXor(Mask<W> active, const V& value) {
  return lockstep::subgroupXor(active, value);
}
/// The value of the quad's member `id`: GLSL's subgroupQuadBroadcast.
template <int W, NumericValue<W> V>
LOCKSTEP_INLINE auto quadBroadcast(Mask<W> active, const V& value, std::uint32_t id) {
  return lockstep::subgroupQuadBroadcast(active, value, id);
}
/// The horizontal neighbour's value: GLSL's subgroupQuadSwapHorizontal.
template <int W, NumericValue<W> V>
LOCKSTEP_INLINE auto quadSwapX(Mask<W> active, const V& value) {
  return lockstep::subgroupQuadSwapHorizontal(active, value);
}
/// The vertical neighbour's value: GLSL's subgroupQuadSwapVertical.
template <int W, NumericValue<W> V>
LOCKSTEP_INLINE auto quadSwapY(Mask<W> active, const V& value) {
  return lockstep::subgroupQuadSwapVertical(active, value);
}
/// The diagonal neighbour's value: GLSL's subgroupQuadSwapDiagonal.
template <int W, NumericValue<W> V>
LOCKSTEP_INLINE auto quadSwapDiagonal(Mask<W> active, const V& value) {
  return lockstep::subgroupQuadSwapDiagonal(active, value);
}
/// @}

// clang-format off
// Each with its number of arguments and the GLSL built-in whose features it needs.
#define LOCKSTEP_WGSL_BUILT_INS(X) \
  X(subgroupElect, 0, subgroupElect) X(subgroupAll, 1, subgroupAll) \
  X(subgroupAny, 1, subgroupAny) X(subgroupBallot, 1, subgroupBallot) \
  X(subgroupBroadcast, 2, subgroupBroadcast) \
  X(subgroupBroadcastFirst, 1, subgroupBroadcastFirst) X(subgroupShuffle, 2, subgroupShuffle) \
  X(subgroupShuffleXor, 2, subgroupShuffleXor) X(subgroupShuffleUp, 2, subgroupShuffleUp) \
  X(subgroupShuffleDown, 2, subgroupShuffleDown) X(subgroupAdd, 1, subgroupAdd) \
  X(subgroupInclusiveAdd, 1, subgroupInclusiveAdd) \
  X(subgroupExclusiveAdd, 1, subgroupExclusiveAdd) X(subgroupMul, 1, subgroupMul) \
  X(subgroupInclusiveMul, 1, subgroupInclusiveMul) \
  X(subgroupExclusiveMul, 1, subgroupExclusiveMul) X(subgroupMin, 1, subgroupMin) \
  X(subgroupMax, 1, subgroupMax) X(subgroupAnd, 1, subgroupAnd) X(subgroupOr, 1, subgroupOr) \
  X(subgroupXor, 1, subgroupXor) X(quadBroadcast, 2, subgroupQuadBroadcast) \
  X(quadSwapX, 1, subgroupQuadSwapHorizontal) X(quadSwapY, 1, subgroupQuadSwapVertical) \
  X(quadSwapDiagonal, 1, subgroupQuadSwapDiagonal)
// clang-format on

/// The base class of kernels in WGSL: struct K : wgsl::Kernel<S> { LOCKSTEP_WGSL(S); ... }.
///
/// Requires      As for lockstep::Kernel.
/// Active lanes  As for lockstep::Kernel.
/// Errors        None of its own.
/// Cost          As for lockstep::Kernel.
/// Spec          WGSL compute shader
/// Example       tests/vocabulary/wgsl.cpp
template <class S>
class Kernel : public lockstep::Kernel<S> {
  static constexpr int width = S::width;

 public:
  using Uint = ValueOn<S, std::uint32_t>;
  using lockstep::Kernel<S>::Kernel;

  /// @builtin(subgroup_size): gl_SubgroupSize.
  LOCKSTEP_INLINE std::uint32_t subgroup_size() const { return this->gl_SubgroupSize; }
  /// @builtin(subgroup_invocation_id): gl_SubgroupInvocationID.
  LOCKSTEP_INLINE const Uint& subgroup_invocation_id() const {
    return this->gl_SubgroupInvocationID;
  }
  /// @builtin(subgroup_id): gl_SubgroupID.
  LOCKSTEP_INLINE std::uint32_t subgroup_id() const { return this->gl_SubgroupID; }
  /// @builtin(num_subgroups): gl_NumSubgroups.
  LOCKSTEP_INLINE std::uint32_t num_subgroups() const { return this->gl_NumSubgroups; }
  /// @builtin(global_invocation_id): gl_GlobalInvocationID.
  LOCKSTEP_INLINE const auto& global_invocation_id() const { return this->gl_GlobalInvocationID; }
  /// @builtin(local_invocation_id): gl_LocalInvocationID.
  LOCKSTEP_INLINE const auto& local_invocation_id() const { return this->gl_LocalInvocationID; }
  /// @builtin(local_invocation_index): gl_LocalInvocationIndex.
  LOCKSTEP_INLINE const Uint& local_invocation_index() const {
    return this->gl_LocalInvocationIndex;
  }
  /// @builtin(workgroup_id): gl_WorkGroupID.
  LOCKSTEP_INLINE Size3 workgroup_id() const { return this->gl_WorkGroupID; }
  /// @builtin(num_workgroups): gl_NumWorkGroups.
  LOCKSTEP_INLINE Size3 num_workgroups() const { return this->gl_NumWorkGroups; }
  /// Waits for the workgroup: co_await workgroupBarrier().
  auto workgroupBarrier(CallSite where = CallSite::current()) const { return this->barrier(where); }

#define LOCKSTEP_WGSL_CALL(name)                                                    \
  [](Mask<width> active, const auto&... arguments) __attribute__((always_inline)) { \
    return wgsl::name(active, arguments...);                                        \
  }
#define LOCKSTEP_ROW(name, arguments, like) \
  LOCKSTEP_MEMBER_LIKE(name, arguments, like, LOCKSTEP_WGSL_CALL)
  LOCKSTEP_WGSL_BUILT_INS(LOCKSTEP_ROW)
#undef LOCKSTEP_ROW
#undef LOCKSTEP_WGSL_CALL
};

}  // namespace lockstep::inline LOCKSTEP_ABI::wgsl

#define LOCKSTEP_WGSL_USING(name, ...) using LockstepWgsl::name;

/// The first line of a kernel in WGSL: brings its names into scope.
#define LOCKSTEP_WGSL(S)                                                       \
  LOCKSTEP_KERNEL(S);                                                          \
  using LockstepWgsl = ::lockstep::wgsl::Kernel<S>;                            \
  using LockstepWgsl::subgroup_size, LockstepWgsl::subgroup_invocation_id;     \
  using LockstepWgsl::subgroup_id, LockstepWgsl::num_subgroups;                \
  using LockstepWgsl::global_invocation_id, LockstepWgsl::local_invocation_id; \
  using LockstepWgsl::local_invocation_index, LockstepWgsl::workgroup_id;      \
  using LockstepWgsl::num_workgroups, LockstepWgsl::workgroupBarrier;          \
  LOCKSTEP_WGSL_BUILT_INS(LOCKSTEP_WGSL_USING)                                 \
  static_assert(true, "LOCKSTEP_WGSL(S) ends with a semicolon")
