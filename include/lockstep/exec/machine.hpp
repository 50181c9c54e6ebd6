#pragma once

#include <lockstep/exec/scopes.hpp>

namespace lockstep::inline LOCKSTEP_ABI {

/// The numbers in the values of a kernel: T itself.
///
/// A machine may name another class as its Numbers, whose Scalar<T> knows more than its value, for
/// example whether it is undefined. It then provides a specialisation of Lanes for its scalars, and
/// overloads of these functions, found through its State, scalars and arrays: used (exec/used.hpp),
/// make_array and make_place (workgroup/memory.hpp, workgroup/place.hpp), call_built_in, which runs
/// one of glsl/detail/built_in_calls.hpp, and GLSL's functions (glsl/detail/function_list.hpp). Variables,
/// vectors, matrices, structs and images of such numbers follow from these.
///
/// Requires      Scalar<Scalar<T>> is Scalar<T>. A scalar other than T names T as its Plain.
/// Active lanes  None.
/// Errors        None.
/// Cost          None: values are Lanes<T, W>.
/// Spec          None.
/// Example       include/lockstep/checked/machine.hpp
struct PlainNumbers {
  template <class T>
  using Scalar = T;
};

/// A kernel's value of T on machine S: Uint, Float, Bool, ...
template <class S, class T>
using ValueOn = Lanes<typename S::Numbers::template Scalar<T>, S::width>;

/// The default machine of a kernel: W lanes, maximal reconvergence, no checks, no events. For is a
/// type that stands for the kernel, so that the features of each kernel are recorded separately.
///
/// Requires      1 <= W <= 128.
/// Active lanes  One mask.
/// Errors        None.
/// Cost          None of its own.
/// Spec          VK_KHR_shader_maximal_reconvergence
/// Example       kernels/prefix_sum
template <int W, class For = void>
struct FastMachine {
  using KernelName = For;
  using Numbers = PlainNumbers;
  static constexpr int width = W;
  static constexpr bool tangled = false;
  using State = exec::State<W>;
};

/// As FastMachine, for pixels: lanes form quads of 2x2, and some are helpers.
///
/// Requires      1 <= W <= 128.
/// Active lanes  One mask; helpers are active as long as other lanes of their quad may be.
/// Errors        None.
/// Cost          None of its own.
/// Spec          Vulkan "Fragment Shader Execution": helper invocations
/// Example       tests/glsl/pixels.cpp
template <int W, class For = void>
struct PixelMachine {
  using KernelName = For;
  using Numbers = PlainNumbers;
  static constexpr bool pixels = true;
  static constexpr int width = W;
  static constexpr bool tangled = false;
  using State = exec::PixelState<W>;
};

/// The machine that keeps tangles apart: any rule of convergence, any chooser, and an observer that
/// receives every event.
///
/// Requires      1 <= W <= 128.
/// Active lanes  The lanes of all tangles; each subgroup built-in runs once per tangle.
/// Errors        As ReconvergenceStack.
/// Cost          Tens to hundreds of times FastMachine's: made for inspection, not for speed.
/// Spec          SPIR-V 2.2.5: tangle
/// Example       kernels/allocate_broken
template <int W, class For = void>
struct TangledMachine {
  using KernelName = For;
  using Numbers = PlainNumbers;
  static constexpr int width = W;
  static constexpr bool tangled = true;
  using State = exec::TangledState<W>;
};

/// As TangledMachine, for pixels.
///
/// Requires      1 <= W <= 128.
/// Active lanes  As TangledMachine and PixelMachine.
/// Errors        As TangledMachine.
/// Cost          As TangledMachine.
/// Spec          Vulkan "Fragment Shader Execution": helper invocations
/// Example       tests/glsl/pixels.cpp
template <int W, class For = void>
struct TangledPixelMachine : TangledMachine<W, For> {
  static constexpr bool pixels = true;
};

/// The machine whose values know where they are undefined: <lockstep/checked.hpp>.
template <int W, class For = void>
struct CheckedMachine;
/// The same under any rule of convergence, with observers.
template <int W, class For = void>
struct CheckedTangledMachine;
/// The same for pixels.
template <int W, class For = void>
struct CheckedPixelMachine;

/// Whether machine S runs pixels.
template <class S>
concept PixelsOn = requires {
  requires S::pixels;
};

}  // namespace lockstep::inline LOCKSTEP_ABI
