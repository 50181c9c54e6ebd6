#include <fmt/format.h>
#include <spirv/unified1/GLSL.std.450.h>

#include "shader/lower/lower.hpp"
#include "shader/lower/matrix.hpp"
#include "shader/lower/opcode_table.hpp"
#include "shader/lower/plain.hpp"
#include "shader/lower/pointer.hpp"

/// \file
/// Extended instructions: GLSL.std.450 and debugPrintf.

namespace lockstep::spirv {
namespace {

void lower_glsl(Lowering& l, const Instruction& i) {
  if (lower_plain_glsl(l, i)) return;
  const std::uint32_t number = i[1];
  const auto vector_of = [&](std::size_t k) { return l.components(i[k]); };
  const auto op2 = [&](Code code, Reg a, Reg b) {
    const Scalar type = l.scalar_type(a);
    return l.pure(code, type, type, {a, b});
  };
  const auto op1 = [&](Code code, Reg a) {
    const Scalar type = l.scalar_type(a);
    return l.pure(code, type, type, {a});
  };
  const auto scale = [&](std::vector<Reg> v, Reg factor, Code code) {
    for (Reg& r : v) r = op2(code, r, factor);
    return v;
  };
  const auto combine = [&](Code code, const std::vector<Reg>& a, const std::vector<Reg>& b) {
    if (a.size() != b.size()) fail_at(i, "has operands of unequal sizes");
    std::vector<Reg> out;
    for (std::size_t k = 0; k < a.size(); ++k) out.push_back(op2(code, a[k], b[k]));
    return out;
  };
  const Scalar type = vector_of(2).empty() ? Scalar::f32 : l.scalar_type(vector_of(2)[0]);
  switch (number) {
    case GLSLstd450Length:
      l.define(i.result, op1(Code::sqrt, dot(l, vector_of(2), vector_of(2), type)));
      return;
    case GLSLstd450Distance: {
      const auto d = combine(Code::sub, vector_of(2), vector_of(3));
      l.define(i.result, op1(Code::sqrt, dot(l, d, d, type)));
      return;
    }
    case GLSLstd450Normalize:
      l.define(i.result,
               scale(vector_of(2), op1(Code::sqrt, dot(l, vector_of(2), vector_of(2), type)),
                     Code::div));
      return;
    case GLSLstd450Cross: {
      const auto a = vector_of(2), b = vector_of(3);
      if (a.size() != 3 || b.size() != 3) fail_at(i, "needs vectors of three components");
      const auto part = [&](std::size_t x, std::size_t y) {
        return op2(Code::sub, op2(Code::mul, a[x], b[y]), op2(Code::mul, b[x], a[y]));
      };
      const std::vector<Reg> out{part(1, 2), part(2, 0), part(0, 1)};
      l.define(i.result, out);
      return;
    }
    case GLSLstd450FaceForward: {
      const auto n = vector_of(2);
      const Reg d = dot(l, vector_of(4), vector_of(3), type);
      const Reg front = l.pure(Code::less, type, Scalar::boolean, {d, l.constant(type, 0)});
      std::vector<Reg> back;
      for (const Reg r : n) back.push_back(op1(Code::neg, r));
      l.define(i.result, l.select_components(front, n, back));
      return;
    }
    case GLSLstd450Reflect: {
      const auto in = vector_of(2), n = vector_of(3);
      const Reg two = l.pure(Code::convert, type, type, {l.constant(Scalar::u32, 2)}, Scalar::u32);
      const Reg twice = op2(Code::mul, dot(l, n, in, type), two);
      l.define(i.result, combine(Code::sub, in, scale(n, twice, Code::mul)));
      return;
    }
    case GLSLstd450Refract: {
      const auto in = vector_of(2), n = vector_of(3);
      Reg eta = l.scalar_of(i, 4);
      if (l.scalar_type(eta) != type)
        eta = l.pure(Code::convert, type, type, {eta}, l.scalar_type(eta));
      const Reg unit = l.pure(Code::convert, type, type, {l.constant(Scalar::u32, 1)}, Scalar::u32);
      const Reg zero = l.constant(type, 0);
      const Reg cosine = dot(l, n, in, type);
      const Reg rest = op2(Code::sub, unit, op2(Code::mul, cosine, cosine));
      const Reg k = op2(Code::sub, unit, op2(Code::mul, op2(Code::mul, eta, eta), rest));
      const Reg total = l.pure(Code::less, type, Scalar::boolean, {k, zero});
      const Reg along = op2(Code::add, op2(Code::mul, eta, cosine), op1(Code::sqrt, k));
      const auto bent = combine(Code::sub, scale(in, eta, Code::mul), scale(n, along, Code::mul));
      l.define(i.result, l.select_components(total, std::vector<Reg>(bent.size(), zero), bent));
      return;
    }
    case GLSLstd450Determinant:
    case GLSLstd450MatrixInverse: {
      const auto m = vector_of(2);
      const std::size_t n = m.size() == 4 ? 2 : m.size() == 9 ? 3 : m.size() == 16 ? 4 : 0;
      if (n == 0) fail_at(i, "needs a square matrix");
      const auto parts = determinant_parts(l, m, n, type);
      if (number == GLSLstd450Determinant) {
        l.define(i.result, parts[0]);
        return;
      }
      std::vector<Reg> out;
      const Reg unit = l.pure(Code::convert, type, type, {l.constant(Scalar::u32, 1)}, Scalar::u32);
      const Reg over = op2(Code::div, unit, parts[0]);
      for (std::size_t k = 1; k < parts.size(); ++k) out.push_back(op2(Code::mul, parts[k], over));
      l.define(i.result, out);
      return;
    }
    case GLSLstd450Modf:
    case GLSLstd450ModfStruct:
    case GLSLstd450Frexp:
    case GLSLstd450FrexpStruct: {
      const bool modf = number == GLSLstd450Modf || number == GLSLstd450ModfStruct;
      std::vector<Reg> first, second;
      for (const Reg r : vector_of(2)) {
        first.push_back(op1(modf ? Code::modf_fraction : Code::frexp_fraction, r));
        second.push_back(modf ? op1(Code::modf_whole, r)
                              : l.pure(Code::frexp_exponent, type, Scalar::i32, {r}));
      }
      if (number == GLSLstd450Modf || number == GLSLstd450Frexp) {
        store(l, pointer(l, i[3]), second, i);
      } else {
        first.insert(first.end(), second.begin(), second.end());
      }
      l.define(i.result, first);
      return;
    }
    case GLSLstd450Ldexp: {
      // A 64-bit exponent beyond those of all numbers has the effect of the last 32-bit one.
      const auto clamped_exponent = [&](Reg exponent) {
        constexpr std::int64_t most = 1 << 20;
        return l.pure(Code::clamp, Scalar::i64, Scalar::i64,
                      {exponent, l.constant(Scalar::i64, static_cast<std::uint64_t>(-most)),
                       l.constant(Scalar::i64, static_cast<std::uint64_t>(most))});
      };
      const auto x = vector_of(2), e = vector_of(3);
      std::vector<Reg> out;
      for (std::size_t k = 0; k < x.size(); ++k) {
        if (k >= e.size()) fail_at(i, "has operands of unequal sizes");
        Reg exponent = e[k];
        if (size_of(l.scalar_type(exponent)) == 8) exponent = clamped_exponent(exponent);
        if (size_of(l.scalar_type(exponent)) != 4)
          exponent = l.pure(Code::convert, Scalar::i32, Scalar::i32, {exponent},
                            with_sign(l.scalar_type(exponent), true));
        out.push_back(l.pure(Code::ldexp, type, type, {x[k], exponent}));
      }
      l.define(i.result, out);
      return;
    }
    case GLSLstd450PackSnorm4x8:
    case GLSLstd450PackUnorm4x8: {
      const auto v = vector_of(2);
      if (v.size() != 4) fail_at(i, "needs a vector of four components");
      l.define(i.result, l.pure(number == GLSLstd450PackSnorm4x8 ? Code::pack_snorm_4x8
                                                                 : Code::pack_unorm_4x8,
                                Scalar::f32, Scalar::u32, {v[0], v[1], v[2], v[3]}));
      return;
    }
    case GLSLstd450PackSnorm2x16:
    case GLSLstd450PackUnorm2x16:
    case GLSLstd450PackHalf2x16: {
      const auto v = vector_of(2);
      if (v.size() != 2) fail_at(i, "needs a vector of two components");
      const Code code = number == GLSLstd450PackSnorm2x16   ? Code::pack_snorm_2x16
                        : number == GLSLstd450PackUnorm2x16 ? Code::pack_unorm_2x16
                                                            : Code::pack_half_2x16;
      l.define(i.result, l.pure(code, Scalar::f32, Scalar::u32, {v[0], v[1]}));
      return;
    }
    case GLSLstd450PackDouble2x32: {
      const auto v = vector_of(2);
      if (v.size() != 2) fail_at(i, "needs a vector of two components");
      const Reg low = l.pure(Code::convert, Scalar::u64, Scalar::u64, {v[0]}, Scalar::u32);
      l.define(i.result, l.pure(Code::join_pieces, Scalar::u64, Scalar::f64, {low, v[1]},
                                Scalar::u32, Piece{1}));
      return;
    }
    case GLSLstd450UnpackDouble2x32: {
      const Reg v = l.scalar_of(i, 2);
      std::vector<Reg> out;
      for (std::uint64_t k = 0; k < 2; ++k)
        out.push_back(
            l.pure(Code::extract_piece, Scalar::u32, Scalar::u32, {v}, Scalar::u64, Piece{k}));
      l.define(i.result, out);
      return;
    }
    case GLSLstd450UnpackSnorm2x16:
    case GLSLstd450UnpackUnorm2x16:
    case GLSLstd450UnpackHalf2x16:
    case GLSLstd450UnpackSnorm4x8:
    case GLSLstd450UnpackUnorm4x8: {
      const Code code = number == GLSLstd450UnpackSnorm2x16   ? Code::unpack_snorm_2x16
                        : number == GLSLstd450UnpackUnorm2x16 ? Code::unpack_unorm_2x16
                        : number == GLSLstd450UnpackHalf2x16  ? Code::unpack_half_2x16
                        : number == GLSLstd450UnpackSnorm4x8  ? Code::unpack_snorm_4x8
                                                              : Code::unpack_unorm_4x8;
      const Reg packed = l.scalar_of(i, 2);
      std::vector<Reg> out;
      for (std::uint64_t k = 0; k < l.types()[i.type].components; ++k)
        out.push_back(l.pure(code, Scalar::u32, Scalar::f32, {packed}, Scalar::u32, Piece{k}));
      l.define(i.result, out);
      return;
    }
    default:
      l.unsupported(i, fmt::format("instruction {} of GLSL.std.450", number));
  }
}

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
