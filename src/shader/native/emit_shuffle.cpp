#if LOCKSTEP_SPIRV_NATIVE

#include <algorithm>
#include <bit>
#include <optional>

#include "shader/native/emitter.hpp"

/// \file
/// Operations after which each lane has another lane's value: shuffles, rotations, and those within a quad. Values of 64
/// bits are moved as two words each, bools as words of all zeros or all ones.

namespace lockstep::spirv {

using namespace Xbyak::util;

namespace {

constexpr std::uint32_t quad_lanes = 4;
/// More vectors than these are read from memory: choosing among them takes longer.
constexpr std::uint32_t most_chosen = 8;

using From = LaneMove::From;

From from_of(const EmitRule& rule) { return find_lane_move(rule.code)->from; }
std::uint32_t words_of(const EmitRule& rule) { return size_of_numbers(rule) / 4; }

}  // namespace

const LaneMove* find_lane_move(Code code) {
  using enum LaneMove::Sizes;
  static constexpr LaneMove all_moves[] = {
      {Code::shuffle, From::number},
      {Code::shuffle_xor, From::exclusive_or},
      {Code::shuffle_up, From::below},
      {Code::shuffle_down, From::above},
      {Code::rotate, From::above, powers, true},
      {Code::clustered_rotate, From::cluster, powers, true},
      {Code::quad_broadcast, From::quad, of_quads},
      {Code::quad_swap, From::partner, of_quads},
  };
  for (const LaneMove& move : all_moves)
    if (move.code == code) return &move;
  return nullptr;
}

// ---- The lanes that values come from ----

/// The lane whose value a lane gets if the second operand is `by`; without what wrap() does.
std::uint32_t Emitter::source_lane(const Inst& i, const EmitRule& rule, std::uint32_t lane,
                                   std::uint32_t by) const {
  const auto inside = static_cast<std::uint32_t>(i.imm) - 1;
  switch (from_of(rule)) {
    case From::number:
      return by;
    case From::exclusive_or:
      return lane ^ by;
    case From::partner:
      return lane ^ static_cast<std::uint32_t>(i.imm);
    case From::quad:
      return (lane & ~(quad_lanes - 1)) | (by & (quad_lanes - 1));
    case From::below:
      return lane - by;
    case From::cluster:
      return (lane & ~inside) | ((lane + by) & inside);
    default:  // above
      return lane + by;
  }
}
/// A lane of the subgroup: modulo its size, or the next power of two and then less the size.
std::uint32_t Emitter::wrap(std::uint32_t lane) const {
  const auto size = static_cast<std::uint32_t>(program_.size);
  lane &= std::bit_ceil(size) - 1;
  return std::min(lane, lane - size);
}
void Emitter::wrap(const Vector& lanes) {
  const auto size = static_cast<std::uint32_t>(program_.size);
  as_.bit_and(lanes, lanes, as_.constant(std::bit_ceil(size) - 1));
  if (std::has_single_bit(size)) return;
  as_.vpsubd(as_.scratch(), lanes, as_.constant(size));
  as_.vpminud(lanes, lanes, as_.scratch());
}

/// The sources of the words of vector v, if they are known.
std::optional<std::vector<std::uint32_t>> Emitter::known_words(const Inst& i, const EmitRule& rule,
                                                               std::uint32_t v) const {
  const std::uint64_t* by = nullptr;
  if (from_of(rule) != From::partner && (by = constant(i, 1)) == nullptr) return std::nullopt;
  const std::uint32_t each = words_of(rule);
  std::vector<std::uint32_t> words;
  for (std::uint32_t k = 0; k < as_.lanes(); ++k) {
    const std::uint32_t word = v * as_.lanes() + k;
    const std::uint32_t from =
        source_lane(i, rule, word / each, by != nullptr ? static_cast<std::uint32_t>(*by) : 0);
    words.push_back(wrap(from) * each + word % each);
  }
  return words;
}

/// Writes the source lanes of the lanes from `first` on, of a vector of words.
void Emitter::source_lanes(const Inst& i, const EmitRule& rule, std::uint32_t first,
                           const Vector& by, const Vector& to) {
  std::vector<std::uint32_t> own, without;
  const std::uint32_t inside =
      from_of(rule) == From::quad ? quad_lanes - 1 : static_cast<std::uint32_t>(i.imm) - 1;
  for (std::uint32_t k = 0; k < as_.lanes(); ++k) {
    own.push_back(first + k);
    without.push_back((first + k) & ~inside);
  }
  switch (from_of(rule)) {
    case From::number:
      as_.vmovups(to, by);
      break;
    case From::exclusive_or:
      as_.bit_xor(to, by, as_.words(own));
      break;
    case From::quad:
      as_.bit_and(to, by, as_.constant(inside));
      as_.bit_or(to, to, as_.words(without));
      break;
    case From::below:
      as_.vmovups(to, as_.words(own));
      as_.vpsubd(to, to, by);
      break;
    case From::cluster:
      as_.vpaddd(to, by, as_.words(own));
      as_.bit_and(to, to, as_.constant(inside));
      as_.bit_or(to, to, as_.words(without));
      break;
    default:
      as_.vpaddd(to, by, as_.words(own));
  }
  wrap(to);
}
/// The source words of vector v of numbers of 64 bits, of the source lanes in the lower or upper half of `which`.
void Emitter::double_lanes(const Vector& which, std::uint32_t v) {
  if (v % 2 != 0) as_.upper_half(which, which);
  as_.vpmovzxdq(which, as_.half(which));
  as_.vpsllq(as_.scratch(), which, 33);
  as_.vpaddd(which, which, which);
  as_.bit_or(which, which, as_.scratch());
  as_.bit_or(which, which, as_.wide_constant(std::uint64_t{1} << 32));
}

// ---- The values ----

/// Vector v of what is moved.
Vector Emitter::moved_vector(const Inst& i, const EmitRule& rule, std::uint32_t v) {
  if (rule.type == Scalar::boolean)
    return as_.words_of_mask(cache_.fresh(), cache_.mask(i.a + v * as_.mask_bytes()));
  return cache_.value(i.a + v * as_.vector_bytes(), as_.shape(size_of_numbers(rule)));
}

/// `which` becomes the words that it numbers, of vectors from `first` on.
void Emitter::choose_words(const Inst& i, const EmitRule& rule, const Vector& which,
                           std::uint32_t first, std::uint32_t count) {
  const auto vector = [&](std::uint32_t v) { return moved_vector(i, rule, first + v); };
  if (count == 1) return as_.permute(which, which, vector(0));
  if (count == 2) {
    const Vector low = vector(0), high = vector(1), spare = cache_.fresh();
    return as_.permute_two(which, low, high, spare);
  }
  const std::uint32_t half = std::bit_ceil(count) / 2;
  const Vector other = cache_.fresh();
  const MaskRegister upper = cache_.fresh_mask();
  cache_.lock(other);
  cache_.lock(upper);
  as_.vmovups(other, which);
  as_.test_bit(upper, which, static_cast<std::uint32_t>(std::countr_zero(half * as_.lanes())));
  choose_words(i, rule, which, first, half);
  cache_.begin_operation();
  choose_words(i, rule, other, first + half, count - half);
  cache_.begin_operation();
  as_.select(which, upper, which, other);
  cache_.unlock(other);
  cache_.unlock(upper);
}
/// The same of values that memory has.
void Emitter::gather_words(const Inst& i, const Vector& which) {
  const Vector distance = cache_.fresh();
  const MaskRegister all = cache_.fresh_mask();
  as_.mask_xor(all, all, all);
  as_.mask_not(all, all);
  as_.vpslld(distance, which, 2);
  as_.bit_xor(which, which, which);
  as_.gather(which, all, r12, distance, i.a);
}

/// Vector v of a result whose source words are known, in `to`.
void Emitter::move_known(const Inst& i, const EmitRule& rule, std::vector<std::uint32_t> words,
                         const Vector& to) {
  const std::uint32_t lanes = as_.lanes();
  const auto [least, most] = std::minmax_element(words.begin(), words.end());
  const std::uint32_t low = *least / lanes, high = *most / lanes;
  const bool are_two = std::all_of(words.begin(), words.end(), [&](std::uint32_t word) {
    return word / lanes == low || word / lanes == high;
  });
  if (low == high) {
    const Vector value = moved_vector(i, rule, low);
    std::uint8_t order = 0;  // that of the first four words
    for (std::uint32_t k = 4; k-- > 0;)
      order = static_cast<std::uint8_t>(std::uint32_t{order} << 2 | words[k] % 4);
    bool is_in_fours = true;
    for (std::uint32_t k = 0; k < lanes; ++k) {
      const std::uint32_t from = std::uint32_t{order} >> k % 4 * 2 & 3u;
      is_in_fours = is_in_fours && words[k] % lanes == (k & ~3u) + from;
    }
    if (is_in_fours) return as_.vpshufd(to, value, order);
    as_.vmovups(to, as_.words(std::move(words)));
    return as_.permute(to, to, value);
  }
  if (!are_two) {
    as_.vmovups(to, as_.words(std::move(words)));
    return move_words(i, rule, to);
  }
  for (std::uint32_t& word : words) word = (word / lanes == high ? lanes : 0) + word % lanes;
  as_.vmovups(to, as_.words(std::move(words)));
  const Vector first = moved_vector(i, rule, low), second = moved_vector(i, rule, high);
  const Vector spare = cache_.fresh();
  as_.permute_two(to, first, second, spare);
}
void Emitter::move_words(const Inst& i, const EmitRule& rule, const Vector& which) {
  const std::uint32_t count = vectors() * words_of(rule);
  if (count > most_chosen) return gather_words(i, which);
  cache_.lock(which);
  choose_words(i, rule, which, 0, count);
  cache_.unlock(which);
}

// ---- The operation ----

/// Whether whole vectors change places by a number that is known only when it runs; those that memory has, because to
/// choose among them takes longer.
bool Emitter::exchanges_in_memory(const Inst& i, const EmitRule& rule) const {
  return from_of(rule) == From::exclusive_or && rule.type != Scalar::boolean &&
         words_of(rule) == 1 && !i.varying(1) && constant(i, 1) == nullptr && vectors() > 2 &&
         std::has_single_bit(static_cast<unsigned>(program_.size)) && !takes_place_of_operand(i);
}
/// Exclusive or with one number exchanges whole vectors, by its upper bits, and lanes in each of them.
void Emitter::exchange_in_memory(const Inst& i) {
  const std::uint32_t count = vectors_of(i), lanes = as_.lanes();
  cache_.save_inside(i.a, vectors() * as_.vector_bytes());
  cache_.first_to(eax, i.b);
  as_.and_(eax, static_cast<std::uint32_t>(program_.size) - 1);
  as_.mov(ecx, eax);
  as_.and_(ecx, lanes - 1);
  as_.xor_(eax, ecx);
  as_.shl(eax, 2);
  std::vector<std::uint32_t> own;
  for (std::uint32_t k = 0; k < lanes; ++k) own.push_back(k);
  as_.broadcast(as_.scratch(), ecx);
  as_.bit_xor(as_.scratch(), as_.scratch(), as_.words(std::move(own)));
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

/// What the operand that chooses the lanes is, the same for all vectors; locked.
std::optional<Vector> Emitter::common_choice(const Inst& i, const EmitRule& rule) {
  if (from_of(rule) == From::partner || constant(i, 1) != nullptr) return std::nullopt;
  const bool is_of_first = find_lane_move(rule.code)->is_by_first;
  if (i.varying(1) && !is_of_first) return std::nullopt;
  if (i.varying(1)) lane_to(eax, {i.b, true});
  const Vector by = i.varying(1) ? cache_.fresh() : cache_.value(i.b);
  if (i.varying(1)) as_.broadcast(by, eax);
  cache_.lock(by);
  return by;
}

/// Vector v of the result, in a register that nothing else has.
Vector Emitter::shuffled(const Inst& i, const EmitRule& rule, std::uint32_t v,
                         const std::optional<Vector>& common) {
  cache_.begin_operation();
  if (const auto words = known_words(i, rule, v)) {
    const Vector to = cache_.fresh();
    move_known(i, rule, *words, to);
    return to;
  }
  const std::uint32_t each = words_of(rule), of = v / each;
  const Vector by = common ? *common : cache_.value(i.b + of * as_.vector_bytes());
  const Vector which = cache_.fresh();
  source_lanes(i, rule, of * as_.lanes(), by, which);
  if (each == 2) double_lanes(which, v);
  cache_.lock(which);
  cache_.begin_operation();
  move_words(i, rule, which);
  return which;
}

void Emitter::emit_shuffle(const Inst& i, const EmitRule& rule) {
  if (exchanges_in_memory(i, rule)) return exchange_in_memory(i);
  const Shape shape = as_.shape(size_of_numbers(rule));
  const bool is_bool = rule.type == Scalar::boolean;
  const std::uint32_t count = i.varying_result() ? vectors(shape) : 1;
  const std::uint32_t copies = i.varying_result() ? 1 : shape.vectors(chunk_lanes);
  if (vectors() * words_of(rule) > most_chosen)
    cache_.save_inside(i.a, vectors(shape) * as_.vector_bytes());
  cache_.begin_operation();
  const std::optional<Vector> common = common_choice(i, rule);
  // The operands are needed until all of the result is known if it takes their place.
  const bool keeps_last = !is_bool && takes_place_of_operand(i);
  std::vector<Vector> results;
  std::vector<MaskRegister> masks;
  for (std::uint32_t v = 0; v < count; ++v) {
    const Vector to = shuffled(i, rule, v, common);
    if (is_bool) {
      masks.push_back(cache_.fresh_mask());
      as_.mask_of_words(masks.back(), to);
      cache_.lock(masks.back());
    } else if (keeps_last) {
      results.push_back(to);
      cache_.lock(to);
    } else {
      cache_.keep(to, i.dst + v * as_.vector_bytes(), shape, copies);
    }
  }
  for (std::uint32_t v = 0; v < results.size(); ++v)
    cache_.keep(results[v], i.dst + v * as_.vector_bytes(), shape, copies);
  if (is_bool) cache_.overwritten(i.dst, bool_bytes);
  for (std::uint32_t v = 0; v < masks.size(); ++v)
    cache_.keep_mask(masks[v], i.dst + v * as_.mask_bytes());
  cache_.unlock();
}

bool takes_place_of_operand(const Inst& i) {
  const std::uint32_t most_bytes = i.chunks * std::uint32_t{chunk_lanes} * 8;
  const auto overlaps = [&](std::uint32_t at) {
    return at - i.dst < most_bytes || i.dst - at < most_bytes;
  };
  return overlaps(i.a) || overlaps(i.b);
}

}  // namespace lockstep::spirv

#endif
