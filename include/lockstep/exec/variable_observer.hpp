#pragma once

#include <algorithm>
#include <compare>
#include <string>
#include <string_view>
#include <vector>

#include <lockstep/exec/error.hpp>
#include <lockstep/exec/event.hpp>

/// \file
/// What is written to the named variables of a shader.

namespace lockstep {

/// Which variables of a shader, by their names in its source (OpName).
struct VariableNames {
  bool all = false;
  std::vector<std::string> names = {};

  /// Whether a variable is wanted.
  bool any() const { return all || !names.empty(); }
  /// Whether the variable of this name is wanted.
  bool has(std::string_view name) const {
    return all || std::find(names.begin(), names.end(), name) != names.end();
  }
  friend auto operator<=>(const VariableNames&, const VariableNames&) = default;
};

/// An observer that is also told what lanes write to variables of functions and invocations: each write is an
/// event of kind write with is_assignment(), whose only operand has the value, a scalar or vector. A component
/// of an array, a structure or a matrix is a variable of its own: "name[2]".
///
/// Requires      As Observer. A shader: kernels in C++ have no names at run time.
/// Active lanes  `others` of the event are the lanes that write.
/// Errors        The dispatch throws UnknownVariable for a name that the shader lacks.
/// Cost          None without such an observer. With one, the named variables are kept, and each write is an event.
/// Spec          SPIR-V OpName, OpStore to storage classes Function and Private
/// Example       tests/spirv/variables.cpp
class VariableObserver : public Observer {
 public:
  /// The variables whose values the observer wants.
  virtual VariableNames variables() const = 0;
};

/// A name that no variable of the shader has.
class UnknownVariable : public Error {
 public:
  using Error::Error;
};

/// Event::name of a write to a named variable; the name itself is that of its access's object.
inline constexpr std::string_view assignment = "assignment";

/// Whether the event is a value that was assigned to a variable.
inline bool is_assignment(const Event& event) {
  return event.kind == Event::Kind::write && event.name == assignment;
}

}  // namespace lockstep
