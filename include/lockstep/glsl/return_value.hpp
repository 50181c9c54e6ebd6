#pragma once

#include <utility>

#include <lockstep/exec/scopes.hpp>

namespace lockstep::inline LOCKSTEP_ABI {

/// A function whose lanes may return early with values of type V: the scope of FunctionOf (V).
///
/// Requires      Made by a kernel's function_of(). Variable is a variable of V.
/// Active lanes  leave_with() moves the active lanes to the function's end; there all lanes that it started
///               with are active again.
/// Errors        Throws Error at its end if the last value was not taken: the function did not end with
///               return ReturnValue (...).
/// Cost          One variable.
/// Spec          GLSL return with a value · SPIR-V OpReturnValue
/// Example       tests/glsl/return_value.cpp
template <class State, class V, class Variable>
class [[nodiscard]] ValueFunction {
 public:
  /// What ReturnValue (x) gives: as the function's result, the values of all lanes.
  class Returned {
   public:
    LOCKSTEP_INLINE explicit Returned(ValueFunction& function) : function_(function) {}
    Returned(const Returned&) = delete;

    LOCKSTEP_INLINE operator V() && {
      function_.taken_ = true;
      return V(function_.result_);
    }

   private:
    ValueFunction& function_;
  };

  LOCKSTEP_INLINE ValueFunction(State& state, const V& initial, SourceLocation where)
      : state_(state), where_(where), call_(state, where), result_(state.active, initial) {}
  ValueFunction(const ValueFunction&) = delete;
  ValueFunction& operator=(const ValueFunction&) = delete;
  LOCKSTEP_INLINE ~ValueFunction() noexcept(false) {
    if (!taken_) [[unlikely]]
      fail::no_return_value(where_);
  }

  /// The active lanes return `value`.
  LOCKSTEP_INLINE Returned leave_with(const V& value, SourceLocation where) {
    result_ = value;
    taken_ = false;
    exec::retire(state_, where);
    return Returned(*this);
  }

 private:
  State& state_;
  SourceLocation where_;
  exec::CallScope<State> call_;
  Variable result_;
  bool taken_ = false;
};

}  // namespace lockstep::inline LOCKSTEP_ABI
