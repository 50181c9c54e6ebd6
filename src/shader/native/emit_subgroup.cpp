#if LOCKSTEP_SPIRV_NATIVE

#include "shader/native/emitter.hpp"
#include "shader/native/layout.hpp"

/// \file
/// Operations between lanes: ballots of up to 32 lanes, and shuffles that move whole blocks of lanes.

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

/// Exclusive or with a constant.
void Emitter::emit_shuffle(const Inst& i, std::uint32_t distance) {
  const std::uint32_t lanes = as_.lanes(), inside = distance & (lanes - 1);
  cache_.begin_operation();
  for (std::uint32_t v = 0; v < vectors_of(i); ++v) {
    cache_.begin_operation();
    const std::uint32_t away = v * as_.vector_bytes();
    const Vector value = cache_.value(i.a + (away ^ (distance - inside) * 4));
    const Vector to = cache_.result(i.dst + away);
    // Within four lanes, one instruction.
    constexpr std::uint8_t orders[] = {0xe4, 0xb1, 0x4e, 0x1b};
    if (inside < 4) {
      as_.vpshufd(to, value, orders[inside]);
    } else {
      std::vector<std::uint32_t> numbers;
      for (std::uint32_t k = 0; k < lanes; ++k) numbers.push_back(k ^ inside);
      as_.vmovups(as_.scratch(), as_.words(std::move(numbers)));
      as_.permute(to, as_.scratch(), value);
    }
    cache_.keep(to, i.dst + away);
  }
}

/// Numbers in lanes, in scratch(), for permute(): those inside a vector that the distance leads to. The distance is in eax,
/// and what it exchanges whole vectors by stays there.
void Emitter::shuffle_order(const Inst& i) {
  cache_.first_to(eax, i.b);
  as_.and_(eax, static_cast<std::uint32_t>(program_.size) - 1);
  as_.mov(ecx, eax);
  as_.and_(ecx, as_.lanes() - 1);
  as_.xor_(eax, ecx);
  std::vector<std::uint32_t> lanes;
  for (std::uint32_t k = 0; k < as_.lanes(); ++k) lanes.push_back(k);
  const Vector which = as_.scratch();
  as_.broadcast(which, ecx);
  as_.bit_xor(which, which, as_.words(std::move(lanes)));
}

/// Two vectors change places in registers: loads from memory would wait until both are stored.
void Emitter::emit_shuffle_of_two(const Inst& i) {
  const std::uint32_t bytes = as_.vector_bytes();
  cache_.begin_operation();
  shuffle_order(i);
  as_.neg(eax);
  as_.sar(eax, 31);  // all ones if they do
  as_.mask_of_bits(as_.mask_scratch(), rax, 0, words_);
  const Vector low = cache_.value(i.a), high = cache_.value(i.a + bytes);
  const Vector first = cache_.result(i.dst), second = cache_.result(i.dst + bytes);
  as_.select(first, as_.mask_scratch(), low, high);
  as_.select(second, as_.mask_scratch(), high, low);
  as_.permute(first, as_.scratch(), first);
  as_.permute(second, as_.scratch(), second);
  cache_.keep(first, i.dst);
  cache_.keep(second, i.dst + bytes);
}

/// Exclusive or with one number exchanges whole vectors, by its upper bits, and lanes in each of them.
void Emitter::emit_shuffle(const Inst& i) {
  if (const std::uint64_t* by = constant(i, 1); by != nullptr && i.dst != i.a)
    return emit_shuffle(
        i, static_cast<std::uint32_t>(*by) & (static_cast<std::uint32_t>(program_.size) - 1));
  const std::uint32_t count = vectors_of(i);
  if (count == 2 && as_.masks() > 0 && i.dst != i.a) return emit_shuffle_of_two(i);
  cache_.save_inside(i.a, count * as_.vector_bytes());
  cache_.begin_operation();
  shuffle_order(i);
  as_.shl(eax, 2);
  for (std::uint32_t v = 0; v < count; ++v) {
    cache_.begin_operation();
    const std::uint32_t away = v * as_.vector_bytes();
    as_.mov(ecx, eax);
    as_.xor_(ecx, away);
    const Vector to = cache_.result(i.dst + away);
    as_.permute(to, as_.scratch(), ptr[r12 + rcx + i.a]);
    cache_.keep(to, i.dst + away);
  }
}

}  // namespace lockstep::spirv

#endif
