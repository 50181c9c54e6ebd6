#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include <lockstep/subgroup/spec.hpp>

#include "shader/ir/ir.hpp"

/// \file
/// Built-ins on arrays: the functions that shaders run, on one row of lanes after another.

namespace lockstep::spirv {

/// An operand for a number of subgroups, one row each.
struct CallOperand {
  const std::byte* data = nullptr;
  std::size_t stride = 0;  ///< bytes from row to row; 0: all rows are the same
  bool by_lane = true;     ///< one in each lane, else one for the subgroup
};

/// A built-in with the numbers that are the same in every call.
struct BuiltInCall {
  spec::Name name{};
  Scalar type = Scalar::u32;  ///< of its value; a bool is a byte in arrays
  int size = 32;              ///< lanes of the subgroup
  std::uint32_t cluster = 0;
};

/// How a result lies in memory.
struct CallResult {
  Scalar type = Scalar::u32;
  std::uint32_t components = 1;  ///< 4 of a ballot
  bool by_lane = true;           ///< one for each lane, else one for the subgroup
};
/// That of a call; `ballot_by_lane` says whether its ballot, if it takes one, differs between lanes.
CallResult result_of(const BuiltInCall& call, bool ballot_by_lane);

/// Calls a built-in for rows of lanes.
///
/// Requires      A size from 1 to 128, and a type that the built-in takes.
/// Active lanes  run takes them, a byte each; without, all lanes are active. Results of other lanes are zero.
/// Errors        The constructor throws Error for a type that the built-in does not take.
/// Cost          Two copies of a row besides the function.
/// Spec          None.
/// Example       tests/spirv/built_in_calls.cpp
class BuiltInCalls {
 public:
  explicit BuiltInCalls(const BuiltInCall& call);
  ~BuiltInCalls();
  BuiltInCalls(const BuiltInCalls&) = delete;
  BuiltInCalls& operator=(const BuiltInCalls&) = delete;

  /// The operands; those that the built-in does not have stay empty.
  struct Operands {
    CallOperand value, second;  ///< second: 32-bit numbers
    CallOperand ballot;         ///< four 32-bit words each
    CallOperand active;         ///< bytes
  };
  /// Results of `rows` calls, as result_of says.
  void run(const Operands& operands, std::size_t rows, std::byte* results);
  /// For each lane a byte: whether it is active and its result is undefined.
  void undefined(const Operands& operands, std::size_t rows, std::byte* lanes);

 private:
  struct Machine;
  std::unique_ptr<Machine> machine_;
};

}  // namespace lockstep::spirv
