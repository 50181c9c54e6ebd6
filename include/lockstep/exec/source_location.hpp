#pragma once

namespace lockstep {

/// A place in a kernel's source. clang 14 with libstdc++ 12 lacks std::source_location, but has the
/// builtins to write one.
struct SourceLocation {
  const char* file = "";
  int line = 0;

  /// The place of the call or, as a default argument, of the call that uses the default.
  static constexpr SourceLocation current(const char* file = __builtin_FILE(),
                                          int line = __builtin_LINE()) {
    return {file, line};
  }
};

}  // namespace lockstep
