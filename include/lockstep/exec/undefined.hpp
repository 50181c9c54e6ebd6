#pragma once

#include <concepts>
#include <cstdint>
#include <limits>

#include <lockstep/lanes/detail/scalar.hpp>

namespace lockstep {

/// What the lanes of a kernel get where GLSL leaves a result undefined.
enum class Undefined : std::uint8_t {
  computed,  ///< whatever is the fastest: often the value of a lane that is not active
  /// The results of subgroup built-ins, and the elements of shared arrays at the start of each workgroup: NaN, the bytes
  /// of 0xdeadbeef, or of a bool the opposite of what `computed` gives.
  poison,
};

}  // namespace lockstep

namespace lockstep::inline LOCKSTEP_ABI::exec {

/// What Undefined::poison makes of an undefined number.
///
/// Requires      T is a number.
/// Active lanes  None.
/// Errors        None.
/// Cost          None.
/// Spec          SPIR-V: undefined values
/// Example       tests/exec/undefined.cpp
template <class T>
constexpr T poison() {
  if constexpr (std::same_as<T, float> || std::same_as<T, double>)
    return std::numeric_limits<T>::quiet_NaN();
  else if constexpr (lockstep::detail::Floating<T>)
    return T(std::numeric_limits<float>::quiet_NaN());
  else
    return static_cast<T>(std::uint64_t{0xdeadbeefdeadbeef});
}

}  // namespace lockstep::inline LOCKSTEP_ABI::exec
