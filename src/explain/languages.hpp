#pragma once

#include <string_view>

#include <lockstep/subgroup/built_ins.hpp>

/// \file
/// The names of built-ins in other languages: further columns of the table in lockstep/subgroup/built_ins.hpp. They have a
/// file of their own because every kernel includes that one, and only `lockstep explain` needs these.

// clang-format off

/// N(name, HLSL, CUDA, WGSL, Metal), in the order of the table; rows.cpp does not compile if a row is missing or misplaced.
/// A name with arguments says how the same result is reached; an empty one means that the language has nothing like it.
#define LOCKSTEP_NAMES_IN_OTHER_LANGUAGES(N) \
  N(subgroupElect,                     "WaveIsFirstLane",           "lane == __ffs(__activemask()) - 1",     "subgroupElect",           "simd_is_first") \
  N(subgroupAll,                       "WaveActiveAllTrue",         "__all_sync",                            "subgroupAll",             "simd_all") \
  N(subgroupAny,                       "WaveActiveAnyTrue",         "__any_sync",                            "subgroupAny",             "simd_any") \
  N(subgroupAllEqual,                  "WaveActiveAllEqual",        "__match_all_sync",                      "",                        "simd_all(v == simd_broadcast_first(v))") \
  N(subgroupBroadcast,                 "WaveReadLaneAt",            "__shfl_sync",                           "subgroupBroadcast",       "simd_broadcast") \
  N(subgroupBroadcastFirst,            "WaveReadLaneFirst",         "__shfl_sync(mask, v, __ffs(mask) - 1)", "subgroupBroadcastFirst",  "simd_broadcast_first") \
  N(subgroupBallot,                    "WaveActiveBallot",          "__ballot_sync",                         "subgroupBallot",          "simd_ballot") \
  N(subgroupInverseBallot,             "",                          "(ballot >> lane) & 1",                  "",                        "") \
  N(subgroupBallotBitExtract,          "",                          "(ballot >> index) & 1",                 "",                        "") \
  N(subgroupBallotBitCount,            "WaveActiveCountBits(condition)", "__popc(ballot)",                   "",                        "popcount(ballot)") \
  N(subgroupBallotInclusiveBitCount,   "",                          "__popc(ballot & lanemask_le)",          "",                        "") \
  N(subgroupBallotExclusiveBitCount,   "WavePrefixCountBits(condition)", "__popc(ballot & lanemask_lt)",     "",                        "") \
  N(subgroupBallotFindLSB,             "",                          "__ffs(ballot) - 1",                     "",                        "ctz(ballot)") \
  N(subgroupBallotFindMSB,             "",                          "31 - __clz(ballot)",                    "",                        "") \
  N(subgroupShuffle,                   "WaveReadLaneAt",            "__shfl_sync",                           "subgroupShuffle",         "simd_shuffle") \
  N(subgroupShuffleXor,                "",                          "__shfl_xor_sync",                       "subgroupShuffleXor",      "simd_shuffle_xor") \
  N(subgroupShuffleUp,                 "",                          "__shfl_up_sync",                        "subgroupShuffleUp",       "simd_shuffle_up") \
  N(subgroupShuffleDown,               "",                          "__shfl_down_sync",                      "subgroupShuffleDown",     "simd_shuffle_down") \
  N(subgroupRotate,                    "",                          "__shfl_sync(mask, v, lane + delta)",    "",                        "simd_shuffle_rotate_down") \
  N(subgroupClusteredRotate,           "",                          "__shfl_sync(mask, v, lane + delta, N)", "",                        "quad_shuffle_rotate_down (N = 4)") \
  N(subgroupAdd,                       "WaveActiveSum",             "__reduce_add_sync",                     "subgroupAdd",             "simd_sum") \
  N(subgroupMul,                       "WaveActiveProduct",         "",                                      "subgroupMul",             "simd_product") \
  N(subgroupMin,                       "WaveActiveMin",             "__reduce_min_sync",                     "subgroupMin",             "simd_min") \
  N(subgroupMax,                       "WaveActiveMax",             "__reduce_max_sync",                     "subgroupMax",             "simd_max") \
  N(subgroupAnd,                       "WaveActiveBitAnd",          "__reduce_and_sync",                     "subgroupAnd",             "simd_and") \
  N(subgroupOr,                        "WaveActiveBitOr",           "__reduce_or_sync",                      "subgroupOr",              "simd_or") \
  N(subgroupXor,                       "WaveActiveBitXor",          "__reduce_xor_sync",                     "subgroupXor",             "simd_xor") \
  N(subgroupInclusiveAdd,              "WavePrefixSum(v) + v",      "cg::inclusive_scan",                    "subgroupInclusiveAdd",    "simd_prefix_inclusive_sum") \
  N(subgroupInclusiveMul,              "WavePrefixProduct(v) * v",  "",                                      "subgroupInclusiveMul",    "simd_prefix_inclusive_product") \
  N(subgroupInclusiveMin,              "",                          "cg::inclusive_scan with cg::less",      "",                        "") \
  N(subgroupInclusiveMax,              "",                          "cg::inclusive_scan with cg::greater",   "",                        "") \
  N(subgroupInclusiveAnd,              "",                          "cg::inclusive_scan with cg::bit_and",   "",                        "") \
  N(subgroupInclusiveOr,               "",                          "cg::inclusive_scan with cg::bit_or",    "",                        "") \
  N(subgroupInclusiveXor,              "",                          "cg::inclusive_scan with cg::bit_xor",   "",                        "") \
  N(subgroupExclusiveAdd,              "WavePrefixSum",             "cg::exclusive_scan",                    "subgroupExclusiveAdd",    "simd_prefix_exclusive_sum") \
  N(subgroupExclusiveMul,              "WavePrefixProduct",         "",                                      "subgroupExclusiveMul",    "simd_prefix_exclusive_product") \
  N(subgroupExclusiveMin,              "",                          "",                                      "",                        "") \
  N(subgroupExclusiveMax,              "",                          "",                                      "",                        "") \
  N(subgroupExclusiveAnd,              "",                          "",                                      "",                        "") \
  N(subgroupExclusiveOr,               "",                          "",                                      "",                        "") \
  N(subgroupExclusiveXor,              "",                          "",                                      "",                        "") \
  N(subgroupClusteredAdd,              "",                          "cg::reduce of a tiled_partition<N>",    "",                        "quad_sum (N = 4)") \
  N(subgroupClusteredMul,              "",                          "",                                      "",                        "quad_product (N = 4)") \
  N(subgroupClusteredMin,              "",                          "cg::reduce of a tiled_partition<N>",    "",                        "quad_min (N = 4)") \
  N(subgroupClusteredMax,              "",                          "cg::reduce of a tiled_partition<N>",    "",                        "quad_max (N = 4)") \
  N(subgroupClusteredAnd,              "",                          "cg::reduce of a tiled_partition<N>",    "",                        "quad_and (N = 4)") \
  N(subgroupClusteredOr,               "",                          "cg::reduce of a tiled_partition<N>",    "",                        "quad_or (N = 4)") \
  N(subgroupClusteredXor,              "",                          "cg::reduce of a tiled_partition<N>",    "",                        "quad_xor (N = 4)") \
  N(subgroupQuadBroadcast,             "QuadReadLaneAt",            "__shfl_sync(mask, v, index, 4)",        "quadBroadcast",           "quad_broadcast") \
  N(subgroupQuadSwapHorizontal,        "QuadReadAcrossX",           "__shfl_xor_sync(mask, v, 1)",           "quadSwapX",               "quad_shuffle_xor(v, 1)") \
  N(subgroupQuadSwapVertical,          "QuadReadAcrossY",           "__shfl_xor_sync(mask, v, 2)",           "quadSwapY",               "quad_shuffle_xor(v, 2)") \
  N(subgroupQuadSwapDiagonal,          "QuadReadAcrossDiagonal",    "__shfl_xor_sync(mask, v, 3)",           "quadSwapDiagonal",        "quad_shuffle_xor(v, 3)") \
  N(subgroupQuadAll,                   "QuadAll",                   "",                                      "",                        "quad_all") \
  N(subgroupQuadAny,                   "QuadAny",                   "",                                      "",                        "quad_any") \
  N(subgroupPartitionNV,               "WaveMatch",                 "__match_any_sync",                      "",                        "") \
  N(subgroupPartitionedAddNV,          "",                          "cg::reduce of a labeled_partition",     "",                        "") \
  N(subgroupPartitionedMulNV,          "",                          "",                                      "",                        "") \
  N(subgroupPartitionedMinNV,          "",                          "cg::reduce of a labeled_partition",     "",                        "") \
  N(subgroupPartitionedMaxNV,          "",                          "cg::reduce of a labeled_partition",     "",                        "") \
  N(subgroupPartitionedAndNV,          "",                          "cg::reduce of a labeled_partition",     "",                        "") \
  N(subgroupPartitionedOrNV,           "",                          "cg::reduce of a labeled_partition",     "",                        "") \
  N(subgroupPartitionedXorNV,          "",                          "cg::reduce of a labeled_partition",     "",                        "") \
  N(subgroupPartitionedInclusiveAddNV, "WaveMultiPrefixSum(v, mask) + v",     "",                            "",                        "") \
  N(subgroupPartitionedInclusiveMulNV, "WaveMultiPrefixProduct(v, mask) * v", "",                            "",                        "") \
  N(subgroupPartitionedInclusiveMinNV, "",                          "",                                      "",                        "") \
  N(subgroupPartitionedInclusiveMaxNV, "",                          "",                                      "",                        "") \
  N(subgroupPartitionedInclusiveAndNV, "WaveMultiPrefixBitAnd(v, mask) & v",  "",                            "",                        "") \
  N(subgroupPartitionedInclusiveOrNV,  "WaveMultiPrefixBitOr(v, mask) | v",   "",                            "",                        "") \
  N(subgroupPartitionedInclusiveXorNV, "WaveMultiPrefixBitXor(v, mask) ^ v",  "",                            "",                        "") \
  N(subgroupPartitionedExclusiveAddNV, "WaveMultiPrefixSum",        "",                                      "",                        "") \
  N(subgroupPartitionedExclusiveMulNV, "WaveMultiPrefixProduct",    "",                                      "",                        "") \
  N(subgroupPartitionedExclusiveMinNV, "",                          "",                                      "",                        "") \
  N(subgroupPartitionedExclusiveMaxNV, "",                          "",                                      "",                        "") \
  N(subgroupPartitionedExclusiveAndNV, "WaveMultiPrefixBitAnd",     "",                                      "",                        "") \
  N(subgroupPartitionedExclusiveOrNV,  "WaveMultiPrefixBitOr",      "",                                      "",                        "") \
  N(subgroupPartitionedExclusiveXorNV, "WaveMultiPrefixBitXor",     "",                                      "",                        "") \
  N(ballotARB,                         "WaveActiveBallot",          "__ballot_sync",                         "subgroupBallot",          "simd_ballot") \
  N(readInvocationARB,                 "WaveReadLaneAt",            "__shfl_sync",                           "subgroupBroadcast",       "simd_broadcast") \
  N(readFirstInvocationARB,            "WaveReadLaneFirst",         "__shfl_sync(mask, v, __ffs(mask) - 1)", "subgroupBroadcastFirst",  "simd_broadcast_first") \
  N(anyInvocationARB,                  "WaveActiveAnyTrue",         "__any_sync",                            "subgroupAny",             "simd_any") \
  N(allInvocationsARB,                 "WaveActiveAllTrue",         "__all_sync",                            "subgroupAll",             "simd_all") \
  N(allInvocationsEqualARB,            "WaveActiveAllEqual",        "__match_all_sync",                      "",                        "simd_all(v == simd_broadcast_first(v))") \
  N(anyInvocation,                     "WaveActiveAnyTrue",         "__any_sync",                            "subgroupAny",             "simd_any") \
  N(allInvocations,                    "WaveActiveAllTrue",         "__all_sync",                            "subgroupAll",             "simd_all") \
  N(allInvocationsEqual,               "WaveActiveAllEqual",        "__match_all_sync",                      "",                        "simd_all(v == simd_broadcast_first(v))")

/// The same for variables and barriers.
#define LOCKSTEP_VARIABLES_IN_OTHER_LANGUAGES(N) \
  N(gl_SubgroupSize,         "WaveGetLaneCount()",            "warpSize",                  "subgroup_size",          "threads_per_simdgroup") \
  N(gl_SubgroupInvocationID, "WaveGetLaneIndex()",            "threadIdx.x % warpSize",    "subgroup_invocation_id", "thread_index_in_simdgroup") \
  N(gl_NumSubgroups,         "",                              "blockDim.x / warpSize",     "num_subgroups",          "simdgroups_per_threadgroup") \
  N(gl_SubgroupID,           "",                              "threadIdx.x / warpSize",    "subgroup_id",            "simdgroup_index_in_threadgroup") \
  N(gl_SubgroupEqMask,       "",                              "1u << lane",                "",                       "") \
  N(gl_SubgroupGeMask,       "",                              "~0u << lane",               "",                       "") \
  N(gl_SubgroupGtMask,       "",                              "~1u << lane",               "",                       "") \
  N(gl_SubgroupLeMask,       "",                              "~(~1u << lane)",            "",                       "") \
  N(gl_SubgroupLtMask,       "",                              "(1u << lane) - 1",          "",                       "")

#define LOCKSTEP_BARRIERS_IN_OTHER_LANGUAGES(N) \
  N(subgroupBarrier,             "", "__syncwarp", "", "simdgroup_barrier") \
  N(subgroupMemoryBarrier,       "", "__threadfence_block", "", "") \
  N(subgroupMemoryBarrierBuffer, "", "__threadfence_block", "", "") \
  N(subgroupMemoryBarrierShared, "", "__threadfence_block", "", "") \
  N(subgroupMemoryBarrierImage,  "", "__threadfence_block", "", "")

// clang-format on
