#pragma once

namespace lockstep {

/// A place in a kernel's source. std::source_location does not exist for clang 14 with libstdc++
/// 12; the builtins behind it do.
struct SourceLocation {
  const char* file = "";
  int line = 0;

  /// The place of the call, or, as a default argument, of the call that takes the default.
  static constexpr SourceLocation current(const char* file = __builtin_FILE(),
                                          int line = __builtin_LINE()) {
    return {file, line};
  }
};

}  // namespace lockstep
