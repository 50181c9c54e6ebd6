#if LOCKSTEP_SPIRV_NATIVE

#include "shader/native/vector_assembler.hpp"

/// \file
/// AVX2: 16 registers of 8 lanes, masks in vector registers. It has no comparisons of unsigned
/// integers, and masked stores are slow on many processors.

namespace lockstep::spirv {
namespace {

using Xbyak::Address;
using Xbyak::Operand;
using Xbyak::Reg32;
using Xbyak::Reg64;
using Xbyak::Ymm;

constexpr int scratch_number = 15;

/// Long, as it has every operation that differs between the sets.
class Avx2 final : public VectorAssembler {
 public:
  Avx2(std::size_t bytes, std::uint8_t* to) : VectorAssembler(bytes, to, 8, scratch_number, 0) {}

  Vector vector(int number) const override { return Ymm(number); }
  Vector half(const Vector& whole) const override { return Xbyak::Xmm(whole.getIdx()); }
  Vector scratch() const override { return Ymm(scratch_number); }
  MaskRegister mask_scratch() const override { return {scratch_number}; }

  void bit_and(const Vector& to, const Vector& a, const Operand& b) override { vpand(to, a, b); }
  void bit_or(const Vector& to, const Vector& a, const Operand& b) override { vpor(to, a, b); }
  void bit_xor(const Vector& to, const Vector& a, const Operand& b) override { vpxor(to, a, b); }
  void bit_clear(const Vector& to, const Vector& a, const Vector& b) override { vpandn(to, b, a); }
  void choose_bits(const Vector& to, const Vector& which, const Vector& yes,
                   const Vector& no) override {
    vpand(scratch(), yes, which);
    vpandn(which, which, no);
    vpor(to, which, scratch());
  }

  void broadcast(const Vector& to, const Reg32& number) override {
    vmovd(Xbyak::Xmm(to.getIdx()), number);
    vpbroadcastd(to, Xbyak::Xmm(to.getIdx()));
  }
  void permute(const Vector& to, const Vector& which, const Operand& from) override {
    vpermd(Ymm(to.getIdx()), Ymm(which.getIdx()), from);
  }

  void permute_two(const Vector& which, const Vector& low, const Vector& high,
                   const Vector& spare) override {
    vpslld(scratch(), which, 28);  // the bit that chooses becomes the sign
    permute(spare, which, high);
    permute(which, which, low);
    vblendvps(which, which, spare, scratch());
  }
  void shift_up(const Vector& to, const Vector& value, const Vector& fill,
                std::uint32_t by) override {
    vperm2i128(Ymm(to.getIdx()), Ymm(fill.getIdx()), value,
               0x21);  // the 128 bits below each half of value
    if (by < 4) vpalignr(to, value, to, static_cast<std::uint8_t>(4 * (4 - by)));
  }
  /// By the exponent of the number as a float, without the bit below the highest one so that it is not rounded up.
  void highest_bit(const Vector& to, const Vector& from) override {
    vpsrld(scratch(), from, 1);
    vpandn(to, scratch(), from);
    vcvtdq2ps(to, to);
    vpsrld(to, to, 23);
    vpsubd(to, to, constant(127));
    // Larger with a sign, which is the highest bit, and smaller for zero.
    vpminsd(to, to, constant(31));
    vpmaxsd(to, to, constant(~0u));
  }
  void less_as_number(const Vector& to, Scalar type, const Vector& a, const Operand& b) override {
    type == Scalar::i32 ? vpmaxsd(scratch(), a, b) : vpmaxud(scratch(), a, b);
    vpcmpeqd(scratch(), scratch(), a);
    vpaddd(to, scratch(), constant(1));
  }
  void join_upper_halves(const Vector& to, const Vector& odd) override {
    vpsrlq(to, to, 32);
    vpblendd(to, to, odd, 0xaa);
  }
  /// As with AVX-512. Conversions are of signed integers: an estimate of 2^31 and more becomes 2^31, which happens with
  /// the divisor one, and what the first estimate lacks looks negative only where it is less than two divisors.
  void divide(const Vector& quotient, const Vector& rest, const Vector& a, const Vector& b,
              const Vector& reciprocal) override {
    to_float(reciprocal, b);
    vrcpps(rest, reciprocal);
    vfnmadd213ps(reciprocal, rest, constant(just_below_one));
    vfmadd213ps(reciprocal, rest, rest);
    to_float(quotient, a);
    vmulps(quotient, quotient, reciprocal);
    vcvttps2dq(quotient, quotient);
    vpmulld(rest, quotient, b);
    vpsubd(rest, a, rest);
    vcvtdq2ps(scratch(), rest);
    vmulps(scratch(), scratch(), reciprocal);
    vmaxps(scratch(), scratch(), constant(0));
    vcvttps2dq(scratch(), scratch());
    vpaddd(quotient, quotient, scratch());
    vpmulld(scratch(), scratch(), b);
    vpsubd(rest, rest, scratch());
    vpminud(scratch(), rest, b);
    vpcmpeqd(scratch(), scratch(), b);
    vpsubd(quotient, quotient, scratch());
    vpand(scratch(), scratch(), b);
    vpsubd(rest, rest, scratch());
    vpcmpeqd(scratch(), b, constant(1));
    vblendvps(quotient, quotient, a, scratch());
    vpandn(rest, scratch(), rest);
  }
  void clear_where_zero(const Vector& numbers, const Vector& other) override {
    vpxor(scratch(), scratch(), scratch());
    vpcmpeqd(scratch(), scratch(), other);
    vpandn(numbers, scratch(), numbers);
  }

  void compare(MaskRegister to, Comparison comparison, Scalar type, const Vector& a,
               const Operand& b) override {
    const Ymm holds(to.number);
    if (type == Scalar::f32) {
      constexpr std::uint8_t predicates[] = {0, 4, 1, 2};
      return vcmpps(holds, a, b, predicates[static_cast<std::size_t>(comparison)]);
    }
    const bool has_sign = type == Scalar::i32;
    switch (comparison) {
      case Comparison::equal:
        return vpcmpeqd(holds, a, b);
      case Comparison::not_equal:
        vpcmpeqd(holds, a, b);
        return mask_not(to, to);
      case Comparison::less:
        // a < b: not a >= b, which is max(a, b) == a.
        if (has_sign) {
          vpmaxsd(scratch(), a, b);
        } else {
          vpmaxud(scratch(), a, b);
        }
        vpcmpeqd(holds, scratch(), a);
        return mask_not(to, to);
      case Comparison::less_equal:
        if (has_sign) {
          vpminsd(scratch(), a, b);
        } else {
          vpminud(scratch(), a, b);
        }
        return vpcmpeqd(holds, scratch(), a);
    }
  }
  void select(const Vector& to, MaskRegister mask, const Vector& no, const Operand& yes) override {
    vblendvps(to, no, yes, Ymm(mask.number));
  }
  void select_lanes(const Shape& shape, std::uint32_t v, const Vector& to, MaskRegister mask,
                    const Vector& no, const Operand& yes) override {
    if (shape == this->shape(4)) return select(to, mask, no, yes);
    const Xbyak::Xmm low(mask.number), bits(scratch_number);
    if (shape == this->shape(8)) {
      if (v % 2 != 0) vextracti128(bits, Ymm(mask.number), 1);
      vpmovsxdq(Ymm(scratch_number), v % 2 != 0 ? bits : low);
      return vblendvpd(to, no, yes, Ymm(scratch_number));
    }
    vextracti128(bits, Ymm(mask.number), 1);
    vpackssdw(bits, low, bits);
    if (shape == this->shape(1)) vpacksswb(bits, bits, bits);
    if (yes.isMEM()) return vpblendvb(half(to), half(no), yes, bits);
    vpblendvb(half(to), half(no), Xbyak::Xmm(yes.getIdx()), bits);
  }
  void compare_wide(MaskRegister to, Comparison comparison, Scalar type, const Vector& a,
                    const Operand& b) override {
    const Ymm holds(to.number);
    if (type == Scalar::f64) {
      constexpr std::uint8_t predicates[] = {0, 4, 1, 2};
      return vcmppd(holds, a, b, predicates[static_cast<std::size_t>(comparison)]);
    }
    if (comparison == Comparison::equal || comparison == Comparison::not_equal) {
      vpcmpeqq(holds, a, b);
      return comparison == Comparison::equal ? void() : mask_not(to, to);
    }
    // Unsigned numbers are in the order of signed ones with the other upper bit.
    const Address sign = wide_constant(type == Scalar::u64 ? std::uint64_t{1} << 63 : 0);
    vmovups(holds, b);
    vpxor(holds, holds, sign);
    vpxor(scratch(), a, sign);
    if (comparison == Comparison::less) return vpcmpgtq(holds, holds, scratch());
    vpcmpgtq(holds, scratch(), holds);
    mask_not(to, to);
  }
  void join_masks(MaskRegister to, MaskRegister high) override {
    narrow_words(Ymm(to.number), Ymm(to.number), Ymm(high.number));
  }
  void multiply_wide(const Vector& to, const Vector& a, const Operand& b, const Vector& spare,
                     const Vector& other_spare) override {
    // The products of one upper and one lower half, added, are the upper half of what the lower halves lack.
    vpshufd(spare, b, 0xb1);
    vpmulld(spare, spare, a);
    vpsrlq(other_spare, spare, 32);
    vpaddd(spare, spare, other_spare);
    vpsllq(spare, spare, 32);
    vpmuludq(to, a, b);
    vpaddq(to, to, spare);
  }
  void shift_wide_signed(const Vector& to, const Vector& a, std::uint8_t count,
                         const Vector&) override {
    const Address sign = wide_constant(std::uint64_t{1} << (63 - count));
    vpsrlq(to, a, count);
    vpxor(to, to, sign);
    vpsubq(to, to, sign);
  }
  void shift_wide_signed(const Vector& to, const Vector& a, const Vector& counts,
                         const Vector& spare) override {
    vmovups(spare, wide_constant(std::uint64_t{1} << 63));
    vpsrlvq(spare, spare, counts);
    vpsrlvq(to, a, counts);
    vpxor(to, to, spare);
    vpsubq(to, to, spare);
  }

  void upper_half(const Vector& to, const Vector& from) override {
    vextracti128(half(to), Ymm(from.getIdx()), 1);
  }
  void join_halves(const Vector& to, const Vector& low, const Vector& high) override {
    vinserti128(Ymm(to.getIdx()), Ymm(low.getIdx()), half(high), 1);
  }
  void truncate(const Vector& to, const Vector& from, std::uint32_t from_bytes,
                std::uint32_t bytes) override {
    if (from_bytes == 2)
      return vpshufb(half(to), half(from), words({0x06040200, 0x0e0c0a08, 0, 0, 0, 0, 0, 0}));
    const Ymm all(to.getIdx());
    if (bytes == 2) {
      const std::vector<std::uint32_t> lower = {0x05040100, 0x0d0c0908, ~0u, ~0u};
      vpshufb(all, Ymm(from.getIdx()), words(twice(lower)));
      return vpermq(all, all, 0x08);
    }
    vpshufb(all, Ymm(from.getIdx()), words(twice({0x0c080400, ~0u, ~0u, ~0u})));
    vextracti128(half(scratch()), all, 1);
    vpunpckldq(half(to), half(to), half(scratch()));
  }
  void compare_narrow(MaskRegister to, Comparison comparison, Scalar type, const Vector& a,
                      const Vector& b) override {
    const Xbyak::Xmm holds(to.number), x(a.getIdx()), y(b.getIdx()), extreme(scratch_number);
    const bool bytes = size_of(type) == 1, has_sign = is_signed(type);
    const auto equal = [&](const Xbyak::Xmm& other) {
      bytes ? vpcmpeqb(holds, x, other) : vpcmpeqw(holds, x, other);
    };
    if (comparison == Comparison::less) {
      if (bytes)
        has_sign ? vpmaxsb(extreme, x, y) : vpmaxub(extreme, x, y);
      else
        has_sign ? vpmaxsw(extreme, x, y) : vpmaxuw(extreme, x, y);
    } else if (comparison == Comparison::less_equal) {
      if (bytes)
        has_sign ? vpminsb(extreme, x, y) : vpminub(extreme, x, y);
      else
        has_sign ? vpminsw(extreme, x, y) : vpminuw(extreme, x, y);
    }
    const bool orders = comparison == Comparison::less || comparison == Comparison::less_equal;
    equal(orders ? extreme : y);
    bytes ? vpmovsxbd(Ymm(to.number), holds) : vpmovsxwd(Ymm(to.number), holds);
    if (comparison == Comparison::less || comparison == Comparison::not_equal) mask_not(to, to);
  }
  void narrow_words(const Vector& to, const Vector& low, const Vector& high) override {
    vshufps(to, low, high, 0x88);
    vpermq(Ymm(to.getIdx()), Ymm(to.getIdx()), 0xd8);
  }
  void round(const Vector& to, const Operand& from, Rounding rounding, Scalar type) override {
    const auto mode = static_cast<std::uint8_t>(8u | static_cast<unsigned>(rounding));
    if (type == Scalar::f64) return vroundpd(to, from, mode);
    vroundps(to, from, mode);
  }
  void select_nan(const Vector& to, const Vector& a, const Vector& other, const Vector& b,
                  Scalar type) override {
    if (type == Scalar::f64) {
      vcmpunordpd(scratch(), a, a);
      return vblendvpd(to, other, b, scratch());
    }
    vcmpunordps(scratch(), a, a);
    vblendvps(to, other, b, scratch());
  }
  void zero_nan(const Vector& to, const Vector& a, Scalar type) override {
    if (type == Scalar::f64)
      vcmpordpd(scratch(), a, a);
    else
      vcmpordps(scratch(), a, a);
    vpand(to, a, scratch());
  }
  void unsigned_to_float(const Vector& to, const Vector& a, const Vector& spare) override {
    // The halves are exact, and their sum rounds once.
    vpsrld(spare, a, 16);
    vpand(scratch(), a, constant(0xffff));
    vcvtdq2ps(spare, spare);
    vcvtdq2ps(to, scratch());
    vmulps(spare, spare, constant(0x47800000));  // 65536
    vaddps(to, to, spare);
  }
  void float_to_unsigned(const Vector& to, const Vector& a, const Vector& spare) override {
    // From 2^31 on without it, and then with it as a bit.
    const Address half_way = constant(0x4f000000), above = constant(0x4f800000);
    vcmpnltps(scratch(), a, half_way);
    vcmpnltps(spare, a, above);
    vandps(to, scratch(), half_way);
    vsubps(to, a, to);
    vcvttps2dq(to, to);
    vpslld(scratch(), scratch(), 31);
    vpxor(to, to, scratch());
    vpor(to, to, spare);
  }
  void test_bit(MaskRegister to, const Vector& of, std::uint32_t bit) override {
    vpslld(Ymm(to.number), of, static_cast<std::uint8_t>(31 - bit));
    vpsrad(Ymm(to.number), Ymm(to.number), 31);
  }
  Vector words_of_mask(const Vector&, MaskRegister mask) override { return Ymm(mask.number); }
  void mask_of_words(MaskRegister to, const Vector& words) override {
    vmovaps(Ymm(to.number), words);
  }
  void fill(const Vector& to, MaskRegister mask) override { vpor(to, to, Ymm(mask.number)); }

  void load_mask(MaskRegister to, const Address& bits) override {
    vpbroadcastd(Ymm(to.number), bits);
    spread(Ymm(to.number));
  }
  void mask_of_bits(MaskRegister to, const Reg64& bits, std::uint32_t number,
                    const Shape& shape) override {
    const Reg32 low(number == 0 ? bits.getIdx() : r8.getIdx());
    const Ymm mask(to.number);
    if (number != 0) {
      mov(r8, bits);
      shr(r8, static_cast<int>(number * shape.lanes));
    }
    vmovd(Xbyak::Xmm(to.number), low);
    vpbroadcastd(mask, Xbyak::Xmm(to.number));
    if (shape == this->shape(4)) return spread(mask);
    if (shape == this->shape(8)) {
      const Address each = words({1, 0, 2, 0, 4, 0, 8, 0});
      vpand(mask, mask, each);
      return vpcmpeqq(mask, mask, each);
    }
    if (shape == this->shape(1)) {
      vpbroadcastb(mask, Xbyak::Xmm(to.number));
      const Address each = words({0x08040201, 0x80402010, 0, 0, 0, 0, 0, 0});
      vpand(mask, mask, each);
      return vpcmpeqb(mask, mask, each);
    }
    vpbroadcastw(mask, Xbyak::Xmm(to.number));
    const Address each = words({0x00020001, 0x00080004, 0x00200010, 0x00800040, 0, 0, 0, 0});
    vpand(mask, mask, each);
    vpcmpeqw(mask, mask, each);
  }
  void bits_of_masks(const Reg64& to, std::span<const MaskRegister> masks,
                     bool temporary) override {
    const Reg32 low(to.getIdx());
    if (temporary && masks.size() % 4 == 0) {
      for (std::size_t k = 0; k < masks.size(); k += 4) {
        pack(k == 0 ? low : r11d, masks.subspan(k, 4));
        if (k == 0) continue;
        shl(r11, static_cast<int>(k * lanes()));
        or_(to, r11);
      }
      return;
    }
    vmovmskps(low, Ymm(masks[0].number));
    for (std::size_t k = 1; k < masks.size(); ++k) {
      vmovmskps(r11d, Ymm(masks[k].number));
      shl(r11, static_cast<int>(k * lanes()));
      or_(to, r11);
    }
  }
  void mask_and(MaskRegister to, MaskRegister a, MaskRegister b) override {
    vpand(Ymm(to.number), Ymm(a.number), Ymm(b.number));
  }
  void mask_or(MaskRegister to, MaskRegister a, MaskRegister b) override {
    vpor(Ymm(to.number), Ymm(a.number), Ymm(b.number));
  }
  void mask_xor(MaskRegister to, MaskRegister a, MaskRegister b) override {
    vpxor(Ymm(to.number), Ymm(a.number), Ymm(b.number));
  }
  void mask_not(MaskRegister to, MaskRegister a) override {
    vpxor(Ymm(to.number), Ymm(a.number), constant(~0u));
  }

  bool stores_lanes() const override { return false; }
  void store_lanes(const Address&, MaskRegister, const Vector&, const Shape&) override {
    throw Xbyak::Error(Xbyak::ERR_INTERNAL);
  }
  void merge(const Address& to, MaskRegister mask, const Operand& value, const Vector& spare,
             const Shape& shape) override {
    if (shape.bytes < vector_bytes()) {
      load(spare, to, shape);
      if (value.isMEM())
        vpblendvb(half(spare), half(spare), value, Xbyak::Xmm(mask.number));
      else
        vpblendvb(half(spare), half(spare), Xbyak::Xmm(value.getIdx()), Xbyak::Xmm(mask.number));
      return store(to, spare, shape);
    }
    vmovups(spare, to);
    vblendvps(spare, spare, value, Ymm(mask.number));
    vmovups(to, spare);
  }

  void gather(const Vector& to, MaskRegister mask, const Reg64& base, const Vector& distance,
              std::uint32_t constant) override {
    vpgatherdd(Ymm(to.getIdx()), ptr[base + Ymm(distance.getIdx()) + constant], Ymm(mask.number));
  }
  bool scatters() const override { return false; }
  void scatter(const Reg64&, const Vector&, std::uint32_t, MaskRegister, const Vector&) override {
    throw Xbyak::Error(Xbyak::ERR_INTERNAL);
  }

  void store_packed(const Reg64&, std::uint32_t, const Vector&, MaskRegister, const Vector&,
                    const Vector&, const Vector&, const Xbyak::Label&) override {
    throw Xbyak::Error(Xbyak::ERR_INTERNAL);
  }

  /// Functions may contain instructions that wait for the upper halves.
  void leave_vectors() override { vzeroupper(); }

 private:
  /// For both halves of a register.
  static std::vector<std::uint32_t> twice(std::vector<std::uint32_t> half) {
    half.insert(half.end(), {half[0], half[1], half[2], half[3]});
    return half;
  }
  /// Of unsigned numbers, rounded at most twice. Overwrites scratch().
  void to_float(const Vector& to, const Vector& from) {
    vcvtdq2ps(to, from);
    vpsrad(scratch(), from, 31);
    vandps(scratch(), scratch(), constant(0x4f800000));  // 2^32
    vaddps(to, to, scratch());
  }
  /// Makes masks of bits: every lane has the bits of eight lanes and keeps its own.
  void spread(const Ymm& lanes) {
    const Address bits = words({1, 2, 4, 8, 16, 32, 64, 128});
    vpand(lanes, lanes, bits);
    vpcmpeqd(lanes, lanes, bits);
  }
  /// Packing works on halves of a register, which leaves groups of four lanes out of order.
  void pack(const Reg32& to, std::span<const MaskRegister> masks) {
    const auto mask = [&](std::size_t k) { return Ymm(masks[k].number); };
    const Ymm all(scratch_number);
    vpackssdw(all, mask(0), mask(1));
    vpackssdw(mask(2), mask(2), mask(3));
    vpacksswb(all, all, mask(2));
    vmovdqa(mask(2), words({0, 4, 1, 5, 2, 6, 3, 7}));
    vpermd(all, mask(2), all);
    vpmovmskb(to, all);
  }
};

}  // namespace

std::unique_ptr<VectorAssembler> make_avx2_assembler(std::size_t bytes, std::uint8_t* to) {
  return std::make_unique<Avx2>(bytes, to);
}

}  // namespace lockstep::spirv

#endif
