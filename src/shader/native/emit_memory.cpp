#if LOCKSTEP_SPIRV_NATIVE

#include "shader/native/emitter.hpp"

/// \file
/// Memory: consecutive elements, and variables with an index.

namespace lockstep::spirv {

using namespace Xbyak::util;
using Xbyak::Label;

/// Consecutive elements in memory.
void Emitter::emit_run(std::size_t k) {
  const Inst& i = program_.insts[k];
  const auto& m = *static_cast<const MemoryArgs*>(i.args);
  const bool loads = rule(k).code == Code::load;
  const std::uint32_t bytes = size_of(rule(k).type);
  const Shape shape = as_.shape(bytes);
  Cold& code = cold(k);
  cache_.first_to(eax, m.index.at);
  as_.mov(rcx, ptr[rbx + offsetof(Context, limits)]);
  as_.lea(rdx, ptr[rax + static_cast<std::size_t>(i.imm)]);
  as_.cmp(rdx, ptr[rcx + m.limit * sizeof(std::uint64_t)]);
  as_.ja(code.begin, near);
  if (!loads && !as_.stores_lanes()) transitions_.require_all_active(program_.size, code.begin);
  as_.mov(rcx, ptr[rbx + offsetof(Context, memory)]);
  as_.mov(rcx, ptr[rcx + m.resource * sizeof(Memory) + offsetof(Memory, data)]);
  as_.lea(rcx, ptr[rcx + rax * static_cast<int>(bytes) + static_cast<std::size_t>(m.offset)]);
  for (std::uint32_t v = 0; v < shape.vectors(i.chunks * std::uint32_t{chunk_lanes}); ++v) {
    cache_.begin_operation();
    const std::uint32_t away = v * shape.bytes;
    const std::uint32_t value = m.value[0].at + (m.value[0].varying ? away : 0);
    if (loads) {
      constexpr std::size_t bytes_ahead = 2048;
      if (away % 64 == 0) as_.prefetcht0(ptr[rcx + bytes_ahead + away]);
      const Vector to = cache_.result(value);
      as_.load(to, ptr[rcx + away], shape);
      cache_.keep(to, value, shape, 1);
    } else if (as_.stores_lanes()) {
      const Vector from = cache_.value(value, shape);
      as_.store_lanes(ptr[rcx + away], cache_.active(v), from, shape);
    } else {
      as_.store(ptr[rcx + away], cache_.value(value, shape), shape);
    }
  }
  come_back(code);
}

/// A variable's component by a uniform index.
void Emitter::emit_indexed(std::size_t k) {
  const Inst& i = program_.insts[k];
  const auto& slots = static_cast<const IndexedArgs*>(i.args)->slots;
  const std::uint32_t step = slots[1] - slots[0];
  const auto bytes = static_cast<std::uint32_t>(slots.size()) * step;
  const bool loads = rule(k).code == Code::load_indexed;
  const Shape shape = as_.shape(size_of(rule(k).type));
  Cold& code = cold(k);
  cache_.first_to(eax, i.a);
  if (i.imm != 0) as_.add(rax, static_cast<std::uint32_t>(i.imm));
  as_.cmp(rax, static_cast<std::uint32_t>(slots.size()));
  as_.jae(code.begin, near);
  as_.imul(rax, rax, static_cast<int>(step));
  as_.lea(rax, ptr[r12 + rax + slots[0]]);
  cache_.save_inside(slots[0], bytes);
  if (!loads) cache_.overwritten(slots[0], bytes);
  for (std::uint32_t v = 0; v < shape.vectors(i.chunks * std::uint32_t{chunk_lanes}); ++v) {
    cache_.begin_operation();
    const std::uint32_t away = v * shape.bytes;
    const auto component = ptr[rax + away];
    if (loads) {
      const Vector to = cache_.result(i.dst + away);
      as_.load(to, component, shape);
      cache_.keep(to, i.dst + away, shape, 1);
    } else {
      const Vector value = cache_.value(i.b + (i.varying(1) ? away : 0), shape);
      const Vector all = cache_.fresh();
      as_.load(all, component, shape);
      as_.select_lanes(shape, v, all, cache_.active(v), all, as_.part(value, shape));
      as_.store(component, all, shape);
    }
  }
  if (!loads) cache_.overwritten(slots[0], bytes);
  come_back(code);
}

// ---- An index of each lane ----

/// The component of each lane: of few ones, which may be in registers, by comparing; of more, by a gather or scatter.
void Emitter::emit_indexed_by_lane(std::size_t k) {
  const Inst& i = program_.insts[k];
  const auto& slots = static_cast<const IndexedArgs*>(i.args)->slots;
  const std::uint32_t bytes = static_cast<std::uint32_t>(slots.size()) * (slots[1] - slots[0]);
  const bool loads = rule(k).code == Code::load_indexed, few = is_chosen_by_comparing(i);
  const Shape shape = as_.shape(size_of(rule(k).type));
  if (!few && (shape != words_ || (!loads && !as_.scatters()))) return call_function(k);
  if (!few) cache_.save_inside(slots[0], bytes);
  if (!few && !loads) cache_.overwritten(slots[0], bytes);
  for (std::uint32_t v = 0; v < words_.vectors(i.chunks * std::uint32_t{chunk_lanes}); ++v) {
    cache_.begin_operation();
    if (few)
      loads ? load_chosen(i, shape, v) : store_chosen(i, shape, v);
    else
      loads ? gather(i, v) : scatter(i, v);
  }
}

void Emitter::load_chosen(const Inst& i, const Shape& shape, std::uint32_t v) {
  const auto& slots = static_cast<const IndexedArgs*>(i.args)->slots;
  const std::uint32_t away = v * shape.bytes;
  const Vector index = cache_.value(i.a + v * words_.bytes), to = cache_.result(i.dst + away);
  const MaskRegister here = cache_.fresh_mask();
  as_.bit_xor(to, to, to);
  for (std::size_t k = i.imm; k < slots.size(); ++k) {
    as_.compare(here, Comparison::equal, Scalar::u32, index,
                as_.constant(static_cast<std::uint32_t>(k - i.imm)));
    as_.select_lanes(shape, v, to, here, to,
                     cache_.source(slots[k] + away, shape).part(as_, shape));
  }
  cache_.keep(to, i.dst + away, shape, 1);
}
void Emitter::store_chosen(const Inst& i, const Shape& shape, std::uint32_t v) {
  const auto& slots = static_cast<const IndexedArgs*>(i.args)->slots;
  const std::uint32_t away = v * shape.bytes;
  const Vector index = cache_.value(i.a + v * words_.bytes),
               value = cache_.value(i.b + (i.varying(1) ? away : 0), shape);
  const MaskRegister active = cache_.active(v), here = cache_.fresh_mask();
  const Vector all = cache_.fresh();
  for (std::size_t k = i.imm; k < slots.size(); ++k) {
    const std::uint32_t at = slots[k] + away;
    as_.compare(here, Comparison::equal, Scalar::u32, index,
                as_.constant(static_cast<std::uint32_t>(k - i.imm)));
    as_.mask_and(here, here, active);
    if (const int held = cache_.find(at); held >= 0) {
      const Vector there = as_.vector(held);
      as_.select_lanes(shape, v, there, here, there, as_.part(value, shape));
      cache_.keep(there, at, shape, 1);
    } else if (shape == words_) {
      as_.merge(cache_.home(at), here, value, all, words_);
    } else {
      as_.load(all, cache_.home(at), shape);
      as_.select_lanes(shape, v, all, here, all, as_.part(value, shape));
      as_.store(cache_.home(at), all, shape);
    }
  }
}

/// Where the index is inside of the array.
MaskRegister Emitter::in_array(const Inst& i, const Vector& index) {
  const auto& slots = static_cast<const IndexedArgs*>(i.args)->slots;
  const MaskRegister inside = cache_.fresh_mask();
  const Vector last = cache_.fresh();
  as_.vmovups(last, as_.constant(static_cast<std::uint32_t>(slots.size() - 1 - i.imm)));
  as_.compare(inside, Comparison::less_equal, Scalar::u32, index, last);
  return inside;
}
/// The bytes from the array's first component to the lanes' ones.
Vector Emitter::distances(const Inst& i, const Vector& index) {
  const auto& slots = static_cast<const IndexedArgs*>(i.args)->slots;
  std::vector<std::uint32_t> lanes;
  for (std::uint32_t k = 0; k < as_.lanes(); ++k) lanes.push_back(4 * k);
  const Vector away = cache_.fresh();
  multiply(away, index, slots[1] - slots[0]);
  as_.vpaddd(away, away, as_.words(std::move(lanes)));
  return away;
}
void Emitter::gather(const Inst& i, std::uint32_t v) {
  const auto& slots = static_cast<const IndexedArgs*>(i.args)->slots;
  const std::uint32_t away = v * words_.bytes;
  const Vector index = cache_.value(i.a + away), to = cache_.result(i.dst + away);
  const MaskRegister inside = in_array(i, index);
  as_.bit_xor(to, to, to);
  as_.gather(to, inside, r12, distances(i, index), slots[i.imm] + away);
  cache_.keep(to, i.dst + away);
}
void Emitter::scatter(const Inst& i, std::uint32_t v) {
  const auto& slots = static_cast<const IndexedArgs*>(i.args)->slots;
  const std::uint32_t away = v * words_.bytes;
  const Vector index = cache_.value(i.a + away),
               value = cache_.value(i.b + (i.varying(1) ? away : 0));
  const MaskRegister inside = in_array(i, index);
  as_.mask_and(inside, inside, cache_.active(v));
  as_.scatter(r12, distances(i, index), slots[i.imm] + away, inside, value);
}

}  // namespace lockstep::spirv

#endif
