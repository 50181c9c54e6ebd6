#pragma once

#include <string>

#include <lockstep/exec/error.hpp>
#include <lockstep/glsl/functions.hpp>
#include <lockstep/glsl/kernel.hpp>
#include <lockstep/vocabulary/detail/values.hpp>

/// \file
/// CUDA's warp intrinsics with explicit masks, as pure functions of (active mask, mask, values) and
/// as members of cuda::Kernel<S>. A warp has 32 lanes.
///
/// A mask is one number for all lanes or, as returned by __match_any_sync, one per lane. The
/// participants are the lanes that the mask names and that are active. CUDA also lets diverged
/// lanes come together at an intrinsic; here an inactive lane counts as exited, so naming lanes
/// that are elsewhere has no effect. Cooperative groups have no counterpart: tiles are GLSL's
/// clusters.

// NOLINTBEGIN(bugprone-reserved-identifier): CUDA's names.
namespace lockstep::inline LOCKSTEP_ABI::cuda {

/// Lanes of a warp.
inline constexpr int warpSize = 32;

namespace detail {

using Uint = Lanes<std::uint32_t, warpSize>;
using Warp = Mask<warpSize>;

template <class M>
concept MaskValue = std::convertible_to<const M&, std::uint32_t> || std::same_as<M, Uint>;

/// f(participants) for all lanes with the same participants, once for each distinct mask.
template <class F>
LOCKSTEP_INLINE auto for_mask(Warp active, std::uint32_t mask, const F& f) {
  return f(active & Warp::from_bits(mask));
}
template <class F>
LOCKSTEP_INLINE auto for_mask(Warp active, const Uint& mask, const F& f) {
  using R = std::remove_cvref_t<decltype(f(active))>;
  using L = std::remove_cvref_t<decltype(lockstep::detail::lanes_of<warpSize>(f(active)))>;
  lockstep::detail::Assignable<L> result(L(R(f(Warp::none()))));
  for (Warp rest = active; rest.any_lane();) {
    const std::uint32_t mine = mask[rest.first()];
    const Warp alike = active & (mask == Uint(mine)).mask();
    result.set(select(alike, L(f(active & Warp::from_bits(mine))), result.get()));
    rest = rest.without(alike);
  }
  return result.get();
}

inline std::uint32_t mask_of(std::uint32_t mask, int) { return mask; }
inline std::uint32_t mask_of(const Uint& mask, int lane) { return mask[lane]; }

/// The value of the lane that each lane selects, or its own where `valid` is not set.
template <class V>
LOCKSTEP_INLINE auto shuffle_or_own(Warp active, const V& value, const Uint& from,
                                    const Lanes<bool, warpSize>& valid) {
  return subgroupShuffle(active, value, select(valid, from, Uint::iota()));
}
LOCKSTEP_INLINE Uint segment_start(std::uint32_t width) {
  return Uint::iota() & Uint(~(width - 1));
}

/// The bits of numbers, which __match_*_sync compares.
template <class T>
LOCKSTEP_INLINE auto bits_of(const Lanes<T, warpSize>& value) {
  if constexpr (std::same_as<T, float>)
    return floatBitsToUint(value);
  else if constexpr (std::same_as<T, double>)
    return Lanes<std::uint64_t, warpSize>::generate(
        [&](int i) { return std::bit_cast<std::uint64_t>(value[i]); });
  else
    return Lanes<T, warpSize>(value);
}

template <class V>
concept MatchValue = lockstep::detail::NumberValue<V, warpSize> && !VecOfLanes<V> &&
                     (sizeof(lockstep::detail::element_of<V>) >= 4);
template <class V>
concept ReduceValue = std::same_as<lockstep::detail::element_of<V>, std::uint32_t> ||
    std::same_as<lockstep::detail::element_of<V>, std::int32_t>;
template <class V>
concept BitsValue = std::same_as<lockstep::detail::element_of<V>, std::uint32_t>;

}  // namespace detail

/// The active lanes whose mask is undefined in CUDA: it lacks the lane itself, or names an active
/// lane with another mask.
///
/// Requires      None.
/// Active lanes  Only active lanes are in the result.
/// Errors        None.
/// Cost          A few instructions for each distinct mask.
/// Spec          CUDA __*_sync: the mask argument
/// Example       tests/vocabulary/cuda.cpp
template <detail::MaskValue M>
Mask<warpSize> misused(Mask<warpSize> active, const M& mask) {
  Mask<warpSize> wrong;
  for_each_lane(active, [&](int i) {
    const std::uint32_t mine = detail::mask_of(mask, i);
    bool legal = (mine >> i & 1) != 0;
    for_each_lane(active & Mask<warpSize>::from_bits(mine),
                  [&](int j) { legal = legal && detail::mask_of(mask, j) == mine; });
    if (!legal) wrong = wrong | Mask<warpSize>::lane(i);
  });
  return wrong;
}

/// \defgroup cuda_warp Warp intrinsics
///
/// Requires      Each active lane is in its own mask, and the active lanes in it have the same
///               mask; see misused(). `width` is a power of two up to 32, the same in all lanes.
/// Active lanes  Active lanes in the mask take part. Inactive lanes get unspecified values.
/// Errors        None as functions; as members of a kernel, a misused mask throws Error.
/// Cost          With one mask as the GLSL built-in; otherwise the same for each distinct mask.
/// Spec          CUDA C++ warp vote, match, reduce and shuffle functions · GLSL as each says
/// Example       tests/vocabulary/cuda.cpp
/// @{

/// The value of lane `source` of each lane's segment of `width` lanes: subgroupShuffle, where any
/// number selects a lane.
template <detail::MaskValue M, LaneValue<warpSize> V>
LOCKSTEP_INLINE auto __shfl_sync(Mask<warpSize> active, const M&, const V& value,
                                 const std::type_identity_t<detail::Uint>& source,
                                 std::uint32_t width = warpSize) {
  return subgroupShuffle(active, value,
                         detail::segment_start(width) + (source & detail::Uint(width - 1)));
}
/// The value of the lane `delta` below, or the lane's own if the segment has no such lane.
template <detail::MaskValue M, LaneValue<warpSize> V>
LOCKSTEP_INLINE auto __shfl_up_sync(Mask<warpSize> active, const M&, const V& value,
                                    const std::type_identity_t<detail::Uint>& delta,
                                    std::uint32_t width = warpSize) {
  const auto lane = detail::Uint::iota();
  const detail::Uint down = delta & detail::Uint(31u);
  return detail::shuffle_or_own(active, value, lane - down,
                                lane - detail::segment_start(width) >= down);
}
/// The value of the lane `delta` above, or the lane's own if the segment has no such lane.
template <detail::MaskValue M, LaneValue<warpSize> V>
LOCKSTEP_INLINE auto __shfl_down_sync(Mask<warpSize> active, const M&, const V& value,
                                      const std::type_identity_t<detail::Uint>& delta,
                                      std::uint32_t width = warpSize) {
  const detail::Uint from = detail::Uint::iota() + (delta & detail::Uint(31u));
  return detail::shuffle_or_own(active, value, from,
                                from <= detail::segment_start(width) + detail::Uint(width - 1));
}
/// The value of the lane whose number differs in these bits, or the lane's own if that lane is in a
/// later segment.
template <detail::MaskValue M, LaneValue<warpSize> V>
LOCKSTEP_INLINE auto __shfl_xor_sync(Mask<warpSize> active, const M&, const V& value,
                                     const std::type_identity_t<detail::Uint>& bits,
                                     std::uint32_t width = warpSize) {
  const detail::Uint from = detail::Uint::iota() ^ (bits & detail::Uint(31u));
  return detail::shuffle_or_own(active, value, from,
                                from <= detail::segment_start(width) + detail::Uint(width - 1));
}
/// Whether it holds in any participant: subgroupAny.
template <detail::MaskValue M, BoolValue<warpSize> B>
LOCKSTEP_INLINE auto __any_sync(Mask<warpSize> active, const M& mask, const B& condition) {
  return detail::for_mask(active, mask, [&](Mask<warpSize> participants) {
    return subgroupAny(participants, condition);
  });
}
/// Whether it holds in all participants: subgroupAll.
template <detail::MaskValue M, BoolValue<warpSize> B>
LOCKSTEP_INLINE auto __all_sync(Mask<warpSize> active, const M& mask, const B& condition) {
  return detail::for_mask(active, mask, [&](Mask<warpSize> participants) {
    return subgroupAll(participants, condition);
  });
}
/// The participants where it holds: subgroupBallot(...).x.
template <detail::MaskValue M, BoolValue<warpSize> B>
LOCKSTEP_INLINE auto __ballot_sync(Mask<warpSize> active, const M& mask, const B& condition) {
  return detail::for_mask(active, mask, [&](Mask<warpSize> participants) {
    return subgroupBallot(participants, condition).x;
  });
}
/// The lanes that happen to be active here: subgroupBallot(true).x.
LOCKSTEP_INLINE std::uint32_t __activemask(Mask<warpSize> active) { return active.bits(); }
/// The participants whose value has the same bits: subgroupPartitionNV, except that +0 is not -0
/// and equal NaNs match.
template <detail::MaskValue M, detail::MatchValue V>
LOCKSTEP_INLINE detail::Uint __match_any_sync(Mask<warpSize> active, const M& mask,
                                              const V& value) {
  const auto bits = detail::bits_of(lockstep::detail::lanes_of<warpSize>(value));
  return detail::for_mask(active, mask, [&](Mask<warpSize> participants) {
    return detail::Uint(subgroupPartitionNV(participants, bits).x);
  });
}
/// The participants if all their values have the same bits, else 0: subgroupAllEqual.
template <detail::MaskValue M, detail::MatchValue V>
LOCKSTEP_INLINE auto __match_all_sync(Mask<warpSize> active, const M& mask, const V& value) {
  const auto bits = detail::bits_of(lockstep::detail::lanes_of<warpSize>(value));
  return detail::for_mask(active, mask, [&](Mask<warpSize> participants) {
    return subgroupAllEqual(participants, bits) ? participants.bits() : 0u;
  });
}
/// The sum over participants: subgroupAdd.
template <detail::MaskValue M, detail::ReduceValue V>
LOCKSTEP_INLINE auto __reduce_add_sync(Mask<warpSize> active, const M& mask, const V& value) {
  return detail::for_mask(
      active, mask, [&](Mask<warpSize> participants) { return subgroupAdd(participants, value); });
}
/// The smallest value of participants: subgroupMin.
template <detail::MaskValue M, detail::ReduceValue V>
LOCKSTEP_INLINE auto __reduce_min_sync(Mask<warpSize> active, const M& mask, const V& value) {
  return detail::for_mask(
      active, mask, [&](Mask<warpSize> participants) { return subgroupMin(participants, value); });
}
/// The largest value of participants: subgroupMax.
template <detail::MaskValue M, detail::ReduceValue V>
LOCKSTEP_INLINE auto __reduce_max_sync(Mask<warpSize> active, const M& mask, const V& value) {
  return detail::for_mask(
      active, mask, [&](Mask<warpSize> participants) { return subgroupMax(participants, value); });
}
/// The bits set in all participants: subgroupAnd.
template <detail::MaskValue M, detail::BitsValue V>
LOCKSTEP_INLINE auto __reduce_and_sync(Mask<warpSize> active, const M& mask, const V& value) {
  return detail::for_mask(
      active, mask, [&](Mask<warpSize> participants) { return subgroupAnd(participants, value); });
}
/// The bits set in any participant: subgroupOr.
template <detail::MaskValue M, detail::BitsValue V>
LOCKSTEP_INLINE auto __reduce_or_sync(Mask<warpSize> active, const M& mask, const V& value) {
  return detail::for_mask(
      active, mask, [&](Mask<warpSize> participants) { return subgroupOr(participants, value); });
}
/// The bits set in an odd number of participants: subgroupXor.
template <detail::MaskValue M, detail::BitsValue V>
LOCKSTEP_INLINE auto __reduce_xor_sync(Mask<warpSize> active, const M& mask, const V& value) {
  return detail::for_mask(
      active, mask, [&](Mask<warpSize> participants) { return subgroupXor(participants, value); });
}
/// @}

namespace detail {

[[noreturn, gnu::noinline]] inline void fail_misuse(Mask<warpSize> wrong, const char* name,
                                                    SourceLocation where) {
  std::string lanes;
  for_each_lane(wrong, [&](int i) {
    if (!lanes.empty()) lanes += ", ";
    lanes += std::to_string(i);
  });
  std::string message = where.file;
  message.append(":").append(std::to_string(where.line)).append(": ").append(name);
  message.append(": the mask of lane ").append(lanes);
  throw Error(message.append(" lacks the lane itself, or names a lane that has another mask"));
}
template <MaskValue M>
LOCKSTEP_INLINE void require_mask(Warp active, const M& mask, const char* name,
                                  SourceLocation where) {
  if constexpr (!std::same_as<M, Uint>) {
    if (!active.without(Warp::from_bits(mask)).any_lane()) return;
  }
  if (const Warp wrong = misused(active, mask); wrong.any_lane()) fail_misuse(wrong, name, where);
}
[[noreturn, gnu::noinline]] inline void fail_size(std::uint32_t size) {
  throw Error("a CUDA kernel needs warps of 32 lanes, but the subgroup size is " +
              std::to_string(size) + ": dispatch it on a Device{.subgroup_size = 32}");
}

}  // namespace detail

// clang-format off
// Each with its number of arguments.
#define LOCKSTEP_CUDA_BUILT_INS(X) \
  X(__shfl_sync, 3) X(__shfl_sync, 4) X(__shfl_up_sync, 3) X(__shfl_up_sync, 4) \
  X(__shfl_down_sync, 3) X(__shfl_down_sync, 4) X(__shfl_xor_sync, 3) X(__shfl_xor_sync, 4) \
  X(__any_sync, 2) X(__all_sync, 2) X(__ballot_sync, 2) X(__match_any_sync, 2) \
  X(__match_all_sync, 2) X(__reduce_add_sync, 2) X(__reduce_min_sync, 2) X(__reduce_max_sync, 2) \
  X(__reduce_and_sync, 2) X(__reduce_or_sync, 2) X(__reduce_xor_sync, 2)
// clang-format on

/// The base class of kernels in CUDA: struct K : cuda::Kernel<S> { LOCKSTEP_CUDA(S); ... },
/// dispatched with device.dispatch<K, 32>.
///
/// Requires      As lockstep::Kernel, and a subgroup size of 32.
/// Active lanes  As for lockstep::Kernel.
/// Errors        Error if the subgroup size is not 32 or a mask is misused.
/// Cost          As lockstep::Kernel, plus a check of the mask in each intrinsic.
/// Spec          CUDA __global__ function
/// Example       tests/vocabulary/cuda.cpp
template <class S>
class Kernel : public lockstep::Kernel<S> {
  static_assert(S::width == warpSize, "CUDA kernels have warps of 32 lanes: dispatch<K, 32>");
  using Base = lockstep::Kernel<S>;

 public:
  template <class Setup>
  LOCKSTEP_INLINE Kernel(const Setup& setup) : Base(setup) {
    if (this->gl_SubgroupSize != warpSize) detail::fail_size(this->gl_SubgroupSize);
  }

  /// Each lane's thread in the block: gl_LocalInvocationID.
  LOCKSTEP_INLINE const auto& threadIdx() const { return this->gl_LocalInvocationID; }
  /// Which block this is: gl_WorkGroupID.
  LOCKSTEP_INLINE Size3 blockIdx() const { return this->gl_WorkGroupID; }
  /// Threads of a block: gl_WorkGroupSize.
  LOCKSTEP_INLINE Size3 blockDim() const { return this->gl_WorkGroupSize; }
  /// Blocks of the grid: gl_NumWorkGroups.
  LOCKSTEP_INLINE Size3 gridDim() const { return this->gl_NumWorkGroups; }
  /// Waits for the block: co_await __syncthreads().
  auto __syncthreads(CallSite where = CallSite::current()) const { return this->barrier(where); }
  /// Lanes of a warp run in lockstep and see each other's writes at once: subgroupBarrier.
  template <detail::MaskValue M = std::uint32_t>
  LOCKSTEP_INLINE void __syncwarp(const M& mask = M(~0u),
                                  SourceLocation where = SourceLocation::current()) const {
    detail::require_mask(this->active_lanes(), mask, "__syncwarp", where);
    this->subgroupBarrier(where);
  }
  /// The lanes that happen to be active here.
  LOCKSTEP_INLINE auto __activemask(SourceLocation where = SourceLocation::current()) const {
    return this->built_in([](Mask<warpSize> active) { return cuda::__activemask(active); },
                          "__activemask", where);
  }

#define LOCKSTEP_CUDA_CALL(name)                                             \
  [where](Mask<warpSize> active, const auto& mask, const auto&... arguments) \
      __attribute__((always_inline)) {                                       \
    detail::require_mask(active, mask, #name, where);                        \
    return cuda::name(active, mask, arguments...);                           \
  }
// Features are Vulkan's, into which nothing translates CUDA: a profile says nothing about these.
#define LOCKSTEP_ROW(name, arguments) \
  LOCKSTEP_MEMBER(name, arguments, LOCKSTEP_CUDA_CALL, Features())
  LOCKSTEP_CUDA_BUILT_INS(LOCKSTEP_ROW)
#undef LOCKSTEP_ROW
#undef LOCKSTEP_CUDA_CALL

  /// As above, and sets `all_match` if they all match: a plain number for a uniform mask, a
  /// variable for one mask per lane.
  template <class M, class V, class Verdict>
  LOCKSTEP_INLINE auto __match_all_sync(M&& mask, V&& value, Verdict* all_match,
                                        SourceLocation where = SourceLocation::current()) const {
    const auto participants =
        this->__match_all_sync(std::forward<M>(mask), std::forward<V>(value), where);
    if constexpr (std::convertible_to<decltype(participants), std::uint32_t>)
      *all_match = static_cast<std::uint32_t>(participants) != 0;
    else
      *all_match = participants != 0u;
    return participants;
  }
};

}  // namespace lockstep::inline LOCKSTEP_ABI::cuda
// NOLINTEND(bugprone-reserved-identifier)

/// The first line of a kernel in CUDA: brings its names into scope.
#define LOCKSTEP_CUDA(S)                                                                     \
  LOCKSTEP_KERNEL(S);                                                                        \
  using LockstepCuda = ::lockstep::cuda::Kernel<S>;                                          \
  static constexpr int warpSize = ::lockstep::cuda::warpSize;                                \
  using LockstepCuda::threadIdx, LockstepCuda::blockIdx, LockstepCuda::blockDim;             \
  using LockstepCuda::gridDim, LockstepCuda::__syncthreads, LockstepCuda::__syncwarp;        \
  using LockstepCuda::__activemask, LockstepCuda::__shfl_sync, LockstepCuda::__shfl_up_sync; \
  using LockstepCuda::__shfl_down_sync, LockstepCuda::__shfl_xor_sync;                       \
  using LockstepCuda::__any_sync, LockstepCuda::__all_sync, LockstepCuda::__ballot_sync;     \
  using LockstepCuda::__match_any_sync, LockstepCuda::__match_all_sync;                      \
  using LockstepCuda::__reduce_add_sync, LockstepCuda::__reduce_min_sync;                    \
  using LockstepCuda::__reduce_max_sync, LockstepCuda::__reduce_and_sync;                    \
  using LockstepCuda::__reduce_or_sync, LockstepCuda::__reduce_xor_sync;                     \
  static_assert(true, "LOCKSTEP_CUDA(S) ends with a semicolon")
