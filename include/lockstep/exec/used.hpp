#pragma once

#include <lockstep/config.hpp>
#include <lockstep/exec/detail/use_kind.hpp>
#include <lockstep/exec/source_location.hpp>

namespace lockstep::inline LOCKSTEP_ABI::exec {

/// The plain numbers of a value that decides something outside itself: the condition of control
/// flow, an address, a texel to be stored. UseKind says
/// which, and which memory a binding has.
///
/// Machines with numbers of their own overload it for their State, to report lanes whose value is
/// undefined and to return plain lanes.
///
/// Requires      None.
/// Active lanes  state.active are the lanes that use the value.
/// Errors        None.
/// Cost          None: returns its argument.
/// Spec          None.
/// Example       include/lockstep/checked/machine.hpp
template <class State, class V, class... Binding>
LOCKSTEP_INLINE const V& used(const State&, const V& value, SourceLocation, UseKind,
                              const Binding&...) {
  return value;
}

/// What a variable holds that was declared without a value: `initial`, where nothing is undefined.
///
/// Machines with numbers of their own overload it for their State. What is used undefined says that `name` has no
/// value yet, and where it was declared. The name is a literal.
///
/// Requires      None.
/// Active lanes  None.
/// Errors        None.
/// Cost          None: returns its argument.
/// Spec          GLSL: variables without an initialiser are undefined
/// Example       include/lockstep/checked/detail/state.hpp
template <class State, class V>
LOCKSTEP_INLINE const V& unwritten(const State&, const V& initial, const char*, SourceLocation) {
  return initial;
}

}  // namespace lockstep::inline LOCKSTEP_ABI::exec
