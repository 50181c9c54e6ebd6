#if LOCKSTEP_SPIRV_NATIVE

#include "shader/native/vector_assembler.hpp"

#include <utility>

namespace lockstep::spirv {
namespace {

/// The set bits of each half byte.
constexpr std::uint32_t half_byte_counts[] = {0x02010100, 0x03020201, 0x03020201, 0x04030302};

}  // namespace

/// By table, for each half byte; then sums of the bytes.
void VectorAssembler::count_bits(const Vector& to, const Vector& spare) {
  std::vector<std::uint32_t> table;
  for (std::uint32_t k = 0; k < lanes(); ++k) table.push_back(half_byte_counts[k % 4]);
  vpsrld(spare, to, 4);
  bit_and(spare, spare, constant(0x0f0f0f0f));
  bit_and(to, to, constant(0x0f0f0f0f));
  vmovups(scratch(), words(std::move(table)));
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

}  // namespace lockstep::spirv

#endif
