#pragma once

/// \file
/// The names of the built-ins that a kernel calls without saying who is active.
/// LOCKSTEP_SUBGROUP_BUILTINS are functions of (active mask, arguments); LOCKSTEP_SIZED_BUILTINS
/// want the subgroup size at the end.

// clang-format off
#define LOCKSTEP_SUBGROUP_BUILTINS(X) \
  X(subgroupElect) \
  X(subgroupAll) X(subgroupAny) X(subgroupAllEqual) \
  X(subgroupBroadcast) X(subgroupBroadcastFirst) X(subgroupBallot) X(subgroupInverseBallot) \
  X(subgroupBallotBitExtract) X(subgroupBallotInclusiveBitCount) X(subgroupBallotExclusiveBitCount) \
  X(subgroupAdd) X(subgroupMul) X(subgroupMin) X(subgroupMax) X(subgroupAnd) X(subgroupOr) X(subgroupXor) \
  X(subgroupInclusiveAdd) X(subgroupInclusiveMul) X(subgroupInclusiveMin) X(subgroupInclusiveMax) \
  X(subgroupInclusiveAnd) X(subgroupInclusiveOr) X(subgroupInclusiveXor) \
  X(subgroupExclusiveAdd) X(subgroupExclusiveMul) X(subgroupExclusiveMin) X(subgroupExclusiveMax) \
  X(subgroupExclusiveAnd) X(subgroupExclusiveOr) X(subgroupExclusiveXor) \
  X(subgroupShuffle) X(subgroupShuffleXor) X(subgroupShuffleUp) X(subgroupShuffleDown) \
  X(subgroupClusteredAdd) X(subgroupClusteredMul) X(subgroupClusteredMin) X(subgroupClusteredMax) \
  X(subgroupClusteredAnd) X(subgroupClusteredOr) X(subgroupClusteredXor) X(subgroupClusteredRotate) \
  X(subgroupQuadBroadcast) X(subgroupQuadSwapHorizontal) X(subgroupQuadSwapVertical) \
  X(subgroupQuadSwapDiagonal) X(subgroupQuadAll) X(subgroupQuadAny) \
  X(subgroupPartitionNV) \
  X(subgroupPartitionedAddNV) X(subgroupPartitionedMulNV) X(subgroupPartitionedMinNV) \
  X(subgroupPartitionedMaxNV) X(subgroupPartitionedAndNV) X(subgroupPartitionedOrNV) \
  X(subgroupPartitionedXorNV) \
  X(subgroupPartitionedInclusiveAddNV) X(subgroupPartitionedInclusiveMulNV) \
  X(subgroupPartitionedInclusiveMinNV) X(subgroupPartitionedInclusiveMaxNV) \
  X(subgroupPartitionedInclusiveAndNV) X(subgroupPartitionedInclusiveOrNV) \
  X(subgroupPartitionedInclusiveXorNV) \
  X(subgroupPartitionedExclusiveAddNV) X(subgroupPartitionedExclusiveMulNV) \
  X(subgroupPartitionedExclusiveMinNV) X(subgroupPartitionedExclusiveMaxNV) \
  X(subgroupPartitionedExclusiveAndNV) X(subgroupPartitionedExclusiveOrNV) \
  X(subgroupPartitionedExclusiveXorNV) \
  X(ballotARB) X(readInvocationARB) X(readFirstInvocationARB) \
  X(anyInvocationARB) X(allInvocationsARB) X(allInvocationsEqualARB) \
  X(anyInvocation) X(allInvocations) X(allInvocationsEqual)

#define LOCKSTEP_SIZED_BUILTINS(X) \
  X(subgroupBallotBitCount) X(subgroupBallotFindLSB) X(subgroupBallotFindMSB) X(subgroupRotate)
// clang-format on
