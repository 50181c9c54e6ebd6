#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include <lockstep/dispatch/features.hpp>
#include <lockstep/lanes/detail/plain.hpp>
#include <lockstep/lanes/vec_concept.hpp>
#include <lockstep/subgroup/built_ins.hpp>

/// \file
/// The compiler detects which features a kernel needs: wherever a kernel's code calls a built-in,
/// whether it runs or not, a variable of that kernel and feature is instantiated, and its
/// initialiser records the feature before main(). The call itself does nothing for it.
///
/// Atomics on floats and 64-bit integers are declared by the kernel, in `needs`: a member Buffer<float>
/// does not tell whether there are any, nor whether they need the exchange, add or min/max feature; and
/// atomics are functions of an element, which knows neither its kernel nor whether it is shared.

namespace lockstep::inline LOCKSTEP_ABI::detail {

/// Stands for a kernel; the same for all of its widths.
template <template <class> class K>
struct KernelName;

/// Set where derivatives are used: the mapping determines which feature they need.
inline constexpr std::uint64_t needs_derivatives = std::uint64_t{1} << 63;

template <class Name>
inline std::uint64_t used_features = 0;

template <class Name, std::uint64_t bits>
struct Use {
  static inline const bool noted = (used_features<Name> |= bits, true);
};

/// Records that the enclosing code, which belongs to a kernel on machine S, needs these features.
template <class S, std::uint64_t bits>
constexpr void note_use() {
  if constexpr (requires { typename S::KernelName; }) {
    if constexpr (!std::is_void_v<typename S::KernelName>)
      static_cast<void>(&Use<typename S::KernelName, bits>::noted);
  }
}

/// The features that the built-ins of a family need.
constexpr Features features_of_family(spec::Family family) {
  using enum Feature;
  switch (family) {
#define LOCKSTEP_LIST(...) {__VA_ARGS__}
#define LOCKSTEP_ROW(name, extension, features, ...) \
  case spec::Family::name:                           \
    return LOCKSTEP_LIST features;
    LOCKSTEP_BUILT_IN_FAMILIES(LOCKSTEP_ROW)
#undef LOCKSTEP_ROW
#undef LOCKSTEP_LIST
  }
  return {};
}

/// The features that a built-in needs.
constexpr Features features_of_built_in(spec::Name name) {
  return features_of_family(spec::family_of(name));
}

/// The features that numbers of type T need, in a subgroup built-in or elsewhere.
template <class T>
consteval Features features_of_number(bool in_built_in) {
  const Features extended =
      in_built_in ? Features(Feature::shader_subgroup_extended_types) : Features();
  constexpr bool is_integer = std::is_integral_v<T> && !std::same_as<T, bool>;
  if constexpr (is_integer && sizeof(T) == 1)
    return extended | Feature::shader_int8;
  else if constexpr (is_integer && sizeof(T) == 2)
    return extended | Feature::shader_int16;
  else if constexpr (is_integer && sizeof(T) == 8)
    return extended | Feature::shader_int64;
  else if constexpr (std::same_as<T, double>)
    return Feature::shader_float64;
  else if constexpr (!std::is_integral_v<T> && sizeof(T) == 2)
    return extended | Feature::shader_float16;
  else
    return {};
}

/// The features that an argument of a built-in needs.
template <class A>
consteval Features features_of_argument() {
  if constexpr (requires { typename A::value_type; })
    return features_of_number<Plain<typename A::value_type>>(true);
  else
    return features_of_number<A>(true);
}

/// A function name that contains K, for kernel_name to parse.
template <template <class> class K>
constexpr const char* pretty_kernel() {
  return __PRETTY_FUNCTION__;
}

}  // namespace lockstep::inline LOCKSTEP_ABI::detail

namespace lockstep {

/// The kernel's name, extracted from the compiler's name for a function that is a template over it.
std::string_view kernel_name(std::string_view pretty_function);

}  // namespace lockstep
