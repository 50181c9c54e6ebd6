#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "shader/ir/ir.hpp"
#include "shader/native/target.hpp"

/// \file
/// Programs as machine code on x86-64: the functions of instructions are called one after another,
/// and with AVX2 or AVX-512 arithmetic on lanes of 16, 32 and 64 bits is inline.

namespace lockstep::spirv {

struct Context;
struct Inst;
struct IndexedArgs;
struct MemoryArgs;
struct Program;

/// What follows a comparison whose value is not needed.
enum class Test : std::uint8_t {
  enter,  ///< lanes where it holds enter a selection
  stay,   ///< lanes where it fails leave the loop
  leave,  ///< lanes where it holds leave the loop
  jump,   ///< uniform: the next instruction if it holds, otherwise the target
};

/// How an instruction becomes machine code.
struct EmitRule {
  enum class Kind : std::uint8_t {
    call,         ///< calls its function and goes on with the next instruction
    branch,       ///< its function returns the next instruction or the target
    jump,         ///< goes to the target
    jump_if,      ///< goes to the target if a uniform bool is false
    test,         ///< as branch; its function is called only where lanes diverge
    rejoin,       ///< as branch; its function is called only where lanes wait
    other_side,   ///< as branch; its function is called only where no lane is left
    back,         ///< its function returns the target, the instruction in args, or null to stop
    iterate,      ///< as back; its function is called unless all that is left is the jump
    elect,        ///< one lane enters a selection; its function is called where none is active
    count_begin,  ///< iterations of a loop that no lane leaves alone are counted from here on
    count_end,    ///< to here
    stop,         ///< its function stops the subgroup
    end,          ///< the subgroup's end
    run,          ///< 32-bit elements side by side; its function is called where one is outside
    indexed,      ///< a component by a uniform index; its function is called where there is none
    indexed_by_lane,  ///< a component by an index of each lane
    arithmetic,       ///< the operation itself
    ballot,           ///< an operation on a ballot of one word
    ballots,          ///< an operation on a ballot of four words
    vote,             ///< one bool for all lanes
    count,            ///< adds active lanes to a counter, of subgroups of up to 64 lanes
    shuffle,          ///< each lane gets another lane's value
    reduction,        ///< a reduction or scan of 32-bit numbers
    broadcast,  ///< a 32-bit number of the first active lane, or of a lane by a uniform number
    element,    ///< 32-bit elements at an index; its function is called where one is outside
    atomic,     ///< an atomic on a 32-bit integer at a uniform index; likewise
  };
  Kind kind = Kind::call;
  Code code = Code::copy;  ///< of the operation
  Scalar type = Scalar::u32;
  Test test = Test::jump;
  bool variable = false;             ///< the result is a variable's
  Scalar from = Scalar::u32;         ///< convert: of the operand
  bool continues = false;            ///< of a loop: there are jumps to the next iteration
  Operator combine = Operator::add;  ///< of a reduction or an atomic
};

/// From instruction `inst` on the register is dead.
struct LastUse {
  std::size_t inst;
  std::uint32_t at, bytes;
};

/// A variable that no instruction after the loop reads; `inst` is the back edge.
struct LoopLocal {
  std::size_t inst;
  std::uint32_t at;
};

/// Whether machine code implements the operation itself; `from` is a conversion's operand. Of divisions of integers, it
/// has those of 32 bits.
bool is_arithmetic(Code code, Scalar type, Scalar from, const Inst& inst);
/// Whether it tests lanes by itself: those of a bool, or of a comparison.
bool is_test(Code code, Scalar type, const Inst& inst, int chunks);
/// Whether it implements the access itself, which is to 32-bit numbers.
bool is_short_run(const MemoryArgs& access);
bool is_short_indexed(const IndexedArgs& variable, const Inst& inst);
/// The same for an index of each lane.
bool is_short_indexed_by_lane(const IndexedArgs& variable, const Inst& inst);
/// Whether it implements the access to 32-bit numbers at an index.
bool is_short_element(const Op& op, const MemoryArgs& access, int chunks);
/// Whether it implements the atomic.
bool is_short_atomic(const Op& op, const MemoryArgs& access, int chunks);
/// Whether it implements the operation on a ballot of which only the first word is used.
bool is_short_ballot(Code code);
/// The same of one of four words, at the subgroup size; only_first: the others have no bits.
bool is_short_ballots(Code code, const Inst& inst, int size, bool only_first);
bool is_short_vote(Code code, Scalar type, const Inst& inst, int size);
/// Whether it implements the shuffle, rotation or exchange within quads, at the subgroup size.
bool is_short_shuffle(Code code, Scalar type, const Inst& inst, int size);
/// Whether it implements the reduction or scan at the subgroup size; of floats, in the order of a tree.
bool is_short_reduction(const Op& op, const Inst& inst, int size);
/// Whether it implements the broadcast.
bool is_short_broadcast(Code code, Scalar type, const Inst& inst, int chunks);

/// A program's machine code.
class Native {
 public:
  virtual ~Native() = default;
  /// Runs from Context::next until the subgroup stops, then the one that advance() returns, until
  /// it returns null.
  virtual void run(Context& c) const = 0;
};

/// Machine code, or why there is none.
struct NativeResult {
  std::shared_ptr<const Native> code;
  Target target = Target::none;
  std::string reason;  ///< without code
};

/// Generates the program's machine code, for the best target of the processor or the one in the
/// environment variable LOCKSTEP_NATIVE (avx512, avx2, calls, off). Adds the registers that the
/// code needs to the program.
NativeResult make_native(Program& program);

/// Whether this processor runs code for the target.
bool is_supported(Target target);

}  // namespace lockstep::spirv
