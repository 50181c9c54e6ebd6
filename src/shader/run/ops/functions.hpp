#pragma once

#include "shader/run/ops/find.hpp"
#include "shader/run/ops/find_run.hpp"

/// \file
/// The functions that run instructions, for the rest of the engine. A binary may have them for several instruction
/// sets under the same names, so they are called through a table of pointers.

namespace lockstep::spirv {

// clang-format off
#define LOCKSTEP_ENGINE_FUNCTIONS(X) \
  X(find_pure) X(immediate_of) X(find_hot) X(find_power_of_two) X(find_test) X(find_memory) X(find_run) X(find_atomic) \
  X(find_subgroup) X(find_one_word) X(find_reduction) X(find_ordered) X(find_partitioned) X(find_flow) \
  X(find_begin_of_all) X(find_end_of_all) X(find_end_after_else) X(find_jump) X(find_enter_elected) \
  X(find_leave_loop_if) X(find_trip_back) X(find_each_tangle) X(find_count) X(find_undefined_lanes) \
  X(find_report_undefined) X(find_expect) X(find_image) X(find_sample) X(find_tell_line) X(find_tell_access) \
  X(find_tell_indexed) X(find_silent_selection) X(find_tell_variable) X(find_tell_image) X(find_tell_sample)
// clang-format on

/// The functions of ops/find.hpp for one instruction set.
struct Functions {
#define LOCKSTEP_ENGINE_FUNCTION_POINTER(name) decltype(&spirv::name) name;
  LOCKSTEP_ENGINE_FUNCTIONS(LOCKSTEP_ENGINE_FUNCTION_POINTER)
#undef LOCKSTEP_ENGINE_FUNCTION_POINTER
};

/// Those for this processor.
const Functions& functions();

}  // namespace lockstep::spirv
