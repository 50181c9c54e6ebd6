#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <lockstep/config.hpp>
#include <lockstep/exec/checks.hpp>
#include <lockstep/subgroup/built_ins.hpp>

/// \file
/// The table of built-ins (lockstep/subgroup/built_ins.hpp) as values: for the shader engine, for tests, and as
/// docs/reference/built-ins.md.

namespace lockstep::inline LOCKSTEP_ABI {
namespace spec {

/// A SPIR-V instruction, or the decoration of a built-in variable.
struct Opcode {
  std::string_view name;
  int number = 0;
  bool has_scope = false;  ///< whether its first operand is a scope
  bool is_signed = false;  ///< whether it reads integers as signed
};

/// A capability of SPIR-V, by name and number.
struct Capability {
  std::string_view name;
  int number = 0;
};

/// What the built-ins of a family have in common.
struct Place {
  std::string_view extension;  ///< the GLSL extension that declares it
  Capability capability;
  std::string_view header;  ///< below include/lockstep
  std::string_view test;    ///< below tests
  std::string_view bench;   ///< below bench; empty if there is nothing to measure
};

/// The arguments of a function: a word for each. A result of another kind than the first follows as `to_`.
enum class Form : std::uint8_t {
  nothing,              ///< gives a bool
  condition,            ///< a bool, gives a bool
  condition_to_ballot,  ///< a bool
  comparison,           ///< a value, gives a bool: a vector's components agree
  value,  ///< component by component, like all built-ins on a value except the comparison
  value_to_ballot,
  value_index,
  value_index_cluster,
  value_cluster,
  value_ballot,
  ballot,  ///< gives a scalar
  ballot_index,
};

/// How many results a function gives to the active lanes.
enum class Result : std::uint8_t {
  one,
  one_of_one,  ///< one if the argument is uniform
  each,
};

/// The operand of an instruction that tells built-ins of the same opcode apart.
struct Operand {
  /// What the operand of an instruction is.
  enum class Kind : std::uint8_t {
    none,
    group_operation,
    direction,
    cluster_size,
    no_cluster_size,
    text
  };
  Kind kind = Kind::none;
  std::string_view text = {};
  int number = 0;  ///< of a group operation or direction
};

/// What a checked run says of a function whose result may be undefined.
struct UndefinedRule {
  /// The rule that uses of an undefined result break. Nothing: the result is always defined, or a rule of its own forbids
  /// the arguments that make it undefined.
  std::optional<Check> breaks;
  /// Whether a lane beyond the edge of the subgroup may be the source: that breaks Check::shuffle_past_edge.
  bool past_edge = false;
  /// Whether the arguments after the value, or all of a function of ballots, must be the same in all active lanes.
  bool needs_same = false;
};

/// One built-in function or variable.
struct BuiltIn {
  std::string_view name;  ///< in GLSL
  Place place;
  std::string_view types;         ///< of the argument: T5, TN, TI, bool, or - if it takes none
  std::array<Opcode, 4> opcodes;  ///< one for each component type, the rest unnamed
  Operand operand = {};
  std::string_view undefined = {};  ///< where the result is; empty: nowhere
  Form form = Form::nothing;
  bool takes_size = false;  ///< the subgroup size, as last argument
  Result result = Result::each;
  UndefinedRule rule = {};
};

namespace detail {

/// What the names in the table stand for.
namespace row {

constexpr Capability capability(std::string_view name, int number) { return {name, number}; }

inline constexpr std::string_view no_value = "-", boolean = "bool", words = "float, int, uint";
inline constexpr std::string_view T5 = "T5", TN = "TN", TI = "TI";

inline constexpr bool plain = false, sized = true;

using Opcodes = std::array<Opcode, 4>;
constexpr Opcodes scoped(std::string_view name, int number) { return {{{name, number, true}}}; }
constexpr Opcodes unscoped(std::string_view name, int number) { return {{{name, number}}}; }
// clang-format off
inline constexpr Opcodes add_opcodes{{{"OpGroupNonUniformIAdd", 349, true}, {"OpGroupNonUniformFAdd", 350, true}}};
inline constexpr Opcodes mul_opcodes{{{"OpGroupNonUniformIMul", 351, true}, {"OpGroupNonUniformFMul", 352, true}}};
inline constexpr Opcodes min_opcodes{{{"OpGroupNonUniformSMin", 353, true, true}, {"OpGroupNonUniformUMin", 354, true}, {"OpGroupNonUniformFMin", 355, true}}};
inline constexpr Opcodes max_opcodes{{{"OpGroupNonUniformSMax", 356, true, true}, {"OpGroupNonUniformUMax", 357, true}, {"OpGroupNonUniformFMax", 358, true}}};
inline constexpr Opcodes and_opcodes{{{"OpGroupNonUniformBitwiseAnd", 359, true}, {"OpGroupNonUniformLogicalAnd", 362, true}}};
inline constexpr Opcodes or_opcodes{{{"OpGroupNonUniformBitwiseOr", 360, true}, {"OpGroupNonUniformLogicalOr", 363, true}}};
inline constexpr Opcodes xor_opcodes{{{"OpGroupNonUniformBitwiseXor", 361, true}, {"OpGroupNonUniformLogicalXor", 364, true}}};
// clang-format on

inline constexpr Operand none{};
constexpr Operand group_operation(std::string_view name, int number) {
  return {Operand::Kind::group_operation, name, number};
}
inline constexpr Operand reduce = group_operation("Reduce", 0);
inline constexpr Operand inclusive_scan = group_operation("InclusiveScan", 1);
inline constexpr Operand exclusive_scan = group_operation("ExclusiveScan", 2);
inline constexpr Operand clustered_reduce = group_operation("ClusteredReduce", 3);
inline constexpr Operand partitioned_reduce = group_operation("PartitionedReduceNV", 6);
inline constexpr Operand partitioned_inclusive_scan =
    group_operation("PartitionedInclusiveScanNV", 7);
inline constexpr Operand partitioned_exclusive_scan =
    group_operation("PartitionedExclusiveScanNV", 8);
inline constexpr Operand direction_0{Operand::Kind::direction, "Direction 0", 0};
inline constexpr Operand direction_1{Operand::Kind::direction, "Direction 1", 1};
inline constexpr Operand direction_2{Operand::Kind::direction, "Direction 2", 2};
inline constexpr Operand cluster_size{Operand::Kind::cluster_size, "ClusterSize"};
inline constexpr Operand no_cluster_size{Operand::Kind::no_cluster_size};

/// A cell of the column `undefined`.
struct Undefined {
  std::string_view where;  ///< empty: nowhere
  UndefinedRule rule;
};
constexpr Undefined undefined(std::string_view where, std::optional<Check> breaks) {
  return {where, {breaks}};
}
constexpr Undefined unless_same(std::string_view where, std::optional<Check> breaks) {
  return {where, {.breaks = breaks, .needs_same = true}};
}
inline constexpr std::nullopt_t no_rule = std::nullopt;

// clang-format off
inline constexpr Undefined
    never = undefined("", no_rule),
    inactive_source = undefined("where the source is not an active lane", Check::undefined_shuffle),
    inactive_relative = {"where the source is not an active lane", {.breaks = Check::undefined_shuffle, .past_edge = true}},
    inactive_in_quad = undefined("where the source is not an active lane", Check::undefined_quad),
    unless_one_source = unless_same("everywhere, unless all active lanes name the same active lane", Check::undefined_broadcast),
    unless_one_ballot = unless_same("everywhere, unless all active lanes hold the same ballot", no_rule),
    index_outside = undefined("where the index is not below the subgroup size", Check::ballot_bit_outside),
    no_bit = undefined("where no bit of a lane of the subgroup is set", Check::find_in_empty_ballot),
    rotation = unless_same("where the source is not an active lane; everywhere, unless all active lanes hold the same delta", Check::undefined_shuffle),
    clustered_rotation = unless_same("as subgroupRotate; everywhere, unless the cluster size is a power of two up to the subgroup size", Check::undefined_shuffle),
    quad_source = unless_same("where the source is not an active lane or the quad's active lanes name several", Check::undefined_quad),
    only_nan = undefined("where all floats that are combined are NaN", Check::all_nan),
    bad_cluster = undefined("everywhere, unless the cluster size is a power of two up to the subgroup size", no_rule),
    bad_cluster_or_only_nan = undefined("as subgroupClusteredAdd; where all floats that are combined are NaN", Check::all_nan),
    not_a_partition = unless_same("everywhere, unless the ballots divide the active lanes into subsets", Check::partition_invalid),
    not_a_partition_or_only_nan = unless_same("as subgroupPartitionedAddNV; where all floats that are combined are NaN", Check::partition_invalid);
// clang-format on

}  // namespace row

inline constexpr Place places[] = {
#define LOCKSTEP_ROW(name, extension, features, capability, header, test, bench) \
  {extension, row::capability, header, test, bench},
    LOCKSTEP_BUILT_IN_FAMILIES(LOCKSTEP_ROW)
#undef LOCKSTEP_ROW
};
constexpr const Place& place_of(Family family) { return places[static_cast<int>(family)]; }

inline constexpr BuiltIn variables[] = {
#define LOCKSTEP_ROW(name, family, decoration, number) \
  {#name, place_of(Family::family), "-", {{{"BuiltIn " #decoration, number}}}},
    LOCKSTEP_BUILT_IN_VARIABLES(LOCKSTEP_ROW)
#undef LOCKSTEP_ROW
};
inline constexpr BuiltIn barriers[] = {
#define LOCKSTEP_ROW(name, opcode, number, semantics) \
  {#name, place_of(Family::barriers), "-", {{{#opcode, number}}}, {Operand::Kind::text, semantics}},
    LOCKSTEP_BUILT_IN_BARRIERS(LOCKSTEP_ROW)
#undef LOCKSTEP_ROW
};
inline constexpr BuiltIn functions[] = {
#define LOCKSTEP_ROW(name, family, types, operation, operator_, form, size, result, opcodes, \
                     operand, undefined)                                                     \
  {#name,          place_of(Family::family), row::types, row::opcodes,                       \
   row::operand,   row::undefined.where,     Form::form, row::size,                          \
   Result::result, row::undefined.rule},
    LOCKSTEP_BUILT_INS(LOCKSTEP_ROW, LOCKSTEP_ROW)
#undef LOCKSTEP_ROW
};

}  // namespace detail

/// The families, in the order of Family.
///
/// Requires      None.
/// Active lanes  Not applicable: this is text.
/// Errors        None.
/// Cost          None; the list is a constant.
/// Spec          None.
/// Example       tests/subgroup/spec.cpp
constexpr std::span<const Place> families() { return detail::places; }

/// Every function of GLSL's subgroup extensions, in the order of Name.
///
/// Requires      None.
/// Active lanes  Not applicable: this is text.
/// Errors        None.
/// Cost          None; the list is a constant.
/// Spec          None.
/// Example       tests/subgroup/spec.cpp
constexpr std::span<const BuiltIn> functions() { return detail::functions; }
/// The row of a function.
constexpr const BuiltIn& function(Name name) { return detail::functions[static_cast<int>(name)]; }

/// Their variables.
constexpr std::span<const BuiltIn> variables() { return detail::variables; }
/// Their barriers.
constexpr std::span<const BuiltIn> barriers() { return detail::barriers; }

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
  row.append(" | ").append(b.operand.text.empty() ? "-" : b.operand.text);
  row.append(" | ").append(b.undefined.empty() ? "-" : b.undefined);
  row.append(" | ").append(b.place.extension);
  row.append(" | ").append(link("include/lockstep", b.place.header));
  row.append(" | ").append(link("tests", b.place.test));
  row.append(" | ").append(link("bench", b.place.bench)).append(" |\n");
  return row;
}

}  // namespace detail

/// The table as the Markdown document docs/reference/built-ins.md.
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
operand, the lanes whose result is undefined (which `undefined::` and its name returns), and the files of its code, test
and benchmark. Benchmarks have the name of the built-in.

- T5: float, double, int, uint, bool and the extended types, and their vectors of 2 to 4 components.
- TN: T5 without bool. TI: T5 without the floats.
- Extended types: int8_t, int16_t, int64_t, uint8_t, uint16_t, uint64_t and float16_t.

This file is generated from the table in include/lockstep/subgroup/built_ins.hpp, and a test fails when it is out of
date. To regenerate it, in any build directory: `LOCKSTEP_UPDATE_DOCS=1 ctest -R subgroup/spec`.

## Adding a built-in

1. Add its row to the table in include/lockstep/subgroup/built_ins.hpp. Its columns are explained there.
2. Write the function in the header of its family. It takes the active mask and the arguments that the row's form names. If
   the row says where its result is undefined, write the function of that name in namespace `undefined`, too.

All else follows from the row. Kernels have a member of that name, which needs the family's features on a device with a
profile. The shader engine lowers the opcode, runs the function and names it in events. This file has its line, once it is
generated again. Tests then ask for the call in tests/glsl/built_in_members.cpp, and for the test and the benchmark
that the family's row names. Only a new form, operator or opcode operand has code of its own: in
src/shader/lower/subgroup.cpp and src/shader/run/ops/subgroup.cpp, where the compiler points out a form that is missing.

## Table

| Built-in | Types | SPIR-V | Operand | Undefined | Extension | Header | Test | Benchmark |
|---|---|---|---|---|---|---|---|---|
)";
  for (const std::span<const BuiltIn> part : {variables(), barriers(), functions()})
    for (const BuiltIn& b : part) text += detail::table_row(b);
  return text;
}

}  // namespace spec
}  // namespace lockstep::inline LOCKSTEP_ABI
