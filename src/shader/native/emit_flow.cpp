#if LOCKSTEP_SPIRV_NATIVE

#include "shader/native/emitter.hpp"

/// \file
/// Control flow. Transitions that leave every lane where it is are inline, and lanes that leave a simple loop; all others
/// are calls of the functions in exec/ops/flow.cpp.

namespace lockstep::spirv {

using namespace Xbyak::util;
using Xbyak::Label;

void Emitter::emit_test(std::size_t k) {
  const Inst& i = program_.insts[k];
  const EmitRule rule = this->rule(k);
  cache_.begin_operation();
  if (is_comparison(rule.code)) {
    const auto masks = compare_vectors(i, rule);
    as_.bits_of_masks(rax, masks, true);
    cache_.unlock();
  } else if (is_sliced()) {
    std::vector<MaskRegister> masks;
    for (std::uint32_t v = 0; v < vectors(); ++v)
      masks.push_back(cache_.mask(i.a + (i.varying(0) ? v * as_.mask_bytes() : 0)));
    as_.bits_of_masks(rax, masks, false);
  } else {
    cache_.save_inside(i.a, bool_bytes);
    as_.mov(rax, ptr[r12 + i.a]);
  }
  Cold& code = cold(k);
  code.exit = loop_ != nullptr;
  if (is_sliced())
    as_.mov(rcx, rsi);
  else
    transitions_.load_active(rcx);
  if (rule.test == Test::leave)
    as_.and_(rcx, rax);
  else
    as_.andn(rcx, rax, rcx);
  as_.jnz(code.begin, near);
  if (rule.test == Test::enter) transitions_.enter(i.number);
  come_back(code);
}

/// A selection that the lowest active lane enters.
void Emitter::emit_elect(std::size_t k) {
  const std::uint32_t construct = program_.insts[k].number;
  parted_.insert(construct);
  Cold& code = cold(k);
  transitions_.enter_elected(construct, code.begin);
  cache_.forget_active();
  come_back(code);
}

/// The lanes that wait for the first side of a selection take the other one, while those of the first wait.
void Emitter::emit_other_side(std::size_t k) {
  const std::uint32_t construct = program_.insts[k].number;
  parted_.insert(construct);
  Cold& code = cold(k);
  transitions_.enter_other_side(construct, code.begin);
  cache_.forget_active();
  come_back(code);
}

/// The end of a selection that all lanes, one, or those of one side entered, if any are still there.
void Emitter::emit_rejoin(std::size_t k) {
  const std::uint32_t construct = program_.insts[k].number;
  Cold& code = cold(k);
  if (parted_.count(construct) != 0) {
    transitions_.rejoin(construct, code.begin);
    cache_.forget_active();
  } else {
    transitions_.close_selection(construct, code.begin);
  }
  come_back(code);
}

/// Lanes go two ways at a selection, come together at its end, or have all taken its first side. Returns whether that is
/// all that can happen.
bool Emitter::emit_cold_transition(Cold& code) {
  const Inst& i = program_.insts[code.inst];
  const EmitRule rule = this->rule(code.inst);
  const bool enters = rule.kind == Kind::test && rule.test == Test::enter;
  const bool ends =
      rule.kind == Kind::rejoin && rule.code != Code::trip_end && parted_.count(i.number) == 0;
  Label other;
  if (rule.kind == Kind::other_side) {
    transitions_.require_active(other);
    stay_outside(i);
    as_.L(other);
    cache_.set_contents(code.before);
    return false;
  }
  if (code.loop != nullptr || (!enters && !ends)) return false;
  enters ? transitions_.enter_without(rcx, i.number, other) : transitions_.rejoin(i.number, other);
  cache_.set_contents(code.after);
  cache_.load_active();
  as_.jmp(code.back, near);
  as_.L(other);
  cache_.set_contents(code.before);
  if (enters) stay_outside(i);
  return enters;
}
/// No lane enters the selection, or its other side.
void Emitter::stay_outside(const Inst& i) {
  cache_.save_all();
  transitions_.stay_outside(i.number);
  go_on(i.target);
}

/// The end of an iteration, if no lane waits for it and any is still there.
void Emitter::end_iteration(std::size_t k, Cold& code) {
  code.is_label = loop_ != nullptr;
  if (rule(k).continues) transitions_.next_trip(code.begin);
  // In a simple loop lanes leave only where the code checks whether any is left.
  if (loop_ != nullptr) return;
  // The function checks for lanes above the first 64.
  transitions_.require_active(code.begin);
}
void Emitter::emit_end_of_iteration(std::size_t k) {
  if (is_sliced()) return loop_->ends.push_back(k);
  Cold& code = cold(k);
  end_iteration(k, code);
  come_back(code);
}
/// The back edge, fused with the end of the iteration if that comes right before it.
void Emitter::emit_iterate(std::size_t k) {
  Cold& code = cold(k);
  if (is_sliced()) {
    SimpleLoop& loop = *loop_;
    if (rule(k).code == Code::trip_end) loop.ends.push_back(k);
    as_.inc(rdx);
    as_.cmp(rdx, ptr[rbx + offsetof(Context, slice_end)]);
    as_.jae(code.begin, near);
    cache_.restore_pinned();
    as_.jmp(loop.pinned_head, near);
    leave_loop();
    return emit_slice_end(loop);
  }
  if (rule(k).code == Code::trip_end) end_iteration(k, code);
  transitions_.loop_back(code.begin);
  if (loop_ != nullptr) {
    cache_.restore_pinned();
    as_.jmp(loop_->pinned_head, near);
  } else {
    cache_.save_all();
    as_.jmp(labels_[number(program_.insts[k].target)], near);
  }
  leave_loop();
}
/// The lanes in rcx leave the loop: exec::next_test, when some lanes are known to leave.
void Emitter::emit_exit(Cold& code) {
  Label none_left;
  merge_own(*code.loop, rcx, true);
  if (is_sliced()) {
    as_.xor_(rsi, rcx);
    as_.jnz(code.back, near);
    cache_.save_all();
    return as_.jmp(code.loop->slice_end, near);
  }
  transitions_.leave_loop(rcx);
  as_.jz(none_left, near);
  if (program_.counted) {
    as_.mov(rcx, ptr[rbx + offsetof(Context, divergences)]);
    as_.inc(qword[rcx]);
  }
  cache_.set_contents(code.after);
  cache_.load_active();
  as_.jmp(code.back, near);
  as_.L(none_left);
  cache_.set_contents(code.before);
  cache_.save_all();
  as_.jmp(labels_[number(program_.insts[code.inst].target)], near);
}

/// All lanes leave the loop, or none.
void Emitter::emit_jump_out(std::size_t k) {
  const Inst& i = program_.insts[k];
  if (!is_comparison(rule(k).code)) cache_.save_inside(i.a, bool_bytes);
  Cold& code = cold(k);
  jump_unless(i, rule(k), code.begin);
  come_back(code);
}
void Emitter::emit_exit_of_all(Cold& code) {
  transitions_.load_active(rcx);
  merge_own(*code.loop, rcx, true);
  cache_.save_all();
  as_.jmp(labels_[number(program_.insts[code.inst].target)], near);
}

}  // namespace lockstep::spirv

#endif
