#include <lockstep/glsl/functions.hpp>
#include <lockstep/glsl/functions/packing_float16.hpp>

#include "spirv/exec/ops/find.hpp"
#include "spirv/exec/ops/number.hpp"

namespace lockstep::spirv {
namespace {

/// Functions of every floating-point type.
template <class T>
Run find_exact(Code code) {
  using L = Chunk<T>;
  switch (code) {
    case Code::sqrt:
      return unary<T>([](const L& a) { return sqrt(a); });
    case Code::inverse_sqrt:
      return unary<T>([](const L& a) { return inversesqrt(a); });
    case Code::modf_fraction:
      return unary<T>([](const L& a) { return modf(a).fraction; });
    case Code::modf_whole:
      return unary<T>([](const L& a) { return modf(a).whole; });
    case Code::frexp_fraction:
      return unary<T>([](const L& a) { return frexp(a).significand; });
    case Code::frexp_exponent:
      return [](const Inst* i, Context& c) {
        return each_chunk<std::int32_t, T>(i, c, [](const L& a) { return frexp(a).exponent; });
      };
    case Code::ldexp:
      return [](const Inst* i, Context& c) {
        return each_chunk<T, T, std::int32_t>(
            i, c, [](const L& a, const Chunk<std::int32_t>& e) { return ldexp(a, e); });
      };
    default:
      return nullptr;
  }
}

/// Functions that GLSL defines for 16 and 32 bits.
template <class T>
Run find_transcendental(Code code) {
  using L = Chunk<T>;
  switch (code) {
    case Code::radians:
      return unary<T>([](const L& a) { return radians(a); });
    case Code::degrees:
      return unary<T>([](const L& a) { return degrees(a); });
    case Code::sin:
      return unary<T>([](const L& a) { return sin(a); });
    case Code::cos:
      return unary<T>([](const L& a) { return cos(a); });
    case Code::tan:
      return unary<T>([](const L& a) { return tan(a); });
    case Code::asin:
      return unary<T>([](const L& a) { return asin(a); });
    case Code::acos:
      return unary<T>([](const L& a) { return acos(a); });
    case Code::atan:
      return unary<T>([](const L& a) { return atan(a); });
    case Code::sinh:
      return unary<T>([](const L& a) { return sinh(a); });
    case Code::cosh:
      return unary<T>([](const L& a) { return cosh(a); });
    case Code::tanh:
      return unary<T>([](const L& a) { return tanh(a); });
    case Code::asinh:
      return unary<T>([](const L& a) { return asinh(a); });
    case Code::acosh:
      return unary<T>([](const L& a) { return acosh(a); });
    case Code::atanh:
      return unary<T>([](const L& a) { return atanh(a); });
    case Code::exp:
      return unary<T>([](const L& a) { return exp(a); });
    case Code::log:
      return unary<T>([](const L& a) { return log(a); });
    case Code::exp2:
      return unary<T>([](const L& a) { return exp2(a); });
    case Code::log2:
      return unary<T>([](const L& a) { return log2(a); });
    case Code::atan2:
      return binary<T>([](const L& y, const L& x) { return atan(y, x); });
    case Code::pow:
      return binary<T>([](const L& x, const L& y) { return pow(x, y); });
    default:
      return nullptr;
  }
}

using Uint = Chunk<std::uint32_t>;
using Float = Chunk<float>;

template <class F>
Run pack2(F) {
  return
      [](const Inst* i, Context& c) { return each_chunk<std::uint32_t, float, float>(i, c, F{}); };
}
template <class F>
Run pack4(F) {
  return [](const Inst* i, Context& c) {
    return each_chunk<std::uint32_t, float, float, float, float>(i, c, F{});
  };
}
/// Unpacking returns one component, number imm.
template <class F>
Run unpack(F) {
  return [](const Inst* i, Context& c) {
    const std::uint64_t component = i->imm;
    return each_chunk<float, std::uint32_t>(
        i, c, [component](const Uint& packed) { return F{}(packed, component); });
  };
}
Float one_of(const Unpacked2<float, chunk_lanes>& v, std::uint64_t k) { return k == 0 ? v.x : v.y; }
Float one_of(const Unpacked4<float, chunk_lanes>& v, std::uint64_t k) {
  return k == 0 ? v.x : k == 1 ? v.y : k == 2 ? v.z : v.w;
}

Run find_packing(Code code) {
  switch (code) {
    case Code::pack_unorm_4x8:
      return pack4([](const Float& x, const Float& y, const Float& z, const Float& w) {
        return packUnorm4x8(x, y, z, w);
      });
    case Code::pack_snorm_4x8:
      return pack4([](const Float& x, const Float& y, const Float& z, const Float& w) {
        return packSnorm4x8(x, y, z, w);
      });
    case Code::pack_unorm_2x16:
      return pack2([](const Float& x, const Float& y) { return packUnorm2x16(x, y); });
    case Code::pack_snorm_2x16:
      return pack2([](const Float& x, const Float& y) { return packSnorm2x16(x, y); });
    case Code::pack_half_2x16:
      return pack2([](const Float& x, const Float& y) { return packHalf2x16(x, y); });
    case Code::unpack_unorm_4x8:
      return unpack([](const Uint& p, std::uint64_t k) { return one_of(unpackUnorm4x8(p), k); });
    case Code::unpack_snorm_4x8:
      return unpack([](const Uint& p, std::uint64_t k) { return one_of(unpackSnorm4x8(p), k); });
    case Code::unpack_unorm_2x16:
      return unpack([](const Uint& p, std::uint64_t k) { return one_of(unpackUnorm2x16(p), k); });
    case Code::unpack_snorm_2x16:
      return unpack([](const Uint& p, std::uint64_t k) { return one_of(unpackSnorm2x16(p), k); });
    case Code::unpack_half_2x16:
      return unpack([](const Uint& p, std::uint64_t k) { return one_of(unpackHalf2x16(p), k); });
    case Code::quantize_f16:
      return [](const Inst* i, Context& c) {
        return each_chunk<float, float>(i, c, [](const Float& v) {
          // Numbers too small for a normal float16 become zero.
          const Float rounded(Chunk<float16_t>{v});
          return select(abs(rounded) < Float(6.103515625e-5f), rounded * Float(0.0f), rounded);
        });
      };
    default:
      return nullptr;
  }
}

}  // namespace

Run find_function(Code code, Scalar type) {
  if (const Run found = find_packing(code)) return found;
  const Run exact = for_float(type, [&]<class T>() { return find_exact<T>(code); });
  if (exact != nullptr) return exact;
  if (type == Scalar::f16) return find_transcendental<float16_t>(code);
  return type == Scalar::f32 ? find_transcendental<float>(code) : nullptr;
}

}  // namespace lockstep::spirv
