#if LOCKSTEP_SPIRV_NATIVE

#include "shader/native/emitter.hpp"
#include "shader/native/layout.hpp"

#include <algorithm>

/// \file
/// Simple loops: variables in places and registers of their own, and slices of the lanes.

namespace lockstep::spirv {

using namespace Xbyak::util;
using Xbyak::Label;

namespace {

// Of loops in slices, next to the places of spilled registers: the most iterations of a slice, and
// the lanes that the slice started with.
constexpr std::uint32_t steps_place = 64, lanes_place = 72;

}  // namespace

void Emitter::enter_loop(SimpleLoop& loop) {
  loop_ = &loop;
  cache_.pin(loop.pins);
  if (loop.is_sliced()) emit_slice_begin(loop);
  cache_.set_loop(&loop.frame);
  cache_.load_pinned();
  load_own(loop);
  cache_.set_loop(&loop.places);
  as_.L(loop.pinned_head);
}
void Emitter::leave_loop() {
  loop_ = nullptr;
  cache_.pin({});
  cache_.set_loop(nullptr);
  cache_.forget();
}
/// Copies variables to the loop's own places, except those that are always in registers.
void Emitter::load_own(const SimpleLoop& loop) {
  for (const OwnPlace& own : loop.places.own) {
    for (std::uint32_t v = 0; v < vectors(own.shape); ++v) {
      const std::uint32_t at = v * own.shape.bytes, place = own.from + at;
      const bool pinned = std::any_of(loop.pins.begin(), loop.pins.end(),
                                      [&](const Held& h) { return h.at == place; });
      if (pinned) continue;
      as_.load(as_.scratch(), frame(loop, place), own.shape);
      as_.store(frame(loop, own.to + at), as_.scratch(), own.shape);
    }
  }
}
/// Gives variables of the lanes in a register, which is not r8, the values that the loop has for
/// them. leaving: the lanes do not return. In subgroups of more than 64 lanes, they are the active ones.
void Emitter::merge_own(const SimpleLoop& loop, const Xbyak::Reg64& lanes, bool leaving) {
  const auto is_wanted = [&](std::uint32_t at) {
    return !leaving || std::find(loop.locals.begin(), loop.locals.end(), at) == loop.locals.end();
  };
  const auto& own = loop.places.own;
  const bool none = std::none_of(own.begin(), own.end(),
                                 [&](const OwnPlace& place) { return is_wanted(place.from); });
  if (none) return;
  // A register that holds none of them.
  int free = -1;
  for (int r = as_.vectors() - 1; r >= 0; --r) {
    const std::uint32_t at = cache_.contents()[static_cast<std::size_t>(r)].at;
    if (!cache_.has_own_place(at) || at == RegisterCache::nothing) free = r;
    if (at == RegisterCache::nothing) break;
  }
  free = std::max(free, 0);
  const bool spills = as_.masks() == 0;
  const Vector spare = spills ? as_.vector(free) : as_.scratch();
  if (spills) as_.vmovups(ptr[r12 + spill_place_], spare);
  const auto merge = [&](const OwnPlace& place, std::uint32_t v) {
    const std::uint32_t at = place.from + v * place.shape.bytes;
    const auto memory = frame(loop, at);
    const int held = cache_.find(at);
    if (spills && held == free)
      as_.merge(memory, as_.mask_scratch(), ptr[r12 + spill_place_], spare, place.shape);
    else if (held >= 0)
      as_.merge(memory, as_.mask_scratch(), as_.vector(held), spare, place.shape);
    else
      as_.merge(memory, as_.mask_scratch(), cache_.home(at), spare, place.shape);
  };
  for (const std::uint32_t size : {1u, 2u, 4u, 8u}) {
    const Shape shape = as_.shape(size);
    const auto is_meant = [&](const OwnPlace& place) {
      return place.shape == shape && is_wanted(place.from);
    };
    if (std::none_of(own.begin(), own.end(), is_meant)) continue;
    for (std::uint32_t v = 0; v < vectors(shape); ++v) {
      const std::uint32_t first = v * shape.lanes;
      if (program_.size > 64 && first % 64 == 0)
        as_.mov(lanes, ptr[rbx + layout::active + first / 8]);
      as_.mask_of_bits(as_.mask_scratch(), lanes, first % 64 / shape.lanes, shape);
      for (const OwnPlace& place : own) {
        if (is_meant(place)) merge(place, v);
      }
    }
  }
  if (spills) as_.vmovups(spare, ptr[r12 + spill_place_]);
}
void Emitter::merge_own_of_active(const SimpleLoop& loop) {
  if (loop.places.own.empty()) return;
  transitions_.load_active(rcx);
  merge_own(loop, rcx, false);
}

Xbyak::Address Emitter::frame(const SimpleLoop& loop, std::uint32_t at) const {
  return ptr[(loop.is_sliced() ? r9 : r12) + at];
}
/// A slice of lanes; rsi holds the active ones, rdx counts iterations. Nothing is called until the
/// last slice has left the loop.
void Emitter::emit_slice_begin(SimpleLoop& loop) {
  as_.mov(r9, r12);
  as_.mov(rdi, r12);
  as_.mov(rax, ptr[rbx + offsetof(Context, steps)]);
  as_.mov(ptr[r12 + spill_place_ + steps_place], rax);
  as_.L(loop.slice_begin);
  as_.mov(rcx, r9);
  as_.sub(rcx, r12);
  as_.shr(rcx, 2);
  transitions_.load_active(rsi);
  as_.shr(rsi, cl);
  const std::uint32_t lanes = loop.places.slice * as_.lanes();
  as_.and_(esi, ~0u >> (32 - lanes));
  as_.jz(loop.slice_next, near);
  as_.mov(ptr[r12 + spill_place_ + lanes_place], rsi);
  as_.mov(rdx, ptr[rbx + offsetof(Context, steps)]);
}
/// The slice's lanes have left the loop, except those in rsi, whose subgroup has to pause.
void Emitter::emit_slice_end(SimpleLoop& loop) {
  Label less;
  as_.L(loop.slice_end);
  as_.mov(rax, ptr[r12 + spill_place_ + lanes_place]);
  as_.xor_(rax, rsi);
  as_.mov(rcx, r9);
  as_.sub(rcx, r12);
  as_.shr(rcx, 2);
  as_.shl(rax, cl);
  transitions_.leave_loop(rax);
  as_.cmp(rdx, ptr[r12 + spill_place_ + steps_place]);
  as_.jbe(less);
  as_.mov(ptr[r12 + spill_place_ + steps_place], rdx);
  as_.L(less);
  as_.L(loop.slice_next);
  as_.add(r9, loop.places.slice * as_.vector_bytes());
  as_.add(rdi, loop.places.slice * as_.mask_bytes());
  as_.lea(rax, ptr[r12 + program_.chunks * register_chunk_bytes]);
  as_.cmp(r9, rax);
  as_.jb(loop.slice_begin, near);
  as_.mov(rax, ptr[r12 + spill_place_ + steps_place]);
  as_.mov(ptr[rbx + offsetof(Context, steps)], rax);
  transitions_.require_active(labels_[loop.out]);
  for (const std::size_t k : loop.ends) as_.L(labels_[k]);
  back_by_call(loop.back);
}
/// The subgroup has to pause after this iteration: its function counts it.
void Emitter::emit_pause(Cold& code) {
  as_.mov(rcx, rsi);
  merge_own(*code.loop, rcx, false);
  cache_.save_all();
  as_.dec(rdx);
  as_.jmp(code.loop->slice_end, near);
}

}  // namespace lockstep::spirv

#endif
