#pragma once

#include <compare>
#include <cstdint>

#include <lockstep/exec/event.hpp>
#include <lockstep/exec/variable_observer.hpp>
#include <lockstep/spirv/float_order.hpp>

#include "shader/ir/ir.hpp"

/// \file
/// The passes over the IR before it is assembled: they remove redundant copies and dead values, hoist values that
/// are constant per dispatch out of loops, and mark registers as uniform.

namespace lockstep::spirv {

/// Which kind of program to make.
struct AssembleOptions {
  bool tangled = false;         ///< for the machine that keeps several tangles
  bool one_tangle = false;      ///< with tangled: there is never more than one, so masks will do
  bool linear = true;           ///< invocation n is lane n % size
  bool all_push_bytes = false;  ///< all push constants that the shader reads are given
  bool any_order = false;  ///< sides of branches and code before breaks need not run in their order
  bool atomic_order = false;  ///< nor the lanes of an atomic; for the tangled machine
  bool counted = false;       ///< counts the work of each line; not with several tangles
  Checks checks = {};         ///< the rules of undefined values and expectations that are checked
  bool bounds = false;        ///< keeps what conforming devices may have instead of each value
  Interest told = Interest::none();  ///< what observers ask for; for the tangled machine
  bool judged_only = false;          ///< checks alone are told of built-ins: those that they judge
  VariableNames variables = {};      ///< that observers are told of; for the tangled machine
  FloatOrder float_order = FloatOrder::tree;  ///< of reductions and scans
  int race_axes =
      0;  ///< only races are looked for, where invocations differ in their first so many ids; 0: others
  bool only_float_order = false;  ///< devices are known to use no other
  bool keeps_loops = false;       ///< loops are not unrolled: their iterations may be too many
  friend auto operator<=>(const AssembleOptions&, const AssembleOptions&) = default;

  /// Whether nothing is asked for but the results: not which branches there are, nor what else could have happened.
  bool shows_results_alone() const {
    return !tangled && !any_order && !counted && !bounds && !checks.any();
  }
};

/// Optimises the IR in place, for subgroups of the size. Returns how many operations at the beginning give values
/// that are constant per dispatch.
std::uint32_t analyse(Ir& ir, int size, const AssembleOptions& options);

/// How many bytes of push constants the shader reads at constant offsets.
std::uint64_t push_bytes_of(const Ir& ir);

}  // namespace lockstep::spirv
