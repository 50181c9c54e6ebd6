#pragma once

#include <compare>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include <lockstep/exec/finding.hpp>

/// \file
/// The rules of checked runs: one table, and sets of them.
///
/// Who finds something asks `checks.has(Check::data_race)` whether the rule is on, takes a
/// `finding_of(Check::data_race)`, fills in message, where, workgroup, subgroup, lanes, access, origin and
/// other, and gives it to the run's FaultLog: `record(finding)`. The log merges findings of one place. A
/// new rule is an enumerator here and a row of the table in src/runtime/exec/checks.cpp, in the same order;
/// tests/check runs the examples of each row.

namespace lockstep {

/// A rule that a run can be checked for. Its name, to_string(check), is stable.
enum class Check : std::uint8_t {
  out_of_bounds,
  misaligned,
  barrier_divergence,
  barrier_mismatch,
  no_progress,
  // Undefined values, where they become visible.
  undefined_shuffle,
  shuffle_past_edge,
  undefined_broadcast,
  undefined_quad,
  find_in_empty_ballot,
  ballot_bit_outside,
  partition_invalid,
  all_nan,
  shift_too_wide,
  division_by_zero,
  conversion_range,
  math_domain,
  uninitialised_shared,
  uninitialised_variable,
  // Values that must agree over lanes, and operands of built-ins.
  broadcast_not_uniform,
  inverse_ballot_not_uniform,
  rotate_not_uniform,
  cluster_size,
  quad_index,
  quad_size,
  subgroupuniform_broken,
  false_assumption,
  // Races.
  data_race,
  lockstep_exchange,
  barrier_orders_shared_only,
  atomic_mixed,
  atomic_scope,
  not_coherent,
  // What only comparing several runs can tell.
  size_as_count,
  hidden_size,
};

/// A row of the table of rules.
struct CheckInfo {
  Check check;
  std::string_view name;
  Severity severity;
  std::string_view meaning;  ///< one sentence
  /// Statements in GLSL that break the rule, and their repair: main after check_declarations().
  std::string_view wrong, right;
  int subgroup_size = 32;  ///< of the examples
  bool explored = false;   ///< found by `lockstep explore`, not by a checked run
};

/// The table, in the order of Check.
std::span<const CheckInfo> all_checks();
/// The row of a rule: its name, severity, meaning and examples.
const CheckInfo& info_of(Check check);
/// What the examples declare before main: extensions, buffers, shared memory. They run 2 workgroups of 64
/// invocations in subgroups of 32, on 128 elements.
std::string_view check_declarations();
/// "data-race"
std::string_view to_string(Check check);

/// A finding of the rule, with its name and severity and nothing else.
Finding finding_of(Check check);

/// A set of rules: `Device{.checks = Checks::all()}`.
///
/// Without any, a run is not checked: it finds what every machine finds, which are accesses outside
/// objects, barriers that not all invocations reach, and endless loops.
///
/// Requires      None.
/// Active lanes  None.
/// Errors        parse throws Error for a name that is not a rule, and for a rule that only explore finds.
/// Cost          None; what a rule costs is that of whoever finds it.
/// Spec          None.
/// Example       tests/exec/checks.cpp
class Checks {
 public:
  constexpr Checks() = default;
  constexpr Checks(std::initializer_list<Check> checks) {
    for (const Check check : checks) bits_ |= bit(check);
  }

  /// Those that a checked run can be checked for.
  static Checks all();
  /// "all", "data-race,out-of-bounds", "-data-race" (all but that one), "all,-data-race": from left to right. An
  /// empty text is "all".
  static Checks parse(std::string_view text);

  /// Whether the rule is in the set.
  constexpr bool has(Check check) const { return (bits_ & bit(check)) != 0; }
  /// Whether the set has a rule.
  constexpr bool any() const { return bits_ != 0; }
  /// Whether the sets share a rule.
  constexpr bool any_of(Checks some) const { return (bits_ & some.bits_) != 0; }
  /// The set and the rule.
  constexpr Checks with(Check check) const { return Checks(bits_ | bit(check)); }
  /// The set without the rule.
  constexpr Checks without(Check check) const { return Checks(bits_ & ~bit(check)); }

  constexpr Checks operator&(Checks other) const { return Checks(bits_ & other.bits_); }
  constexpr Checks operator|(Checks other) const { return Checks(bits_ | other.bits_); }

  friend constexpr auto operator<=>(Checks, Checks) = default;

 private:
  constexpr explicit Checks(std::uint64_t bits) : bits_(bits) {}
  static constexpr std::uint64_t bit(Check check) {
    return std::uint64_t{1} << static_cast<unsigned>(check);
  }

  std::uint64_t bits_ = 0;
};

/// The rules of values that the specification leaves undefined.
Checks undefined_checks();

/// The rules of single accesses and values that a program looks for where it is compiled to: misaligned,
/// subgroupuniform-broken, false-assumption, and of out-of-bounds an index outside its array although the byte is inside the object.
Checks expected_checks();

/// The rules that `lockstep explore` finds by comparing runs; no checked run does.
Checks explored_checks();

/// The rules that every run is checked for, whether or not it is a checked one.
Checks basic_checks();
/// The rules that kernels in C++ can be checked for.
Checks kernel_checks();

/// The names, separated by commas.
std::string to_string(Checks checks);

/// The page docs/reference/rules.md.
std::string checks_to_markdown();

}  // namespace lockstep
