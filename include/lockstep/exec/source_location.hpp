#pragma once

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
};

}  // namespace lockstep
