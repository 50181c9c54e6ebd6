#pragma once

#include <type_traits>

#include <lockstep/exec/scopes.hpp>

/// \file
/// What the keywords find outside of all scopes and functions of theirs.

// NOLINTBEGIN(readability-identifier-naming): macros cannot name a namespace
inline constexpr ::lockstep::exec::Outside lockstep_innermost{};
inline constexpr ::lockstep::exec::Outside lockstep_function{};
// NOLINTEND(readability-identifier-naming)
