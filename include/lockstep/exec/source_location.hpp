#pragma once

#ifndef __clang__
#include <source_location>
#endif

// clang 14 with libstdc++ 12 lacks std::source_location, but has the builtins to write one; g++ has none for
// the column.
#ifdef __clang__
#define LOCKSTEP_COLUMN __builtin_COLUMN()
#else
#define LOCKSTEP_COLUMN static_cast<int>(std::source_location::current().column())
#endif

namespace lockstep {

/// A place in a kernel's source.
struct SourceLocation {
  const char* file = "";
  int line = 0;
  int column = 0;  ///< 0 where the line is enough

  /// The place of the call or, as a default argument, of the call that uses the default.
  static constexpr SourceLocation current(const char* file = __builtin_FILE(),
                                          int line = __builtin_LINE()) {
    return {file, line};
  }
  /// The same with its column, which tells apart several calls of one line, but not of one macro.
  static constexpr SourceLocation with_column(const char* file = __builtin_FILE(),
                                              int line = __builtin_LINE(),
                                              int column = LOCKSTEP_COLUMN) {
    return {file, line, column};
  }
};

}  // namespace lockstep

#undef LOCKSTEP_COLUMN
