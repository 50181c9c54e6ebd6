#pragma once

#include <cstdint>

namespace lockstep::spirv {

/// The target of machine code.
enum class Target : std::uint8_t {
  none,    ///< no machine code
  calls,   ///< any x86-64: every instruction is a call of its function
  avx2,    ///< with AVX2, BMI1, FMA and F16C, 8 lanes per register
  avx512,  ///< with AVX-512 F, BW, DQ and VL as well, 16 lanes per register
};

constexpr const char* name_of(Target target) {
  return target == Target::calls    ? "calls"
         : target == Target::avx2   ? "avx2"
         : target == Target::avx512 ? "avx512"
                                    : "none";
}

}  // namespace lockstep::spirv
