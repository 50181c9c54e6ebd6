#pragma once

#include <array>
#include <vector>

#include <lockstep/exec/chosen_order.hpp>

#include "shader/run/program.hpp"

/// \file
/// Orders that an implementation may choose, as the chooser of the tangled machine does.

namespace lockstep::spirv {

/// The chooser, if it is asked for choices of the kind; null otherwise.
inline Chooser* chooser_for(const Context& c, Choice choice) {
  Chooser* chooser = c.stack->convergence->chooser;
  return chooser != nullptr && chooser->asks(choice) ? chooser : nullptr;
}

/// Whether the subgroup stops before the access and another one runs first.
bool yields_before(const Inst* i, Context& c);

/// Runs an atomic with one lane after another: lanes that update the same number in the order of the chooser.
void run_in_chosen_order(const Inst* i, Context& c, Chooser& chooser, Run run, const Inst& inner,
                         const std::array<AtomicTarget, 128>& targets);

/// What a reduction or scan of floats gives the active lanes in the chosen order; nothing where that is the usual one,
/// or all give the same.
std::vector<LaneResult> reduced_in_chosen_order(const Inst* i, const Context& c,
                                                const ListArgs& list);

}  // namespace lockstep::spirv
