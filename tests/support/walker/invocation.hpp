#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "support/walker/memory.hpp"
#include "support/walker/module.hpp"

/// \file
/// One invocation: its calls, variables and place.

namespace lockstep::walker {

/// Where an invocation is: for each call the loops around its block with their iterations, the block and the instruction.
/// Of two places in one subgroup, the lexicographically smaller is never reached from the other.
using Place = std::vector<std::uint64_t>;

class Invocation {
 public:
  enum class State { running, meeting, at_barrier, ended };

  /// `variables` has the objects of the module's variables.
  Invocation(const Module& module, std::map<Id, Object*> variables, int lane);

  /// Runs up to the next instruction for which others have to be there; returns how many instructions it took.
  std::uint64_t run();
  /// Goes on behind the instruction at which it is, whose result is given.
  void resume(Value result);

  int lane() const { return lane_; }
  State state() const { return state_; }
  void wait_at_barrier() { state_ = State::at_barrier; }
  const Instruction& instruction() const;
  Place place() const;
  std::vector<Value> operands(const Instruction& instruction) const;
  /// Executes an atomic instruction.
  Value atomic(const Instruction& instruction);

 private:
  struct Loop {
    Id header;
    std::uint64_t iteration;
  };
  struct Frame {
    const Function* function;
    Id block, previous = 0;
    const Block* code = nullptr;  ///< the block's
    std::size_t next = 0;
    std::vector<Loop> loops = {};
    std::vector<Value> values = {};  ///< by id; those that have none yet are empty
    std::map<Id, Object> variables = {};
    Id result = 0;  ///< the caller's
  };

  void enter(Id function, std::span<const Id> arguments, Id result);
  void go_to(Id block);
  void execute(const Instruction& i);
  bool control(const Instruction& i);
  bool memory(const Instruction& i);
  bool image(const Instruction& i);
  void extended(const Instruction& i);
  void phis();
  void leave(Value result);
  Value variable(const Instruction& i);
  const Value* find(Id id) const;
  const Value& value(Id id) const;
  void set(const Instruction& i, Value value) {
    frames_.back()->values[i.result] = std::move(value);
  }
  const Type& pointee(Id pointer) const { return module_.type(pointee_id(pointer)); }
  Id pointee_id(Id pointer) const { return module_.type(module_.type_of.at(pointer)).element; }

  const Module& module_;
  std::map<Id, Object*> variables_;
  int lane_;
  State state_ = State::running;
  std::vector<std::unique_ptr<Frame>> frames_;
};

}  // namespace lockstep::walker
