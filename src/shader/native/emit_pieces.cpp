#if LOCKSTEP_SPIRV_NATIVE

#include "shader/native/emitter.hpp"

/// \file
/// Pieces of wider integers: the same bits as components of another size.

namespace lockstep::spirv {

/// Piece number imm.
void Emitter::emit_extract(const Inst& i, const EmitRule& rule, std::uint32_t v, const Vector& to) {
  const std::uint32_t whole = size_of(rule.from), piece = size_of(rule.type);
  const auto by = static_cast<std::uint8_t>(i.imm * 8 * piece);
  if (whole < 8) {
    Vector a = value(i, 0, v);
    if (by != 0) {
      const Vector shifted = cache_.fresh();
      whole == 4 ? as_.vpsrld(shifted, a, by) : as_.vpsrlw(part(shifted), part(a), by);
      a = shifted;
    }
    return as_.truncate(to, a, whole, piece);
  }
  Vector low = value(i, 0, 2 * v), high = value(i, 0, 2 * v + 1);
  if (by != 0) {
    const Vector shifted_low = cache_.fresh(), shifted_high = cache_.fresh();
    as_.vpsrlq(shifted_low, low, by);
    as_.vpsrlq(shifted_high, high, by);
    low = shifted_low;
    high = shifted_high;
  }
  if (piece == 4) return as_.narrow_words(to, low, high);
  const Vector words = cache_.fresh();
  as_.narrow_words(words, low, high);
  as_.truncate(to, words, 4, piece);
}

/// A wider integer with piece number imm, which is zero before.
void Emitter::emit_join(const Inst& i, const EmitRule& rule, std::uint32_t v, const Vector& to) {
  const std::uint32_t whole = size_of(rule.type), piece = size_of(rule.from);
  const auto by = static_cast<std::uint8_t>(i.imm * 8 * piece);
  const Vector all = value(i, 0, v);
  // There are two vectors of 64 bits for each one of the pieces.
  const std::uint32_t number = whole == 8 ? v / 2 : v;
  const std::uint32_t at = i.b + (i.varying(1) ? number * as_.shape(piece).bytes : 0);
  const Vector moved = cache_.fresh();
  if (whole == 2) {
    as_.extend(moved, cache_.value(at, as_.shape(piece)), rule.from, 2);
    as_.vpsllw(part(moved), part(moved), by);
    return as_.bit_or(part(to), part(all), part(moved));
  }
  Vector words = as_words(rule.from, at);
  if (whole == 8) {
    if (v % 2 != 0) {
      as_.upper_half(as_.scratch(), words);
      words = as_.scratch();
    }
    as_.vpmovzxdq(moved, as_.half(words));
    as_.vpsllq(moved, moved, by);
  } else {
    as_.vpslld(moved, words, by);
  }
  as_.bit_or(to, all, moved);
}

}  // namespace lockstep::spirv

#endif
