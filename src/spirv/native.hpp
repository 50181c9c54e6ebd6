#pragma once

#include <memory>

#include "spirv/ir.hpp"

/// \file
/// Programs as machine code, where the processor is an x86-64: the functions behind instructions are
/// called one after another, and arithmetic on 32-bit numbers is done in place.

namespace lockstep::spirv {

struct Context;
struct Inst;
struct Program;

/// How an instruction becomes machine code.
struct Recipe {
  enum class Kind : std::uint8_t {
    call,     ///< calls its function and goes on behind it
    branch,   ///< its function says whether to go on or to go to the target
    jump,     ///< goes to the target
    jump_if,  ///< goes to the target where a bool that is the same for all lanes is false
    back,  ///< its function says whether to go to the target, to the instruction in args or to stop
    stop,  ///< its function stops the subgroup
    arithmetic,  ///< the operation itself
  };
  Kind kind = Kind::call;
  Code code = Code::copy;  ///< of the operation
  Scalar type = Scalar::u32;
};

/// Whether machine code does the operation itself. Division and remainder of integers are by a power
/// of two, with operands as find_power_of_two has them.
bool is_arithmetic(Code code, Scalar type, const Inst& inst);

/// A program's machine code.
class Native {
 public:
  virtual ~Native() = default;
  /// Runs from Context::next until the subgroup stops.
  virtual void run(Context& c) const = 0;
};

/// Null where there is no machine code to be had: on other processors, without memory that may be
/// executed, or when the environment has LOCKSTEP_NATIVE=off.
std::shared_ptr<const Native> make_native(const Program& program);

}  // namespace lockstep::spirv
