#include <lockstep/glsl/functions.hpp>
#include <lockstep/glsl/functions/packing_float16.hpp>

#include "shader/run/ops/compute.hpp"
#include "shader/run/ops/find.hpp"
#include "shader/run/ops/number.hpp"

/// \file
/// Functions of floats, and packing.

namespace lockstep::spirv {

// ---- Functions of every floating-point type ----

LOCKSTEP_COMPUTE_OF_ONE(sqrt, sqrt(a));
LOCKSTEP_COMPUTE_OF_ONE(inverse_sqrt, inversesqrt(a));
LOCKSTEP_COMPUTE_OF_ONE(modf_fraction, modf(a).fraction);
LOCKSTEP_COMPUTE_OF_ONE(modf_whole, modf(a).whole);
LOCKSTEP_COMPUTE_OF_ONE(frexp_fraction, frexp(a).significand);
LOCKSTEP_COMPUTE_OF_ONE(frexp_exponent, frexp(a).exponent);
template <>
struct Compute<Code::ldexp> {
  template <class L>
  L operator()(const L& a, const Chunk<std::int32_t>& exponent) const {
    return ldexp(a, exponent);
  }
};

// ---- Functions that GLSL defines for 16 and 32 bits ----

LOCKSTEP_COMPUTE_OF_ONE(radians, radians(a));
LOCKSTEP_COMPUTE_OF_ONE(degrees, degrees(a));
LOCKSTEP_COMPUTE_OF_ONE(sin, sin(a));
LOCKSTEP_COMPUTE_OF_ONE(cos, cos(a));
LOCKSTEP_COMPUTE_OF_ONE(tan, tan(a));
LOCKSTEP_COMPUTE_OF_ONE(asin, asin(a));
LOCKSTEP_COMPUTE_OF_ONE(acos, acos(a));
LOCKSTEP_COMPUTE_OF_ONE(atan, atan(a));
LOCKSTEP_COMPUTE_OF_ONE(sinh, sinh(a));
LOCKSTEP_COMPUTE_OF_ONE(cosh, cosh(a));
LOCKSTEP_COMPUTE_OF_ONE(tanh, tanh(a));
LOCKSTEP_COMPUTE_OF_ONE(asinh, asinh(a));
LOCKSTEP_COMPUTE_OF_ONE(acosh, acosh(a));
LOCKSTEP_COMPUTE_OF_ONE(atanh, atanh(a));
LOCKSTEP_COMPUTE_OF_ONE(exp, exp(a));
LOCKSTEP_COMPUTE_OF_ONE(log, log(a));
LOCKSTEP_COMPUTE_OF_ONE(exp2, exp2(a));
LOCKSTEP_COMPUTE_OF_ONE(log2, log2(a));
LOCKSTEP_COMPUTE(atan2, atan(a, b));
LOCKSTEP_COMPUTE(pow, pow(a, b));

// ---- Packing ----

namespace {

using Uint = Chunk<std::uint32_t>;
using Float = Chunk<float>;

Float one_of(const Unpacked2<float, chunk_lanes>& v, std::uint64_t k) { return k == 0 ? v.x : v.y; }
Float one_of(const Unpacked4<float, chunk_lanes>& v, std::uint64_t k) {
  return k == 0 ? v.x : k == 1 ? v.y : k == 2 ? v.z : v.w;
}

/// Unpacking returns one component, number imm.
template <class F>
const Inst* unpack(const Inst* i, Context& c, F f) {
  const std::uint64_t component = i->imm;
  return each_chunk<float, std::uint32_t>(
      i, c, [component, f](const Uint& packed) { return one_of(f(packed), component); });
}

}  // namespace

#define LOCKSTEP_PACK(code, function, ...)                                    \
  template <>                                                                 \
  struct Compute<Code::code> {                                                \
    template <class T>                                                        \
    static const Inst* run(const Inst* i, Context& c) {                       \
      return each_chunk<std::uint32_t, __VA_ARGS__>(                          \
          i, c, [](const auto&... numbers) { return function(numbers...); }); \
    }                                                                         \
  }
#define LOCKSTEP_UNPACK(code, function)                                         \
  template <>                                                                   \
  struct Compute<Code::code> {                                                  \
    template <class T>                                                          \
    static const Inst* run(const Inst* i, Context& c) {                         \
      return unpack(i, c, [](const Uint& packed) { return function(packed); }); \
    }                                                                           \
  }
LOCKSTEP_PACK(pack_unorm_4x8, packUnorm4x8, float, float, float, float);
LOCKSTEP_PACK(pack_snorm_4x8, packSnorm4x8, float, float, float, float);
LOCKSTEP_PACK(pack_unorm_2x16, packUnorm2x16, float, float);
LOCKSTEP_PACK(pack_snorm_2x16, packSnorm2x16, float, float);
LOCKSTEP_PACK(pack_half_2x16, packHalf2x16, float, float);
LOCKSTEP_UNPACK(unpack_unorm_4x8, unpackUnorm4x8);
LOCKSTEP_UNPACK(unpack_snorm_4x8, unpackSnorm4x8);
LOCKSTEP_UNPACK(unpack_unorm_2x16, unpackUnorm2x16);
LOCKSTEP_UNPACK(unpack_snorm_2x16, unpackSnorm2x16);
LOCKSTEP_UNPACK(unpack_half_2x16, unpackHalf2x16);
#undef LOCKSTEP_PACK
#undef LOCKSTEP_UNPACK

/// Numbers too small for a normal float16 become zero.
template <>
struct Compute<Code::quantize_f16> {
  Float operator()(const Float& v) const {
    const Float rounded(Chunk<float16_t>{v});
    return select(abs(rounded) < Float(6.103515625e-5f), rounded * Float(0.0f), rounded);
  }
};

Run find_function(Code code, Scalar type) {
  if (const Run found = find_computed<float, Numbers::packing>(code)) return found;
  const Run exact =
      for_float(type, [&]<class T>() { return find_computed<T, Numbers::real_function>(code); });
  if (exact != nullptr) return exact;
  if (type == Scalar::f16) return find_computed<float16_t, Numbers::function>(code);
  return type == Scalar::f32 ? find_computed<float, Numbers::function>(code) : nullptr;
}

}  // namespace lockstep::spirv
