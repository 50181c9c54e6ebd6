#if LOCKSTEP_SPIRV_NATIVE

#include <algorithm>

#include "shader/native/emitter.hpp"
#include "shader/native/layout.hpp"
#include "shader/run/built_in_places.hpp"

/// \file
/// The start of the next subgroup of a workgroup, without barriers, right at the end of the one before it: advance()
/// does the same, but a call of it takes longer than many small shaders.

namespace lockstep::spirv {

using namespace Xbyak::util;
using Xbyak::Label;

namespace {

constexpr std::size_t most_cleared = 4096;

std::size_t bytes_of(const std::vector<ClearedSlot>& slots) {
  std::size_t bytes = 0;
  for (const ClearedSlot& slot : slots) bytes += slot.bytes;
  return bytes;
}

}  // namespace

/// Whether all that changes from one subgroup to the next is simple.
bool Emitter::starts_subgroups(const BuiltInPlaces& places) const {
  const auto& others = places.components[static_cast<std::size_t>(Changes::with_subgroup)];
  const bool simple = std::all_of(others.begin(), others.end(), [](const Component& component) {
    return component.built_in == spv::BuiltIn::SubgroupId;
  });
  return in_place_ && !program_.has_barriers && simple &&
         bytes_of(program_.cleared) <= most_cleared;
}

void Emitter::emit_end() {
  // No register is read any more.
  cache_.forget();
  const BuiltInPlaces places = find_built_in_places(program_, true);
  if (starts_subgroups(places)) {
    Label out;
    as_.mov(eax, ptr[rbx + offsetof(Context, followers)]);
    as_.test(eax, eax);
    as_.jz(out, near);
    as_.inc(dword[rbx + offsetof(Context, subgroup)]);
    as_.dec(eax);
    as_.mov(ptr[rbx + offsetof(Context, followers)], eax);
    start_lanes();
    if (has_loops()) start_steps();
    start_registers(places);
    as_.jmp(labels_[program_.first], near);
    as_.L(out);
  }
  transitions_.end();
  as_.jmp(exit_, near);
}

/// The masks; the zero flag says that it is the workgroup's last subgroup.
void Emitter::start_lanes() {
  as_.lea(rcx, ptr[rbx + offsetof(Context, all_lanes)]);
  as_.lea(rdx, ptr[rbx + offsetof(Context, last_lanes)]);
  as_.cmovz(rcx, rdx);
  const Xbyak::Xmm lanes(0);
  static_assert(sizeof(Mask<128>) == 16 && sizeof(LaneSet) == 16);
  as_.vmovups(lanes, ptr[rcx]);
  as_.vmovups(ptr[rbx + layout::active], lanes);
  as_.vmovups(ptr[rbx + offsetof(Context, existing)], lanes);
  const Vector none = as_.vector(0);
  static_assert((layout::waiting_end - layout::waiting_begin) % 64 == 0);
  as_.bit_xor(none, none, none);
  for (std::size_t at = layout::waiting_begin; at < layout::waiting_end; at += as_.vector_bytes())
    as_.vmovups(ptr[rbx + at], none);
}

bool Emitter::has_loops() const {
  return std::any_of(program_.rules.begin(), program_.rules.end(), [](const EmitRule& rule) {
    return rule.kind == Kind::back || rule.kind == Kind::iterate;
  });
}
void Emitter::start_steps() {
  as_.mov(rax, ptr[rbx + offsetof(Context, steps)]);
  as_.add(ptr[rbx + offsetof(Context, ended_steps)], rax);
  as_.xor_(eax, eax);
  as_.mov(ptr[rbx + offsetof(Context, steps)], rax);
  as_.mov(ptr[rbx + offsetof(Context, loop_start)], rax);
  as_.mov(eax, static_cast<std::uint32_t>(slice_steps));
  as_.mov(ptr[rbx + offsetof(Context, turn_end)], rax);
  as_.mov(ptr[rbx + offsetof(Context, slice_end)], rax);
}

void Emitter::start_registers(const BuiltInPlaces& places) {
  const Vector value = as_.vector(0), base = as_.vector(1);
  if (!program_.cleared.empty()) as_.bit_xor(value, value, value);
  for (const ClearedSlot& slot : program_.cleared) {
    for (std::uint32_t k = 0; k < slot.bytes; k += as_.vector_bytes())
      as_.vmovups(ptr[r12 + slot.at + k], value);
  }
  as_.mov(edx, ptr[rbx + offsetof(Context, subgroup)]);
  for (const Component& id : places.components[static_cast<std::size_t>(Changes::with_subgroup)])
    store_number(id.slot, edx, value);
  as_.imul(edx, edx, program_.size);
  for (const Numbers& numbers : places.numbers) {
    as_.mov(eax, edx);
    if (numbers.global) {
      as_.imul(ecx, ptr[rbx + offsetof(Context, workgroup)],
               static_cast<int>(program_.local_size[0]));
      as_.add(eax, ecx);
    }
    as_.broadcast(base, eax);
    for (std::uint32_t v = 0; v < vectors(); ++v) {
      std::vector<std::uint32_t> lanes;
      for (std::uint32_t k = 0; k < as_.lanes(); ++k) lanes.push_back(v * as_.lanes() + k);
      as_.vpaddd(value, base, as_.words(std::move(lanes)));
      as_.vmovups(ptr[r12 + numbers.slot.at + v * as_.vector_bytes()], value);
    }
  }
}
void Emitter::store_number(const Slot& slot, const Xbyak::Reg32& number, const Vector& spare) {
  const std::uint32_t bytes = (slot.varying ? program_.chunks : 1u) * register_chunk_bytes;
  as_.broadcast(spare, number);
  for (std::uint32_t k = 0; k < bytes; k += as_.vector_bytes())
    as_.vmovups(ptr[r12 + slot.at + k], spare);
}

}  // namespace lockstep::spirv

#endif
