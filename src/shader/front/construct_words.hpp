#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// \file
/// Where a source begins its constructs of control flow.

namespace lockstep::spirv {

/// A word of GLSL, HLSL, Slang or WGSL that begins a construct, or `?`.
struct ConstructWord {
  enum class Kind { selection, loop, loop_end, switch_statement, conditional };

  Kind kind = Kind::selection;
  std::uint32_t line = 0;  ///< as #line counts
  std::uint32_t last = 0;  ///< the line where its condition in parentheses ends
};

/// The words `if`, `for`, `while`, `do`, `switch` and `?` of a text, in its order. The `while` of a `do` is a loop's end.
///
/// Requires      None.
/// Active lanes  None.
/// Errors        None. Words in comments, strings, directives and below `#if 0` do not count, nor do those below a `#line` that
///               names another file.
/// Cost          Linear.
/// Spec          None.
/// Example       tests/spirv/construct_words.cpp
std::vector<ConstructWord> construct_words(const std::string& text);

}  // namespace lockstep::spirv
