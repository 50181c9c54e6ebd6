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
/// An assembler of vector instructions on lanes of 8 to 64 bits: the differences between instruction sets are
/// virtual, with one class per set. Everything else in machine code is written once, against this interface.

namespace lockstep::spirv {

/// A whole vector register: ymm or zmm.
using Vector = Xbyak::Xmm;
/// How the lanes of a component lie in vectors. Those of 64 bits fill twice as many vectors as those of 32 bits,
/// those of 16 bits the lower halves of as many, and those of 8 bits the lower quarters.
struct Shape {
  std::uint32_t lanes = 0, bytes = 0;  ///< of a vector

  std::uint32_t vectors(std::uint32_t of_lanes) const { return of_lanes / lanes; }
  bool operator==(const Shape&) const = default;
};
/// A register that holds one lane mask: an opmask register, or a vector register whose bits are the
/// same within each lane.
struct MaskRegister {
  int number = 0;
};

/// Comparisons of lanes. With NaN only not_equal holds.
enum class Comparison : std::uint8_t { equal, not_equal, less, less_equal };

/// Of floats to whole numbers, as instructions number them.
enum class Rounding : std::uint8_t { even, down, up, to_zero };

/// 1 - 2^-21, as a float: the factor of reciprocals that division makes smaller than they are.
inline constexpr std::uint32_t just_below_one = 0x3f7ffff8;

class VectorAssembler : public Xbyak::CodeGenerator {
 public:
  VectorAssembler(std::size_t bytes, std::uint8_t* to, int lanes, int vectors, int masks)
      : CodeGenerator(bytes, to), lanes_(lanes), vectors_(vectors), masks_(masks) {}
  virtual ~VectorAssembler() = default;

  std::uint32_t lanes() const { return static_cast<std::uint32_t>(lanes_); }
  std::uint32_t vector_bytes() const { return lanes() * 4; }
  /// Of numbers of 1, 2, 4 or 8 bytes.
  Shape shape(std::uint32_t size) const {
    return size == 8 ? Shape{lanes() / 2, vector_bytes()} : Shape{lanes(), lanes() * size};
  }
  /// Bytes of a vector's lanes in a bool.
  std::uint32_t mask_bytes() const { return lanes() / 8; }
  /// Vector registers that may hold values, without scratch() and mask_scratch().
  int vectors() const { return vectors_; }
  /// Registers only for masks; none: vector registers hold masks as well.
  int masks() const { return masks_; }

  virtual Vector vector(int number) const = 0;
  /// Its lower half.
  virtual Vector half(const Vector& whole) const = 0;
  /// The part of a register that holds a vector of the shape.
  Vector part(const Vector& whole, const Shape& shape) const {
    if (shape.bytes == vector_bytes()) return whole;
    return shape.bytes * 2 == vector_bytes() ? half(whole) : Vector(whole.getIdx());
  }
  void load(const Vector& to, const Xbyak::Address& from, const Shape& shape) {
    is_short(shape) ? vmovq(part(to, shape), from) : vmovups(part(to, shape), from);
  }
  void store(const Xbyak::Address& to, const Vector& from, const Shape& shape) {
    is_short(shape) ? vmovq(to, part(from, shape)) : vmovups(to, part(from, shape));
  }
  /// Whether a vector has fewer bytes than operands in memory, which may be read beyond it.
  static bool is_short(const Shape& shape) { return shape.bytes < 16; }
  /// For a single operation.
  virtual Vector scratch() const = 0;
  /// For a single operation; may be the same register as scratch().
  virtual MaskRegister mask_scratch() const = 0;

  /// One number for each lane, in memory after the code.
  Xbyak::Address words(std::vector<std::uint32_t> each) {
    return ptr[Xbyak::util::rip + constants_[std::move(each)]];
  }
  /// The same for numbers of 64 bits.
  Xbyak::Address wide_constant(std::uint64_t value) {
    std::vector<std::uint32_t> each;
    for (std::uint32_t k = 0; k < lanes(); ++k)
      each.push_back(static_cast<std::uint32_t>(k % 2 == 0 ? value : value >> 32));
    return words(std::move(each));
  }
  /// The constant in all lanes, in memory after the code.
  Xbyak::Address constant(std::uint32_t value) {
    return words(std::vector<std::uint32_t>(lanes(), value));
  }
  /// The same for integers of 1 or 2 bytes.
  Xbyak::Address narrow_constant(std::uint64_t value, std::uint32_t bytes) {
    return bytes == 1 ? constant(static_cast<std::uint8_t>(value) * 0x01010101u)
                      : constant(static_cast<std::uint16_t>(value) * 0x00010001u);
  }

  virtual void bit_and(const Vector& to, const Vector& a, const Xbyak::Operand& b) = 0;
  virtual void bit_or(const Vector& to, const Vector& a, const Xbyak::Operand& b) = 0;
  virtual void bit_xor(const Vector& to, const Vector& a, const Xbyak::Operand& b) = 0;
  /// a and not b.
  virtual void bit_clear(const Vector& to, const Vector& a, const Vector& b) = 0;
  /// The bits of `yes` where those of `which` are set, of `no` elsewhere. Overwrites `which` and scratch().
  virtual void choose_bits(const Vector& to, const Vector& which, const Vector& yes,
                           const Vector& no) = 0;

  /// The number of so many bytes in memory in all lanes.
  void broadcast(const Vector& to, const Xbyak::Address& from, std::uint32_t bytes) {
    const Vector all = part(to, shape(bytes));
    if (bytes == 1) return vpbroadcastb(all, from);
    bytes == 2 ? vpbroadcastw(all, from) : vpbroadcastd(all, from);
  }
  /// The number in all lanes.
  virtual void broadcast(const Vector& to, const Xbyak::Reg32& number) = 0;
  /// Lane k gets the lane of `from` whose number, modulo lanes(), is in lane k of `which`.
  virtual void permute(const Vector& to, const Vector& which, const Xbyak::Operand& from) = 0;
  /// `which` becomes, in each lane, the lane of two vectors that it numbers modulo 2 * lanes(). Overwrites scratch() and
  /// spare.
  virtual void permute_two(const Vector& which, const Vector& low, const Vector& high,
                           const Vector& spare) = 0;
  /// Lane k gets lane k - lanes of the value, or the last lanes of `fill`; of up to half of a vector, and `to` is neither.
  virtual void shift_up(const Vector& to, const Vector& value, const Vector& fill,
                        std::uint32_t lanes) = 0;
  /// The set bits of each lane. Overwrites scratch() and spare; neither may be `to`.
  virtual void count_bits(const Vector& to, const Vector& spare);
  /// The bits in reverse order. Overwrites scratch() and spare, which is neither operand.
  virtual void reverse_bits(const Vector& to, const Vector& from, const Vector& spare);
  /// The number of the highest set bit; all ones for zero. Overwrites scratch(), which is not `from`.
  virtual void highest_bit(const Vector& to, const Vector& from) = 0;
  /// One in lanes where a < b, zero elsewhere. Overwrites scratch(), which is no operand.
  virtual void less_as_number(const Vector& to, Scalar type, const Vector& a,
                              const Xbyak::Operand& b) = 0;
  /// The upper halves of the products of integers, signed or not; to the products an addend of 64 bits may be added before.
  /// Overwrites scratch() and spare, which are no operands. is_same: all lanes of b are alike.
  void multiply_high(const Vector& to, Scalar type, const Vector& a, const Xbyak::Operand& b,
                     bool is_same, const Vector& spare, const Xbyak::Operand* addend = nullptr);
  /// The upper halves of numbers of 64 bits: those in the even lanes and, one lane further, those of `odd`.
  virtual void join_upper_halves(const Vector& to, const Vector& odd) = 0;
  /// Unsigned division of a by b, undefined by zero. Overwrites scratch() and spare. All registers differ.
  virtual void divide(const Vector& quotient, const Vector& rest, const Vector& a, const Vector& b,
                      const Vector& spare) = 0;
  /// Zero in lanes where the other number is zero. Overwrites scratch(), which is neither.
  virtual void clear_where_zero(const Vector& numbers, const Vector& other) = 0;

  /// May overwrite scratch().
  virtual void compare(MaskRegister to, Comparison comparison, Scalar type, const Vector& a,
                       const Xbyak::Operand& b) = 0;
  /// In each lane `yes` where the mask holds, `no` elsewhere. `to` may be one of them.
  virtual void select(const Vector& to, MaskRegister mask, const Vector& no,
                      const Xbyak::Operand& yes) = 0;
  /// The same for vector v of a component of the shape. The mask is that of the 32-bit lanes around it. `yes` is not
  /// scratch(), which may be overwritten.
  virtual void select_lanes(const Shape& shape, std::uint32_t v, const Vector& to,
                            MaskRegister mask, const Vector& no, const Xbyak::Operand& yes) = 0;
  /// Comparisons of numbers of 64 bits, for join_masks(). `to` is neither operand. May overwrite scratch().
  virtual void compare_wide(MaskRegister to, Comparison comparison, Scalar type, const Vector& a,
                            const Xbyak::Operand& b) = 0;
  /// The mask of 32-bit lanes made of two that compare_wide() gave: `to` becomes both. Overwrites `high`.
  virtual void join_masks(MaskRegister to, MaskRegister high) = 0;
  /// Product of integers of 64 bits. Overwrites scratch() and both spares, which are neither operand.
  virtual void multiply_wide(const Vector& to, const Vector& a, const Xbyak::Operand& b,
                             const Vector& spare, const Vector& other_spare) = 0;
  /// An arithmetic shift of numbers of 64 bits, by a constant or by lanes. Overwrites scratch() and spare.
  virtual void shift_wide_signed(const Vector& to, const Vector& a, std::uint8_t count,
                                 const Vector& spare) = 0;
  virtual void shift_wide_signed(const Vector& to, const Vector& a, const Vector& counts,
                                 const Vector& spare) = 0;
  /// The upper half of a vector as a lower one; two lower ones as a vector.
  virtual void upper_half(const Vector& to, const Vector& from) = 0;
  virtual void join_halves(const Vector& to, const Vector& low, const Vector& high) = 0;
  /// Integers of 8 and 16 bits as those of more bytes, up to 4.
  void extend(const Vector& to, const Vector& from, Scalar type, std::uint32_t bytes);
  /// The lower bytes of integers of 16 and 32 bits. May overwrite scratch().
  virtual void truncate(const Vector& to, const Vector& from, std::uint32_t from_bytes,
                        std::uint32_t bytes) = 0;
  /// Comparisons of integers of 8 and 16 bits, as the mask of 32-bit lanes. May overwrite scratch().
  virtual void compare_narrow(MaskRegister to, Comparison comparison, Scalar type, const Vector& a,
                              const Vector& b) = 0;
  /// The lower 32 bits of numbers of 64 bits, of two vectors. `to` may be `low`. May overwrite scratch().
  virtual void narrow_words(const Vector& to, const Vector& low, const Vector& high) = 0;
  /// Floats of 32 and 64 bits rounded to whole numbers.
  virtual void round(const Vector& to, const Xbyak::Operand& from, Rounding rounding,
                     Scalar type) = 0;
  /// b where a is NaN, other where it is not. Overwrites scratch().
  virtual void select_nan(const Vector& to, const Vector& a, const Vector& other, const Vector& b,
                          Scalar type) = 0;
  /// Zero instead of NaN. Overwrites scratch().
  virtual void zero_nan(const Vector& to, const Vector& a, Scalar type) = 0;
  /// Numbers of 32 bits. Overwrites scratch() and spare; neither spare nor `to` is `a`.
  virtual void unsigned_to_float(const Vector& to, const Vector& a, const Vector& spare) = 0;
  /// The same the other way, of numbers that are not negative: all ones from 2^32 on.
  virtual void float_to_unsigned(const Vector& to, const Vector& a, const Vector& spare) = 0;
  /// Whether there are rotate_right(), of integers of 4 or 8 bytes, and combine(): the bit of `results` that each
  /// three bits of a, b and c number. Overwrites scratch().
  virtual bool fuses() const { return false; }
  virtual void rotate_right(const Vector&, const Xbyak::Operand&, std::uint8_t, std::uint32_t) {
    throw Xbyak::Error(Xbyak::ERR_INTERNAL);
  }
  virtual void combine(const Vector&, const Vector&, const Vector&, const Xbyak::Operand&,
                       std::uint8_t) {
    throw Xbyak::Error(Xbyak::ERR_INTERNAL);
  }
  /// Lanes where the bit is set.
  virtual void test_bit(MaskRegister to, const Vector& of, std::uint32_t bit) = 0;
  /// Zero or all ones in each lane, in the vector that is returned: `to`, or the mask itself.
  virtual Vector words_of_mask(const Vector& to, MaskRegister mask) = 0;
  virtual void mask_of_words(MaskRegister to, const Vector& words) = 0;
  /// All ones in the lanes of the mask; other lanes stay.
  virtual void fill(const Vector& to, MaskRegister mask) = 0;

  // Masks in registers and as bits, one per lane.

  virtual void load_mask(MaskRegister to, const Xbyak::Address& bits) = 0;
  /// Lanes of vector `number` of a component of up to 64 lanes, for merge(). Overwrites r8.
  virtual void mask_of_bits(MaskRegister to, const Xbyak::Reg64& bits, std::uint32_t number,
                            const Shape& shape) = 0;
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
  virtual void store_lanes(const Xbyak::Address& to, MaskRegister mask, const Vector& value,
                           const Shape& shape) = 0;
  /// As store_lanes(), for memory that no other thread writes. Overwrites spare.
  virtual void merge(const Xbyak::Address& to, MaskRegister mask, const Xbyak::Operand& value,
                     const Vector& spare, const Shape& shape) = 0;

  /// The 32-bit lanes of the mask, from the bytes at base + distance + constant. Overwrites the mask.
  virtual void gather(const Vector& to, MaskRegister mask, const Xbyak::Reg64& base,
                      const Vector& distance, std::uint32_t constant) = 0;
  /// Whether there is scatter(), which writes them there.
  virtual bool scatters() const = 0;
  virtual void scatter(const Xbyak::Reg64& base, const Vector& distance, std::uint32_t constant,
                       MaskRegister mask, const Vector& value) = 0;

  /// The lanes of the mask at base + 4 * index, where their indices follow each other; elsewhere jumps to `other`, with
  /// nothing changed but registers. Only with scatter(). Overwrites rax, rdx, scratch() and both spares.
  virtual void store_packed(const Xbyak::Reg64& base, std::uint32_t constant, const Vector& index,
                            MaskRegister mask, const Vector& value, const Vector& spare,
                            const Vector& other_spare, const Xbyak::Label& other) = 0;

  /// 16 bytes all along a vector, in memory after the code.
  Xbyak::Address table(const std::uint32_t (&words_of_16_bytes)[4]);
  /// The bytes of each number of 32 bits in reverse order.
  void swap_bytes(const Vector& numbers);

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
