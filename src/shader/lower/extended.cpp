#include <fmt/format.h>
#include <spirv/unified1/GLSL.std.450.h>
#include <bit>

#include "shader/lower/lower.hpp"
#include "shader/lower/matrix.hpp"
#include "shader/lower/opcode_table.hpp"
#include "shader/lower/plain.hpp"
#include "shader/lower/pointer.hpp"

/// \file
/// Extended instructions: GLSL.std.450 and debugPrintf.

namespace lockstep::spirv {
namespace {

/// An instruction of GLSL.std.450 that is not the same for each component. The first operand is at position 2.
class Extended {
 public:
  Extended(Lowering& l, const Instruction& i) : l_(l), i_(i), first_(l.components(i[2])) {
    if (!first_.empty()) type_ = l.scalar_type(first_[0]);
  }

  void length() { define(root_of_dot(first_)); }
  void distance() { define(root_of_dot(combine(Code::sub, first_, operand(3)))); }
  void normalize() { l_.define(i_.result, scale(first_, root_of_dot(first_), Code::div)); }
  void cross();
  void face_forward();
  void reflect();
  void refract();
  void determinant() { define(determinant_parts_of_matrix()[0]); }
  void matrix_inverse();
  void modf() { split(Code::modf_fraction, Code::modf_whole, type_, true); }
  void modf_struct() { split(Code::modf_fraction, Code::modf_whole, type_, false); }
  void frexp() { split(Code::frexp_fraction, Code::frexp_exponent, Scalar::i32, true); }
  void frexp_struct() { split(Code::frexp_fraction, Code::frexp_exponent, Scalar::i32, false); }
  void ldexp();
  void pack(Code code, std::size_t components);
  void unpack(Code code);
  /// A number of 16 bits in 32, with zeros of its sign for those that are denormal in 16.
  Reg without_denormals(Reg half);
  void pack_double();
  void unpack_double();

 private:
  using Regs = std::vector<Reg>;

  Regs operand(std::size_t k) const { return l_.components(i_[k]); }
  void define(Reg result) { l_.define(i_.result, result); }
  Reg op1(Code code, Reg a) {
    const Scalar type = l_.scalar_type(a);
    return l_.pure(code, type, type, {a});
  }
  Reg op2(Code code, Reg a, Reg b) {
    const Scalar type = l_.scalar_type(a);
    return l_.pure(code, type, type, {a, b});
  }
  Reg whole(std::uint64_t number) {
    return l_.pure(Code::convert, type_, type_, {l_.constant(Scalar::u32, number)}, Scalar::u32);
  }
  Reg root_of_dot(const Regs& v) { return op1(Code::sqrt, dot(l_, v, v, type_)); }
  Regs scale(Regs v, Reg factor, Code code) {
    for (Reg& r : v) r = op2(code, r, factor);
    return v;
  }
  Regs combine(Code code, const Regs& a, const Regs& b) {
    if (a.size() != b.size()) fail_at(i_, "has operands of unequal sizes");
    Regs out;
    for (std::size_t k = 0; k < a.size(); ++k) out.push_back(op2(code, a[k], b[k]));
    return out;
  }
  Regs determinant_parts_of_matrix();
  void split(Code first, Code second, Scalar second_type, bool stores_second);
  Reg exponent_of(Reg given);

  Lowering& l_;
  const Instruction& i_;
  Regs first_;  ///< components of the first operand
  Scalar type_ = Scalar::f32;
};

void Extended::cross() {
  const Regs a = first_, b = operand(3);
  if (a.size() != 3 || b.size() != 3) fail_at(i_, "needs vectors of three components");
  const auto part = [&](std::size_t x, std::size_t y) {
    return op2(Code::sub, op2(Code::mul, a[x], b[y]), op2(Code::mul, b[x], a[y]));
  };
  const Regs out{part(1, 2), part(2, 0), part(0, 1)};
  l_.define(i_.result, out);
}

void Extended::face_forward() {
  const Reg d = dot(l_, operand(4), operand(3), type_);
  const Reg front = l_.pure(Code::less, type_, Scalar::boolean, {d, l_.constant(type_, 0)});
  Regs back;
  for (const Reg r : first_) back.push_back(op1(Code::neg, r));
  l_.define(i_.result, l_.select_components(front, first_, back));
}

void Extended::reflect() {
  const Regs n = operand(3);
  const Reg twice = op2(Code::mul, dot(l_, n, first_, type_), whole(2));
  l_.define(i_.result, combine(Code::sub, first_, scale(n, twice, Code::mul)));
}

void Extended::refract() {
  const Regs n = operand(3);
  Reg eta = l_.scalar_of(i_, 4);
  if (l_.scalar_type(eta) != type_)
    eta = l_.pure(Code::convert, type_, type_, {eta}, l_.scalar_type(eta));
  const Reg unit = whole(1), zero = l_.constant(type_, 0);
  const Reg cosine = dot(l_, n, first_, type_);
  const Reg rest = op2(Code::sub, unit, op2(Code::mul, cosine, cosine));
  const Reg k = op2(Code::sub, unit, op2(Code::mul, op2(Code::mul, eta, eta), rest));
  const Reg total = l_.pure(Code::less, type_, Scalar::boolean, {k, zero});
  const Reg along = op2(Code::add, op2(Code::mul, eta, cosine), op1(Code::sqrt, k));
  const Regs bent = combine(Code::sub, scale(first_, eta, Code::mul), scale(n, along, Code::mul));
  l_.define(i_.result, l_.select_components(total, Regs(bent.size(), zero), bent));
}

/// The determinant, then the elements of the adjugate.
std::vector<Reg> Extended::determinant_parts_of_matrix() {
  const std::size_t size = first_.size();
  const std::size_t n = size == 4 ? 2 : size == 9 ? 3 : size == 16 ? 4 : 0;
  if (n == 0) fail_at(i_, "needs a square matrix");
  return determinant_parts(l_, first_, n, type_);
}

void Extended::matrix_inverse() {
  const Regs parts = determinant_parts_of_matrix();
  const Reg over = op2(Code::div, whole(1), parts[0]);
  Regs out;
  for (std::size_t k = 1; k < parts.size(); ++k) out.push_back(op2(Code::mul, parts[k], over));
  l_.define(i_.result, out);
}

/// A number in two parts, the second of which is stored, or part of the result.
void Extended::split(Code first, Code second, Scalar second_type, bool stores_second) {
  Regs result, other;
  for (const Reg r : first_) {
    result.push_back(op1(first, r));
    other.push_back(l_.pure(second, type_, second_type, {r}));
  }
  if (stores_second)
    store(l_, pointer(l_, i_[3]), other, i_);
  else
    result.insert(result.end(), other.begin(), other.end());
  l_.define(i_.result, result);
}

/// An exponent as 32 bits. A 64-bit one beyond those of all numbers has the effect of the last 32-bit one.
Reg Extended::exponent_of(Reg given) {
  Reg exponent = given;
  if (size_of(l_.scalar_type(exponent)) == 8) {
    constexpr std::int64_t most = 1 << 20;
    exponent = l_.pure(Code::clamp, Scalar::i64, Scalar::i64,
                       {exponent, l_.constant(Scalar::i64, static_cast<std::uint64_t>(-most)),
                        l_.constant(Scalar::i64, static_cast<std::uint64_t>(most))});
  }
  if (size_of(l_.scalar_type(exponent)) == 4) return exponent;
  return l_.pure(Code::convert, Scalar::i32, Scalar::i32, {exponent},
                 with_sign(l_.scalar_type(exponent), true));
}

void Extended::ldexp() {
  const Regs exponents = operand(3);
  if (exponents.size() < first_.size()) fail_at(i_, "has operands of unequal sizes");
  Regs out;
  for (std::size_t k = 0; k < first_.size(); ++k)
    out.push_back(l_.pure(Code::ldexp, type_, type_, {first_[k], exponent_of(exponents[k])}));
  l_.define(i_.result, out);
}

void Extended::pack(Code code, std::size_t components) {
  if (first_.size() != components)
    fail_at(i_, components == 2 ? "needs a vector of two components"
                                : "needs a vector of four components");
  const Regs& v = first_;
  define(components == 2 ? l_.pure(code, Scalar::f32, Scalar::u32, {v[0], v[1]})
                         : l_.pure(code, Scalar::f32, Scalar::u32, {v[0], v[1], v[2], v[3]}));
}

void Extended::unpack(Code code) {
  const Reg packed = l_.scalar_of(i_, 2);
  Regs out;
  for (std::uint64_t k = 0; k < l_.types()[i_.type].components; ++k) {
    Reg number = l_.pure(code, Scalar::u32, Scalar::f32, {packed}, Scalar::u32, Piece{k});
    if (code == Code::unpack_half_2x16 && l_.flushes(Scalar::f16))
      number = without_denormals(number);
    out.push_back(number);
  }
  l_.define(i_.result, out);
}

Reg Extended::without_denormals(Reg half) {
  constexpr float smallest_normal = 0x1p-14f;
  const auto constant = [&](float x) {
    return l_.constant(Scalar::f32, std::bit_cast<std::uint32_t>(x));
  };
  const Reg size = l_.pure(Code::abs, Scalar::f32, Scalar::f32, {half});
  const Reg small =
      l_.pure(Code::less, Scalar::f32, Scalar::boolean, {size, constant(smallest_normal)});
  const Reg zero = l_.pure(Code::mul, Scalar::f32, Scalar::f32, {half, constant(0)});
  return l_.pure(Code::select, Scalar::f32, Scalar::f32, {small, zero, half});
}

void Extended::pack_double() {
  if (first_.size() != 2) fail_at(i_, "needs a vector of two components");
  const Reg low = l_.pure(Code::convert, Scalar::u64, Scalar::u64, {first_[0]}, Scalar::u32);
  define(l_.pure(Code::join_pieces, Scalar::u64, Scalar::f64, {low, first_[1]}, Scalar::u32,
                 Piece{1}));
}

void Extended::unpack_double() {
  const Reg v = l_.scalar_of(i_, 2);
  Regs out;
  for (std::uint64_t k = 0; k < 2; ++k)
    out.push_back(
        l_.pure(Code::extract_piece, Scalar::u32, Scalar::u32, {v}, Scalar::u64, Piece{k}));
  l_.define(i_.result, out);
}

// clang-format off
void lower_glsl(Lowering& l, const Instruction& i) {
  if (lower_plain_glsl(l, i)) return;
  Extended instruction(l, i);
  switch (i[1]) {
    case GLSLstd450Length: return instruction.length();
    case GLSLstd450Distance: return instruction.distance();
    case GLSLstd450Normalize: return instruction.normalize();
    case GLSLstd450Cross: return instruction.cross();
    case GLSLstd450FaceForward: return instruction.face_forward();
    case GLSLstd450Reflect: return instruction.reflect();
    case GLSLstd450Refract: return instruction.refract();
    case GLSLstd450Determinant: return instruction.determinant();
    case GLSLstd450MatrixInverse: return instruction.matrix_inverse();
    case GLSLstd450Modf: return instruction.modf();
    case GLSLstd450ModfStruct: return instruction.modf_struct();
    case GLSLstd450Frexp: return instruction.frexp();
    case GLSLstd450FrexpStruct: return instruction.frexp_struct();
    case GLSLstd450Ldexp: return instruction.ldexp();
    case GLSLstd450PackSnorm4x8: return instruction.pack(Code::pack_snorm_4x8, 4);
    case GLSLstd450PackUnorm4x8: return instruction.pack(Code::pack_unorm_4x8, 4);
    case GLSLstd450PackSnorm2x16: return instruction.pack(Code::pack_snorm_2x16, 2);
    case GLSLstd450PackUnorm2x16: return instruction.pack(Code::pack_unorm_2x16, 2);
    case GLSLstd450PackHalf2x16: return instruction.pack(Code::pack_half_2x16, 2);
    case GLSLstd450PackDouble2x32: return instruction.pack_double();
    case GLSLstd450UnpackDouble2x32: return instruction.unpack_double();
    case GLSLstd450UnpackSnorm2x16: return instruction.unpack(Code::unpack_snorm_2x16);
    case GLSLstd450UnpackUnorm2x16: return instruction.unpack(Code::unpack_unorm_2x16);
    case GLSLstd450UnpackHalf2x16: return instruction.unpack(Code::unpack_half_2x16);
    case GLSLstd450UnpackSnorm4x8: return instruction.unpack(Code::unpack_snorm_4x8);
    case GLSLstd450UnpackUnorm4x8: return instruction.unpack(Code::unpack_unorm_4x8);
    default: l.unsupported(i, fmt::format("instruction {} of GLSL.std.450", i[1]));
  }
}
// clang-format on

void lower_print(Lowering& l, const Instruction& i) {
  std::vector<Reg> values;
  std::vector<std::uint64_t> counts;
  for (std::size_t k = 3; k < i.operands.size(); ++k) {
    const auto components = l.regs(i[k]);
    values.insert(values.end(), components.begin(), components.end());
    counts.push_back(components.size());
  }
  l.emit(Code::print, Scalar::u32, {}, std::move(values),
         Print{static_cast<std::uint32_t>(l.ir().formats.size()), std::move(counts)});
  l.ir().formats.emplace_back(l.module().string(i[2]));
}

void lower_instruction_of_set(Lowering& l, const Instruction& i) {
  const std::string_view set = l.module().extended_set(i[0]);
  if (set == "GLSL.std.450") {
    lower_glsl(l, i);
  } else if (set == "NonSemantic.DebugPrintf") {
    lower_print(l, i);
  } else if (set.substr(0, 12) != "NonSemantic.") {
    l.unsupported(i, fmt::format("the instruction set {}", set));
  }
}

}  // namespace

void add_extended(OpcodeTable& table) { table.add(spv::Op::OpExtInst, lower_instruction_of_set); }

}  // namespace lockstep::spirv
