#pragma once

#include <bit>
#include <cstdint>
#include <string_view>
#include <version>

#include <lockstep/exec/source_location.hpp>

// clang 14 with libstdc++ 12 lacks std::source_location.
#ifdef __cpp_lib_source_location
#include <source_location>
#endif

namespace lockstep {

/// The place of a call with its column, which tells apart several calls of one line, but not of one macro. A
/// single pointer where the compiler can write it, so that a call which is made often hands on one number.
class CallSite {
 public:
  /// No place.
  constexpr CallSite() = default;

#ifdef __cpp_lib_source_location
  /// The place of the call or, as a default argument, of the call that uses the default.
  static constexpr CallSite current(std::source_location place = std::source_location::current()) {
    return CallSite(place);
  }
  SourceLocation where() const {
    return {place_.file_name(), static_cast<int>(place_.line()), static_cast<int>(place_.column())};
  }

 private:
  constexpr explicit CallSite(std::source_location place) : place_(place) {}
  static bool is_identical(const CallSite& a, const CallSite& b) {
    if constexpr (sizeof(CallSite) == sizeof(std::uintptr_t))
      return std::bit_cast<std::uintptr_t>(a) == std::bit_cast<std::uintptr_t>(b);
    else
      return false;
  }

  std::source_location place_;
#else
  /// The place of the call, as a default argument.
  static constexpr CallSite current(const char* file = __builtin_FILE(),
                                    int line = __builtin_LINE(), int column = __builtin_COLUMN()) {
    return CallSite({file, line, column});
  }
  /// The place as file and line.
  SourceLocation where() const { return place_; }

 private:
  constexpr explicit CallSite(SourceLocation place) : place_(place) {}
  static bool is_identical(const CallSite&, const CallSite&) { return false; }

  SourceLocation place_;
#endif

 public:
  /// Whether both are the same call.
  friend bool operator==(const CallSite& a, const CallSite& b) {
    return is_identical(a, b) || reads_alike(a.where(), b.where());
  }

 private:
  // Calls in a template are one place, but each instance may have a pointer of its own.
  [[gnu::noinline]] static bool reads_alike(const SourceLocation& a, const SourceLocation& b) {
    return a.line == b.line && a.column == b.column && std::string_view(a.file) == b.file;
  }
};

}  // namespace lockstep
