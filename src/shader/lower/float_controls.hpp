#pragma once

#include "shader/front/module.hpp"
#include "shader/ir/ir.hpp"

/// \file
/// The execution modes of SPV_KHR_float_controls, as promises about results.

namespace lockstep::spirv {

/// What an entry point's modes promise for floats of each width.
class FloatModes {
 public:
  FloatModes() = default;
  FloatModes(const Module& module, Id entry);

  /// For operations that do all that a mode asks for.
  FloatControls of(Scalar type) const;

 private:
  FloatControls controls_[3];  ///< of 16, 32 and 64 bits
};

/// Which modes an instruction obeys, by the lists of Vulkan's "Precision and Operation of SPIR-V Instructions". Results
/// that are inherited from a formula obey none for their rounding; those that Vulkan lists neither for
/// DenormPreserve nor for DenormFlushToZero may do either, and keep denormals here.
FloatControls obeyed_by(const Instruction& instruction, const Module& module);

inline FloatControls operator&(const FloatControls& a, const FloatControls& b) {
  return {.keeps_denormals = a.keeps_denormals && b.keeps_denormals,
          .flushes = a.flushes && b.flushes,
          .nearest = a.nearest && b.nearest,
          .to_zero = a.to_zero && b.to_zero,
          .cuts_off = a.cuts_off && b.cuts_off,
          .keeps_specials = a.keeps_specials && b.keeps_specials};
}

}  // namespace lockstep::spirv
