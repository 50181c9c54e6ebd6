#if LOCKSTEP_SPIRV_NATIVE

#include "shader/native/emitter.hpp"

#include <bit>

/// \file
/// Floats of 16 bits: each operation is computed with 32 bits and rounded.

namespace lockstep::spirv {

/// Rounds floats of 32 bits to ones of 16, and back if `again`.
void Emitter::round_to_half(const Vector& floats, bool again) {
  as_.vcvtps2ph(as_.half(floats), floats, 0);
  if (again) as_.vcvtph2ps(floats, as_.half(floats));
}

void Emitter::half_div(const Inst& i, const EmitRule&, std::uint32_t v, const Vector& to) {
  in_floats(i, v, to, [&](auto&... each) { as_.vdivps(each...); });
}
void Emitter::half_abs(const Inst& i, const EmitRule&, std::uint32_t v, const Vector& to) {
  const Vector a = narrow(i, 0, v);
  as_.bit_and(part(to), a, as_.constant(0x7fff7fff));
}
void Emitter::half_sqrt(const Inst& i, const EmitRule&, std::uint32_t v, const Vector& to) {
  const Vector a = widened(i, 0, v, cache_.fresh());
  as_.vsqrtps(a, a);
  as_.vcvtps2ph(as_.half(to), a, 0);
}
void Emitter::half_round(const Inst& i, const EmitRule& rule, std::uint32_t v, const Vector& to) {
  const Vector a = widened(i, 0, v, cache_.fresh());
  as_.round(a, a, rounding_of(rule.code), Scalar::f32);
  as_.vcvtps2ph(as_.half(to), a, 0);
}
void Emitter::half_fract(const Inst& i, const EmitRule&, std::uint32_t v, const Vector& to) {
  const Vector a = widened(i, 0, v, cache_.fresh()), below = as_.scratch();
  as_.round(below, a, Rounding::down, Scalar::f32);
  as_.vsubps(a, a, below);
  as_.vcvtps2ph(as_.half(to), a, 0);
}
/// x * (1 - a) + y * a, each rounded.
void Emitter::half_mix(const Inst& i, const EmitRule&, std::uint32_t v, const Vector& to) {
  const Vector a = widened(i, 2, v, cache_.fresh()), sum = cache_.fresh(), each = as_.scratch();
  as_.vmovups(sum, as_.constant(std::bit_cast<std::uint32_t>(1.0f)));
  as_.vsubps(sum, sum, a);
  round_to_half(sum, true);
  as_.vmulps(sum, sum, widened(i, 0, v, each));
  round_to_half(sum, true);
  as_.vmulps(each, a, widened(i, 1, v, each));
  round_to_half(each, true);
  as_.vaddps(sum, sum, each);
  as_.vcvtps2ph(as_.half(to), sum, 0);
}

// ---- Minima and maxima: the bits of one of the operands ----

/// y where it is less than x, or greater, and x elsewhere, also where one is NaN.
class Emitter::HalfChoice {
 public:
  explicit HalfChoice(Emitter& e)
      : e_(e), floats_(e.cache_.fresh()), chosen_(e.cache_.fresh_mask()) {}

  void operator()(const Vector& to, const Vector& x, const Source& y, bool less, std::uint32_t v) {
    VectorAssembler& as = e_.as_;
    const Vector others = as.scratch();
    const Source other = y.part(as, as.shape(2));
    as.vcvtph2ps(less ? others : floats_, as.half(x));
    as.vcvtph2ps(less ? floats_ : others, other);
    as.compare(chosen_, Comparison::less, Scalar::f32, floats_, others);
    as.select_lanes(as.shape(2), v, to, chosen_, x, other);
  }

 private:
  Emitter& e_;
  Vector floats_;
  MaskRegister chosen_;
};

void Emitter::half_min(const Inst& i, const EmitRule&, std::uint32_t v, const Vector& to) {
  HalfChoice choose(*this);
  const Vector x = value(i, 0, v);
  choose(to, x, source(i, 1, v), true, v);
}
void Emitter::half_max(const Inst& i, const EmitRule&, std::uint32_t v, const Vector& to) {
  HalfChoice choose(*this);
  const Vector x = value(i, 0, v);
  choose(to, x, source(i, 1, v), false, v);
}
void Emitter::half_clamp(const Inst& i, const EmitRule&, std::uint32_t v, const Vector& to) {
  HalfChoice choose(*this);
  const Vector raised = cache_.fresh(), x = value(i, 0, v);
  choose(raised, x, source(i, 1, v), false, v);
  choose(to, raised, source(i, 2, v), true, v);
}

}  // namespace lockstep::spirv

#endif
