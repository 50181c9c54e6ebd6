#pragma once

#include "spirv/exec/program.hpp"

/// \file
/// The functions behind operations, by family. Null: there is none for those types.

namespace lockstep::spirv {

/// The function behind an operation without effects, in the families below.
Run find_pure(const Op& op);
/// Inst::imm of such an operation.
std::uint64_t immediate_of(const Op& op);

/// What is known of an instruction when it is made.
struct HotForm {
  int chunks = 1;       ///< of its result
  bool masked = false;  ///< only the active lanes get it
};
/// Operations on 32-bit numbers, compiled for the form; move is copy.
Run find_hot(Code code, Scalar type, const HotForm& form);
/// Unsigned division by 2^imm, or the remainder as the bits of imm.
Run find_power_of_two(Code code, const HotForm& form);

/// A comparison and what follows it.
Run find_test(Code code, Scalar type, Test kind, int chunks);

Run find_integer(Code code, Scalar type);
Run find_float(Code code, Scalar type);
Run find_bool(Code code);
Run find_function(Code code, Scalar type);
Run find_convert(Scalar to, Scalar from);
Run find_bits(Code code, Scalar type, Scalar from);
Run find_memory(Code code, Scalar type);
Run find_atomic(Code code, Scalar type, Operator op);
/// Inst::imm of an atomic whose result nobody uses.
inline constexpr std::uint64_t no_result = 1;
/// Inst::imm of a loop's test that all lanes pass before the first iteration.
inline constexpr std::uint64_t before_first_iteration = 2;
Run find_subgroup(Code code, Scalar type, Operator op, int width);
/// Operations on ballots of up to 32 lanes: one number, the same for all lanes, in place of four.
Run find_one_word(Code code);
Run find_reduction(Code code, Scalar type, Operator op, int width);
/// Runs ListArgs::inner, a reduction or scan, once a subset.
Run find_partitioned(Scalar type, int width);
Run find_bool_reduction(Code code, Operator op, int width);
/// The function behind an operation of control flow, on one of the machines.
struct FlowFunction {
  Code code;
  Run run;
};
template <std::size_t N>
Run find_in(const FlowFunction (&functions)[N], Code code) {
  for (const FlowFunction& function : functions)
    if (function.code == code) return function.run;
  return nullptr;
}
Run find_flow(Code code, bool tangled);
Run find_tangled_flow(Code code);
/// The end of a selection whose other side was started, too.
Run find_end_after_else(bool tangled);
const Inst* memory_barrier(const Inst* i, Context& c);
/// The lanes whose selector is one of a case's labels, active or not.
Mask<128> matching_lanes(const Context& c, const CaseArgs& args);
std::uint64_t selector_of(const Context& c, const CaseArgs& args, int lane);
Run find_print();
Run find_image(Code code, Scalar type);
Run find_sample();
/// Control flow on uniform conditions: jumps.
Run find_jump(bool conditional);
/// The elected lane enters a selection.
Run find_enter_elected(int width);
/// Lanes where the condition holds leave the loop.
Run find_leave_loop_if();
/// The end of a trip and the way back in one; args is where to go with no lane left.
Run find_trip_back();
/// Runs a subgroup operation once for each tangle.
Run find_each_tangle();
/// Tells an observer the line; tells it of an access, which it makes.
Run find_tell_line();
Run find_tell_access();
Run find_tell_image();
Run find_tell_sample();

}  // namespace lockstep::spirv
