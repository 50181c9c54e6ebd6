#if LOCKSTEP_SPIRV_NATIVE

#include "shader/native/emitter.hpp"
#include "shader/native/layout.hpp"

/// \file
/// Ballots of up to 32 lanes.

namespace lockstep::spirv {

using namespace Xbyak::util;

namespace {

std::uint32_t bits_below(std::uint32_t lane) {
  return lane >= 32 ? ~0u : (std::uint32_t{1} << lane) - 1;
}

}  // namespace

void Emitter::emit_ballot(const Inst& i, const EmitRule& rule) {
  cache_.begin_operation();
  if (rule.code == Code::ballot) {
    condition_bits(rax, i);
    as_.and_(eax, dword[rbx + layout::active]);
    return keep_word(i, eax);
  }
  cache_.first_to(eax, i.a);
  if (rule.code != Code::ballot_bit_count) return keep_prefix_counts(i, rule, eax);
  if (program_.size < 32) as_.and_(eax, bits_below(static_cast<std::uint32_t>(program_.size)));
  as_.popcnt(eax, eax);
  keep_word(i, eax);
}

/// The lanes, active or not, where the operand holds.
void Emitter::condition_bits(const Xbyak::Reg64& to, const Inst& i) {
  if (i.varying(0) && cache_.holds_masks(i.a, vectors())) {
    std::vector<MaskRegister> masks;
    for (std::uint32_t v = 0; v < vectors(); ++v)
      masks.push_back(cache_.mask(i.a + v * as_.mask_bytes()));
    return as_.bits_of_masks(to, masks, false);
  }
  cache_.save_inside(i.a, bool_bytes);
  as_.mov(to, ptr[r12 + i.a]);
}

/// The result is the same for all lanes.
void Emitter::keep_word(const Inst& i, const Xbyak::Reg32& word) {
  keep_same(i, [&](const Vector& to) { as_.broadcast(to, word); });
}

void Emitter::keep_prefix_counts(const Inst& i, const EmitRule& rule, const Xbyak::Reg32& word) {
  const std::uint32_t own = rule.code == Code::ballot_inclusive_bit_count ? 1 : 0;
  for (std::uint32_t v = 0; v < vectors_of(i); ++v) {
    cache_.begin_operation();
    std::vector<std::uint32_t> counted;
    for (std::uint32_t k = 0; k < as_.lanes(); ++k)
      counted.push_back(bits_below(v * as_.lanes() + k + own));
    const std::uint32_t at = i.dst + v * as_.vector_bytes();
    const Vector to = cache_.result(at), spare = cache_.fresh();
    as_.broadcast(to, word);
    as_.bit_and(to, to, as_.words(std::move(counted)));
    as_.count_bits(to, spare);
    cache_.keep(to, at);
  }
}

}  // namespace lockstep::spirv

#endif
