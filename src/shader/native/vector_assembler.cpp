#if LOCKSTEP_SPIRV_NATIVE

#include "shader/native/vector_assembler.hpp"

#include <utility>

namespace lockstep::spirv {
namespace {

/// The set bits of each half byte.
constexpr std::uint32_t half_byte_counts[] = {0x02010100, 0x03020201, 0x03020201, 0x04030302};
/// Each half byte in reverse order, as the upper half of a byte, and as the lower one.
constexpr std::uint32_t upper_half_bytes[] = {0xc0408000, 0xe060a020, 0xd0509010, 0xf070b030};
constexpr std::uint32_t lower_half_bytes[] = {0x0c040800, 0x0e060a02, 0x0d050901, 0x0f070b03};
/// The bytes of each number in reverse order.
constexpr std::uint32_t reverse_bytes[] = {0x00010203, 0x04050607, 0x08090a0b, 0x0c0d0e0f};

}  // namespace

/// The same 16 bytes all along the vector.
Xbyak::Address VectorAssembler::table(const std::uint32_t (&words_of_16_bytes)[4]) {
  std::vector<std::uint32_t> all;
  for (std::uint32_t k = 0; k < lanes(); ++k) all.push_back(words_of_16_bytes[k % 4]);
  return words(std::move(all));
}

/// By table, for each half byte; then sums of the bytes.
void VectorAssembler::count_bits(const Vector& to, const Vector& spare) {
  vpsrld(spare, to, 4);
  bit_and(spare, spare, constant(0x0f0f0f0f));
  bit_and(to, to, constant(0x0f0f0f0f));
  vmovups(scratch(), table(half_byte_counts));
  vpshufb(to, scratch(), to);
  vpshufb(spare, scratch(), spare);
  vpaddb(to, to, spare);
  vpmaddubsw(to, to, constant(0x01010101));
  vpmaddwd(to, to, constant(0x00010001));
}

void VectorAssembler::extend(const Vector& to, const Vector& from, Scalar type,
                             std::uint32_t bytes) {
  const Vector wide = part(to, shape(bytes)), narrow = part(from, shape(size_of(type)));
  const bool has_sign = is_signed(type);
  if (size_of(type) == 2) return has_sign ? vpmovsxwd(wide, narrow) : vpmovzxwd(wide, narrow);
  if (bytes == 2) return has_sign ? vpmovsxbw(wide, narrow) : vpmovzxbw(wide, narrow);
  has_sign ? vpmovsxbd(wide, narrow) : vpmovzxbd(wide, narrow);
}

/// By tables, for each half byte; then the bytes.
void VectorAssembler::reverse_bits(const Vector& to, const Vector& from, const Vector& spare) {
  vpsrld(spare, from, 4);
  bit_and(spare, spare, constant(0x0f0f0f0f));
  bit_and(to, from, constant(0x0f0f0f0f));
  vmovups(scratch(), table(upper_half_bytes));
  vpshufb(to, scratch(), to);
  vmovups(scratch(), table(lower_half_bytes));
  vpshufb(spare, scratch(), spare);
  bit_or(to, to, spare);
  swap_bytes(to);
}
void VectorAssembler::swap_bytes(const Vector& numbers) {
  vpshufb(numbers, numbers, table(reverse_bytes));
}

/// There are products of the even lanes only.
void VectorAssembler::multiply_high(const Vector& to, Scalar type, const Vector& a,
                                    const Xbyak::Operand& b, bool is_same, const Vector& spare,
                                    const Xbyak::Operand* addend) {
  const auto multiply = [&](const Vector& product, const Vector& x, const Xbyak::Operand& y) {
    type == Scalar::i32 ? vpmuldq(product, x, y) : vpmuludq(product, x, y);
    if (addend != nullptr) vpaddq(product, product, *addend);
  };
  vpsrlq(spare, a, 32);
  if (is_same) {
    multiply(spare, spare, b);
  } else {
    vmovshdup(scratch(), b);
    multiply(spare, spare, scratch());
  }
  multiply(to, a, b);
  join_upper_halves(to, spare);
}

}  // namespace lockstep::spirv

#endif
