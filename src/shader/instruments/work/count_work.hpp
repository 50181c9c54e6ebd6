#pragma once

#include "shader/ir/ir.hpp"

/// \file
/// Counters in the IR, in place of events of lines.

namespace lockstep::spirv {

/// Adds operations that count how often each line runs and with how many lanes. Under maximal reconvergence the
/// counters give what trace::summarize() computes from the events of the tangled machine: its operations are those
/// of the IR as it is now.
///
/// Lanes start a line unless it is the line that they were at before. Between two operations that change the active
/// lanes this is the same for all lanes, so one counter does for all lines in between. Where lanes come from several
/// places, a variable knows which of them were at the line already.
///
/// Returns whether it succeeded; if not, the IR is unchanged. It fails where what the shader does has no line.
bool count_work(Ir& ir);

}  // namespace lockstep::spirv
