#pragma once

/// \file
/// The names of the built-ins that a kernel calls without an active mask, each with its number of
/// arguments. LOCKSTEP_SUBGROUP_BUILTINS are functions of (active mask, arguments);
/// LOCKSTEP_SIZED_BUILTINS also take the subgroup size, as last argument.

// clang-format off
#define LOCKSTEP_SUBGROUP_BUILTINS(X) \
  X(subgroupElect, 0) X(subgroupAll, 1) X(subgroupAny, 1) X(subgroupAllEqual, 1) \
  X(subgroupBroadcastFirst, 1) X(subgroupBallot, 1) \
  X(subgroupInverseBallot, 1) X(subgroupBallotBitExtract, 2) \
  X(subgroupBallotInclusiveBitCount, 1) X(subgroupBallotExclusiveBitCount, 1) X(subgroupAdd, 1) \
  X(subgroupMul, 1) X(subgroupMin, 1) X(subgroupMax, 1) X(subgroupAnd, 1) X(subgroupOr, 1) \
  X(subgroupXor, 1) X(subgroupInclusiveAdd, 1) X(subgroupInclusiveMul, 1) \
  X(subgroupInclusiveMin, 1) X(subgroupInclusiveMax, 1) X(subgroupInclusiveAnd, 1) \
  X(subgroupInclusiveOr, 1) X(subgroupInclusiveXor, 1) X(subgroupExclusiveAdd, 1) \
  X(subgroupExclusiveMul, 1) X(subgroupExclusiveMin, 1) X(subgroupExclusiveMax, 1) \
  X(subgroupExclusiveAnd, 1) X(subgroupExclusiveOr, 1) X(subgroupExclusiveXor, 1) \
  X(subgroupClusteredAdd, 2) X(subgroupClusteredMul, 2) \
  X(subgroupClusteredMin, 2) X(subgroupClusteredMax, 2) X(subgroupClusteredAnd, 2) \
  X(subgroupClusteredOr, 2) X(subgroupClusteredXor, 2) X(subgroupClusteredRotate, 3) \
  X(subgroupQuadBroadcast, 2) X(subgroupQuadSwapHorizontal, 1) X(subgroupQuadSwapVertical, 1) \
  X(subgroupQuadSwapDiagonal, 1) X(subgroupQuadAll, 1) X(subgroupQuadAny, 1) \
  X(subgroupPartitionNV, 1) X(subgroupPartitionedAddNV, 2) X(subgroupPartitionedMulNV, 2) \
  X(subgroupPartitionedMinNV, 2) X(subgroupPartitionedMaxNV, 2) X(subgroupPartitionedAndNV, 2) \
  X(subgroupPartitionedOrNV, 2) X(subgroupPartitionedXorNV, 2) \
  X(subgroupPartitionedInclusiveAddNV, 2) X(subgroupPartitionedInclusiveMulNV, 2) \
  X(subgroupPartitionedInclusiveMinNV, 2) X(subgroupPartitionedInclusiveMaxNV, 2) \
  X(subgroupPartitionedInclusiveAndNV, 2) X(subgroupPartitionedInclusiveOrNV, 2) \
  X(subgroupPartitionedInclusiveXorNV, 2) X(subgroupPartitionedExclusiveAddNV, 2) \
  X(subgroupPartitionedExclusiveMulNV, 2) X(subgroupPartitionedExclusiveMinNV, 2) \
  X(subgroupPartitionedExclusiveMaxNV, 2) X(subgroupPartitionedExclusiveAndNV, 2) \
  X(subgroupPartitionedExclusiveOrNV, 2) X(subgroupPartitionedExclusiveXorNV, 2) \
  X(ballotARB, 1) X(readFirstInvocationARB, 1) X(anyInvocationARB, 1) \
  X(allInvocationsARB, 1) X(allInvocationsEqualARB, 1) X(anyInvocation, 1) X(allInvocations, 1) \
  X(allInvocationsEqual, 1)

#define LOCKSTEP_SIZED_BUILTINS(X) \
  X(subgroupBallotBitCount, 1) X(subgroupBallotFindLSB, 1) X(subgroupBallotFindMSB, 1) \
  X(subgroupRotate, 2) X(subgroupBroadcast, 2) X(subgroupShuffle, 2) X(subgroupShuffleXor, 2) \
  X(subgroupShuffleUp, 2) X(subgroupShuffleDown, 2) X(readInvocationARB, 2)

// For pixels, and for compute kernels with meaningful quads.
#define LOCKSTEP_DERIVATIVE_BUILTINS(X) \
  X(dFdx, 1) X(dFdy, 1) X(fwidth, 1) X(dFdxFine, 1) X(dFdyFine, 1) X(fwidthFine, 1) \
  X(dFdxCoarse, 1) X(dFdyCoarse, 1) X(fwidthCoarse, 1)
// clang-format on
