#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include <lockstep/config.hpp>

/// \file
/// The list of all GLSL subgroup built-ins: their SPIR-V instructions and the files of their code,
/// test and benchmark. docs/builtins.md is this list as a table.

namespace lockstep::inline LOCKSTEP_ABI {
namespace spec {

/// A SPIR-V instruction, or the decoration of a built-in variable.
struct Opcode {
  std::string_view name;
  int number = 0;
};

/// The files of a family of built-ins.
struct Place {
  std::string_view extension;  ///< the GLSL extension that declares it
  std::string_view header;     ///< below include/lockstep
  std::string_view test;       ///< below tests
  std::string_view bench;      ///< below bench; empty if there is nothing to measure
};

/// One built-in function or variable.
struct BuiltIn {
  std::string_view name;  ///< in GLSL
  Place place;
  std::string_view types;         ///< of the argument: T5, TN, TI, bool, or - if it takes none
  std::array<Opcode, 4> opcodes;  ///< one for each component type, the rest unnamed
  std::string_view operand = "";  ///< the instruction's further operand
};

namespace detail {

// clang-format off
inline constexpr Place basic{"GL_KHR_shader_subgroup_basic", "subgroup/basic.hpp", "subgroup/basic.cpp", "subgroup/basic.cpp"};
inline constexpr Place barriers{"GL_KHR_shader_subgroup_basic", "glsl/kernel.hpp", "glsl/kernel.cpp", ""};
inline constexpr Place basic_variables{"GL_KHR_shader_subgroup_basic", "glsl/kernel.hpp", "glsl/kernel.cpp", ""};
inline constexpr Place mask_variables{"GL_KHR_shader_subgroup_ballot", "glsl/kernel.hpp", "subgroup/variables.cpp", ""};
inline constexpr Place vote{"GL_KHR_shader_subgroup_vote", "subgroup/vote.hpp", "subgroup/vote.cpp", "subgroup/vote.cpp"};
inline constexpr Place ballot{"GL_KHR_shader_subgroup_ballot", "subgroup/ballot.hpp", "subgroup/ballot.cpp", "subgroup/ballot.cpp"};
inline constexpr Place shuffle{"GL_KHR_shader_subgroup_shuffle", "subgroup/shuffle.hpp", "subgroup/shuffle.cpp", "subgroup/shuffle.cpp"};
inline constexpr Place shuffle_relative{"GL_KHR_shader_subgroup_shuffle_relative", "subgroup/shuffle_relative.hpp", "subgroup/shuffle_relative.cpp", "subgroup/shuffle_relative.cpp"};
inline constexpr Place rotate{"GL_KHR_shader_subgroup_rotate", "subgroup/rotate.hpp", "subgroup/rotate.cpp", "subgroup/rotate.cpp"};
inline constexpr Place arithmetic{"GL_KHR_shader_subgroup_arithmetic", "subgroup/arithmetic.hpp", "subgroup/arithmetic.hpp", "subgroup/arithmetic.cpp"};
inline constexpr Place clustered{"GL_KHR_shader_subgroup_clustered", "subgroup/clustered.hpp", "subgroup/clustered.hpp", "subgroup/clustered.cpp"};
inline constexpr Place quad{"GL_KHR_shader_subgroup_quad", "subgroup/quad.hpp", "subgroup/quad.cpp", "subgroup/quad.cpp"};
inline constexpr Place quad_control{"GL_EXT_shader_quad_control", "subgroup/quad.hpp", "subgroup/quad.cpp", "subgroup/quad.cpp"};
inline constexpr Place partition{"GL_NV_shader_subgroup_partitioned", "subgroup/partitioned.hpp", "subgroup/partitioned.cpp", "subgroup/partitioned.cpp"};
inline constexpr Place partitioned{"GL_NV_shader_subgroup_partitioned", "subgroup/partitioned.hpp", "subgroup/partitioned.hpp", "subgroup/partitioned.cpp"};
inline constexpr Place partitioned_scans{"GL_NV_shader_subgroup_partitioned", "subgroup/partitioned.hpp", "subgroup/partitioned.hpp", "subgroup/partitioned_scans.cpp"};
inline constexpr Place arb_ballot{"GL_ARB_shader_ballot", "subgroup/arb.hpp", "subgroup/arb.cpp", "subgroup/arb.cpp"};
inline constexpr Place arb_vote{"GL_ARB_shader_group_vote", "subgroup/arb.hpp", "subgroup/arb.cpp", "subgroup/arb.cpp"};
inline constexpr Place core_vote{"GLSL 4.60", "subgroup/arb.hpp", "subgroup/arb.cpp", "subgroup/arb.cpp"};

inline constexpr std::array<Opcode, 4> add{{{"OpGroupNonUniformIAdd", 349}, {"OpGroupNonUniformFAdd", 350}}};
inline constexpr std::array<Opcode, 4> mul{{{"OpGroupNonUniformIMul", 351}, {"OpGroupNonUniformFMul", 352}}};
inline constexpr std::array<Opcode, 4> min{{{"OpGroupNonUniformSMin", 353}, {"OpGroupNonUniformUMin", 354}, {"OpGroupNonUniformFMin", 355}}};
inline constexpr std::array<Opcode, 4> max{{{"OpGroupNonUniformSMax", 356}, {"OpGroupNonUniformUMax", 357}, {"OpGroupNonUniformFMax", 358}}};
inline constexpr std::array<Opcode, 4> bit_and{{{"OpGroupNonUniformBitwiseAnd", 359}, {"OpGroupNonUniformLogicalAnd", 362}}};
inline constexpr std::array<Opcode, 4> bit_or{{{"OpGroupNonUniformBitwiseOr", 360}, {"OpGroupNonUniformLogicalOr", 363}}};
inline constexpr std::array<Opcode, 4> bit_xor{{{"OpGroupNonUniformBitwiseXor", 361}, {"OpGroupNonUniformLogicalXor", 364}}};

inline constexpr BuiltIn built_ins[] = {
    {"gl_SubgroupSize", basic_variables, "-", {{{"BuiltIn SubgroupSize", 36}}}},
    {"gl_SubgroupInvocationID", basic_variables, "-", {{{"BuiltIn SubgroupLocalInvocationId", 41}}}},
    {"gl_NumSubgroups", basic_variables, "-", {{{"BuiltIn NumSubgroups", 38}}}},
    {"gl_SubgroupID", basic_variables, "-", {{{"BuiltIn SubgroupId", 40}}}},
    {"gl_SubgroupEqMask", mask_variables, "-", {{{"BuiltIn SubgroupEqMask", 4416}}}},
    {"gl_SubgroupGeMask", mask_variables, "-", {{{"BuiltIn SubgroupGeMask", 4417}}}},
    {"gl_SubgroupGtMask", mask_variables, "-", {{{"BuiltIn SubgroupGtMask", 4418}}}},
    {"gl_SubgroupLeMask", mask_variables, "-", {{{"BuiltIn SubgroupLeMask", 4419}}}},
    {"gl_SubgroupLtMask", mask_variables, "-", {{{"BuiltIn SubgroupLtMask", 4420}}}},
    {"subgroupBarrier", barriers, "-", {{{"OpControlBarrier", 224}}}, "AcquireRelease, all memory"},
    {"subgroupMemoryBarrier", barriers, "-", {{{"OpMemoryBarrier", 225}}}, "AcquireRelease, all memory"},
    {"subgroupMemoryBarrierBuffer", barriers, "-", {{{"OpMemoryBarrier", 225}}}, "AcquireRelease, UniformMemory"},
    {"subgroupMemoryBarrierShared", barriers, "-", {{{"OpMemoryBarrier", 225}}}, "AcquireRelease, WorkgroupMemory"},
    {"subgroupMemoryBarrierImage", barriers, "-", {{{"OpMemoryBarrier", 225}}}, "AcquireRelease, ImageMemory"},
    {"subgroupElect", basic, "-", {{{"OpGroupNonUniformElect", 333}}}},
    {"subgroupAll", vote, "bool", {{{"OpGroupNonUniformAll", 334}}}},
    {"subgroupAny", vote, "bool", {{{"OpGroupNonUniformAny", 335}}}},
    {"subgroupAllEqual", vote, "T5", {{{"OpGroupNonUniformAllEqual", 336}}}},
    {"subgroupBroadcast", ballot, "T5", {{{"OpGroupNonUniformBroadcast", 337}}}},
    {"subgroupBroadcastFirst", ballot, "T5", {{{"OpGroupNonUniformBroadcastFirst", 338}}}},
    {"subgroupBallot", ballot, "bool", {{{"OpGroupNonUniformBallot", 339}}}},
    {"subgroupInverseBallot", ballot, "-", {{{"OpGroupNonUniformInverseBallot", 340}}}},
    {"subgroupBallotBitExtract", ballot, "-", {{{"OpGroupNonUniformBallotBitExtract", 341}}}},
    {"subgroupBallotBitCount", ballot, "-", {{{"OpGroupNonUniformBallotBitCount", 342}}}, "Reduce"},
    {"subgroupBallotInclusiveBitCount", ballot, "-", {{{"OpGroupNonUniformBallotBitCount", 342}}}, "InclusiveScan"},
    {"subgroupBallotExclusiveBitCount", ballot, "-", {{{"OpGroupNonUniformBallotBitCount", 342}}}, "ExclusiveScan"},
    {"subgroupBallotFindLSB", ballot, "-", {{{"OpGroupNonUniformBallotFindLSB", 343}}}},
    {"subgroupBallotFindMSB", ballot, "-", {{{"OpGroupNonUniformBallotFindMSB", 344}}}},
    {"subgroupShuffle", shuffle, "T5", {{{"OpGroupNonUniformShuffle", 345}}}},
    {"subgroupShuffleXor", shuffle, "T5", {{{"OpGroupNonUniformShuffleXor", 346}}}},
    {"subgroupShuffleUp", shuffle_relative, "T5", {{{"OpGroupNonUniformShuffleUp", 347}}}},
    {"subgroupShuffleDown", shuffle_relative, "T5", {{{"OpGroupNonUniformShuffleDown", 348}}}},
    {"subgroupRotate", rotate, "T5", {{{"OpGroupNonUniformRotateKHR", 4431}}}},
    {"subgroupClusteredRotate", rotate, "T5", {{{"OpGroupNonUniformRotateKHR", 4431}}}, "ClusterSize"},
    {"subgroupAdd", arithmetic, "TN", add, "Reduce"},
    {"subgroupMul", arithmetic, "TN", mul, "Reduce"},
    {"subgroupMin", arithmetic, "TN", min, "Reduce"},
    {"subgroupMax", arithmetic, "TN", max, "Reduce"},
    {"subgroupAnd", arithmetic, "TI", bit_and, "Reduce"},
    {"subgroupOr", arithmetic, "TI", bit_or, "Reduce"},
    {"subgroupXor", arithmetic, "TI", bit_xor, "Reduce"},
    {"subgroupInclusiveAdd", arithmetic, "TN", add, "InclusiveScan"},
    {"subgroupInclusiveMul", arithmetic, "TN", mul, "InclusiveScan"},
    {"subgroupInclusiveMin", arithmetic, "TN", min, "InclusiveScan"},
    {"subgroupInclusiveMax", arithmetic, "TN", max, "InclusiveScan"},
    {"subgroupInclusiveAnd", arithmetic, "TI", bit_and, "InclusiveScan"},
    {"subgroupInclusiveOr", arithmetic, "TI", bit_or, "InclusiveScan"},
    {"subgroupInclusiveXor", arithmetic, "TI", bit_xor, "InclusiveScan"},
    {"subgroupExclusiveAdd", arithmetic, "TN", add, "ExclusiveScan"},
    {"subgroupExclusiveMul", arithmetic, "TN", mul, "ExclusiveScan"},
    {"subgroupExclusiveMin", arithmetic, "TN", min, "ExclusiveScan"},
    {"subgroupExclusiveMax", arithmetic, "TN", max, "ExclusiveScan"},
    {"subgroupExclusiveAnd", arithmetic, "TI", bit_and, "ExclusiveScan"},
    {"subgroupExclusiveOr", arithmetic, "TI", bit_or, "ExclusiveScan"},
    {"subgroupExclusiveXor", arithmetic, "TI", bit_xor, "ExclusiveScan"},
    {"subgroupClusteredAdd", clustered, "TN", add, "ClusteredReduce"},
    {"subgroupClusteredMul", clustered, "TN", mul, "ClusteredReduce"},
    {"subgroupClusteredMin", clustered, "TN", min, "ClusteredReduce"},
    {"subgroupClusteredMax", clustered, "TN", max, "ClusteredReduce"},
    {"subgroupClusteredAnd", clustered, "TI", bit_and, "ClusteredReduce"},
    {"subgroupClusteredOr", clustered, "TI", bit_or, "ClusteredReduce"},
    {"subgroupClusteredXor", clustered, "TI", bit_xor, "ClusteredReduce"},
    {"subgroupQuadBroadcast", quad, "T5", {{{"OpGroupNonUniformQuadBroadcast", 365}}}},
    {"subgroupQuadSwapHorizontal", quad, "T5", {{{"OpGroupNonUniformQuadSwap", 366}}}, "Direction 0"},
    {"subgroupQuadSwapVertical", quad, "T5", {{{"OpGroupNonUniformQuadSwap", 366}}}, "Direction 1"},
    {"subgroupQuadSwapDiagonal", quad, "T5", {{{"OpGroupNonUniformQuadSwap", 366}}}, "Direction 2"},
    {"subgroupQuadAll", quad_control, "bool", {{{"OpGroupNonUniformQuadAllKHR", 5110}}}},
    {"subgroupQuadAny", quad_control, "bool", {{{"OpGroupNonUniformQuadAnyKHR", 5111}}}},
    {"subgroupPartitionNV", partition, "T5", {{{"OpGroupNonUniformPartitionNV", 5296}}}},
    {"subgroupPartitionedAddNV", partitioned, "TN", add, "PartitionedReduceNV"},
    {"subgroupPartitionedMulNV", partitioned, "TN", mul, "PartitionedReduceNV"},
    {"subgroupPartitionedMinNV", partitioned, "TN", min, "PartitionedReduceNV"},
    {"subgroupPartitionedMaxNV", partitioned, "TN", max, "PartitionedReduceNV"},
    {"subgroupPartitionedAndNV", partitioned, "TI", bit_and, "PartitionedReduceNV"},
    {"subgroupPartitionedOrNV", partitioned, "TI", bit_or, "PartitionedReduceNV"},
    {"subgroupPartitionedXorNV", partitioned, "TI", bit_xor, "PartitionedReduceNV"},
    {"subgroupPartitionedInclusiveAddNV", partitioned_scans, "TN", add, "PartitionedInclusiveScanNV"},
    {"subgroupPartitionedInclusiveMulNV", partitioned_scans, "TN", mul, "PartitionedInclusiveScanNV"},
    {"subgroupPartitionedInclusiveMinNV", partitioned_scans, "TN", min, "PartitionedInclusiveScanNV"},
    {"subgroupPartitionedInclusiveMaxNV", partitioned_scans, "TN", max, "PartitionedInclusiveScanNV"},
    {"subgroupPartitionedInclusiveAndNV", partitioned_scans, "TI", bit_and, "PartitionedInclusiveScanNV"},
    {"subgroupPartitionedInclusiveOrNV", partitioned_scans, "TI", bit_or, "PartitionedInclusiveScanNV"},
    {"subgroupPartitionedInclusiveXorNV", partitioned_scans, "TI", bit_xor, "PartitionedInclusiveScanNV"},
    {"subgroupPartitionedExclusiveAddNV", partitioned_scans, "TN", add, "PartitionedExclusiveScanNV"},
    {"subgroupPartitionedExclusiveMulNV", partitioned_scans, "TN", mul, "PartitionedExclusiveScanNV"},
    {"subgroupPartitionedExclusiveMinNV", partitioned_scans, "TN", min, "PartitionedExclusiveScanNV"},
    {"subgroupPartitionedExclusiveMaxNV", partitioned_scans, "TN", max, "PartitionedExclusiveScanNV"},
    {"subgroupPartitionedExclusiveAndNV", partitioned_scans, "TI", bit_and, "PartitionedExclusiveScanNV"},
    {"subgroupPartitionedExclusiveOrNV", partitioned_scans, "TI", bit_or, "PartitionedExclusiveScanNV"},
    {"subgroupPartitionedExclusiveXorNV", partitioned_scans, "TI", bit_xor, "PartitionedExclusiveScanNV"},
    {"ballotARB", arb_ballot, "bool", {{{"OpSubgroupBallotKHR", 4421}}}},
    {"readInvocationARB", arb_ballot, "float, int, uint", {{{"OpSubgroupReadInvocationKHR", 4432}}}},
    {"readFirstInvocationARB", arb_ballot, "float, int, uint", {{{"OpSubgroupFirstInvocationKHR", 4422}}}},
    {"anyInvocationARB", arb_vote, "bool", {{{"OpSubgroupAnyKHR", 4429}}}},
    {"allInvocationsARB", arb_vote, "bool", {{{"OpSubgroupAllKHR", 4428}}}},
    {"allInvocationsEqualARB", arb_vote, "bool", {{{"OpSubgroupAllEqualKHR", 4430}}}},
    {"anyInvocation", core_vote, "bool", {{{"OpSubgroupAnyKHR", 4429}}}},
    {"allInvocations", core_vote, "bool", {{{"OpSubgroupAllKHR", 4428}}}},
    {"allInvocationsEqual", core_vote, "bool", {{{"OpSubgroupAllEqualKHR", 4430}}}},
};
// clang-format on

}  // namespace detail

/// Every built-in of GLSL's subgroup extensions, in the order of the table.
///
/// Requires      None.
/// Active lanes  Not applicable: this is text.
/// Errors        None.
/// Cost          None; the list is a constant.
/// Spec          None.
/// Example       tests/subgroup/spec.cpp
constexpr std::span<const BuiltIn> built_ins() { return detail::built_ins; }

namespace detail {

/// A Markdown link from a file in docs to one below `folder`.
inline std::string link(std::string_view folder, std::string_view path) {
  if (path.empty()) return "-";
  std::string text = "[";
  text.append(path).append("](../").append(folder).append("/").append(path).append(")");
  return text;
}

inline std::string table_row(const BuiltIn& b) {
  std::string row = "| `";
  row.append(b.name).append("` | ").append(b.types).append(" | ");
  for (const Opcode& opcode : b.opcodes) {
    if (opcode.name.empty()) continue;
    if (&opcode != &b.opcodes[0]) row += "<br>";
    row.append(opcode.name).append(" ").append(std::to_string(opcode.number));
  }
  row.append(" | ").append(b.operand.empty() ? "-" : b.operand);
  row.append(" | ").append(b.place.extension);
  row.append(" | ").append(link("include/lockstep", b.place.header));
  row.append(" | ").append(link("tests", b.place.test));
  row.append(" | ").append(link("bench", b.place.bench)).append(" |\n");
  return row;
}

}  // namespace detail

/// The list as the Markdown document docs/builtins.md.
///
/// Requires      None.
/// Active lanes  Not applicable: this is text.
/// Errors        None.
/// Cost          A few hundred string operations.
/// Spec          None.
/// Example       tests/subgroup/spec.cpp
inline std::string to_markdown() {
  std::string text = R"(# Subgroup built-ins

Every function and variable of GLSL's subgroup extensions, with the types it takes, its SPIR-V instruction and
operand, and the files of its code, test and benchmark. Benchmarks have the name of the built-in.

- T5: float, double, int, uint, bool and the extended types, and their vectors of 2 to 4 components.
- TN: T5 without bool. TI: T5 without the floats.
- Extended types: int8_t, int16_t, int64_t, uint8_t, uint16_t, uint64_t and float16_t.

This file is generated from the list in include/lockstep/subgroup/spec.hpp, and a test fails when it is out of
date. To regenerate it, in any build directory: `LOCKSTEP_UPDATE_DOCS=1 ctest -R subgroup/spec`.

| Built-in | Types | SPIR-V | Operand | Extension | Header | Test | Benchmark |
|---|---|---|---|---|---|---|---|
)";
  for (const BuiltIn& b : built_ins()) text += detail::table_row(b);
  return text;
}

}  // namespace spec
}  // namespace lockstep::inline LOCKSTEP_ABI
