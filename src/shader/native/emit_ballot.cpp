#if LOCKSTEP_SPIRV_NATIVE

#include "shader/native/emitter.hpp"
#include "shader/native/layout.hpp"

/// \file
/// Votes, and ballots of four words that may differ between lanes, of subgroups of up to 32 lanes: only the first word has
/// bits of theirs.

namespace lockstep::spirv {

using namespace Xbyak::util;

namespace {

std::uint32_t bits_of_lanes_below(std::uint32_t lane) {
  return lane >= 32 ? ~0u : (std::uint32_t{1} << lane) - 1;
}

}  // namespace

// ---- Votes ----

/// The same bool for all lanes, from the carry flag.
void Emitter::keep_carry_as_bool(const Inst& i) {
  as_.sbb(rax, rax);
  for (std::uint32_t half = 0; half < bool_bytes; half += 8) as_.mov(ptr[r12 + i.dst + half], rax);
  cache_.overwritten(i.dst, bool_bytes);
}
void Emitter::emit_vote(const Inst& i, const EmitRule& rule) {
  cache_.begin_operation();
  if (rule.code == Code::all_equal)
    equal_bits(rax, i, rule);
  else
    condition_bits(rax, i);
  if (rule.code == Code::any) {
    as_.and_(rax, ptr[rbx + layout::active]);
    as_.neg(rax);
  } else {
    as_.andn(rax, rax, ptr[rbx + layout::active]);
    as_.cmp(rax, 1);
  }
  keep_carry_as_bool(i);
}
/// The lanes, active or not, whose number is that of the first active one.
void Emitter::equal_bits(const Xbyak::Reg64& to, const Inst& i, const EmitRule& rule) {
  lane_to(eax, {i.a, true});
  const Vector first = cache_.fresh();
  cache_.lock(first);
  as_.broadcast(first, eax);
  std::vector<MaskRegister> masks;
  for (std::uint32_t v = 0; v < vectors(); ++v) {
    cache_.begin_operation();
    const Vector value = cache_.value(i.a + v * as_.vector_bytes());
    masks.push_back(cache_.fresh_mask());
    as_.compare(masks.back(), Comparison::equal, rule.type, value, first);
    cache_.lock(masks.back());
  }
  as_.bits_of_masks(to, masks, true);
  cache_.unlock();
}

// ---- Ballots ----

void Emitter::emit_ballots(const Inst& i, const EmitRule& rule) {
  const auto& list = *static_cast<const ListArgs*>(i.args);
  cache_.begin_operation();
  if (rule.code == Code::ballot) return make_ballot(i, list);
  if (rule.code == Code::inverse_ballot || rule.code == Code::ballot_bit_extract)
    return extract_bits(i, rule, list);
  if (!list.slots[0].varying) return count_of_word(i, rule, list.slots[0].at);
  for (std::uint32_t v = 0; v < vectors(); ++v) {
    cache_.begin_operation();
    const std::uint32_t away = v * as_.vector_bytes();
    const Vector word = cache_.value(list.slots[0].at + away);
    const Vector to = cache_.result(i.dst + away), spare = cache_.fresh();
    count_of_words(rule, v, word, to, spare);
    cache_.keep(to, i.dst + away);
  }
}
void Emitter::make_ballot(const Inst& i, const ListArgs& list) {
  Inst condition = i;
  condition.a = list.slots[0].at;
  condition.steps = static_cast<std::uint8_t>((i.steps & 0x80) | (list.slots[0].varying ? 1 : 0));
  condition_bits(rax, condition);
  as_.and_(eax, dword[rbx + layout::active]);
  for (std::size_t k = 0; k < 4; ++k) {
    if (list.result[k].at == nowhere) continue;
    keep_same(i, list.result[k].at,
              [&](const Vector& to) { k == 0 ? as_.broadcast(to, eax) : as_.bit_xor(to, to, to); });
  }
}

/// Of a word that is the same for all lanes.
void Emitter::count_of_word(const Inst& i, const EmitRule& rule, std::uint32_t at) {
  cache_.first_to(eax, at);
  const bool counts_below = rule.code == Code::ballot_inclusive_bit_count ||
                            rule.code == Code::ballot_exclusive_bit_count;
  if (counts_below) return keep_prefix_counts(i, rule, eax);
  as_.and_(eax, bits_of_lanes_below(static_cast<std::uint32_t>(program_.size)));
  if (rule.code == Code::ballot_bit_count) {
    as_.popcnt(eax, eax);
    return keep_word(i, eax);
  }
  as_.xor_(edx, edx);
  rule.code == Code::ballot_find_lsb ? as_.bsf(ecx, eax) : as_.bsr(ecx, eax);
  as_.cmovz(ecx, edx);
  keep_word(i, ecx);
}

/// Of one word of each lane of vector v. Without bits, the lowest and the highest one are 0.
void Emitter::count_of_words(const EmitRule& rule, std::uint32_t v, const Vector& word,
                             const Vector& to, const Vector& spare) {
  std::vector<std::uint32_t> counted;
  const std::uint32_t own = rule.code == Code::ballot_inclusive_bit_count ? 1 : 0;
  const bool counts_below = own == 1 || rule.code == Code::ballot_exclusive_bit_count;
  for (std::uint32_t k = 0; k < as_.lanes(); ++k)
    counted.push_back(bits_of_lanes_below(
        counts_below ? v * as_.lanes() + k + own : static_cast<std::uint32_t>(program_.size)));
  as_.bit_and(to, word, as_.words(std::move(counted)));
  if (rule.code == Code::ballot_find_lsb) {
    // As many as there are zeros below the lowest bit; 32 wraps.
    as_.vpaddd(spare, to, as_.constant(~0u));
    as_.bit_xor(to, to, as_.constant(~0u));
    as_.bit_and(to, to, spare);
    as_.count_bits(to, spare);
    return as_.bit_and(to, to, as_.constant(31));
  }
  if (rule.code != Code::ballot_find_msb) return as_.count_bits(to, spare);
  for (std::uint8_t distance = 1; distance < 32; distance *= 2) {
    as_.vpsrld(spare, to, distance);
    as_.bit_or(to, to, spare);
  }
  as_.vpsrld(to, to, 1);
  as_.count_bits(to, spare);
}

/// A bool of each lane: the bit of its own number, or of the one that it asks for.
void Emitter::extract_bits(const Inst& i, const EmitRule& rule, const ListArgs& list) {
  const Slot& word = list.slots[0];
  const auto place = [&](const Slot& slot, std::uint32_t v) {
    return slot.at + (slot.varying ? v * as_.vector_bytes() : 0);
  };
  std::vector<MaskRegister> masks;
  for (std::uint32_t v = 0; v < vectors(); ++v) {
    cache_.begin_operation();
    const Vector bits = cache_.fresh();
    if (rule.code == Code::inverse_ballot) {
      std::vector<std::uint32_t> own;
      for (std::uint32_t k = 0; k < as_.lanes(); ++k) own.push_back(v * as_.lanes() + k);
      as_.vpsrlvd(bits, cache_.value(place(word, v)), as_.words(std::move(own)));
    } else {
      const Vector value = cache_.value(place(word, v));
      as_.vpsrlvd(bits, value, cache_.source(place(list.slots[4], v)));
    }
    masks.push_back(cache_.fresh_mask());
    as_.test_bit(masks.back(), bits, 0);
    cache_.lock(masks.back());
  }
  cache_.overwritten(i.dst, bool_bytes);
  for (std::uint32_t v = 0; v < masks.size(); ++v)
    cache_.keep_mask(masks[v], i.dst + v * as_.mask_bytes());
  cache_.unlock();
}

}  // namespace lockstep::spirv

#endif
