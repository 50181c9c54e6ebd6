#pragma once

#include <cstdint>

#include <lockstep/config.hpp>

/// \file
/// The one table of subgroup built-ins. Everything else that lists them expands it: the members of kernels, the
/// features that they need, lockstep/subgroup/spec.hpp and docs/reference/built-ins.md, and in the shader engine the
/// operations, their lowering, their names and the functions that run them.
///
/// A new built-in is one row here and one function in the header of its family (docs/reference/built-ins.md says how).

// clang-format off

/// The families: F(name, GLSL extension, (features), SPIR-V capability, header, test, benchmark). Features are
/// listed in lockstep/dispatch/features.hpp; paths start below include/lockstep, tests and bench.
#define LOCKSTEP_BUILT_IN_FAMILIES(F) \
  F(basic,             "GL_KHR_shader_subgroup_basic",            (basic),                           capability("GroupNonUniform", 61),                "subgroup/basic.hpp",            "subgroup/basic.cpp",            "subgroup/basic.cpp") \
  F(barriers,          "GL_KHR_shader_subgroup_basic",            (basic),                           capability("GroupNonUniform", 61),                "glsl/kernel.hpp",               "glsl/kernel.cpp",               "") \
  F(basic_variables,   "GL_KHR_shader_subgroup_basic",            (basic),                           capability("GroupNonUniform", 61),                "glsl/kernel.hpp",               "glsl/kernel.cpp",               "") \
  F(mask_variables,    "GL_KHR_shader_subgroup_ballot",           (ballot),                          capability("GroupNonUniformBallot", 64),          "glsl/kernel.hpp",               "subgroup/variables.cpp",        "") \
  F(vote,              "GL_KHR_shader_subgroup_vote",             (vote),                            capability("GroupNonUniformVote", 62),            "subgroup/vote.hpp",             "subgroup/vote.cpp",             "subgroup/vote.cpp") \
  F(ballot,            "GL_KHR_shader_subgroup_ballot",           (ballot),                          capability("GroupNonUniformBallot", 64),          "subgroup/ballot.hpp",           "subgroup/ballot.cpp",           "subgroup/ballot.cpp") \
  F(shuffle,           "GL_KHR_shader_subgroup_shuffle",          (shuffle),                         capability("GroupNonUniformShuffle", 65),         "subgroup/shuffle.hpp",          "subgroup/shuffle.cpp",          "subgroup/shuffle.cpp") \
  F(shuffle_relative,  "GL_KHR_shader_subgroup_shuffle_relative", (shuffle_relative),                capability("GroupNonUniformShuffleRelative", 66), "subgroup/shuffle_relative.hpp", "subgroup/shuffle_relative.cpp", "subgroup/shuffle_relative.cpp") \
  F(rotate,            "GL_KHR_shader_subgroup_rotate",           (rotate, shader_subgroup_rotate),  capability("GroupNonUniformRotateKHR", 6026),     "subgroup/rotate.hpp",           "subgroup/rotate.cpp",           "subgroup/rotate.cpp") \
  F(clustered_rotate,  "GL_KHR_shader_subgroup_rotate",           (rotate, rotate_clustered, shader_subgroup_rotate, shader_subgroup_rotate_clustered), capability("GroupNonUniformRotateKHR", 6026),     "subgroup/rotate.hpp",           "subgroup/rotate.cpp",           "subgroup/rotate.cpp") \
  F(arithmetic,        "GL_KHR_shader_subgroup_arithmetic",       (arithmetic),                      capability("GroupNonUniformArithmetic", 63),      "subgroup/arithmetic.hpp",       "subgroup/arithmetic.hpp",       "subgroup/arithmetic.cpp") \
  F(clustered,         "GL_KHR_shader_subgroup_clustered",        (clustered),                       capability("GroupNonUniformClustered", 67),       "subgroup/clustered.hpp",        "subgroup/clustered.hpp",        "subgroup/clustered.cpp") \
  F(quad,              "GL_KHR_shader_subgroup_quad",             (quad),                            capability("GroupNonUniformQuad", 68),            "subgroup/quad.hpp",             "subgroup/quad.cpp",             "subgroup/quad.cpp") \
  F(quad_control,      "GL_EXT_shader_quad_control",              (quad, vote, shader_quad_control), capability("QuadControlKHR", 5087),               "subgroup/quad.hpp",             "subgroup/quad.cpp",             "subgroup/quad.cpp") \
  F(partition,         "GL_NV_shader_subgroup_partitioned",       (partitioned),                     capability("GroupNonUniformPartitionedNV", 5297), "subgroup/partitioned.hpp",      "subgroup/partitioned.cpp",      "subgroup/partitioned.cpp") \
  F(partitioned,       "GL_NV_shader_subgroup_partitioned",       (partitioned),                     capability("GroupNonUniformPartitionedNV", 5297), "subgroup/partitioned.hpp",      "subgroup/partitioned.hpp",      "subgroup/partitioned.cpp") \
  F(partitioned_scans, "GL_NV_shader_subgroup_partitioned",       (partitioned),                     capability("GroupNonUniformPartitionedNV", 5297), "subgroup/partitioned.hpp",      "subgroup/partitioned.hpp",      "subgroup/partitioned_scans.cpp") \
  F(arb_ballot,        "GL_ARB_shader_ballot",                    (ballot),                          capability("SubgroupBallotKHR", 4423),            "subgroup/arb.hpp",              "subgroup/arb.cpp",              "subgroup/arb.cpp") \
  F(arb_vote,          "GL_ARB_shader_group_vote",                (vote),                            capability("SubgroupVoteKHR", 4431),              "subgroup/arb.hpp",              "subgroup/arb.cpp",              "subgroup/arb.cpp") \
  F(core_vote,         "GLSL 4.60",                               (vote),                            capability("SubgroupVoteKHR", 4431),              "subgroup/arb.hpp",              "subgroup/arb.cpp",              "subgroup/arb.cpp")

/// The functions, each a row of what is known of it:
///
///   X(name, family, types, operation, operator, form, size, result, opcodes, operand, undefined)
///
/// types      of its value, as the head of docs/reference/built-ins.md explains them
/// operation  of the shader engine; rows that share it are marked: X is the first, Y each further one
/// operator   of reductions and scans
/// form       the arguments: a word for each, followed by what the result is if it is not of that kind
/// size       whether the function also takes the subgroup size, as last argument
/// result     one for all lanes of a tangle; one_of_one: if the argument is, too; or one for each lane
/// opcodes    of SPIR-V: scoped have a scope as first operand
/// operand    the further one that tells rows of the same opcode apart
/// undefined  where the result is undefined, and the rule that its uses break. Unless it is never undefined, there is a
///            function of that name in namespace undefined
///
/// The last five are names in lockstep/subgroup/spec.hpp.
#define LOCKSTEP_BUILT_INS(X, Y) \
  X(subgroupElect,                     basic,             no_value, elect,                      none, nothing,             plain, each,       scoped("OpGroupNonUniformElect", 333),            none,                       never)                       \
  X(subgroupAll,                       vote,              boolean,  all,                        none, condition,           plain, one,        scoped("OpGroupNonUniformAll", 334),              none,                       never)                       \
  X(subgroupAny,                       vote,              boolean,  any,                        none, condition,           plain, one,        scoped("OpGroupNonUniformAny", 335),              none,                       never)                       \
  X(subgroupAllEqual,                  vote,              T5,       all_equal,                  none, comparison,          plain, one,        scoped("OpGroupNonUniformAllEqual", 336),         none,                       never)                       \
  X(subgroupBroadcast,                 ballot,            T5,       broadcast,                  none, value_index,         sized, one,        scoped("OpGroupNonUniformBroadcast", 337),        none,                       unless_one_source)           \
  X(subgroupBroadcastFirst,            ballot,            T5,       broadcast_first,            none, value,               plain, one,        scoped("OpGroupNonUniformBroadcastFirst", 338),   none,                       never)                       \
  X(subgroupBallot,                    ballot,            boolean,  ballot,                     none, condition_to_ballot, plain, one,        scoped("OpGroupNonUniformBallot", 339),           none,                       never)                       \
  X(subgroupInverseBallot,             ballot,            no_value, inverse_ballot,             none, ballot,              plain, each,       scoped("OpGroupNonUniformInverseBallot", 340),    none,                       unless_one_ballot)           \
  X(subgroupBallotBitExtract,          ballot,            no_value, ballot_bit_extract,         none, ballot_index,        plain, each,       scoped("OpGroupNonUniformBallotBitExtract", 341), none,                       index_outside)               \
  X(subgroupBallotBitCount,            ballot,            no_value, ballot_bit_count,           none, ballot,              sized, one_of_one, scoped("OpGroupNonUniformBallotBitCount", 342),   reduce,                     never)                       \
  X(subgroupBallotInclusiveBitCount,   ballot,            no_value, ballot_inclusive_bit_count, none, ballot,              plain, each,       scoped("OpGroupNonUniformBallotBitCount", 342),   inclusive_scan,             never)                       \
  X(subgroupBallotExclusiveBitCount,   ballot,            no_value, ballot_exclusive_bit_count, none, ballot,              plain, each,       scoped("OpGroupNonUniformBallotBitCount", 342),   exclusive_scan,             never)                       \
  X(subgroupBallotFindLSB,             ballot,            no_value, ballot_find_lsb,            none, ballot,              sized, one_of_one, scoped("OpGroupNonUniformBallotFindLSB", 343),    none,                       no_bit)                      \
  X(subgroupBallotFindMSB,             ballot,            no_value, ballot_find_msb,            none, ballot,              sized, one_of_one, scoped("OpGroupNonUniformBallotFindMSB", 344),    none,                       no_bit)                      \
  X(subgroupShuffle,                   shuffle,           T5,       shuffle,                    none, value_index,         sized, each,       scoped("OpGroupNonUniformShuffle", 345),          none,                       inactive_source)             \
  X(subgroupShuffleXor,                shuffle,           T5,       shuffle_xor,                none, value_index,         sized, each,       scoped("OpGroupNonUniformShuffleXor", 346),       none,                       inactive_source)             \
  X(subgroupShuffleUp,                 shuffle_relative,  T5,       shuffle_up,                 none, value_index,         sized, each,       scoped("OpGroupNonUniformShuffleUp", 347),        none,                       inactive_relative)           \
  X(subgroupShuffleDown,               shuffle_relative,  T5,       shuffle_down,               none, value_index,         sized, each,       scoped("OpGroupNonUniformShuffleDown", 348),      none,                       inactive_relative)           \
  X(subgroupRotate,                    rotate,            T5,       rotate,                     none, value_index,         sized, each,       scoped("OpGroupNonUniformRotateKHR", 4431),       no_cluster_size,            rotation)                    \
  X(subgroupClusteredRotate,           clustered_rotate,  T5,       clustered_rotate,           none, value_index_cluster, plain, each,       scoped("OpGroupNonUniformRotateKHR", 4431),       cluster_size,               clustered_rotation)          \
  X(subgroupAdd,                       arithmetic,        TN,       reduce,                     add,  value,               plain, one,        add_opcodes,                                      reduce,                     never)                       \
  Y(subgroupMul,                       arithmetic,        TN,       reduce,                     mul,  value,               plain, one,        mul_opcodes,                                      reduce,                     never)                       \
  Y(subgroupMin,                       arithmetic,        TN,       reduce,                     min,  value,               plain, one,        min_opcodes,                                      reduce,                     only_nan)                    \
  Y(subgroupMax,                       arithmetic,        TN,       reduce,                     max,  value,               plain, one,        max_opcodes,                                      reduce,                     only_nan)                    \
  Y(subgroupAnd,                       arithmetic,        TI,       reduce,                     band, value,               plain, one,        and_opcodes,                                      reduce,                     never)                       \
  Y(subgroupOr,                        arithmetic,        TI,       reduce,                     bor,  value,               plain, one,        or_opcodes,                                       reduce,                     never)                       \
  Y(subgroupXor,                       arithmetic,        TI,       reduce,                     bxor, value,               plain, one,        xor_opcodes,                                      reduce,                     never)                       \
  X(subgroupInclusiveAdd,              arithmetic,        TN,       inclusive_scan,             add,  value,               plain, each,       add_opcodes,                                      inclusive_scan,             never)                       \
  Y(subgroupInclusiveMul,              arithmetic,        TN,       inclusive_scan,             mul,  value,               plain, each,       mul_opcodes,                                      inclusive_scan,             never)                       \
  Y(subgroupInclusiveMin,              arithmetic,        TN,       inclusive_scan,             min,  value,               plain, each,       min_opcodes,                                      inclusive_scan,             only_nan)                    \
  Y(subgroupInclusiveMax,              arithmetic,        TN,       inclusive_scan,             max,  value,               plain, each,       max_opcodes,                                      inclusive_scan,             only_nan)                    \
  Y(subgroupInclusiveAnd,              arithmetic,        TI,       inclusive_scan,             band, value,               plain, each,       and_opcodes,                                      inclusive_scan,             never)                       \
  Y(subgroupInclusiveOr,               arithmetic,        TI,       inclusive_scan,             bor,  value,               plain, each,       or_opcodes,                                       inclusive_scan,             never)                       \
  Y(subgroupInclusiveXor,              arithmetic,        TI,       inclusive_scan,             bxor, value,               plain, each,       xor_opcodes,                                      inclusive_scan,             never)                       \
  X(subgroupExclusiveAdd,              arithmetic,        TN,       exclusive_scan,             add,  value,               plain, each,       add_opcodes,                                      exclusive_scan,             never)                       \
  Y(subgroupExclusiveMul,              arithmetic,        TN,       exclusive_scan,             mul,  value,               plain, each,       mul_opcodes,                                      exclusive_scan,             never)                       \
  Y(subgroupExclusiveMin,              arithmetic,        TN,       exclusive_scan,             min,  value,               plain, each,       min_opcodes,                                      exclusive_scan,             only_nan)                    \
  Y(subgroupExclusiveMax,              arithmetic,        TN,       exclusive_scan,             max,  value,               plain, each,       max_opcodes,                                      exclusive_scan,             only_nan)                    \
  Y(subgroupExclusiveAnd,              arithmetic,        TI,       exclusive_scan,             band, value,               plain, each,       and_opcodes,                                      exclusive_scan,             never)                       \
  Y(subgroupExclusiveOr,               arithmetic,        TI,       exclusive_scan,             bor,  value,               plain, each,       or_opcodes,                                       exclusive_scan,             never)                       \
  Y(subgroupExclusiveXor,              arithmetic,        TI,       exclusive_scan,             bxor, value,               plain, each,       xor_opcodes,                                      exclusive_scan,             never)                       \
  X(subgroupClusteredAdd,              clustered,         TN,       clustered,                  add,  value_cluster,       plain, each,       add_opcodes,                                      clustered_reduce,           bad_cluster)                 \
  Y(subgroupClusteredMul,              clustered,         TN,       clustered,                  mul,  value_cluster,       plain, each,       mul_opcodes,                                      clustered_reduce,           bad_cluster)                 \
  Y(subgroupClusteredMin,              clustered,         TN,       clustered,                  min,  value_cluster,       plain, each,       min_opcodes,                                      clustered_reduce,           bad_cluster_or_only_nan)     \
  Y(subgroupClusteredMax,              clustered,         TN,       clustered,                  max,  value_cluster,       plain, each,       max_opcodes,                                      clustered_reduce,           bad_cluster_or_only_nan)     \
  Y(subgroupClusteredAnd,              clustered,         TI,       clustered,                  band, value_cluster,       plain, each,       and_opcodes,                                      clustered_reduce,           bad_cluster)                 \
  Y(subgroupClusteredOr,               clustered,         TI,       clustered,                  bor,  value_cluster,       plain, each,       or_opcodes,                                       clustered_reduce,           bad_cluster)                 \
  Y(subgroupClusteredXor,              clustered,         TI,       clustered,                  bxor, value_cluster,       plain, each,       xor_opcodes,                                      clustered_reduce,           bad_cluster)                 \
  X(subgroupQuadBroadcast,             quad,              T5,       quad_broadcast,             none, value_index,         plain, each,       scoped("OpGroupNonUniformQuadBroadcast", 365),    none,                       quad_source)                 \
  X(subgroupQuadSwapHorizontal,        quad,              T5,       quad_swap,                  none, value,               plain, each,       scoped("OpGroupNonUniformQuadSwap", 366),         direction_0,                inactive_in_quad)            \
  Y(subgroupQuadSwapVertical,          quad,              T5,       quad_swap,                  none, value,               plain, each,       scoped("OpGroupNonUniformQuadSwap", 366),         direction_1,                inactive_in_quad)            \
  Y(subgroupQuadSwapDiagonal,          quad,              T5,       quad_swap,                  none, value,               plain, each,       scoped("OpGroupNonUniformQuadSwap", 366),         direction_2,                inactive_in_quad)            \
  X(subgroupQuadAll,                   quad_control,      boolean,  quad_all,                   none, condition,           plain, each,       unscoped("OpGroupNonUniformQuadAllKHR", 5110),    none,                       never)                       \
  X(subgroupQuadAny,                   quad_control,      boolean,  quad_any,                   none, condition,           plain, each,       unscoped("OpGroupNonUniformQuadAnyKHR", 5111),    none,                       never)                       \
  X(subgroupPartitionNV,               partition,         T5,       partition,                  none, value_to_ballot,     plain, each,       unscoped("OpGroupNonUniformPartitionNV", 5296),   none,                       never)                       \
  X(subgroupPartitionedAddNV,          partitioned,       TN,       partitioned_reduce,         add,  value_ballot,        plain, each,       add_opcodes,                                      partitioned_reduce,         not_a_partition)             \
  Y(subgroupPartitionedMulNV,          partitioned,       TN,       partitioned_reduce,         mul,  value_ballot,        plain, each,       mul_opcodes,                                      partitioned_reduce,         not_a_partition)             \
  Y(subgroupPartitionedMinNV,          partitioned,       TN,       partitioned_reduce,         min,  value_ballot,        plain, each,       min_opcodes,                                      partitioned_reduce,         not_a_partition_or_only_nan) \
  Y(subgroupPartitionedMaxNV,          partitioned,       TN,       partitioned_reduce,         max,  value_ballot,        plain, each,       max_opcodes,                                      partitioned_reduce,         not_a_partition_or_only_nan) \
  Y(subgroupPartitionedAndNV,          partitioned,       TI,       partitioned_reduce,         band, value_ballot,        plain, each,       and_opcodes,                                      partitioned_reduce,         not_a_partition)             \
  Y(subgroupPartitionedOrNV,           partitioned,       TI,       partitioned_reduce,         bor,  value_ballot,        plain, each,       or_opcodes,                                       partitioned_reduce,         not_a_partition)             \
  Y(subgroupPartitionedXorNV,          partitioned,       TI,       partitioned_reduce,         bxor, value_ballot,        plain, each,       xor_opcodes,                                      partitioned_reduce,         not_a_partition)             \
  X(subgroupPartitionedInclusiveAddNV, partitioned_scans, TN,       partitioned_inclusive_scan, add,  value_ballot,        plain, each,       add_opcodes,                                      partitioned_inclusive_scan, not_a_partition)             \
  Y(subgroupPartitionedInclusiveMulNV, partitioned_scans, TN,       partitioned_inclusive_scan, mul,  value_ballot,        plain, each,       mul_opcodes,                                      partitioned_inclusive_scan, not_a_partition)             \
  Y(subgroupPartitionedInclusiveMinNV, partitioned_scans, TN,       partitioned_inclusive_scan, min,  value_ballot,        plain, each,       min_opcodes,                                      partitioned_inclusive_scan, not_a_partition_or_only_nan) \
  Y(subgroupPartitionedInclusiveMaxNV, partitioned_scans, TN,       partitioned_inclusive_scan, max,  value_ballot,        plain, each,       max_opcodes,                                      partitioned_inclusive_scan, not_a_partition_or_only_nan) \
  Y(subgroupPartitionedInclusiveAndNV, partitioned_scans, TI,       partitioned_inclusive_scan, band, value_ballot,        plain, each,       and_opcodes,                                      partitioned_inclusive_scan, not_a_partition)             \
  Y(subgroupPartitionedInclusiveOrNV,  partitioned_scans, TI,       partitioned_inclusive_scan, bor,  value_ballot,        plain, each,       or_opcodes,                                       partitioned_inclusive_scan, not_a_partition)             \
  Y(subgroupPartitionedInclusiveXorNV, partitioned_scans, TI,       partitioned_inclusive_scan, bxor, value_ballot,        plain, each,       xor_opcodes,                                      partitioned_inclusive_scan, not_a_partition)             \
  X(subgroupPartitionedExclusiveAddNV, partitioned_scans, TN,       partitioned_exclusive_scan, add,  value_ballot,        plain, each,       add_opcodes,                                      partitioned_exclusive_scan, not_a_partition)             \
  Y(subgroupPartitionedExclusiveMulNV, partitioned_scans, TN,       partitioned_exclusive_scan, mul,  value_ballot,        plain, each,       mul_opcodes,                                      partitioned_exclusive_scan, not_a_partition)             \
  Y(subgroupPartitionedExclusiveMinNV, partitioned_scans, TN,       partitioned_exclusive_scan, min,  value_ballot,        plain, each,       min_opcodes,                                      partitioned_exclusive_scan, not_a_partition_or_only_nan) \
  Y(subgroupPartitionedExclusiveMaxNV, partitioned_scans, TN,       partitioned_exclusive_scan, max,  value_ballot,        plain, each,       max_opcodes,                                      partitioned_exclusive_scan, not_a_partition_or_only_nan) \
  Y(subgroupPartitionedExclusiveAndNV, partitioned_scans, TI,       partitioned_exclusive_scan, band, value_ballot,        plain, each,       and_opcodes,                                      partitioned_exclusive_scan, not_a_partition)             \
  Y(subgroupPartitionedExclusiveOrNV,  partitioned_scans, TI,       partitioned_exclusive_scan, bor,  value_ballot,        plain, each,       or_opcodes,                                       partitioned_exclusive_scan, not_a_partition)             \
  Y(subgroupPartitionedExclusiveXorNV, partitioned_scans, TI,       partitioned_exclusive_scan, bxor, value_ballot,        plain, each,       xor_opcodes,                                      partitioned_exclusive_scan, not_a_partition)             \
  Y(ballotARB,                         arb_ballot,        boolean,  ballot,                     none, condition_to_ballot, plain, one,        unscoped("OpSubgroupBallotKHR", 4421),            none,                       never)                       \
  Y(readInvocationARB,                 arb_ballot,        words,    broadcast,                  none, value_index,         sized, one,        unscoped("OpSubgroupReadInvocationKHR", 4432),    none,                       unless_one_source)           \
  Y(readFirstInvocationARB,            arb_ballot,        words,    broadcast_first,            none, value,               plain, one,        unscoped("OpSubgroupFirstInvocationKHR", 4422),   none,                       never)                       \
  Y(anyInvocationARB,                  arb_vote,          boolean,  any,                        none, condition,           plain, one,        unscoped("OpSubgroupAnyKHR", 4429),               none,                       never)                       \
  Y(allInvocationsARB,                 arb_vote,          boolean,  all,                        none, condition,           plain, one,        unscoped("OpSubgroupAllKHR", 4428),               none,                       never)                       \
  Y(allInvocationsEqualARB,            arb_vote,          boolean,  all_equal,                  none, comparison,          plain, one,        unscoped("OpSubgroupAllEqualKHR", 4430),          none,                       never)                       \
  Y(anyInvocation,                     core_vote,         boolean,  any,                        none, condition,           plain, one,        unscoped("OpSubgroupAnyKHR", 4429),               none,                       never)                       \
  Y(allInvocations,                    core_vote,         boolean,  all,                        none, condition,           plain, one,        unscoped("OpSubgroupAllKHR", 4428),               none,                       never)                       \
  Y(allInvocationsEqual,               core_vote,         boolean,  all_equal,                  none, comparison,          plain, one,        unscoped("OpSubgroupAllEqualKHR", 4430),          none,                       never)

/// The variables: V(name, family, decoration, its number).
#define LOCKSTEP_BUILT_IN_VARIABLES(V) \
  V(gl_SubgroupSize,         basic_variables, SubgroupSize,              36)   \
  V(gl_SubgroupInvocationID, basic_variables, SubgroupLocalInvocationId, 41)   \
  V(gl_NumSubgroups,         basic_variables, NumSubgroups,              38)   \
  V(gl_SubgroupID,           basic_variables, SubgroupId,                40)   \
  V(gl_SubgroupEqMask,       mask_variables,  SubgroupEqMask,            4416) \
  V(gl_SubgroupGeMask,       mask_variables,  SubgroupGeMask,            4417) \
  V(gl_SubgroupGtMask,       mask_variables,  SubgroupGtMask,            4418) \
  V(gl_SubgroupLeMask,       mask_variables,  SubgroupLeMask,            4419) \
  V(gl_SubgroupLtMask,       mask_variables,  SubgroupLtMask,            4420)

/// The barriers: B(name, opcode, its number, semantics).
#define LOCKSTEP_BUILT_IN_BARRIERS(B) \
  B(subgroupBarrier,             OpControlBarrier, 224, "AcquireRelease, all memory")      \
  B(subgroupMemoryBarrier,       OpMemoryBarrier,  225, "AcquireRelease, all memory")      \
  B(subgroupMemoryBarrierBuffer, OpMemoryBarrier,  225, "AcquireRelease, UniformMemory")   \
  B(subgroupMemoryBarrierShared, OpMemoryBarrier,  225, "AcquireRelease, WorkgroupMemory") \
  B(subgroupMemoryBarrierImage,  OpMemoryBarrier,  225, "AcquireRelease, ImageMemory")

/// Derivatives, which are not subgroup built-ins, but also members of kernels: D(name), of one argument. For
/// pixels, and for compute kernels with meaningful quads.
#define LOCKSTEP_DERIVATIVES(D) \
  D(dFdx) D(dFdy) D(fwidth) D(dFdxFine) D(dFdyFine) D(fwidthFine) D(dFdxCoarse) D(dFdyCoarse) D(fwidthCoarse)

// The number of arguments of each form.
#define LOCKSTEP_ARGUMENTS_OF_nothing 0
#define LOCKSTEP_ARGUMENTS_OF_condition 1
#define LOCKSTEP_ARGUMENTS_OF_condition_to_ballot 1
#define LOCKSTEP_ARGUMENTS_OF_comparison 1
#define LOCKSTEP_ARGUMENTS_OF_value 1
#define LOCKSTEP_ARGUMENTS_OF_value_to_ballot 1
#define LOCKSTEP_ARGUMENTS_OF_value_index 2
#define LOCKSTEP_ARGUMENTS_OF_value_index_cluster 3
#define LOCKSTEP_ARGUMENTS_OF_value_cluster 2
#define LOCKSTEP_ARGUMENTS_OF_value_ballot 2
#define LOCKSTEP_ARGUMENTS_OF_ballot 1
#define LOCKSTEP_ARGUMENTS_OF_ballot_index 2
// clang-format on

namespace lockstep::inline LOCKSTEP_ABI::spec {

/// A family of built-ins.
enum class Family : std::uint8_t {
#define LOCKSTEP_ROW(name, ...) name,
  LOCKSTEP_BUILT_IN_FAMILIES(LOCKSTEP_ROW)
#undef LOCKSTEP_ROW
};

/// A built-in function, by its name in GLSL.
enum class Name : std::uint8_t {
#define LOCKSTEP_ROW(name, ...) name,
  LOCKSTEP_BUILT_INS(LOCKSTEP_ROW, LOCKSTEP_ROW)
#undef LOCKSTEP_ROW
};

/// The family of a function.
///
/// Requires      None.
/// Active lanes  Not applicable.
/// Errors        None.
/// Cost          None: a constant.
/// Spec          None.
/// Example       tests/subgroup/built_ins.cpp
constexpr Family family_of(Name name) {
  constexpr Family families[] = {
#define LOCKSTEP_ROW(name, family, ...) Family::family,
      LOCKSTEP_BUILT_INS(LOCKSTEP_ROW, LOCKSTEP_ROW)
#undef LOCKSTEP_ROW
  };
  return families[static_cast<int>(name)];
}

}  // namespace lockstep::inline LOCKSTEP_ABI::spec
