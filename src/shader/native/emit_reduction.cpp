#if LOCKSTEP_SPIRV_NATIVE

#include <algorithm>
#include <bit>
#include <limits>
#include <vector>

#include "shader/native/emitter.hpp"

/// \file
/// Reductions of 32-bit numbers, of all lanes and of clusters. Those of floats are in the order of the functions
/// (lockstep/lanes/detail/fold.hpp): vectors first, the farthest ones with each other, then the lanes of one likewise.

namespace lockstep::spirv {

namespace {

std::uint32_t neutral_float(Operator combine) {
  const float infinity = std::numeric_limits<float>::infinity();
  switch (combine) {
    case Operator::mul:
      return std::bit_cast<std::uint32_t>(1.0f);
    case Operator::min:
      return std::bit_cast<std::uint32_t>(infinity);
    case Operator::max:
      return std::bit_cast<std::uint32_t>(-infinity);
    default:
      return std::bit_cast<std::uint32_t>(-0.0f);  // a sum of zeros keeps their sign
  }
}

}  // namespace

/// What leaves other values as they are: inactive lanes count as it.
std::uint32_t neutral_of(const EmitRule& rule) {
  using Signed = std::numeric_limits<std::int32_t>;
  if (is_float(rule.type)) return neutral_float(rule.combine);
  const bool is_signed = rule.type == Scalar::i32;
  switch (rule.combine) {
    case Operator::mul:
      return 1;
    case Operator::min:
      return is_signed ? static_cast<std::uint32_t>(Signed::max()) : ~0u;
    case Operator::max:
      return is_signed ? static_cast<std::uint32_t>(Signed::min()) : 0;
    case Operator::band:
      return ~0u;
    default:  // add, bor, bxor
      return 0;
  }
}

void Emitter::combine(const EmitRule& rule, const Vector& to, const Vector& a,
                      const Xbyak::Operand& b) {
  switch (rule.combine) {
    case Operator::mul:
      return is_float(rule.type) ? as_.vmulps(to, a, b) : as_.vpmulld(to, a, b);
    case Operator::min:
      return minimum(rule, to, a, b);
    case Operator::max:
      return maximum(rule, to, a, b);
    case Operator::band:
      return as_.bit_and(to, a, b);
    case Operator::bor:
      return as_.bit_or(to, a, b);
    case Operator::bxor:
      return as_.bit_xor(to, a, b);
    default:
      return is_float(rule.type) ? as_.vaddps(to, a, b) : as_.vpaddd(to, a, b);
  }
}

/// Vector v of the operand, with the neutral value in inactive lanes, and in those with NaN, which is neither the least
/// nor the greatest.
void Emitter::load_active_lanes(std::uint32_t at, const EmitRule& rule, std::uint32_t v,
                                const Vector& to) {
  const Vector value = cache_.value(at + v * as_.vector_bytes());
  const MaskRegister active = cache_.active(v);
  as_.vmovups(to, as_.constant(neutral_of(rule)));
  as_.select(to, active, to, value);
  if (!is_float(rule.type) || (rule.combine != Operator::min && rule.combine != Operator::max))
    return;
  const Vector neutral = cache_.fresh();
  as_.vmovups(neutral, as_.constant(neutral_of(rule)));
  as_.select_nan(to, to, to, neutral, rule.type);
}

/// Lane k gets lane from[k] of the value.
void Emitter::move_lanes(const Vector& to, const std::vector<std::uint32_t>& from,
                         const Vector& value) {
  as_.vmovups(as_.scratch(), as_.words(from));
  as_.permute(to, as_.scratch(), value);
}

/// Each lane gets the result of its cluster, of up to a vector.
void Emitter::combine_clusters(const EmitRule& rule, const Vector& all, std::uint32_t cluster) {
  const Vector moved = cache_.fresh();
  for (std::uint32_t distance = cluster / 2; distance > 0; distance /= 2) {
    if (distance <= 2) {  // in fours
      as_.vpshufd(moved, all, distance == 1 ? 0xb1 : 0x4e);
    } else {
      std::vector<std::uint32_t> from;
      for (std::uint32_t k = 0; k < as_.lanes(); ++k) from.push_back(k ^ distance);
      move_lanes(moved, from, all);
    }
    combine(rule, all, all, moved);
  }
}

/// The lanes of every `step`-th vector from `first` on, of `count`, combined by their number in a vector; in a register
/// that is locked.
Vector Emitter::combined_vectors(std::uint32_t at, const EmitRule& rule, std::uint32_t first,
                                 std::uint32_t step, std::uint32_t count) {
  if (step >= count) {
    cache_.begin_operation();
    const Vector lanes = cache_.fresh();
    cache_.lock(lanes);
    load_active_lanes(at, rule, first, lanes);
    return lanes;
  }
  const Vector all = combined_vectors(at, rule, first, 2 * step, count);
  if (first + step >= vectors()) return all;
  const Vector others = combined_vectors(at, rule, first + step, 2 * step, count);
  combine(rule, all, all, others);
  cache_.unlock(others);
  return all;
}

/// All lanes combined, in all lanes of a register that is locked.
Vector Emitter::reduced(std::uint32_t at, const EmitRule& rule) {
  const std::uint32_t count = static_cast<std::uint32_t>(program_.width) / as_.lanes();
  const Vector all = combined_vectors(at, rule, 0, 1, count);
  cache_.begin_operation();
  combine_clusters(rule, all, as_.lanes());
  return all;
}
void Emitter::emit_reduction(const Inst& i, const EmitRule& rule) {
  if (rule.code == Code::clustered) return emit_clustered(i, rule);
  if (rule.code != Code::reduce) return emit_scan(i, rule);
  const Vector all = reduced(i.a, rule);
  // Lanes may have different NaN.
  if (is_float(rule.type)) as_.vpbroadcastd(all, Xbyak::Xmm(all.getIdx()));
  keep_same(i, [&](const Vector& to) { as_.vmovups(to, all); });
  cache_.unlock(all);
}

void Emitter::emit_clustered(const Inst& i, const EmitRule& rule) {
  const auto cluster = static_cast<std::uint32_t>(i.imm);
  if (cluster > as_.lanes()) return emit_large_clusters(i, rule, cluster / as_.lanes());
  for (std::uint32_t v = 0; v < vectors(); ++v) {
    const std::uint32_t away = v * as_.vector_bytes();
    cache_.begin_operation();
    const Vector to = cache_.result(i.dst + away);
    if (cluster == 1)
      as_.vmovups(to, cache_.source(i.a + away));
    else
      load_active_lanes(i.a, rule, v, to);
    combine_clusters(rule, to, cluster);
    cache_.keep(to, i.dst + away);
  }
}
/// Clusters of several vectors.
void Emitter::emit_large_clusters(const Inst& i, const EmitRule& rule, std::uint32_t count) {
  for (std::uint32_t first = 0; first < vectors(); first += count) {
    const Vector all = combined_vectors(i.a, rule, first, 1, count);
    cache_.begin_operation();
    combine_clusters(rule, all, as_.lanes());
    for (std::uint32_t v = first; v < std::min(first + count, vectors()); ++v) {
      cache_.begin_operation();
      const std::uint32_t at = i.dst + v * as_.vector_bytes();
      const Vector to = cache_.result(at);
      as_.vmovups(to, all);
      cache_.keep(to, at);
    }
    cache_.unlock(all);
  }
}

}  // namespace lockstep::spirv

#endif
