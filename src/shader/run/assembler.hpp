#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "shader/instruments/analyse.hpp"
#include "shader/ir/ballot_words.hpp"
#include "shader/ir/built_ins.hpp"
#include "shader/ir/value_ranges.hpp"
#include "shader/native/native.hpp"
#include "shader/run/branches.hpp"
#include "shader/run/program.hpp"
#include "shader/run/register_places.hpp"

/// \file
/// Makes instructions of operations.

namespace lockstep::spirv {

/// Assembles a program whose sizes and limits are known. Each family of operations has a file.
class Assembler {
 public:
  /// once: the number of operations at the beginning whose results are constant per dispatch.
  Assembler(const Ir& ir, Program& program, std::uint32_t once, const AssembleOptions& options);

  void run();

 private:
  Slot slot(Reg r) { return places_.slot(r); }
  std::uint8_t chunks_of(Reg r) const {
    return ir_.regs[r].uniform ? std::uint8_t{1} : program_.chunks;
  }

  // assembler.cpp
  void note_last_uses();
  void note_loop_locals();
  std::uint32_t line(const SourceLocation& where);
  Inst start(const Op& op);
  void operand(Inst& inst, std::size_t k, Reg r);
  void operands(Inst& inst, const Op& op);
  [[noreturn]] void no_function(const Op& op) const;
  static EmitRule tangled_rule(EmitRule rule);
  void add(const Op& op, Inst inst, Run function, const EmitRule& rule = {});
  void add_flow(const Op& op, const Inst& inst, Run function, EmitRule::Kind kind);
  EmitRule arithmetic(const Op& op, const Inst& inst) const;
  bool runs_by_tangle(const Op& op) const;
  bool may_conflict(const Op& op) const;
  bool is_told(const Op& op, Event::Kind kind) const {
    if (!asked_.kinds.has(kind) || op.silent) return false;
    return kind == Event::Kind::built_in ? !judged_only_ || is_judged(op)
                                         : asked_.conflict_free || may_conflict(op);
  }
  bool tells(const Op& op) const;
  /// Whether a chooser decides when the access, or a lane's part of it, takes place.
  bool is_ordered(const Op& op, bool atomic) const {
    return (program_.any_order || (atomic && atomic_order_)) && !op.silent;
  }
  void tell_line(const Op& op);
  void emit(const Op& op);
  void emit_pure(const Op& op);
  bool is_in_place(const Op& op) const;
  Run hot_function(const Op& op, Inst& inst) const;
  bool is_tested_next() const;
  void add_test(const Op& op, Test kind, Run alone);

  // assemble_memory.cpp
  void emit_move(const Op& op);
  const IndexedArgs* indexed(std::uint32_t number);
  void emit_indexed(const Op& op);
  void emit_memory(const Op& op);
  bool is_run(const Op& op) const;
  EmitRule rule_of_access(const Op& op, const Inst& inst) const;
  bool depends_on_order(const Op& op) const;
  void tell_indexed(const Op& op, const IndexedArgs& variable, Inst& inst);
  void tell_access(const Op& op, Inst& inst);
  void emit_tell_variable(const Op& op);

  // assemble_lists.cpp
  std::unique_ptr<ListArgs> list_of(const Op& op);
  bool is_judged(const Op& op) const;
  bool is_one_word(const Op& op, spec::Name name) const;
  EmitRule rule_of_ballots(const Op& op, const Inst& inst) const;
  void leave_out_unused(const Op& op, ListArgs& list) const;
  void emit_subgroup(const Op& op);
  static void count_operands(spec::Form form, ListArgs& list);
  void emit_print(const Op& op);
  void emit_count(const Op& op);
  void emit_undefined_lanes(const Op& op);
  void emit_report_undefined(const Op& op);
  void emit_none(const Op& op) { no_function(op); }  ///< of what passes drop
  void emit_expect(const Op& op);
  void emit_bound(const Op& op);
  void emit_image(const Op& op);
  void emit_sample(const Op& op);
  void tell_sample(const Op& op, std::size_t coordinates, Inst& inst);
  void tell_image(const Op& op, Inst& inst);

  // assemble_flow.cpp
  void emit_flow(const Op& op);
  const CaseArgs* case_args(const Op& op);
  void add_flow(const Op& op, const Inst& inst, EmitRule::Kind kind);
  void add_end_of_trip(const Op& op, Inst inst);
  void add_end_of_selection(const Op& op, const Inst& inst);
  void add_silent_selection(const Op& op, Inst inst);

  const Ir& ir_;
  Program& program_;
  std::uint32_t once_;
  Interest asked_;               ///< of observers
  std::vector<bool> written_;    ///< by resource; empty if observers ask for all accesses
  std::vector<bool> race_free_;  ///< by resource
  bool judged_only_;             ///< of built-ins only those that is_judged() names
  bool atomic_order_;
  RegisterPlaces places_;
  Branches branches_;
  BallotWords ballots_;
  std::vector<bool> consecutive_;   ///< registers that hold base + lane
  std::vector<ValueRange> ranges_;  ///< by register
  std::uint32_t at_ = 0;
  std::vector<Reg> dying_;            ///< values whose last use is the next instruction
  std::uint32_t tested_ = nowhere;    ///< the comparison fused with the next test
  std::vector<std::uint32_t> start_;  ///< first instruction of each operation
  std::map<std::pair<const char*, int>, std::uint32_t> lines_;
  std::map<std::uint32_t, const IndexedArgs*> indexed_;
  SourceLocation told_{"", 0};
  std::vector<std::uint32_t> calls_;  ///< the constructs of those around here
};

}  // namespace lockstep::spirv
