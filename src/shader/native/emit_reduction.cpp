#if LOCKSTEP_SPIRV_NATIVE

#include <limits>
#include <vector>

#include "shader/native/emitter.hpp"

/// \file
/// Reductions and scans of 32-bit integers, whose operators give the same in any order.

namespace lockstep::spirv {

namespace {

/// Lanes that instructions move in the same way in each part of a vector.
constexpr std::uint32_t block_lanes = 4;

/// What inactive lanes count as.
std::uint32_t identity(const EmitRule& rule) {
  using Signed = std::numeric_limits<std::int32_t>;
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

}  // namespace

void Emitter::combine(const EmitRule& rule, const Vector& to, const Vector& a,
                      const Xbyak::Operand& b) {
  switch (rule.combine) {
    case Operator::mul:
      return as_.vpmulld(to, a, b);
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
      return as_.vpaddd(to, a, b);
  }
}

/// Vector v of the operand, with the identity in inactive lanes.
void Emitter::load_active_lanes(std::uint32_t at, const EmitRule& rule, std::uint32_t v,
                                const Vector& to) {
  const Vector value = cache_.value(at + v * as_.vector_bytes());
  const MaskRegister active = cache_.active(v);
  as_.vmovups(to, as_.constant(identity(rule)));
  as_.select(to, active, to, value);
}

/// Lane k gets lane from[k] of the value.
void Emitter::move_lanes(const Vector& to, const std::vector<std::uint32_t>& from,
                         const Vector& value) {
  as_.vmovups(as_.scratch(), as_.words(from));
  as_.permute(to, as_.scratch(), value);
}

/// Each vector is combined with those before, and the lanes of the last one with each other: all lanes of the register,
/// which is locked, get the result.
Vector Emitter::reduced(std::uint32_t at, const EmitRule& rule) {
  cache_.begin_operation();
  const Vector all = cache_.fresh();
  cache_.lock(all);
  for (std::uint32_t v = 0; v < vectors(); ++v) {
    cache_.begin_operation();
    if (v == 0) {
      load_active_lanes(at, rule, v, all);
    } else {
      const Vector lanes = cache_.fresh();
      load_active_lanes(at, rule, v, lanes);
      combine(rule, all, all, lanes);
    }
  }
  cache_.begin_operation();
  const Vector moved = cache_.fresh();
  constexpr std::uint8_t orders[] = {0xb1, 0x4e};  // exchange neighbours, and pairs of four lanes
  for (const std::uint8_t order : orders) {
    as_.vpshufd(moved, all, order);
    combine(rule, all, all, moved);
  }
  for (std::uint32_t distance = block_lanes; distance < as_.lanes(); distance *= 2) {
    std::vector<std::uint32_t> from;
    for (std::uint32_t k = 0; k < as_.lanes(); ++k) from.push_back(k ^ distance);
    move_lanes(moved, from, all);
    combine(rule, all, all, moved);
  }
  return all;
}
void Emitter::emit_reduction(const Inst& i, const EmitRule& rule) {
  const Vector all = reduced(i.a, rule);
  keep_same(i, [&](const Vector& to) { as_.vmovups(to, all); });
  cache_.unlock(all);
}

/// Lane k gets lane from(k), or the identity if that is k.
template <class F>
void Emitter::move_lanes_or_identity(const EmitRule& rule, const Vector& to, const Vector& value,
                                     F from) {
  std::vector<std::uint32_t> order, is_moved, others;
  for (std::uint32_t k = 0; k < as_.lanes(); ++k) {
    order.push_back(from(k));
    is_moved.push_back(from(k) == k ? 0 : ~0u);
    others.push_back(from(k) == k ? identity(rule) : 0);
  }
  move_lanes(to, order, value);
  as_.bit_and(to, to, as_.words(is_moved));
  if (identity(rule) != 0) as_.bit_or(to, to, as_.words(others));
}

/// The inclusive scan within a vector: of blocks of four lanes, then of their last lanes.
void Emitter::scan_vector(const EmitRule& rule, const Vector& lanes) {
  const Vector moved = cache_.fresh();
  for (std::uint32_t distance = 1; distance < block_lanes; distance *= 2) {
    as_.vpslldq(moved, lanes, static_cast<std::uint8_t>(4 * distance));
    if (identity(rule) != 0) {
      std::vector<std::uint32_t> first;
      for (std::uint32_t k = 0; k < as_.lanes(); ++k)
        first.push_back(k % block_lanes < distance ? identity(rule) : 0);
      as_.bit_or(moved, moved, as_.words(first));
    }
    combine(rule, lanes, lanes, moved);
  }
  for (std::uint32_t distance = block_lanes; distance < as_.lanes(); distance *= 2) {
    move_lanes_or_identity(rule, moved, lanes, [&](std::uint32_t k) {
      const std::uint32_t block = k / block_lanes * block_lanes;
      return block < distance ? k : block - distance + block_lanes - 1;
    });
    combine(rule, lanes, lanes, moved);
  }
}

void Emitter::emit_scan(const Inst& i, const EmitRule& rule) {
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
      move_lanes_or_identity(rule, to, lanes, [](std::uint32_t k) { return k == 0 ? 0 : k - 1; });
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

}  // namespace lockstep::spirv

#endif
