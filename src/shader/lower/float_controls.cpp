#include "shader/lower/float_controls.hpp"

#include <spirv/unified1/GLSL.std.450.h>

namespace lockstep::spirv {
namespace {

std::size_t number_of(std::uint32_t width) { return width == 16 ? 0 : width == 32 ? 1 : 2; }

/// Functions of GLSL.std.450 that keep denormals where DenormPreserve says so.
bool keeps_denormals(std::uint32_t function) {
  switch (function) {
    case GLSLstd450FAbs:
    case GLSLstd450FSign:
    case GLSLstd450Radians:
    case GLSLstd450Degrees:
    case GLSLstd450FMin:
    case GLSLstd450FMax:
    case GLSLstd450FClamp:
    case GLSLstd450NMin:
    case GLSLstd450NMax:
    case GLSLstd450NClamp:
    case GLSLstd450FMix:
    case GLSLstd450Fma:
      return true;
    default:
      return false;
  }
}

/// A conversion to fewer bits may have a rounding of its own, which wins.
FloatControls of_conversion(const Instruction& i, const Module& module) {
  const auto* rounding = module.decorations(i.result).find(spv::Decoration::FPRoundingMode);
  const bool other = rounding != nullptr &&
                     static_cast<spv::FPRoundingMode>(*rounding) != spv::FPRoundingMode::RTE;
  return {.keeps_denormals = true, .nearest = !other, .keeps_specials = true};
}

}  // namespace

FloatModes::FloatModes(const Module& module, Id entry) {
  module.for_each_execution_mode(entry, [&](const Instruction& i) {
    switch (static_cast<spv::ExecutionMode>(i[1])) {
      case spv::ExecutionMode::DenormPreserve:
        controls_[number_of(i[2])].keeps_denormals = true;
        break;
      case spv::ExecutionMode::RoundingModeRTE:
        controls_[number_of(i[2])].nearest = true;
        break;
      case spv::ExecutionMode::SignedZeroInfNanPreserve:
        controls_[number_of(i[2])].keeps_specials = true;
        break;
      default:
        break;
    }
  });
}

FloatControls FloatModes::of(Scalar type) const {
  if (!is_float(type)) return {.keeps_denormals = true, .nearest = true, .keeps_specials = true};
  return controls_[number_of(static_cast<std::uint32_t>(8 * size_of(type)))];
}

/// Long, as it has a case for each instruction.
FloatControls obeyed_by(const Instruction& i, const Module& module) {
  switch (i.opcode) {
    case spv::Op::OpFNegate:
    case spv::Op::OpFAdd:
    case spv::Op::OpFSub:
    case spv::Op::OpFMul:
    case spv::Op::OpVectorTimesScalar:
    case spv::Op::OpMatrixTimesScalar:
    case spv::Op::OpOuterProduct:
      return {.keeps_denormals = true, .nearest = true, .keeps_specials = true};
    case spv::Op::OpFConvert:
      return of_conversion(i, module);
    case spv::Op::OpConvertSToF:
    case spv::Op::OpConvertUToF:
      return {.nearest = true};
    case spv::Op::OpFDiv:
    case spv::Op::OpIsNan:
    case spv::Op::OpIsInf:
      return {.keeps_specials = true};
    case spv::Op::OpDot:
    case spv::Op::OpMatrixTimesVector:
    case spv::Op::OpVectorTimesMatrix:
    case spv::Op::OpMatrixTimesMatrix:
    case spv::Op::OpGroupNonUniformFMin:
    case spv::Op::OpGroupNonUniformFMax:
    case spv::Op::OpFOrdEqual:
    case spv::Op::OpFUnordEqual:
    case spv::Op::OpFOrdNotEqual:
    case spv::Op::OpFUnordNotEqual:
    case spv::Op::OpFOrdLessThan:
    case spv::Op::OpFUnordLessThan:
    case spv::Op::OpFOrdGreaterThan:
    case spv::Op::OpFUnordGreaterThan:
    case spv::Op::OpFOrdLessThanEqual:
    case spv::Op::OpFUnordLessThanEqual:
    case spv::Op::OpFOrdGreaterThanEqual:
    case spv::Op::OpFUnordGreaterThanEqual:
      return {.keeps_denormals = true, .keeps_specials = true};
    case spv::Op::OpAtomicFAddEXT:
    case spv::Op::OpAtomicFMinEXT:
    case spv::Op::OpAtomicFMaxEXT:
      return {.keeps_denormals = true};
    case spv::Op::OpExtInst:
      return {.keeps_denormals = keeps_denormals(i[1])};
    default:
      return {};
  }
}

}  // namespace lockstep::spirv
