#if LOCKSTEP_SPIRV_NATIVE

#include <xbyak/xbyak_util.h>

#include "shader/native/vector_assembler.hpp"

/// \file
/// AVX-512: 32 registers of 16 lanes, and masks in opmask registers.

namespace lockstep::spirv {
namespace {

using Xbyak::Address;
using Xbyak::Operand;
using Xbyak::Opmask;
using Xbyak::Reg32;
using Xbyak::Reg64;
using Xbyak::Ymm;
using Xbyak::Zmm;

constexpr int vector_count = 31, first_mask = 2, mask_count = 6;

class Avx512 final : public VectorAssembler {
 public:
  Avx512(std::size_t bytes, std::uint8_t* to)
      : VectorAssembler(bytes, to, 16, vector_count, mask_count) {}

  Vector vector(int number) const override { return Zmm(number); }
  Vector half(const Vector& whole) const override { return Ymm(whole.getIdx()); }
  Vector scratch() const override { return Zmm(vector_count); }
  MaskRegister mask_scratch() const override { return {-1}; }  // k1

  void bit_and(const Vector& to, const Vector& a, const Operand& b) override { vpandd(to, a, b); }
  void bit_or(const Vector& to, const Vector& a, const Operand& b) override { vpord(to, a, b); }
  void bit_xor(const Vector& to, const Vector& a, const Operand& b) override { vpxord(to, a, b); }
  void bit_clear(const Vector& to, const Vector& a, const Vector& b) override { vpandnd(to, b, a); }
  void choose_bits(const Vector& to, const Vector& which, const Vector& yes,
                   const Vector& no) override {
    vpternlogd(which, yes, no, 0xca);
    vmovaps(to, which);
  }

  void broadcast(const Vector& to, const Reg32& number) override { vpbroadcastd(to, number); }
  void permute(const Vector& to, const Vector& which, const Operand& from) override {
    vpermd(Zmm(to.getIdx()), Zmm(which.getIdx()), from);
  }
  void permute_two(const Vector& which, const Vector& low, const Vector& high,
                   const Vector&) override {
    vpermi2d(which, low, high);
  }
  void shift_up(const Vector& to, const Vector& value, const Vector& fill,
                std::uint32_t by) override {
    valignd(to, value, fill, static_cast<std::uint8_t>(lanes() - by));
  }
  void count_bits(const Vector& to, const Vector& spare) override {
    if (counts_bits_) return vpopcntd(Zmm(to.getIdx()), Zmm(to.getIdx()));
    VectorAssembler::count_bits(to, spare);
  }
  void reverse_bits(const Vector& to, const Vector& from, const Vector& spare) override {
    if (!has_bit_matrices_) return VectorAssembler::reverse_bits(to, from, spare);
    vgf2p8affineqb(Zmm(to.getIdx()), Zmm(from.getIdx()), wide_constant(0x8040201008040201), 0);
    swap_bytes(to);
  }
  void highest_bit(const Vector& to, const Vector& from) override {
    vplzcntd(to, from);
    vmovups(scratch(), constant(31));
    vpsubd(to, scratch(), to);
  }
  void less_as_number(const Vector& to, Scalar type, const Vector& a, const Operand& b) override {
    type == Scalar::i32 ? vpcmpd(k1, a, b, 1) : vpcmpud(k1, a, b, 1);
    vmovdqa32(to | k1 | T_z, constant(1));
  }
  void join_upper_halves(const Vector& to, const Vector& odd) override {
    std::vector<std::uint32_t> from;
    for (std::uint32_t k = 0; k < lanes(); ++k) from.push_back(k % 2 == 0 ? k + 1 : k + lanes());
    vmovups(scratch(), words(std::move(from)));
    vpermt2d(Zmm(to.getIdx()), Zmm(scratch().getIdx()), odd);
  }
  /// By estimates of the quotient, and then of what it lacks, from a reciprocal that is at most 2^-20 too small and
  /// never too large: the second one lacks at most one.
  void divide(const Vector& quotient, const Vector& rest, const Vector& a, const Vector& b,
              const Vector& reciprocal) override {
    vcvtudq2ps(reciprocal, b);
    vrcp14ps(rest, reciprocal);
    vfnmadd213ps(reciprocal, rest, constant(just_below_one));
    vfmadd213ps(reciprocal, rest, rest);
    vcvtudq2ps(quotient, a);
    vmulps(quotient, quotient, reciprocal);
    vcvttps2udq(quotient, quotient);
    vpmulld(rest, quotient, b);
    vpsubd(rest, a, rest);
    vcvtudq2ps(scratch(), rest);
    vmulps(scratch(), scratch(), reciprocal);
    vcvttps2udq(scratch(), scratch());
    vpaddd(quotient, quotient, scratch());
    vpmulld(scratch(), scratch(), b);
    vpsubd(rest, rest, scratch());
    vpcmpud(k1, b, rest, 2);
    vpsubd(quotient | k1, quotient, constant(~0u));
    vpsubd(rest | k1, rest, b);
  }
  void clear_where_zero(const Vector& numbers, const Vector& other) override {
    vptestmd(k1, other, other);
    vmovdqa32(numbers | k1 | T_z, numbers);
  }

  void compare(MaskRegister to, Comparison comparison, Scalar type, const Vector& a,
               const Operand& b) override {
    constexpr std::uint8_t predicates[] = {0, 4, 1, 2};
    const std::uint8_t predicate = predicates[static_cast<std::size_t>(comparison)];
    if (type == Scalar::f32) return vcmpps(mask(to), a, b, predicate);
    if (type == Scalar::i32) return vpcmpd(mask(to), a, b, predicate);
    vpcmpud(mask(to), a, b, predicate);
  }
  void select(const Vector& to, MaskRegister of, const Vector& no, const Operand& yes) override {
    vpblendmd(to | mask(of), no, yes);
  }
  void select_lanes(const Shape& shape, std::uint32_t v, const Vector& to, MaskRegister of,
                    const Vector& no, const Operand& yes) override {
    if (shape == this->shape(4)) return select(to, of, no, yes);
    if (shape == this->shape(2)) {
      if (yes.isMEM()) return vpblendmw(half(to) | mask(of), half(no), yes);
      return vpblendmw(half(to) | mask(of), half(no), Ymm(yes.getIdx()));
    }
    if (shape == this->shape(1)) {
      if (yes.isMEM()) return vpblendmb(quarter(to) | mask(of), quarter(no), yes);
      return vpblendmb(quarter(to) | mask(of), quarter(no), Xbyak::Xmm(yes.getIdx()));
    }
    if (v % 2 != 0) kshiftrw(k1, mask(of), 8);
    vpblendmq(to | (v % 2 != 0 ? k1 : mask(of)), no, yes);
  }
  void compare_wide(MaskRegister to, Comparison comparison, Scalar type, const Vector& a,
                    const Operand& b) override {
    constexpr std::uint8_t predicates[] = {0, 4, 1, 2};
    const std::uint8_t predicate = predicates[static_cast<std::size_t>(comparison)];
    if (type == Scalar::f64) return vcmppd(mask(to), a, b, predicate);
    if (type == Scalar::i64) return vpcmpq(mask(to), a, b, predicate);
    vpcmpuq(mask(to), a, b, predicate);
  }
  void join_masks(MaskRegister to, MaskRegister high) override {
    kunpckbw(mask(to), mask(high), mask(to));
  }
  void multiply_wide(const Vector& to, const Vector& a, const Operand& b, const Vector&,
                     const Vector&) override {
    vpmullq(to, a, b);
  }
  void shift_wide_signed(const Vector& to, const Vector& a, std::uint8_t count,
                         const Vector&) override {
    vpsraq(to, a, count);
  }
  void shift_wide_signed(const Vector& to, const Vector& a, const Vector& counts,
                         const Vector&) override {
    vpsravq(to, a, counts);
  }
  bool fuses() const override { return true; }
  void rotate_right(const Vector& to, const Operand& from, std::uint8_t count,
                    std::uint32_t bytes) override {
    bytes == 8 ? vprorq(to, from, count) : vprord(to, from, count);
  }
  void combine(const Vector& to, const Vector& a, const Vector& b, const Operand& c,
               std::uint8_t results) override {
    // Of a register that is none of the others.
    const bool is_other = to.getIdx() == b.getIdx() || (!c.isMEM() && to.getIdx() == c.getIdx());
    const Vector both = is_other ? scratch() : to;
    if (both.getIdx() != a.getIdx()) vmovaps(both, a);
    vpternlogd(both, b, c, results);
    if (is_other) vmovaps(to, both);
  }
  void upper_half(const Vector& to, const Vector& from) override {
    vextracti64x4(half(to), Zmm(from.getIdx()), 1);
  }
  void join_halves(const Vector& to, const Vector& low, const Vector& high) override {
    vinserti64x4(Zmm(to.getIdx()), Zmm(low.getIdx()), half(high), 1);
  }
  void truncate(const Vector& to, const Vector& from, std::uint32_t from_bytes,
                std::uint32_t bytes) override {
    if (from_bytes == 2) return vpmovwb(quarter(to), half(from));
    bytes == 2 ? vpmovdw(half(to), from) : vpmovdb(quarter(to), from);
  }
  void compare_narrow(MaskRegister to, Comparison comparison, Scalar type, const Vector& a,
                      const Vector& b) override {
    constexpr std::uint8_t predicates[] = {0, 4, 1, 2};
    const std::uint8_t predicate = predicates[static_cast<std::size_t>(comparison)];
    if (size_of(type) == 2) {
      if (is_signed(type)) return vpcmpw(mask(to), half(a), half(b), predicate);
      return vpcmpuw(mask(to), half(a), half(b), predicate);
    }
    if (is_signed(type)) return vpcmpb(mask(to), quarter(a), quarter(b), predicate);
    vpcmpub(mask(to), quarter(a), quarter(b), predicate);
  }
  void narrow_words(const Vector& to, const Vector& low, const Vector& high) override {
    vpmovqd(half(scratch()), Zmm(high.getIdx()));
    vpmovqd(half(to), Zmm(low.getIdx()));
    join_halves(to, to, scratch());
  }
  void round(const Vector& to, const Operand& from, Rounding rounding, Scalar type) override {
    const auto mode = static_cast<std::uint8_t>(8u | static_cast<unsigned>(rounding));
    if (type == Scalar::f64) return vrndscalepd(to, from, mode);
    vrndscaleps(to, from, mode);
  }
  void select_nan(const Vector& to, const Vector& a, const Vector& other, const Vector& b,
                  Scalar type) override {
    if (type == Scalar::f64) {
      vcmppd(k1, a, a, 3);
      return vblendmpd(to | k1, other, b);
    }
    vcmpps(k1, a, a, 3);
    vblendmps(to | k1, other, b);
  }
  void zero_nan(const Vector& to, const Vector& a, Scalar type) override {
    if (type == Scalar::f64) {
      vcmppd(k1, a, a, 7);
      return vmovapd(to | k1 | T_z, a);
    }
    vcmpps(k1, a, a, 7);
    vmovaps(to | k1 | T_z, a);
  }
  void unsigned_to_float(const Vector& to, const Vector& a, const Vector&) override {
    vcvtudq2ps(to, a);
  }
  void float_to_unsigned(const Vector& to, const Vector& a, const Vector&) override {
    vcvttps2udq(to, a);
  }
  void test_bit(MaskRegister to, const Vector& of, std::uint32_t bit) override {
    vptestmd(mask(to), of, constant(std::uint32_t{1} << bit));
  }
  Vector words_of_mask(const Vector& to, MaskRegister of) override {
    vpmovm2d(to, mask(of));
    return to;
  }
  void mask_of_words(MaskRegister to, const Vector& words) override { vpmovd2m(mask(to), words); }
  void fill(const Vector& to, MaskRegister of) override { vpternlogd(to | mask(of), to, to, 0xff); }

  void load_mask(MaskRegister to, const Address& bits) override { kmovw(mask(to), bits); }
  void mask_of_bits(MaskRegister to, const Reg64& bits, std::uint32_t number,
                    const Shape& shape) override {
    if (number == 0) return kmovw(mask(to), Reg32(bits.getIdx()));
    mov(r8, bits);
    shr(r8, static_cast<int>(number * shape.lanes));
    kmovw(mask(to), r8d);
  }
  void bits_of_masks(const Reg64& to, std::span<const MaskRegister> masks, bool) override {
    const Opmask both(1);
    const auto pair = [&](const Reg32& bits, std::size_t k) {
      if (k + 1 == masks.size()) return kmovw(bits, mask(masks[k]));
      kunpckwd(both, mask(masks[k + 1]), mask(masks[k]));
      kmovd(bits, both);
    };
    pair(Reg32(to.getIdx()), 0);
    if (masks.size() <= 2) return;
    pair(r11d, 2);
    shl(r11, 32);
    or_(to, r11);
  }
  void mask_and(MaskRegister to, MaskRegister a, MaskRegister b) override {
    kandw(mask(to), mask(a), mask(b));
  }
  void mask_or(MaskRegister to, MaskRegister a, MaskRegister b) override {
    korw(mask(to), mask(a), mask(b));
  }
  void mask_xor(MaskRegister to, MaskRegister a, MaskRegister b) override {
    kxorw(mask(to), mask(a), mask(b));
  }
  void mask_not(MaskRegister to, MaskRegister a) override { knotw(mask(to), mask(a)); }

  bool stores_lanes() const override { return true; }
  void store_lanes(const Address& to, MaskRegister of, const Vector& value,
                   const Shape& shape) override {
    if (shape == this->shape(1)) return vmovdqu8(to | mask(of), quarter(value));
    if (shape == this->shape(2)) return vmovdqu16(to | mask(of), half(value));
    vmovdqu32(to | mask(of), value);
  }
  void merge(const Address& to, MaskRegister of, const Operand& value, const Vector& spare,
             const Shape& shape) override {
    Vector from = spare;
    if (value.isMEM())
      vmovups(part(spare, shape), value);
    else
      from = static_cast<const Vector&>(value);
    if (shape == this->shape(8)) return vmovdqu64(to | mask(of), from);
    if (shape == this->shape(2)) return vmovdqu16(to | mask(of), half(from));
    if (shape == this->shape(1)) return vmovdqu8(to | mask(of), quarter(from));
    vmovdqu32(to | mask(of), from);
  }

  void gather(const Vector& to, MaskRegister of, const Reg64& base, const Vector& distance,
              std::uint32_t constant) override {
    vpgatherdd(to | mask(of), ptr[base + Zmm(distance.getIdx()) + constant]);
  }
  bool scatters() const override { return true; }
  void scatter(const Reg64& base, const Vector& distance, std::uint32_t constant, MaskRegister of,
               const Vector& value) override {
    vpscatterdd(ptr[base + Zmm(distance.getIdx()) + constant] | mask(of), value);
  }

  void store_packed(const Reg64& base, std::uint32_t constant, const Vector& index, MaskRegister of,
                    const Vector& value, const Vector& spare, const Vector& other_spare,
                    const Xbyak::Label& other) override {
    vpcompressd(spare | mask(of) | T_z, index);
    vpcompressd(other_spare | mask(of) | T_z, value);
    kmovw(eax, mask(of));
    popcnt(eax, eax);
    mov(edx, ~std::uint32_t{0});
    bzhi(edx, edx, eax);
    kmovw(k1, edx);
    vmovd(eax, Xbyak::Xmm(spare.getIdx()));
    vpbroadcastd(scratch(), Xbyak::Xmm(spare.getIdx()));
    std::vector<std::uint32_t> numbers;
    for (std::uint32_t k = 0; k < lanes(); ++k) numbers.push_back(k);
    vpaddd(scratch(), scratch(), words(std::move(numbers)));
    vpcmpd(k1 | k1, scratch(), spare, 4);
    kortestw(k1, k1);
    jnz(other, T_NEAR);
    kmovw(k1, edx);
    vmovdqu32(ptr[base + rax * 4 + constant] | k1, other_spare);
  }

  /// Functions may contain instructions that wait for the upper parts of registers 0 to 15.
  void leave_vectors() override { vzeroupper(); }

 private:
  const bool counts_bits_ = __builtin_cpu_supports("avx512vpopcntdq");
  const bool has_bit_matrices_ = Xbyak::util::Cpu().has(Xbyak::util::Cpu::tGFNI);

  static Xbyak::Xmm quarter(const Vector& whole) { return Xbyak::Xmm(whole.getIdx()); }
  static Opmask mask(MaskRegister of) { return Opmask(of.number + first_mask); }
};

}  // namespace

std::unique_ptr<VectorAssembler> make_avx512_assembler(std::size_t bytes, std::uint8_t* to) {
  return std::make_unique<Avx512>(bytes, to);
}

}  // namespace lockstep::spirv

#endif
