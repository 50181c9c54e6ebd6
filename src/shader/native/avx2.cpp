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

class Avx2 final : public VectorAssembler {
 public:
  Avx2(std::size_t bytes, std::uint8_t* to) : VectorAssembler(bytes, to, 8, scratch_number, 0) {}

  Vector vector(int number) const override { return Ymm(number); }
  Vector scratch() const override { return Ymm(scratch_number); }
  MaskRegister mask_scratch() const override { return {scratch_number}; }

  void bit_and(const Vector& to, const Vector& a, const Operand& b) override { vpand(to, a, b); }
  void bit_or(const Vector& to, const Vector& a, const Operand& b) override { vpor(to, a, b); }
  void bit_xor(const Vector& to, const Vector& a, const Operand& b) override { vpxor(to, a, b); }

  void broadcast(const Vector& to, const Reg32& number) override {
    vmovd(Xbyak::Xmm(to.getIdx()), number);
    vpbroadcastd(to, Xbyak::Xmm(to.getIdx()));
  }
  void permute(const Vector& to, const Vector& which, const Address& from) override {
    vpermd(Ymm(to.getIdx()), Ymm(which.getIdx()), from);
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
  void fill(const Vector& to, MaskRegister mask) override { vpor(to, to, Ymm(mask.number)); }

  void load_mask(MaskRegister to, const Address& bits) override {
    vpbroadcastd(Ymm(to.number), bits);
    spread(Ymm(to.number));
  }
  void mask_of_bits(MaskRegister to, const Reg64& bits, std::uint32_t number) override {
    const Reg32 low(number == 0 ? bits.getIdx() : r8.getIdx());
    if (number != 0) {
      mov(r8, bits);
      shr(r8, static_cast<int>(number * lanes()));
    }
    vmovd(Xbyak::Xmm(to.number), low);
    vpbroadcastd(Ymm(to.number), Xbyak::Xmm(to.number));
    spread(Ymm(to.number));
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
  void store_lanes(const Address& to, MaskRegister mask, const Vector& value) override {
    vpmaskmovd(to, Ymm(mask.number), value);
  }
  void merge(const Address& to, MaskRegister mask, const Operand& value,
             const Vector& spare) override {
    vmovups(spare, to);
    vblendvps(spare, spare, value, Ymm(mask.number));
    vmovups(to, spare);
  }

  /// Functions may contain instructions that wait for the upper halves.
  void leave_vectors() override { vzeroupper(); }

 private:
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
