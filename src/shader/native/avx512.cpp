#if LOCKSTEP_SPIRV_NATIVE

#include "shader/native/vector_assembler.hpp"

/// \file
/// AVX-512: registers 16 to 31 of 16 lanes, which functions called in between need not find clean, and masks
/// in opmask registers.

namespace lockstep::spirv {
namespace {

using Xbyak::Address;
using Xbyak::Operand;
using Xbyak::Opmask;
using Xbyak::Reg32;
using Xbyak::Reg64;
using Xbyak::Zmm;

constexpr int first_number = 16, vector_count = 15, first_mask = 2, mask_count = 6;

class Avx512 final : public VectorAssembler {
 public:
  Avx512(std::size_t bytes, std::uint8_t* to)
      : VectorAssembler(bytes, to, 16, vector_count, mask_count) {}

  Vector vector(int number) const override { return Zmm(first_number + number); }
  Vector scratch() const override { return Zmm(first_number + vector_count); }
  MaskRegister mask_scratch() const override { return {-1}; }  // k1

  void bit_and(const Vector& to, const Vector& a, const Operand& b) override { vpandd(to, a, b); }
  void bit_or(const Vector& to, const Vector& a, const Operand& b) override { vpord(to, a, b); }
  void bit_xor(const Vector& to, const Vector& a, const Operand& b) override { vpxord(to, a, b); }

  void broadcast(const Vector& to, const Reg32& number) override { vpbroadcastd(to, number); }
  void permute(const Vector& to, const Vector& which, const Address& from) override {
    vpermd(Zmm(to.getIdx()), Zmm(which.getIdx()), from);
  }
  void count_bits(const Vector& to, const Vector& spare) override {
    if (counts_bits_) return vpopcntd(Zmm(to.getIdx()), Zmm(to.getIdx()));
    VectorAssembler::count_bits(to, spare);
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
  void fill(const Vector& to, MaskRegister of) override { vpternlogd(to | mask(of), to, to, 0xff); }

  void load_mask(MaskRegister to, const Address& bits) override { kmovw(mask(to), bits); }
  void mask_of_bits(MaskRegister to, const Reg64& bits, std::uint32_t number) override {
    if (number == 0) return kmovw(mask(to), Reg32(bits.getIdx()));
    mov(r8, bits);
    shr(r8, static_cast<int>(number * lanes()));
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
  void store_lanes(const Address& to, MaskRegister of, const Vector& value) override {
    vmovdqu32(to | mask(of), value);
  }
  void merge(const Address& to, MaskRegister of, const Operand& value,
             const Vector& spare) override {
    if (value.isMEM()) {
      vmovups(spare, value);
      vmovdqu32(to | mask(of), spare);
    } else {
      vmovdqu32(to | mask(of), static_cast<const Vector&>(value));
    }
  }

  void leave_vectors() override {}

 private:
  const bool counts_bits_ = __builtin_cpu_supports("avx512vpopcntdq");

  static Opmask mask(MaskRegister of) { return Opmask(of.number + first_mask); }
};

}  // namespace

std::unique_ptr<VectorAssembler> make_avx512_assembler(std::size_t bytes, std::uint8_t* to) {
  return std::make_unique<Avx512>(bytes, to);
}

}  // namespace lockstep::spirv

#endif
