#pragma once

#include <cstdint>

namespace lockstep {

/// While it lives, this thread's arithmetic keeps denormal numbers. Programs lose them otherwise as soon as they load a
/// library that was linked with -ffast-math, which changes the mode of the thread that loads it.
class KeptDenormals {
 public:
  KeptDenormals() : before_(mode()) {
    if ((before_ & flushes) != 0) [[unlikely]]
      set_mode(before_ & ~flushes);
  }
  ~KeptDenormals() {
    if ((before_ & flushes) != 0) [[unlikely]]
      set_mode(before_);
  }
  KeptDenormals(const KeptDenormals&) = delete;
  KeptDenormals& operator=(const KeptDenormals&) = delete;

 private:
#if defined(__SSE__)
  using Mode = std::uint32_t;
  static constexpr Mode flushes = 0x8040;  // results, operands
  static Mode mode() { return __builtin_ia32_stmxcsr(); }
  static void set_mode(Mode mode) { __builtin_ia32_ldmxcsr(mode); }
#elif defined(__aarch64__)
  using Mode = std::uint64_t;
  static constexpr Mode flushes = std::uint64_t{1} << 24 | std::uint64_t{1} << 19;  // FZ, FZ16
  static Mode mode() {
    Mode mode;
    asm volatile("mrs %0, fpcr" : "=r"(mode));
    return mode;
  }
  static void set_mode(Mode mode) { asm volatile("msr fpcr, %0" : : "r"(mode)); }
#else
  using Mode = std::uint32_t;
  static constexpr Mode flushes = 0;
  static Mode mode() { return 0; }
  static void set_mode(Mode) {}
#endif

  Mode before_;
};

}  // namespace lockstep
