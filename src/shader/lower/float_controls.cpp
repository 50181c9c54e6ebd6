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

/// Functions of GLSL.std.450 whose denormals become zero where DenormFlushToZero says so.
bool flushes(std::uint32_t function) {
  switch (function) {
    case GLSLstd450Frexp:
    case GLSLstd450FrexpStruct:
    case GLSLstd450Ldexp:
    case GLSLstd450PackHalf2x16:
    case GLSLstd450PackDouble2x32:
    case GLSLstd450UnpackDouble2x32:
    case GLSLstd450FSign:
      return false;
    default:
      return true;
  }
}

/// A conversion to fewer bits may have a rounding of its own, which wins.
FloatControls of_conversion(const Instruction& i, const Module& module) {
  const auto* rounding = module.decorations(i.result).find(spv::Decoration::FPRoundingMode);
  const auto may_be = [&](spv::FPRoundingMode mode) {
    return rounding == nullptr || static_cast<spv::FPRoundingMode>(*rounding) == mode;
  };
  const bool to_zero = may_be(spv::FPRoundingMode::RTZ);
  return {.keeps_denormals = true,
          .flushes = true,
          .nearest = may_be(spv::FPRoundingMode::RTE),
          .to_zero = to_zero,
          .cuts_off = to_zero,
          .keeps_specials = true};
}

constexpr FloatControls everything{.keeps_denormals = true,
                                   .flushes = true,
                                   .nearest = true,
                                   .to_zero = true,
                                   .cuts_off = true,
                                   .keeps_specials = true};

}  // namespace

FloatModes::FloatModes(const Module& module, Id entry) {
  module.for_each_execution_mode(entry, [&](const Instruction& i) {
    switch (static_cast<spv::ExecutionMode>(i[1])) {
      case spv::ExecutionMode::DenormPreserve:
        controls_[number_of(i[2])].keeps_denormals = true;
        break;
      case spv::ExecutionMode::DenormFlushToZero:
        controls_[number_of(i[2])].flushes = true;
        break;
      case spv::ExecutionMode::RoundingModeRTZ:
        controls_[number_of(i[2])].to_zero = true;
        controls_[number_of(i[2])].cuts_off = true;
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
  if (!is_float(type)) {
    FloatControls others = everything;
    others.cuts_off = false;  // they are not rounded
    return others;
  }
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
      return everything;
    case spv::Op::OpFConvert:
      return of_conversion(i, module);
    case spv::Op::OpConvertSToF:
    case spv::Op::OpConvertUToF:
      return {.nearest = true, .to_zero = true, .cuts_off = true};
    case spv::Op::OpFDiv:
      return {.flushes = true, .cuts_off = true, .keeps_specials = true};
    case spv::Op::OpFRem:
    case spv::Op::OpFMod:
      return {.flushes = true};
    case spv::Op::OpDPdx:
    case spv::Op::OpDPdy:
    case spv::Op::OpFwidth:
    case spv::Op::OpDPdxFine:
    case spv::Op::OpDPdyFine:
    case spv::Op::OpFwidthFine:
    case spv::Op::OpDPdxCoarse:
    case spv::Op::OpDPdyCoarse:
    case spv::Op::OpFwidthCoarse:
      return {.flushes = true};
    case spv::Op::OpIsNan:
    case spv::Op::OpIsInf:
      return {.keeps_specials = true};
    case spv::Op::OpDot:
    case spv::Op::OpMatrixTimesVector:
    case spv::Op::OpVectorTimesMatrix:
    case spv::Op::OpMatrixTimesMatrix:
      return {.keeps_denormals = true, .flushes = true, .cuts_off = true, .keeps_specials = true};
    case spv::Op::OpGroupNonUniformFMin:
    case spv::Op::OpGroupNonUniformFMax:
      return {.keeps_denormals = true, .flushes = true, .keeps_specials = true};
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
      return {.keeps_denormals = true, .flushes = true, .cuts_off = true};
    case spv::Op::OpExtInst:
      return {.keeps_denormals = keeps_denormals(i[1]),
              .flushes = flushes(i[1]),
              .cuts_off = i[1] == GLSLstd450Fma || i[1] == GLSLstd450Sqrt};
    default:
      return {};
  }
}

}  // namespace lockstep::spirv
