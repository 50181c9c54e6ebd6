#if LOCKSTEP_SPIRV_NATIVE

#include <vector>

#include <lockstep/lanes/detail/fold.hpp>

#include "shader/native/emitter.hpp"

/// \file
/// Scans of 32-bit integers, whose operators give the same in any order, and of floats.

namespace lockstep::spirv {

using namespace Xbyak::util;

namespace {

/// Lanes that instructions move in the same way in each part of a vector.
constexpr std::uint32_t block_lanes = 4;

}  // namespace

/// Lane k gets lane from(k), or the neutral value if that is k.
template <class F>
void Emitter::move_lanes_or_neutral(const EmitRule& rule, const Vector& to, const Vector& value,
                                    F from) {
  std::vector<std::uint32_t> order, is_moved, others;
  for (std::uint32_t k = 0; k < as_.lanes(); ++k) {
    order.push_back(from(k));
    is_moved.push_back(from(k) == k ? 0 : ~0u);
    others.push_back(from(k) == k ? neutral_of(rule) : 0);
  }
  move_lanes(to, order, value);
  as_.bit_and(to, to, as_.words(is_moved));
  if (neutral_of(rule) != 0) as_.bit_or(to, to, as_.words(others));
}

/// The inclusive scan within a vector: of blocks of four lanes, then of their last lanes.
void Emitter::scan_vector(const EmitRule& rule, const Vector& lanes) {
  const Vector moved = cache_.fresh();
  for (std::uint32_t distance = 1; distance < block_lanes; distance *= 2) {
    as_.vpslldq(moved, lanes, static_cast<std::uint8_t>(4 * distance));
    if (neutral_of(rule) != 0) {
      std::vector<std::uint32_t> first;
      for (std::uint32_t k = 0; k < as_.lanes(); ++k)
        first.push_back(k % block_lanes < distance ? neutral_of(rule) : 0);
      as_.bit_or(moved, moved, as_.words(first));
    }
    combine(rule, lanes, lanes, moved);
  }
  for (std::uint32_t distance = block_lanes; distance < as_.lanes(); distance *= 2) {
    move_lanes_or_neutral(rule, moved, lanes, [&](std::uint32_t k) {
      const std::uint32_t block = k / block_lanes * block_lanes;
      return block < distance ? k : block - distance + block_lanes - 1;
    });
    combine(rule, lanes, lanes, moved);
  }
}

void Emitter::emit_scan(const Inst& i, const EmitRule& rule) {
  if (is_float(rule.type)) return emit_float_scan(i, rule);
  const std::uint32_t count = vectors_of(i);
  const std::vector<std::uint32_t> last(as_.lanes(), as_.lanes() - 1);
  cache_.begin_operation();
  const Vector before = cache_.fresh();  // all lanes of earlier vectors
  cache_.lock(before);
  for (std::uint32_t v = 0; v < count; ++v) {
    cache_.begin_operation();
    const std::uint32_t at = i.dst + v * as_.vector_bytes();
    const Vector lanes = cache_.fresh();
    load_active_lanes(i.a, rule, v, lanes);
    scan_vector(rule, lanes);
    const Vector to = cache_.result(at);
    if (rule.code == Code::exclusive_scan)
      move_lanes_or_neutral(rule, to, lanes, [](std::uint32_t k) { return k == 0 ? 0 : k - 1; });
    else
      as_.vmovups(to, lanes);
    if (v > 0) combine(rule, to, to, before);
    cache_.keep(to, at);
    if (v + 1 == count) break;
    move_lanes(lanes, last, lanes);
    if (v > 0)
      combine(rule, before, before, lanes);
    else
      as_.vmovups(before, lanes);
  }
  cache_.unlock(before);
}

// ---- Floats ----

/// The inclusive scan of as many lanes as the functions scan as one.
void Emitter::scan_floats(const EmitRule& rule, const std::vector<Vector>& block,
                          const Vector& neutral) {
  const Vector below = cache_.fresh();
  for (std::uint32_t distance = 1; distance < as_.lanes(); distance *= 2) {
    for (std::size_t k = block.size(); k-- > 0;) {
      as_.shift_up(below, block[k], k > 0 ? block[k - 1] : neutral, distance);
      combine(rule, block[k], below, block[k]);
    }
  }
  if (block.size() > 1) combine(rule, block[1], block[0], block[1]);
}
/// A sum of nothing is zero, where -0 stands for lanes that are inactive: the first active lane of vector v gets it.
void Emitter::zero_first_active(std::uint32_t v, const Vector& to) {
  transitions_.load_active(rax);
  as_.blsi(rax, rax);
  as_.mask_of_bits(as_.mask_scratch(), rax, v, words_);
  as_.select(to, as_.mask_scratch(), to, as_.constant(0));
}

/// Each block after the one before: its last lane is what this one's lanes are combined with.
void Emitter::emit_float_scan(const Inst& i, const EmitRule& rule) {
  const bool is_exclusive = rule.code == Code::exclusive_scan;
  const bool is_sum = rule.combine == Operator::add;
  const std::vector<std::uint32_t> last(as_.lanes(), as_.lanes() - 1);
  cache_.begin_operation();
  const Vector neutral = cache_.fresh(), before = cache_.fresh();
  cache_.lock(neutral);
  cache_.lock(before);
  as_.vmovups(neutral, as_.constant(neutral_of(rule)));
  as_.vmovups(before, is_sum ? as_.constant(0) : as_.constant(neutral_of(rule)));
  const std::uint32_t length = detail::scanned_lanes<float> / as_.lanes();
  for (std::uint32_t first = 0; first < vectors(); first += length) {
    std::vector<Vector> block;
    for (std::uint32_t v = first; v < first + length; ++v) {
      cache_.begin_operation();
      block.push_back(cache_.fresh());
      cache_.lock(block.back());
      load_active_lanes(i.a, rule, v, block.back());
    }
    cache_.begin_operation();
    scan_floats(rule, block, neutral);
    const Vector moved = cache_.fresh();
    if (first > 0) {
      move_lanes(moved, last, before);
      for (const Vector& lanes : block) combine(rule, lanes, moved, lanes);
    }
    for (std::uint32_t k = 0; k < length; ++k) {
      const std::uint32_t at = i.dst + (first + k) * as_.vector_bytes();
      const Vector to = cache_.result(at);
      if (is_exclusive)
        as_.shift_up(to, block[k], k > 0 ? block[k - 1] : before, 1);
      else
        as_.vmovups(to, block[k]);
      if (is_exclusive && is_sum) zero_first_active(first + k, to);
      cache_.keep(to, at);
    }
    as_.vmovups(before, block.back());
    for (const Vector& lanes : block) cache_.unlock(lanes);
  }
  cache_.unlock(neutral);
  cache_.unlock(before);
}

}  // namespace lockstep::spirv

#endif
