#pragma once

#include "shader/run/program.hpp"

/// \file
/// The functions that run operations, by family. Null: there is none for those types.

namespace lockstep::spirv {

/// The function for an operation without side effects, in the families below.
Run find_pure(const Op& op);
/// Inst::imm of such an operation.
std::uint64_t immediate_of(const Op& op);

/// The form of an instruction, which is known when it is assembled.
struct HotForm {
  int chunks = 1;       ///< of its result
  bool masked = false;  ///< only the active lanes are written
};
/// Operations on 32-bit numbers, compiled for the form; move is copy.
Run find_hot(Code code, Scalar type, const HotForm& form);
/// Unsigned division by 2^imm, or the remainder as the bits of imm.
Run find_power_of_two(Code code, const HotForm& form);

/// A comparison fused with the test or jump that follows it.
Run find_test(Code code, Scalar type, Test kind, int chunks);

Run find_integer(Code code, Scalar type);
Run find_float(Code code, Scalar type);
Run find_bool(Code code);
Run find_function(Code code, Scalar type);
Run find_convert(Scalar to, Scalar from);
/// The same to floats, and operations on floats, that round towards zero.
Run find_convert_to_zero(Scalar to, Scalar from);
Run find_to_zero(Code code, Scalar type);
Run find_bits(Code code, Scalar type, Scalar from);
Run find_memory(Code code, Scalar type);
Run find_atomic(const Op& op);
/// Inst::imm of an atomic whose result is dead.
inline constexpr std::uint64_t no_result = 1;
/// Inst::imm of a loop's test that all lanes pass before the first iteration.
inline constexpr std::uint64_t before_first_iteration = 2;
/// The function of a built-in, except for reductions and scans.
Run find_subgroup(spec::Name name, Scalar type, int width);
/// Operations on ballots of up to 32 lanes: one uniform number instead of four.
Run find_one_word(spec::Name name);
Run find_reduction(spec::Name name, Scalar type, int width);
/// Inst::imm of a sum or product of floats in a chosen order.
struct OrderedReduction {
  enum class Kind : std::uint8_t { all, inclusive, exclusive };
  Kind kind = Kind::all;
  Operator op = Operator::add;
  FloatOrder order = FloatOrder::tree;
  std::uint32_t cluster = 0;  ///< lanes of each; 0: one of all

  std::uint64_t bits() const {
    return cluster | std::uint64_t(order) << 32 | std::uint64_t(op) << 40 |
           std::uint64_t(kind) << 48;
  }
  static OrderedReduction of(std::uint64_t bits) {
    return {static_cast<Kind>(bits >> 48 & 0xff), static_cast<Operator>(bits >> 40 & 0xff),
            static_cast<FloatOrder>(bits >> 32 & 0xff), static_cast<std::uint32_t>(bits)};
  }
};
Run find_ordered(Scalar type);
/// Runs ListArgs::inner, a reduction or scan, once per subset.
Run find_partitioned(Scalar type, int width);
/// The operations of control flow that run a function: each machine has one of the same name.
// clang-format off
#define LOCKSTEP_FLOW_CODES(X) \
  X(if_begin) X(if_else) X(if_end) X(loop_begin) X(loop_test) X(trip_end) X(loop_back) X(loop_end) \
  X(switch_begin) X(switch_case) X(switch_end) X(call_begin) X(call_end) X(leave_loop) \
  X(leave_loop_around) X(leave_trip) X(retire) X(barrier) X(end)
// clang-format on
/// The function for an operation of control flow, on one of the machines.
Run find_flow(Code code, bool tangled);
Run find_tangled_flow(Code code);
/// The begin and the end of a selection that the stack does not hear of.
Run find_silent_selection(Code code);
/// Inst::a of the back edge of a loop that no lane leaves alone.
inline constexpr std::uint32_t back_of_all = 1;
/// The begin and the end of a loop that no lane leaves alone.
Run find_begin_of_all();
Run find_end_of_all();
/// The end of a selection with an else.
Run find_end_after_else(bool tangled);
const Inst* memory_barrier(const Inst* i, Context& c);
/// The lanes whose selector is one of a case's labels, active or not.
Mask<128> matching_lanes(const Context& c, const CaseArgs& args);
std::uint64_t selector_of(const Context& c, const CaseArgs& args, int lane);
Run find_print();
/// Inst::c of a counter: which of the active lanes count, by its last operand.
enum class CountedLanes : std::uint32_t { active, others, that_hold };
/// count and count_split.
Run find_count(Code code);
Run find_undefined_lanes(const Op& op, int width);
Run find_report_undefined();
/// Reports the active lanes in which it does not hold; a wide index or address has 64 bits.
Run find_expect(const Expectation& expected, bool is_wide);
Run find_image(Code code, Scalar type);
Run find_sample();
/// Control flow on uniform conditions: jumps.
Run find_jump(bool conditional);
/// The elected lane enters a selection.
Run find_enter_elected(int width);
/// Lanes where the condition holds leave the loop.
Run find_leave_loop_if();
/// The end of an iteration fused with the back edge; args is the target if no lane is left.
Run find_trip_back();
/// Runs a subgroup operation once per tangle.
Run find_each_tangle();
/// Reports the line to observers; makes an access and reports it.
Run find_tell_line();
Run find_tell_access();
Run find_tell_indexed();
Run find_tell_variable();
Run find_tell_image();
Run find_tell_sample();

}  // namespace lockstep::spirv
