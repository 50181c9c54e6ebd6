#if LOCKSTEP_SPIRV_NATIVE

#include "shader/native/emitter.hpp"

/// \file
/// 32-bit elements in memory, at one index for all lanes or at an index of each lane, and numbers of one lane.

namespace lockstep::spirv {

using namespace Xbyak::util;

void Emitter::emit_element(std::size_t k) {
  const auto& m = *static_cast<const MemoryArgs*>(program_.insts[k].args);
  const bool loads = rule(k).code == Code::load, varying = m.has_index && m.index.varying;
  if (varying && !loads && (m.bytes != 4 || !as_.scatters())) return call_function(k);
  if (varying && m.bytes != 4) return gather_narrow(k);
  if (varying) return loads ? gather_elements(k) : scatter_elements(k);
  loads ? load_element(k) : store_element(k);
}

// ---- One index ----

/// Loads the index, the same for all lanes, into rcx.
void Emitter::element_index(const MemoryArgs& m) {
  if (m.has_index)
    cache_.first_to(ecx, m.index.at);
  else
    as_.xor_(ecx, ecx);
}
/// A number of the lowest active lane, or of all.
void Emitter::lane_to(const Xbyak::Reg32& to, const Slot& slot) {
  if (!slot.varying) return cache_.first_to(to, slot.at);
  cache_.save_inside(slot.at, vectors() * as_.vector_bytes());
  transitions_.load_active(rdx);
  as_.tzcnt(rdx, rdx);
  as_.mov(to, dword[r12 + rdx * 4 + slot.at]);
}

void Emitter::load_element(std::size_t k) {
  const Inst& i = program_.insts[k];
  const auto& m = *static_cast<const MemoryArgs*>(i.args);
  element_index(m);
  Cold& code = cold(k);
  element_address(m, code);
  for (std::uint32_t n = 0; n < m.components; ++n) {
    keep_same(i, m.value[n].at, as_.shape(m.bytes), [&](const Vector& to) {
      as_.broadcast(to, ptr[rdx + static_cast<std::size_t>(m.offset) + n * m.step], m.bytes);
    });
  }
  come_back(code);
}
/// Of lanes that write to one place the last one's value stays.
void Emitter::store_element(std::size_t k) {
  const Inst& i = program_.insts[k];
  const auto& m = *static_cast<const MemoryArgs*>(i.args);
  if (m.value[0].varying) {
    cache_.save_inside(m.value[0].at, vectors() * as_.shape(m.bytes).bytes);
    transitions_.load_active(rdx);
    as_.bsr(rdx, rdx);
    const auto from = r12 + rdx * static_cast<int>(m.bytes) + m.value[0].at;
    if (m.bytes == 4)
      as_.mov(eax, dword[from]);
    else
      as_.movzx(eax, m.bytes == 2 ? word[from] : byte[from]);
  } else {
    cache_.first_to(eax, m.value[0].at);
  }
  element_index(m);
  Cold& code = cold(k);
  element_address(m, code);
  const auto to = rdx + static_cast<std::size_t>(m.offset);
  if (m.bytes == 4)
    as_.mov(dword[to], eax);
  else
    m.bytes == 2 ? as_.mov(word[to], ax) : as_.mov(byte[to], al);
  come_back(code);
}
/// Of the element at index rcx, without the access's constant offset, to rdx. Overwrites rcx.
void Emitter::element_address(const MemoryArgs& m, Cold& code) {
  as_.mov(rdx, ptr[rbx + offsetof(Context, limits)]);
  as_.cmp(rcx, ptr[rdx + m.limit * sizeof(std::uint64_t)]);
  as_.jae(code.begin, near);
  as_.mov(rdx, ptr[rbx + offsetof(Context, memory)]);
  as_.mov(rdx, ptr[rdx + m.resource * sizeof(Memory) + offsetof(Memory, data)]);
  if (!m.has_index) return;
  if (m.stride == 4) return as_.lea(rdx, ptr[rdx + rcx * 4]);
  as_.imul(rcx, rcx, static_cast<int>(m.stride));
  as_.add(rdx, rcx);
}

// ---- An index of each lane ----

/// Goes to the function unless the elements of all active lanes are inside, and near enough for gathers and scatters.
/// Then rcx is where the first one is.
Emitter::Cold& Emitter::check_indices(std::size_t k) {
  const auto& m = *static_cast<const MemoryArgs*>(program_.insts[k].args);
  const std::size_t limit = m.limit * sizeof(std::uint64_t);
  cache_.begin_operation();
  const Vector first_outside = cache_.fresh();
  cache_.lock(first_outside);
  as_.mov(rcx, ptr[rbx + offsetof(Context, limits)]);
  as_.vpbroadcastd(first_outside, ptr[rcx + limit]);
  std::vector<MaskRegister> inside;
  for (std::uint32_t v = 0; v < vectors(); ++v) {
    cache_.begin_operation();
    const Vector index = cache_.value(m.index.at + v * as_.vector_bytes());
    inside.push_back(cache_.fresh_mask());
    cache_.lock(inside.back());
    as_.compare(inside.back(), Comparison::less, Scalar::u32, index, first_outside);
  }
  as_.bits_of_masks(rax, inside, true);
  cache_.unlock();
  Cold& code = cold(k);
  constexpr std::uint32_t most_distance = 0x7fffffff;
  as_.cmp(qword[rcx + limit], most_distance / m.stride);
  as_.ja(code.begin, near);
  transitions_.load_active(rdx);
  as_.andn(rdx, rax, rdx);
  as_.jnz(code.begin, near);
  as_.mov(rcx, ptr[rbx + offsetof(Context, memory)]);
  as_.mov(rcx, ptr[rcx + m.resource * sizeof(Memory) + offsetof(Memory, data)]);
  return code;
}
/// The bytes to the lanes' elements.
Vector Emitter::distances(const MemoryArgs& m, std::uint32_t v) {
  const Vector index = cache_.value(m.index.at + v * as_.vector_bytes()), away = cache_.fresh();
  multiply(away, index, m.stride);
  return away;
}
MaskRegister Emitter::copy_of_active(std::uint32_t v) {
  const MaskRegister active = cache_.active(v), copy = cache_.fresh_mask();
  as_.mask_and(copy, active, active);
  return copy;
}

void Emitter::gather_elements(std::size_t k) {
  const auto& m = *static_cast<const MemoryArgs*>(program_.insts[k].args);
  Cold& code = check_indices(k);
  for (std::uint32_t v = 0; v < vectors(); ++v) {
    cache_.begin_operation();
    const Vector away = distances(m, v);
    cache_.lock(away);
    for (std::uint32_t n = 0; n < m.components; ++n) {
      cache_.begin_operation();
      const std::uint32_t at = m.value[n].at + v * as_.vector_bytes();
      const Vector to = cache_.result(at);
      as_.bit_xor(to, to, to);
      as_.gather(to, copy_of_active(v), rcx, away,
                 static_cast<std::uint32_t>(m.offset) + n * m.step);
      cache_.keep(to, at);
    }
    cache_.unlock(away);
  }
  come_back(code);
}
/// Elements of 1 or 2 bytes: the words around them, which are in the same pages, and then their bytes.
void Emitter::gather_narrow(std::size_t k) {
  const auto& m = *static_cast<const MemoryArgs*>(program_.insts[k].args);
  const Shape shape = as_.shape(m.bytes);
  Cold& code = check_indices(k);
  as_.add(rcx, static_cast<std::uint32_t>(m.offset));
  if (m.bytes == 2) {
    // Such as are not aligned may be in two words.
    as_.test(cl, 1);
    as_.jnz(code.begin, near);
  }
  as_.mov(eax, ecx);
  as_.and_(eax, 3);
  as_.sub(rcx, rax);
  for (std::uint32_t v = 0; v < vectors(); ++v) {
    cache_.begin_operation();
    const Vector place = distances(m, v);
    as_.broadcast(as_.scratch(), eax);
    as_.vpaddd(place, place, as_.scratch());
    cache_.lock(place);
    for (std::uint32_t n = 0; n < m.components; ++n) {
      cache_.begin_operation();
      const std::uint32_t at = m.value[n].at + v * shape.bytes;
      const Vector to = cache_.result(at), word = cache_.fresh(), first = cache_.fresh();
      as_.vpaddd(first, place, as_.constant(n * m.step));
      as_.bit_xor(word, word, word);
      as_.bit_and(to, first, as_.constant(~3u));
      as_.gather(word, copy_of_active(v), rcx, to, 0);
      as_.bit_and(first, first, as_.constant(3));
      as_.vpslld(first, first, 3);
      as_.vpsrlvd(word, word, first);
      as_.truncate(to, word, 4, m.bytes);
      cache_.keep(to, at, shape, 1);
    }
    cache_.unlock(place);
  }
  come_back(code);
}
/// Where several lanes write to one element, the highest lane's value stays.
void Emitter::scatter_elements(std::size_t k) {
  const auto& m = *static_cast<const MemoryArgs*>(program_.insts[k].args);
  const auto offset = static_cast<std::uint32_t>(m.offset);
  Cold& code = check_indices(k);
  for (std::uint32_t v = 0; v < vectors(); ++v) {
    cache_.begin_operation();
    Xbyak::Label apart, done;
    const Vector index = cache_.value(m.index.at + v * as_.vector_bytes());
    const Vector value =
        cache_.value(m.value[0].at + (m.value[0].varying ? v * as_.vector_bytes() : 0));
    const Vector away = cache_.fresh(), spare = cache_.fresh();
    const MaskRegister active = copy_of_active(v);
    if (m.stride == 4) {
      as_.store_packed(rcx, offset, index, active, value, away, spare, apart);
      as_.jmp(done, near);
    }
    as_.L(apart);
    multiply(away, index, m.stride);
    as_.scatter(rcx, away, offset, active, value);
    as_.L(done);
  }
  come_back(code);
}

// ---- Numbers of one lane ----

/// The number of the first active lane, or of the lane that has a number.
void Emitter::emit_broadcast(std::size_t k) {
  const Inst& i = program_.insts[k];
  if (rule(k).code == Code::broadcast_first) {
    lane_to(eax, {i.a, true});
    return keep_word(i, eax);
  }
  cache_.save_inside(i.a, vectors() * as_.vector_bytes());
  cache_.first_to(ecx, i.b);
  Cold& code = cold(k);
  as_.cmp(ecx, static_cast<std::uint32_t>(program_.size));
  as_.jae(code.begin, near);
  as_.mov(eax, dword[r12 + rcx * 4 + i.a]);
  keep_word(i, eax);
  come_back(code);
}

}  // namespace lockstep::spirv

#endif
