#include "support/walker/arithmetic.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include <lockstep/exec/error.hpp>

#include "support/walker/freedom.hpp"
#include "support/walker/number.hpp"

namespace lockstep::walker {

namespace {

using spv::Op;

constexpr Scalar undefined{0, false};

Scalar boolean(bool x) { return {x ? std::uint64_t{1} : 0}; }

bool all_defined(std::span<const Scalar> x) {
  return std::all_of(x.begin(), x.end(), [](const Scalar& s) { return s.defined; });
}

/// Operations of integers: `w` is the width of the operands. Long, as it has a case for each.
Scalar integer(Op op, int w, std::span<const Scalar> x) {
  const std::uint64_t a = x[0].bits, b = x.size() > 1 ? x[1].bits : 0;
  const std::int64_t sa = sign_extended(a, w), sb = x.size() > 1 ? sign_extended(b, w) : 0;
  const auto result = [&](std::uint64_t bits) { return Scalar{truncated(bits, w)}; };
  const auto shift_fits = [&] { return b < static_cast<std::uint64_t>(w); };
  switch (op) {
    case Op::OpIAdd:
      return result(a + b);
    case Op::OpISub:
      return result(a - b);
    case Op::OpIMul:
      return result(a * b);
    case Op::OpSNegate:
      return result(0 - a);
    case Op::OpUDiv:
      return b == 0 ? undefined : result(a / b);
    case Op::OpUMod:
      return b == 0 ? undefined : result(a % b);
    case Op::OpSDiv:
    case Op::OpSRem:
    case Op::OpSMod: {
      if (sb == 0 || (sb == -1 && a == std::uint64_t{1} << (w - 1))) return undefined;
      if (op == Op::OpSDiv) return result(static_cast<std::uint64_t>(sa / sb));
      const std::int64_t rest = sa % sb;
      const bool other_sign = op == Op::OpSMod && rest != 0 && (rest < 0) != (sb < 0);
      return result(static_cast<std::uint64_t>(other_sign ? rest + sb : rest));
    }
    case Op::OpShiftLeftLogical:
      return shift_fits() ? result(a << b) : undefined;
    case Op::OpShiftRightLogical:
      return shift_fits() ? result(a >> b) : undefined;
    case Op::OpShiftRightArithmetic:
      return shift_fits() ? result(static_cast<std::uint64_t>(sa >> b)) : undefined;
    case Op::OpBitwiseAnd:
      return result(a & b);
    case Op::OpBitwiseOr:
      return result(a | b);
    case Op::OpBitwiseXor:
      return result(a ^ b);
    case Op::OpNot:
      return result(~a);
    case Op::OpBitCount:
      return {static_cast<std::uint64_t>(std::popcount(a))};
    case Op::OpBitReverse: {
      std::uint64_t reversed = 0;
      for (int k = 0; k < w; ++k) reversed |= (a >> k & 1) << (w - 1 - k);
      return {reversed};
    }
    case Op::OpBitFieldInsert:
    case Op::OpBitFieldSExtract:
    case Op::OpBitFieldUExtract: {
      const bool insert = op == Op::OpBitFieldInsert;
      const std::uint64_t offset = x[insert ? 2 : 1].bits, count = x[insert ? 3 : 2].bits;
      if (offset + count > static_cast<std::uint64_t>(w)) return undefined;
      if (count == 0) return insert ? Scalar{a} : Scalar{0};
      const std::uint64_t field = truncated(~std::uint64_t{0}, static_cast<int>(count));
      if (insert) return {(a & ~(field << offset)) | (b & field) << offset};
      const std::uint64_t bits = a >> offset & field;
      if (op == Op::OpBitFieldUExtract) return {bits};
      return result(static_cast<std::uint64_t>(sign_extended(bits, static_cast<int>(count))));
    }
    case Op::OpIEqual:
      return boolean(a == b);
    case Op::OpINotEqual:
      return boolean(a != b);
    case Op::OpULessThan:
      return boolean(a < b);
    case Op::OpULessThanEqual:
      return boolean(a <= b);
    case Op::OpUGreaterThan:
      return boolean(a > b);
    case Op::OpUGreaterThanEqual:
      return boolean(a >= b);
    case Op::OpSLessThan:
      return boolean(sa < sb);
    case Op::OpSLessThanEqual:
      return boolean(sa <= sb);
    case Op::OpSGreaterThan:
      return boolean(sa > sb);
    case Op::OpSGreaterThanEqual:
      return boolean(sa >= sb);
    default:
      throw Error(
          fmt::format("the reference does not know opcode {} of integers", static_cast<int>(op)));
  }
}

Scalar logical(Op op, std::span<const Scalar> x) {
  const bool a = x[0].bits != 0, b = x.size() > 1 && x[1].bits != 0;
  switch (op) {
    case Op::OpLogicalAnd:
      return boolean(a && b);
    case Op::OpLogicalOr:
      return boolean(a || b);
    case Op::OpLogicalNot:
      return boolean(!a);
    case Op::OpLogicalEqual:
      return boolean(a == b);
    case Op::OpLogicalNotEqual:
      return boolean(a != b);
    default:
      throw Error(
          fmt::format("the reference does not know opcode {} of bools", static_cast<int>(op)));
  }
}

/// Operations of floats: `w` is the width of the operands. Operands of 16 and 32 bits are exact in double, and its results
/// round once more without harm (number.hpp).
Scalar real(Op op, int w, std::span<const Scalar> x) {
  const double a = to_double(x[0].bits, w), b = x.size() > 1 ? to_double(x[1].bits, w) : 0;
  const bool ordered = !std::isnan(a) && !std::isnan(b);
  const auto result = [&](double value) { return Scalar{from_double(value, w)}; };
  switch (op) {
    case Op::OpFNegate:
      return {x[0].bits ^ std::uint64_t{1} << (w - 1)};
    case Op::OpFAdd:
      return result(a + b);
    case Op::OpFSub:
      return result(a - b);
    case Op::OpFMul:
      return result(a * b);
    case Op::OpFDiv:
      return result(a / b);
    case Op::OpFRem:
      return result(std::fmod(a, b));
    case Op::OpFMod: {
      const double rest = std::fmod(a, b);
      return result(rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest);
    }
    case Op::OpIsNan:
      return boolean(std::isnan(a));
    case Op::OpIsInf:
      return boolean(std::isinf(a));
    case Op::OpFOrdEqual:
      return boolean(a == b);
    case Op::OpFUnordEqual:
      return boolean(!ordered || a == b);
    case Op::OpFOrdNotEqual:
      return boolean(ordered && a != b);
    case Op::OpFUnordNotEqual:
      return boolean(!ordered || a != b);
    case Op::OpFOrdLessThan:
      return boolean(a < b);
    case Op::OpFUnordLessThan:
      return boolean(!ordered || a < b);
    case Op::OpFOrdGreaterThan:
      return boolean(a > b);
    case Op::OpFUnordGreaterThan:
      return boolean(!ordered || a > b);
    case Op::OpFOrdLessThanEqual:
      return boolean(a <= b);
    case Op::OpFUnordLessThanEqual:
      return boolean(!ordered || a <= b);
    case Op::OpFOrdGreaterThanEqual:
      return boolean(a >= b);
    case Op::OpFUnordGreaterThanEqual:
      return boolean(!ordered || a >= b);
    default:
      throw Error(
          fmt::format("the reference does not know opcode {} of floats", static_cast<int>(op)));
  }
}

bool is_conversion(Op op) {
  switch (op) {
    case Op::OpConvertFToU:
    case Op::OpConvertFToS:
    case Op::OpConvertSToF:
    case Op::OpConvertUToF:
    case Op::OpUConvert:
    case Op::OpSConvert:
    case Op::OpFConvert:
    case Op::OpQuantizeToF16:
      return true;
    default:
      return false;
  }
}

/// The bits of a number as a narrower float, without what does not fit.
std::uint64_t cut_off(double x, int width) {
  const std::uint64_t nearest = from_double(x, width);
  const bool too_far = std::abs(to_double(nearest, width)) > std::abs(x);
  return too_far ? nearest - 1 : nearest;  // the next number towards zero
}

/// Whether the conversion is decorated to round towards zero. Throws Error for directions that Vulkan does not have.
bool rounds_towards_zero(const Module& module, const Instruction& i) {
  const auto d = module.decorations.find(i.result);
  if (d == module.decorations.end() || !d->second.has(spv::Decoration::FPRoundingMode))
    return false;
  const auto mode =
      static_cast<spv::FPRoundingMode>(d->second.number(spv::Decoration::FPRoundingMode));
  if (mode != spv::FPRoundingMode::RTE && mode != spv::FPRoundingMode::RTZ)
    throw Error("the reference rounds to the nearest or towards zero only");
  return mode == spv::FPRoundingMode::RTZ;
}

Scalar convert(Op op, const Type& from, const Type& to, const Scalar& x) {
  switch (op) {
    case Op::OpUConvert:
      return {truncated(x.bits, to.width)};
    case Op::OpSConvert:
      return {truncated(static_cast<std::uint64_t>(sign_extended(x.bits, from.width)), to.width)};
    case Op::OpConvertUToF:
      return {from_real(Real(x.bits), to.width)};
    case Op::OpConvertSToF:
      return {from_real(Real(sign_extended(x.bits, from.width)), to.width)};
    case Op::OpFConvert:
      return {from_double(to_double(x.bits, from.width), to.width)};
    case Op::OpQuantizeToF16: {
      const std::uint64_t half = from_double(to_double(x.bits, 32), 16);
      const bool denormal = (half & 0x7c00) == 0;
      return {from_double(to_double(denormal ? half & 0x8000 : half, 16), 32)};
    }
    default: {  // to integers
      const double whole = std::trunc(to_double(x.bits, from.width));
      const bool with_sign = op == Op::OpConvertFToS;
      const double limit = std::ldexp(1.0, with_sign ? to.width - 1 : to.width);
      if (!(whole < limit && whole >= (with_sign ? -limit : 0))) return undefined;
      return {truncated(with_sign ? static_cast<std::uint64_t>(static_cast<std::int64_t>(whole))
                                  : static_cast<std::uint64_t>(whole),
                        to.width)};
    }
  }
}

/// The same bytes, cut into other scalars.
Value bitcast(const Value& from, int from_width, int to_width) {
  Value to;
  if (from_width >= to_width) {
    for (const Scalar& s : from.parts)
      for (int at = 0; at < from_width; at += to_width)
        to.parts.push_back({truncated(s.bits >> at, to_width), s.defined});
    return to;
  }
  const auto pieces = static_cast<std::size_t>(to_width / from_width);
  for (std::size_t k = 0; k < from.parts.size(); k += pieces) {
    Scalar whole;
    for (std::size_t p = 0; p < pieces; ++p) {
      whole.bits |= from.parts[k + p].bits << (static_cast<int>(p) * from_width);
      whole.defined = whole.defined && from.parts[k + p].defined;
    }
    to.parts.push_back(whole);
  }
  return to;
}

/// Two results of integers: the low part, and the carry or the high part.
Value two_results(Op op, int w, const Value& a, const Value& b) {
  Value low, high;
  for (std::size_t k = 0; k < a.parts.size(); ++k) {
    const std::uint64_t x = a.parts[k].bits, y = b.parts[k].bits;
    const bool defined = a.parts[k].defined && b.parts[k].defined;
    std::uint64_t first = 0, second = 0;
    if (op == Op::OpIAddCarry) {
      first = truncated(x + y, w);
      second = first < x ? 1 : 0;
    } else if (op == Op::OpISubBorrow) {
      first = truncated(x - y, w);
      second = x < y ? 1 : 0;
    } else {
      using Wide = __int128;
      const bool with_sign = op == Op::OpSMulExtended;
      const Wide product = with_sign ? Wide{sign_extended(x, w)} * sign_extended(y, w)
                                     : static_cast<Wide>(static_cast<unsigned __int128>(x) * y);
      first = truncated(static_cast<std::uint64_t>(product), w);
      second = truncated(static_cast<std::uint64_t>(product >> w), w);
    }
    low.parts.push_back({first, defined});
    high.parts.push_back({second, defined});
  }
  low.parts.insert(low.parts.end(), high.parts.begin(), high.parts.end());
  return low;
}

/// The sum of products of scalars, rounded once.
class Sum {
 public:
  explicit Sum(int width) : width_(width) {}
  void add(const Scalar& a, const Scalar& b) {
    sum_ += to_real(a.bits, width_) * to_real(b.bits, width_);
    defined_ = defined_ && a.defined && b.defined;
  }
  Scalar take() const { return {defined_ ? from_real(sum_, width_) : 0, defined_}; }

 private:
  int width_;
  Real sum_ = 0;
  bool defined_ = true;
};

/// Products of vectors and matrices, whose columns follow one another.
Value product(Op op, int w, std::size_t rows, std::size_t columns, std::size_t inner,
              const Value& a, const Value& b) {
  Value c;
  for (std::size_t column = 0; column < columns; ++column)
    for (std::size_t row = 0; row < rows; ++row) {
      Sum sum(w);
      for (std::size_t k = 0; k < inner; ++k) {
        const bool by_scalar = op == Op::OpVectorTimesScalar || op == Op::OpMatrixTimesScalar;
        sum.add(a.parts[k * rows + row], by_scalar ? b.parts[0] : b.parts[column * inner + k]);
      }
      c.parts.push_back(sum.take());
    }
  return c;
}

Value part_of(const Module& module, Id type, const Value& value,
              std::span<const std::uint32_t> path, std::size_t& first) {
  first = 0;
  for (const std::uint32_t index : path) {
    const Type& t = module.type(type);
    if (t.kind == Type::Kind::structure) {
      for (std::uint32_t k = 0; k < index; ++k) first += module.scalars(t.members[k].type);
      type = t.members[index].type;
    } else {
      first += index * module.scalars(t.element);
      type = t.element;
    }
  }
  const auto begin = value.parts.begin() + static_cast<std::ptrdiff_t>(first);
  return {{begin, begin + static_cast<std::ptrdiff_t>(module.scalars(type))}};
}

Value select(const Value& condition, const Value& yes, const Value& no) {
  if (yes.pointer.object != nullptr || no.pointer.object != nullptr)
    return condition.parts[0].bits != 0 ? yes : no;
  Value result;
  for (std::size_t k = 0; k < yes.parts.size(); ++k) {
    const Scalar& c = condition.parts[condition.parts.size() == 1 ? 0 : k];
    Scalar s = c.bits != 0 ? yes.parts[k] : no.parts[k];
    s.defined = s.defined && c.defined;
    result.parts.push_back(s);
  }
  return result;
}

/// Operations of composites. False: it is not one.
bool composite(const Module& module, const Instruction& i, std::span<const Value> x,
               Value& result) {
  const auto& o = i.operands;
  std::size_t at = 0;
  if (i.op == OpCompositeConstructReplicateEXT) {
    while (result.parts.size() < module.scalars(i.type))
      result.parts.insert(result.parts.end(), x[0].parts.begin(), x[0].parts.end());
    return true;
  }
  switch (i.op) {
    case Op::OpCopyObject:
    case Op::OpCopyLogical:
      result = x[0];
      return true;
    case Op::OpSelect:
      result = select(x[0], x[1], x[2]);
      return true;
    case Op::OpCompositeConstruct:
      for (const Value& v : x)
        result.parts.insert(result.parts.end(), v.parts.begin(), v.parts.end());
      return true;
    case Op::OpCompositeExtract:
      result = part_of(module, module.type_of.at(o[0]), x[0], std::span(o).subspan(1), at);
      return true;
    case Op::OpCompositeInsert:
      part_of(module, i.type, x[1], std::span(o).subspan(2), at);
      result = x[1];
      std::copy(x[0].parts.begin(), x[0].parts.end(),
                result.parts.begin() + static_cast<std::ptrdiff_t>(at));
      return true;
    case Op::OpVectorShuffle:
      for (std::size_t k = 2; k < o.size(); ++k) {
        const std::size_t first = x[0].parts.size();
        if (o[k] == 0xffffffff)
          result.parts.push_back(undefined);
        else
          result.parts.push_back(o[k] < first ? x[0].parts[o[k]] : x[1].parts[o[k] - first]);
      }
      return true;
    case Op::OpVectorExtractDynamic:
    case Op::OpVectorInsertDynamic: {
      const bool insert = i.op == Op::OpVectorInsertDynamic;
      const Scalar index = x[insert ? 2 : 1].parts[0];
      const bool inside = index.defined && index.bits < x[0].parts.size();
      if (!insert) {
        result.parts.push_back(inside ? x[0].parts[index.bits] : undefined);
      } else {
        result = x[0];
        if (inside)
          result.parts[index.bits] = x[1].parts[0];
        else
          for (Scalar& s : result.parts) s = undefined;
      }
      return true;
    }
    case Op::OpAny:
    case Op::OpAll: {
      const auto is_true = [](const Scalar& s) { return s.bits != 0; };
      const auto& p = x[0].parts;
      Scalar s = boolean(i.op == Op::OpAny ? std::any_of(p.begin(), p.end(), is_true)
                                           : std::all_of(p.begin(), p.end(), is_true));
      s.defined = all_defined(p);
      result.parts.push_back(s);
      return true;
    }
    case Op::OpTranspose: {
      const Type& matrix = module.type(i.type);
      const std::size_t columns = matrix.count, rows = module.type(matrix.element).count;
      for (std::size_t c = 0; c < columns; ++c)
        for (std::size_t r = 0; r < rows; ++r) result.parts.push_back(x[0].parts[r * columns + c]);
      return true;
    }
    default:
      return false;
  }
}

/// Products. False: it is not one.
bool products(const Module& module, const Instruction& i, std::span<const Value> x, Value& result) {
  const auto columns_of = [&](Id id) {
    return std::size_t{module.type(module.type_of.at(id)).count};
  };
  const auto rows_of = [&](Id id) {
    return std::size_t{module.type(module.type(module.type_of.at(id)).element).count};
  };
  const int w = i.type == 0 ? 0 : module.scalar_type(i.type).width;
  const auto& o = i.operands;
  switch (i.op) {
    case Op::OpDot:
      result = product(i.op, w, 1, 1, x[0].parts.size(), x[0], x[1]);
      return true;
    case Op::OpVectorTimesScalar:
    case Op::OpMatrixTimesScalar:
      result = product(i.op, w, x[0].parts.size(), 1, 1, x[0], x[1]);
      return true;
    case Op::OpMatrixTimesVector:
      result = product(i.op, w, rows_of(o[0]), 1, columns_of(o[0]), x[0], x[1]);
      return true;
    case Op::OpVectorTimesMatrix:
      result = product(i.op, w, 1, columns_of(o[1]), rows_of(o[1]), x[0], x[1]);
      return true;
    case Op::OpMatrixTimesMatrix:
      result = product(i.op, w, rows_of(o[0]), columns_of(o[1]), columns_of(o[0]), x[0], x[1]);
      return true;
    case Op::OpOuterProduct:
      result = product(i.op, w, x[0].parts.size(), x[1].parts.size(), 1, x[0], x[1]);
      return true;
    default:
      return false;
  }
}

}  // namespace

Value arithmetic(const Module& module, const Instruction& i, std::span<const Value> x) {
  if (module.freedom != nullptr) {
    if (auto other = module.freedom->result(module, i, x)) return std::move(*other);
  }
  Value result;
  if (composite(module, i, x, result) || products(module, i, x, result)) return result;
  if (i.operands.empty() || !module.type_of.contains(i.operands[0]))
    throw Error(fmt::format("the reference does not know opcode {}", static_cast<int>(i.op)));
  const Type& from = module.scalar_type(module.type_of.at(i.operands[0]));
  switch (i.op) {
    case Op::OpBitcast:
      return bitcast(x[0], from.width, module.scalar_type(i.type).width);
    case Op::OpIAddCarry:
    case Op::OpISubBorrow:
    case Op::OpUMulExtended:
    case Op::OpSMulExtended:
      return two_results(i.op, from.width, x[0], x[1]);
    default:
      break;
  }
  const Type& to = module.scalar_type(i.type);
  const bool cuts_off = i.op == Op::OpFConvert && rounds_towards_zero(module, i);
  for (std::size_t k = 0; k < x[0].parts.size(); ++k) {
    std::vector<Scalar> of;
    for (const Value& v : x) of.push_back(v.parts[v.parts.size() == 1 ? 0 : k]);
    Scalar s = cuts_off              ? Scalar{cut_off(to_double(of[0].bits, from.width), to.width)}
               : is_conversion(i.op) ? convert(i.op, from, to, of[0])
               : from.kind == Type::Kind::boolean ? logical(i.op, of)
               : from.kind == Type::Kind::integer ? integer(i.op, from.width, of)
                                                  : real(i.op, from.width, of);
    if (!all_defined(of)) s = undefined;
    result.parts.push_back(s);
  }
  return result;
}

}  // namespace lockstep::walker
