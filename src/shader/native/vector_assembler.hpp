#pragma once

#include <xbyak/xbyak.h>

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "shader/ir/ir.hpp"
#include "shader/native/target.hpp"

/// \file
/// An assembler of vector instructions on 32-bit lanes: the differences between instruction sets are
/// virtual, with one class per set. Everything else in machine code is written once, against this interface.

namespace lockstep::spirv {

/// A whole vector register: ymm or zmm.
using Vector = Xbyak::Xmm;
/// A register that holds one lane mask: an opmask register, or a vector register whose bits are the
/// same within each lane.
struct MaskRegister {
  int number = 0;
};

/// Comparisons of lanes. With NaN only not_equal holds.
enum class Comparison : std::uint8_t { equal, not_equal, less, less_equal };

class VectorAssembler : public Xbyak::CodeGenerator {
 public:
  VectorAssembler(std::size_t bytes, std::uint8_t* to, int lanes, int vectors, int masks)
      : CodeGenerator(bytes, to), lanes_(lanes), vectors_(vectors), masks_(masks) {}
  virtual ~VectorAssembler() = default;

  std::uint32_t lanes() const { return static_cast<std::uint32_t>(lanes_); }
  std::uint32_t vector_bytes() const { return lanes() * 4; }
  /// Bytes of a vector's lanes in a bool.
  std::uint32_t mask_bytes() const { return lanes() / 8; }
  /// Vector registers that may hold values, without scratch() and mask_scratch().
  int vectors() const { return vectors_; }
  /// Registers only for masks; none: vector registers hold masks as well.
  int masks() const { return masks_; }

  virtual Vector vector(int number) const = 0;
  /// For a single operation.
  virtual Vector scratch() const = 0;
  /// For a single operation; may be the same register as scratch().
  virtual MaskRegister mask_scratch() const = 0;

  /// One number for each lane, in memory after the code.
  Xbyak::Address words(std::vector<std::uint32_t> each) {
    return ptr[Xbyak::util::rip + constants_[std::move(each)]];
  }
  /// The constant in all lanes, in memory after the code.
  Xbyak::Address constant(std::uint32_t value) {
    return words(std::vector<std::uint32_t>(lanes(), value));
  }

  virtual void bit_and(const Vector& to, const Vector& a, const Xbyak::Operand& b) = 0;
  virtual void bit_or(const Vector& to, const Vector& a, const Xbyak::Operand& b) = 0;
  virtual void bit_xor(const Vector& to, const Vector& a, const Xbyak::Operand& b) = 0;

  /// The number in all lanes.
  virtual void broadcast(const Vector& to, const Xbyak::Reg32& number) = 0;
  /// Lane k gets the lane of `from` whose number, modulo lanes(), is in lane k of `which`.
  virtual void permute(const Vector& to, const Vector& which, const Xbyak::Address& from) = 0;
  /// The set bits of each lane. Overwrites scratch() and spare; neither may be `to`.
  virtual void count_bits(const Vector& to, const Vector& spare);

  /// May overwrite scratch().
  virtual void compare(MaskRegister to, Comparison comparison, Scalar type, const Vector& a,
                       const Xbyak::Operand& b) = 0;
  /// In each lane `yes` where the mask holds, `no` elsewhere. `to` may be one of them.
  virtual void select(const Vector& to, MaskRegister mask, const Vector& no,
                      const Xbyak::Operand& yes) = 0;
  /// All ones in the lanes of the mask; other lanes stay.
  virtual void fill(const Vector& to, MaskRegister mask) = 0;

  // Masks in registers and as bits, one per lane.

  virtual void load_mask(MaskRegister to, const Xbyak::Address& bits) = 0;
  /// Lanes of vector `number` of up to 64 lanes. Overwrites r8.
  virtual void mask_of_bits(MaskRegister to, const Xbyak::Reg64& bits, std::uint32_t number) = 0;
  /// The lanes of up to 64 bits' worth of masks. Overwrites r11 and scratch(), and the masks if they
  /// are `temporary`.
  virtual void bits_of_masks(const Xbyak::Reg64& to, std::span<const MaskRegister> masks,
                             bool temporary) = 0;
  virtual void mask_and(MaskRegister to, MaskRegister a, MaskRegister b) = 0;
  virtual void mask_or(MaskRegister to, MaskRegister a, MaskRegister b) = 0;
  virtual void mask_xor(MaskRegister to, MaskRegister a, MaskRegister b) = 0;
  virtual void mask_not(MaskRegister to, MaskRegister a) = 0;

  // Memory.

  /// Whether store_lanes() is as fast as a store of all lanes.
  virtual bool stores_lanes() const = 0;
  /// Writes the lanes of the mask and touches no others.
  virtual void store_lanes(const Xbyak::Address& to, MaskRegister mask, const Vector& value) = 0;
  /// As store_lanes(), for memory that no other thread writes. Overwrites spare.
  virtual void merge(const Xbyak::Address& to, MaskRegister mask, const Xbyak::Operand& value,
                     const Vector& spare) = 0;

  /// Before calls of compiled functions.
  virtual void leave_vectors() = 0;

  /// Emits the constants, after everything else.
  void write_constants() {
    align(64);
    for (auto& [numbers, label] : constants_) {
      L(label);
      for (const std::uint32_t number : numbers) dd(number);
    }
  }

 private:
  int lanes_, vectors_, masks_;
  std::map<std::vector<std::uint32_t>, Xbyak::Label> constants_;
};

std::unique_ptr<VectorAssembler> make_avx2_assembler(std::size_t bytes, std::uint8_t* to);
std::unique_ptr<VectorAssembler> make_avx512_assembler(std::size_t bytes, std::uint8_t* to);

}  // namespace lockstep::spirv
