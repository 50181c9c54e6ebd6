#if LOCKSTEP_SPIRV_NATIVE

#include "spirv/native/emitter.hpp"

#include <algorithm>
#include <bit>

#include "spirv/native/layout.hpp"

namespace lockstep::spirv {
namespace {

using namespace Xbyak::util;
using Kind = EmitRule::Kind;
using Xbyak::CodeGenerator;
using Xbyak::Label;

constexpr auto near = CodeGenerator::T_NEAR;
// Of loops in slices, next to the places of spilled registers: the most iterations of a slice, and
// the lanes that the slice started with.
constexpr std::uint32_t steps_place = 64, lanes_place = 72;

}  // namespace

Emitter::Emitter(const Program& program, VectorAssembler& as, bool vectors)
    : program_(program),
      as_(as),
      cache_(as, program),
      in_place_(vectors),
      register_bytes_(program.register_bytes),
      labels_(program.insts.size() + 1),
      is_target_(program.insts.size() + 1) {
  for (const ConstantSlot& constant : program.constants) {
    if (constant.type != Scalar::boolean && size_of(constant.type) == 4)
      constants_[constant.at] = static_cast<std::uint32_t>(constant.value);
  }
}

void Emitter::emit() {
  find_targets();
  if (in_place_) {
    // A comparison has all its masks in registers at once, plus two operands.
    const std::size_t pins = static_cast<std::size_t>(as_.vectors()) - 3;
    spill_place_ = (register_bytes_ + 63) / 64 * 64;
    const std::uint32_t own_begin = spill_place_ + 128;
    loops_ = find_simple_loops(program_, is_target_, as_.vector_bytes(), pins, own_begin);
    for (const SimpleLoop& loop : loops_) {
      for (const auto& [from, to] : loop.places.own)
        register_bytes_ = std::max(register_bytes_, to + program_.chunks * chunk_bytes);
      register_bytes_ = std::max(register_bytes_, own_begin);
    }
  }
  as_.push(rbx);
  as_.push(r12);
  as_.push(r13);
  as_.mov(rbx, rdi);
  as_.mov(r12, ptr[rdi + offsetof(Context, regs)]);
  as_.mov(r13, reinterpret_cast<std::uintptr_t>(program_.insts.data()));
  as_.jmp(rsi);
  for (std::size_t k = 0; k < program_.insts.size(); ++k) {
    begin(k);
    instruction(k);
    end_live_ranges(k);
  }
  for (Cold& code : cold_) emit_cold(code);
  emit_next();
  as_.write_constants();
}

std::vector<const std::uint8_t*> Emitter::starts() const {
  std::vector<const std::uint8_t*> all;
  for (std::size_t k = 0; k < program_.insts.size(); ++k) all.push_back(labels_[k].getAddress());
  return all;
}

std::size_t Emitter::number(const Inst* i) const {
  return static_cast<std::size_t>(i - program_.insts.data());
}
/// Without vectors every instruction is a call.
EmitRule Emitter::rule(std::size_t k) const {
  EmitRule rule = program_.rules[k];
  if (in_place_) return rule;
  switch (rule.kind) {
    case Kind::arithmetic:
    case Kind::run:
    case Kind::indexed:
      rule.kind = Kind::call;
      break;
    case Kind::test:
    case Kind::rejoin:
      rule.kind = Kind::branch;
      break;
    case Kind::iterate:
      rule.kind = Kind::back;
      break;
    default:
      break;
  }
  return rule;
}
std::uint32_t Emitter::vectors_of(const Inst& i) const {
  const bool one = !i.varying_result() && !i.masked();
  return one ? 1 : vectors(i);
}

/// A label that other code jumps to: registers hold nothing there.
void Emitter::find_targets() {
  is_target_[program_.first] = true;
  for (std::size_t k = 0; k < program_.insts.size(); ++k) {
    const Inst& i = program_.insts[k];
    const Kind kind = program_.rules[k].kind;
    const bool goes_back = kind == Kind::back || kind == Kind::iterate;
    if (kind == Kind::stop || goes_back) is_target_[k + 1] = true;
    const bool goes = kind == Kind::branch || kind == Kind::jump || kind == Kind::jump_if ||
                      kind == Kind::test || kind == Kind::rejoin || goes_back;
    if (goes) is_target_[number(i.target)] = true;
    if (goes_back && i.args != nullptr) is_target_[number(static_cast<const Inst*>(i.args))] = true;
  }
}

void Emitter::begin(std::size_t k) {
  // Out-of-line code jumps to the end of a simple loop's iteration.
  if (loop_ != nullptr && is_end_of_iteration(rule(k))) return;
  if (is_target_[k]) {
    cache_.save_all();
    cache_.forget();
  }
  as_.L(labels_[k]);
  for (SimpleLoop& loop : loops_) {
    if (loop.head == k) enter_loop(loop);
  }
}

void Emitter::instruction(std::size_t k) {
  const Inst& i = program_.insts[k];
  const EmitRule rule = this->rule(k);
  switch (rule.kind) {
    case Kind::call:
      return call_function(k);
    case Kind::branch:
      call_function(k);
      return go_if(i.target);
    case Kind::jump:
      cache_.save_all();
      return as_.jmp(labels_[number(i.target)], near);
    case Kind::jump_if:
      cache_.save_all();
      return jump_unless(i, rule, labels_[number(i.target)]);
    case Kind::test:
      return emit_test(k);
    case Kind::rejoin:
      return rule.code == Code::trip_end ? emit_end_of_iteration(k) : emit_rejoin(k);
    case Kind::back:
      return back_by_call(k);
    case Kind::iterate:
      return emit_iterate(k);
    case Kind::stop:
      call_function(k);
      return as_.jmp(exit_, near);
    case Kind::end:
      // No register is read any more.
      as_.mov(dword[rbx + offsetof(Context, stop)], static_cast<int>(Context::Stop::ended));
      cache_.forget();
      return as_.jmp(exit_, near);
    case Kind::run:
      return emit_run(k);
    case Kind::indexed:
      return emit_indexed(k);
    case Kind::arithmetic:
      return arithmetic(i, rule);
  }
}

/// Dead values are never saved.
void Emitter::end_live_ranges(std::size_t k) {
  const auto& ends = program_.last_uses;
  for (; last_uses_ < ends.size() && ends[last_uses_].inst <= k; ++last_uses_)
    cache_.overwritten(ends[last_uses_].at, ends[last_uses_].bytes);
}

void Emitter::call_function(std::size_t k) {
  cache_.save_all();
  cache_.forget();
  as_.lea(rdi, ptr[r13 + k * sizeof(Inst)]);
  as_.mov(rsi, rbx);
  if (in_place_) as_.leave_vectors();
  as_.call(reinterpret_cast<const void*>(program_.insts[k].run));
}
/// Continues at the instruction if the function just called returned it.
void Emitter::go_if(const Inst* target) {
  as_.lea(rcx, ptr[r13 + number(target) * sizeof(Inst)]);
  as_.cmp(rax, rcx);
  as_.je(labels_[number(target)], near);
}

/// Jumps to the label if the bool, or the integer comparison, is false.
void Emitter::jump_unless(const Inst& i, const EmitRule& rule, const Label& label) {
  const bool has_sign = rule.type == Scalar::i32;
  if (!is_comparison(rule.code)) {
    as_.test(byte[r12 + i.a], 1);
    return as_.jz(label, near);
  }
  cache_.first_to(eax, i.a);
  cache_.first_to(ecx, i.b);
  as_.cmp(eax, ecx);
  switch (rule.code) {
    case Code::equal:
      return as_.jne(label, near);
    case Code::not_equal:
      return as_.je(label, near);
    case Code::less:
      return has_sign ? as_.jge(label, near) : as_.jae(label, near);
    default:
      return has_sign ? as_.jg(label, near) : as_.ja(label, near);
  }
}

/// The subgroup has stopped: continues with the next one. Its start is found by comparing; an
/// indirect jump takes longer than all of it.
void Emitter::emit_next() {
  as_.L(exit_);
  Label out;
  as_.mov(rdi, rbx);
  if (in_place_) as_.leave_vectors();
  as_.call(reinterpret_cast<const void*>(&advance));
  as_.test(rax, rax);
  as_.jz(out, near);
  as_.mov(rbx, rax);
  as_.mov(r12, ptr[rbx + offsetof(Context, regs)]);
  as_.mov(rcx, ptr[rbx + offsetof(Context, next)]);
  const auto begin_at = [&](std::size_t k) {
    as_.lea(rdx, ptr[r13 + k * sizeof(Inst)]);
    as_.cmp(rcx, rdx);
    as_.je(labels_[k], near);
  };
  begin_at(program_.first);
  for (std::size_t k = 0; k < program_.insts.size(); ++k) {
    if (program_.rules[k].kind == Kind::stop) begin_at(k + 1);
  }
  as_.L(out);
  as_.pop(r13);
  as_.pop(r12);
  as_.pop(rbx);
  as_.ret();
}

Emitter::Cold& Emitter::cold(std::size_t k) {
  Cold& code = cold_.emplace_back();
  code.inst = k;
  code.loop = loop_;
  code.before = cache_.contents();
  return code;
}
void Emitter::come_back(Cold& code) {
  code.after = cache_.contents();
  as_.L(code.back);
}
void Emitter::emit_cold(Cold& code) {
  const std::size_t k = code.inst;
  const Kind kind = rule(k).kind;
  as_.L(code.begin);
  cache_.set_contents(code.before);
  if (code.loop != nullptr) cache_.set_loop(&code.loop->places);
  loop_ = code.loop;
  if (code.exit || is_sliced()) {
    code.exit ? emit_exit(code) : emit_pause(code);
    cache_.set_loop(nullptr);
    loop_ = nullptr;
    return;
  }
  if (code.loop != nullptr) merge_own_of_active(*code.loop);
  cache_.save_all();
  cache_.forget();
  cache_.set_loop(nullptr);
  if (code.is_label) as_.L(labels_[k]);
  if (kind == Kind::iterate) {
    loop_ = nullptr;
    return back_by_call(k);
  }
  call_function(k);
  if (kind == Kind::test || kind == Kind::rejoin) go_if(program_.insts[k].target);
  cache_.load(code.after);
  if (code.loop != nullptr) load_own(*code.loop);
  loop_ = nullptr;
  as_.jmp(code.back, near);
}

// Simple loops.

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
  for (const auto& [from, to] : loop.places.own) {
    for (std::uint32_t v = 0; v < vectors(); ++v) {
      const std::uint32_t at = v * as_.vector_bytes(), place = from + at;
      const bool pinned = std::any_of(loop.pins.begin(), loop.pins.end(),
                                      [&](const Held& h) { return h.at == place; });
      if (pinned) continue;
      as_.vmovups(as_.scratch(), frame(loop, place));
      as_.vmovups(frame(loop, to + at), as_.scratch());
    }
  }
}
/// Gives variables of the lanes in a register, which is not r8, the values that the loop has for
/// them. leaving: the lanes do not return.
void Emitter::merge_own(const SimpleLoop& loop, const Xbyak::Reg64& lanes, bool leaving) {
  const auto is_wanted = [&](std::uint32_t at) {
    return !leaving || std::find(loop.locals.begin(), loop.locals.end(), at) == loop.locals.end();
  };
  const auto& own = loop.places.own;
  const bool none = std::none_of(own.begin(), own.end(),
                                 [&](const auto& place) { return is_wanted(place.first); });
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
  for (std::uint32_t v = 0; v < vectors(); ++v) {
    as_.mask_of_bits(as_.mask_scratch(), lanes, v);
    for (const auto& [from, to] : own) {
      if (!is_wanted(from)) continue;
      const std::uint32_t at = from + v * as_.vector_bytes();
      const auto memory = frame(loop, at);
      const int held = cache_.find(at);
      if (spills && held == free)
        as_.merge(memory, as_.mask_scratch(), ptr[r12 + spill_place_], spare);
      else if (held >= 0)
        as_.merge(memory, as_.mask_scratch(), as_.vector(held), spare);
      else
        as_.merge(memory, as_.mask_scratch(), cache_.home(at), spare);
    }
  }
  if (spills) as_.vmovups(spare, ptr[r12 + spill_place_]);
}
void Emitter::merge_own_of_active(const SimpleLoop& loop) {
  if (loop.places.own.empty()) return;
  as_.mov(rcx, ptr[rbx + layout::active]);
  merge_own(loop, rcx, false);
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
  as_.or_(ptr[rbx + layout::broken], rcx);
  as_.xor_(ptr[rbx + layout::active], rcx);
  as_.jz(none_left, near);
  cache_.set_contents(code.after);
  cache_.load_active();
  as_.jmp(code.back, near);
  as_.L(none_left);
  cache_.set_contents(code.before);
  cache_.save_all();
  as_.jmp(labels_[number(program_.insts[code.inst].target)], near);
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
  as_.mov(rsi, ptr[rbx + layout::active]);
  as_.shr(rsi, cl);
  const std::uint32_t lanes = loop.places.slice * as_.lanes();
  as_.and_(esi, (1u << lanes) - 1);
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
  as_.or_(ptr[rbx + layout::broken], rax);
  as_.xor_(ptr[rbx + layout::active], rax);
  as_.cmp(rdx, ptr[r12 + spill_place_ + steps_place]);
  as_.jbe(less);
  as_.mov(ptr[r12 + spill_place_ + steps_place], rdx);
  as_.L(less);
  as_.L(loop.slice_next);
  as_.add(r9, loop.places.slice * as_.vector_bytes());
  as_.add(rdi, loop.places.slice * as_.mask_bytes());
  as_.lea(rax, ptr[r12 + program_.chunks * chunk_bytes]);
  as_.cmp(r9, rax);
  as_.jb(loop.slice_begin, near);
  as_.mov(rax, ptr[r12 + spill_place_ + steps_place]);
  as_.mov(ptr[rbx + offsetof(Context, steps)], rax);
  as_.cmp(qword[rbx + layout::active], 0);
  as_.je(labels_[loop.out], near);
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

// Transitions that leave every lane where it is are skipped; all others are calls of exec/'s,
// except for lanes that leave a simple loop.

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
    as_.mov(rcx, ptr[rbx + layout::active]);
  if (rule.test == Test::leave)
    as_.and_(rcx, rax);
  else
    as_.andn(rcx, rax, rcx);
  as_.jnz(code.begin, near);
  if (rule.test == Test::enter) {
    const std::size_t entered = layout::entered(i.number);
    as_.mov(rcx, ptr[rbx + offsetof(Context, frames)]);
    as_.mov(byte[rcx + entered + layout::entered_any], 1);
    as_.mov(qword[rcx + entered + layout::entered_waiting], 0);
    as_.mov(qword[rcx + entered + layout::entered_waiting + 8], 0);
  }
  come_back(code);
}

/// The end of a selection that all lanes entered, if any are still there.
void Emitter::emit_rejoin(std::size_t k) {
  const std::size_t entered = layout::entered(program_.insts[k].number);
  Cold& code = cold(k);
  as_.mov(rcx, ptr[rbx + offsetof(Context, frames)]);
  as_.cmp(qword[rcx + entered + layout::entered_waiting], 0);
  as_.jne(code.begin, near);
  as_.cmp(qword[rbx + layout::active], 0);
  as_.je(code.begin, near);
  as_.mov(qword[rbx + layout::otherwise], 0);
  as_.mov(qword[rbx + layout::otherwise + 8], 0);
  come_back(code);
}

/// The end of an iteration, if no lane waits for it and any is still there.
void Emitter::end_iteration(std::size_t k, Cold& code) {
  code.is_label = loop_ != nullptr;
  if (rule(k).continues) {
    as_.mov(rax, ptr[rbx + layout::continuing]);
    as_.or_(rax, ptr[rbx + layout::continuing + 8]);
    as_.jnz(code.begin, near);
  }
  // In a simple loop lanes leave only where the code checks whether any is left.
  if (loop_ != nullptr) return;
  // The function checks for lanes above the first 64.
  as_.cmp(qword[rbx + layout::active], 0);
  as_.je(code.begin, near);
}
void Emitter::emit_end_of_iteration(std::size_t k) {
  if (is_sliced()) return loop_->ends.push_back(k);
  Cold& code = cold(k);
  end_iteration(k, code);
  come_back(code);
}
/// The way back, and the end of the iteration if it comes right before it.
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
  as_.mov(rax, ptr[rbx + offsetof(Context, steps)]);
  as_.inc(rax);
  as_.cmp(rax, ptr[rbx + offsetof(Context, slice_end)]);
  as_.jae(code.begin, near);
  as_.mov(ptr[rbx + offsetof(Context, steps)], rax);
  if (loop_ != nullptr) {
    cache_.restore_pinned();
    as_.jmp(loop_->pinned_head, near);
  } else {
    cache_.save_all();
    as_.jmp(labels_[number(program_.insts[k].target)], near);
  }
  leave_loop();
}

void Emitter::back_by_call(std::size_t k) {
  const Inst& i = program_.insts[k];
  call_function(k);
  as_.test(rax, rax);
  as_.jz(exit_, near);
  go_if(i.target);
  if (i.args != nullptr) as_.jmp(labels_[number(static_cast<const Inst*>(i.args))], near);
}

// Memory.

/// Consecutive elements in memory.
void Emitter::emit_run(std::size_t k) {
  const Inst& i = program_.insts[k];
  const auto& m = *static_cast<const MemoryArgs*>(i.args);
  const bool loads = rule(k).code == Code::load;
  Cold& code = cold(k);
  cache_.first_to(eax, m.index.at);
  as_.mov(rcx, ptr[rbx + offsetof(Context, limits)]);
  as_.lea(rdx, ptr[rax + static_cast<std::size_t>(i.imm)]);
  as_.cmp(rdx, ptr[rcx + m.limit * sizeof(std::uint64_t)]);
  as_.ja(code.begin, near);
  if (!loads && !as_.stores_lanes()) {
    // All lanes, or a call of the function.
    const std::uint64_t all =
        program_.size >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << program_.size) - 1;
    as_.mov(rdx, all);
    as_.cmp(rdx, ptr[rbx + layout::active]);
    as_.jne(code.begin, near);
    if (program_.size > 64) {
      as_.mov(rdx, program_.size >= 128 ? ~std::uint64_t{0}
                                        : (std::uint64_t{1} << (program_.size - 64)) - 1);
      as_.cmp(rdx, ptr[rbx + layout::active + 8]);
      as_.jne(code.begin, near);
    }
  }
  as_.mov(rcx, ptr[rbx + offsetof(Context, memory)]);
  as_.mov(rcx, ptr[rcx + m.resource * sizeof(Memory) + offsetof(Memory, data)]);
  as_.lea(rcx, ptr[rcx + rax * 4 + static_cast<std::size_t>(m.offset)]);
  for (std::uint32_t v = 0; v < i.chunks * chunk_bytes / as_.vector_bytes(); ++v) {
    cache_.begin_operation();
    const std::uint32_t away = v * as_.vector_bytes();
    const std::uint32_t value = m.value[0].at + (m.value[0].varying ? away : 0);
    if (loads) {
      constexpr std::size_t bytes_ahead = 2048;
      if (away % chunk_bytes == 0) as_.prefetcht0(ptr[rcx + bytes_ahead + away]);
      const Vector to = cache_.result(value);
      as_.vmovups(to, ptr[rcx + away]);
      cache_.keep(to, value, false);
    } else if (as_.stores_lanes()) {
      const Vector from = cache_.value(value);
      as_.store_lanes(ptr[rcx + away], cache_.active(v), from);
    } else {
      as_.vmovups(ptr[rcx + away], cache_.value(value));
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
  Cold& code = cold(k);
  cache_.first_to(eax, i.a);
  if (i.imm != 0) as_.add(rax, static_cast<std::uint32_t>(i.imm));
  as_.cmp(rax, static_cast<std::uint32_t>(slots.size()));
  as_.jae(code.begin, near);
  as_.imul(rax, rax, static_cast<int>(step));
  as_.lea(rax, ptr[r12 + rax + slots[0]]);
  cache_.save_inside(slots[0], bytes);
  if (!loads) cache_.overwritten(slots[0], bytes);
  for (std::uint32_t v = 0; v < i.chunks * chunk_bytes / as_.vector_bytes(); ++v) {
    cache_.begin_operation();
    const std::uint32_t away = v * as_.vector_bytes();
    const auto component = ptr[rax + away];
    if (loads) {
      const Vector to = cache_.result(i.dst + away);
      as_.vmovups(to, component);
      cache_.keep(to, i.dst + away, false);
    } else {
      const Vector value = cache_.value(i.b + (i.varying(1) ? away : 0)), all = cache_.fresh();
      as_.vmovups(all, component);
      as_.select(all, cache_.active(v), all, value);
      as_.vmovups(component, all);
    }
  }
  if (!loads) cache_.overwritten(slots[0], bytes);
  come_back(code);
}

// Arithmetic.

std::uint32_t Emitter::operand(const Inst& i, int number, std::uint32_t v) const {
  const std::uint32_t places[] = {i.a, i.b, i.c};
  return places[number] + (i.varying(number) ? v * as_.vector_bytes() : 0);
}
const std::uint32_t* Emitter::constant(const Inst& i, int number) const {
  const std::uint32_t places[] = {i.a, i.b, i.c};
  if (i.varying(number)) return nullptr;
  const auto found = constants_.find(places[number]);
  return found == constants_.end() ? nullptr : &found->second;
}

void Emitter::arithmetic(const Inst& i, const EmitRule& rule) {
  cache_.begin_operation();
  if (rule.type == Scalar::boolean) return bool_arithmetic(i, rule);
  if (is_comparison(rule.code)) {
    const auto masks = compare_vectors(i, rule);
    cache_.overwritten(i.dst, bool_bytes);
    for (std::uint32_t v = 0; v < masks.size(); ++v)
      cache_.keep_mask(masks[v], i.dst + v * as_.mask_bytes());
    return cache_.unlock();
  }
  // Only the active lanes get the result; in a simple loop those are all that matter.
  const bool masked = i.masked() && !owned(i.dst);
  const std::uint32_t count = vectors_of(i);
  const bool twice = count == 1 && as_.vector_bytes() < chunk_bytes;
  for (std::uint32_t v = 0; v < count; ++v) {
    cache_.begin_operation();
    if (masked) {
      masked_arithmetic(i, rule, v);
      continue;
    }
    const std::uint32_t at = i.dst + v * as_.vector_bytes();
    const auto [first, last] = number_operands(rule);
    for (int number = first; number < last; ++number) cache_.hold(operand(i, number, v));
    const Vector to = cache_.result(at);
    operation(i, rule, v, to);
    cache_.keep(to, at, twice);
  }
}
void Emitter::masked_arithmetic(const Inst& i, const EmitRule& rule, std::uint32_t v) {
  const std::uint32_t at = i.dst + v * as_.vector_bytes();
  const Vector all = cache_.value(at);
  const MaskRegister active = cache_.active(v);
  if (rule.code == Code::copy) {
    const Source from = cache_.source(operand(i, 0, v));
    as_.select(all, active, all, from);
  } else {
    const Vector result = cache_.fresh();
    operation(i, rule, v, result);
    as_.select(all, active, all, result);
  }
  cache_.keep(all, at, false);
}

/// An operation on bools: on their bits in memory, unless registers hold their masks.
void Emitter::bool_arithmetic(const Inst& i, const EmitRule& rule) {
  if (bool_arithmetic_of_masks(i, rule)) return;
  cache_.save_inside(i.a, bool_bytes);
  if (rule.code != Code::bnot) cache_.save_inside(i.b, bool_bytes);
  for (std::uint32_t half = 0; half < bool_bytes; half += 8) {
    as_.mov(rax, ptr[r12 + i.a + half]);
    const auto b = ptr[r12 + i.b + half];
    switch (rule.code) {
      case Code::band:
        as_.and_(rax, b);
        break;
      case Code::bor:
        as_.or_(rax, b);
        break;
      case Code::bxor:
        as_.xor_(rax, b);
        break;
      default:
        as_.not_(rax);
    }
    as_.mov(ptr[r12 + i.dst + half], rax);
  }
  cache_.overwritten(i.dst, bool_bytes);
}
bool Emitter::bool_arithmetic_of_masks(const Inst& i, const EmitRule& rule) {
  const bool unary = rule.code == Code::bnot;
  if (!i.varying_result() || !i.varying(0) || !cache_.holds_masks(i.a, vectors())) return false;
  if (!unary && (!i.varying(1) || !cache_.holds_masks(i.b, vectors()))) return false;
  // Registers for the result, distinct from the operands'.
  const auto room = static_cast<std::uint32_t>(as_.masks() == 0 ? 8 : as_.masks());
  if (vectors() * (unary ? 2 : 3) > room) return false;
  std::vector<MaskRegister> results;
  for (std::uint32_t v = 0; v < vectors(); ++v) {
    const MaskRegister a = cache_.mask(i.a + v * as_.mask_bytes());
    const MaskRegister b = unary ? a : cache_.mask(i.b + v * as_.mask_bytes());
    cache_.lock(a);
    cache_.lock(b);
    const MaskRegister to = results.emplace_back(cache_.fresh_mask());
    cache_.lock(to);
    switch (rule.code) {
      case Code::band:
        as_.mask_and(to, a, b);
        break;
      case Code::bor:
        as_.mask_or(to, a, b);
        break;
      case Code::bxor:
        as_.mask_xor(to, a, b);
        break;
      default:
        as_.mask_not(to, a);
    }
  }
  cache_.overwritten(i.dst, bool_bytes);
  for (std::uint32_t v = 0; v < vectors(); ++v)
    cache_.keep_mask(results[v], i.dst + v * as_.mask_bytes());
  cache_.unlock();
  return true;
}

/// The masks of a comparison, locked.
std::vector<MaskRegister> Emitter::compare_vectors(const Inst& i, const EmitRule& rule) {
  const Comparison comparison = rule.code == Code::equal       ? Comparison::equal
                                : rule.code == Code::not_equal ? Comparison::not_equal
                                : rule.code == Code::less      ? Comparison::less
                                                               : Comparison::less_equal;
  std::vector<MaskRegister> masks;
  for (std::uint32_t v = 0; v < vectors(i); ++v) {
    cache_.begin_operation();
    const Vector a = cache_.value(operand(i, 0, v));
    const Source b = cache_.source(operand(i, 1, v));
    const MaskRegister holds = cache_.fresh_mask();
    as_.compare(holds, comparison, rule.type, a, b);
    cache_.lock(holds);
    masks.push_back(holds);
  }
  return masks;
}

/// The operation on vector v. `to` may be one of the operands.
void Emitter::operation(const Inst& i, const EmitRule& rule, std::uint32_t v, const Vector& to) {
  const bool real = rule.type == Scalar::f32, has_sign = rule.type == Scalar::i32;
  const auto source = [&](int number) { return cache_.source(operand(i, number, v)); };
  if (rule.code == Code::select) {
    const std::uint32_t at = i.a + (i.varying(0) ? v * as_.mask_bytes() : 0);
    const MaskRegister mask = cache_.mask(at);
    const Vector no = cache_.value(operand(i, 2, v));
    return as_.select(to, mask, no, source(1));
  }
  if (rule.code == Code::chain) return place(i, to, cache_.value(operand(i, 1, v)));
  if (rule.code == Code::copy) return as_.vmovups(to, source(0));
  const Vector a = cache_.value(operand(i, 0, v));
  switch (rule.code) {
    case Code::neg:
      if (real) return as_.bit_xor(to, a, as_.constant(0x80000000u));
      as_.bit_xor(as_.scratch(), as_.scratch(), as_.scratch());
      return as_.vpsubd(to, as_.scratch(), a);
    case Code::bnot:
      return as_.bit_xor(to, a, as_.constant(~0u));
    case Code::div:
      if (real) return as_.vdivps(to, a, source(1));
      return as_.vpsrld(to, a, static_cast<std::uint8_t>(i.imm));
    case Code::mod:
      return as_.bit_and(to, a, as_.constant(static_cast<std::uint32_t>(i.imm)));
    case Code::shl:
    case Code::shr:
      return shift(i, rule, v, to);
    case Code::mul:
      if (const std::uint32_t* by = constant(i, 1); by != nullptr && !real)
        return multiply(to, a, *by);
      break;
    default:
      break;
  }
  const Source b = source(1);
  switch (rule.code) {
    case Code::add:
      return real ? as_.vaddps(to, a, b) : as_.vpaddd(to, a, b);
    case Code::sub:
      return real ? as_.vsubps(to, a, b) : as_.vpsubd(to, a, b);
    case Code::mul:
      return real ? as_.vmulps(to, a, b) : as_.vpmulld(to, a, b);
    case Code::band:
      return as_.bit_and(to, a, b);
    case Code::bor:
      return as_.bit_or(to, a, b);
    case Code::bxor:
      return as_.bit_xor(to, a, b);
    case Code::min:
      return has_sign ? as_.vpminsd(to, a, b) : as_.vpminud(to, a, b);
    default:
      return has_sign ? as_.vpmaxsd(to, a, b) : as_.vpmaxud(to, a, b);
  }
}
/// Multiplication takes ten cycles where an addition takes one.
void Emitter::multiply(const Vector& to, const Vector& a, std::uint32_t by) {
  if (by != 0 && (by & (by - 1)) == 0)
    return as_.vpslld(to, a, static_cast<std::uint8_t>(std::countr_zero(by)));
  for (std::uint8_t k = 1; k < 8; ++k) {
    if (by != (1u << k) + 1) continue;
    as_.vpslld(as_.scratch(), a, k);
    return as_.vpaddd(to, as_.scratch(), a);
  }
  as_.vpmulld(to, a, as_.constant(by));
}
/// Index * stride; all ones once the index is out of range or the product is too large.
void Emitter::place(const Inst& i, const Vector& to, const Vector& index) {
  constexpr std::uint64_t most = 0xfffffffe;
  const std::uint64_t limit = std::min(*static_cast<const std::uint64_t*>(i.args),
                                       i.imm == 0 ? most + 1 : most / i.imm + 1);
  const MaskRegister outside = cache_.fresh_mask();
  // The largest valid index is less than the index.
  if (limit == 0) return as_.vmovups(to, as_.constant(~0u));
  const Vector greatest = cache_.fresh();
  as_.vmovups(greatest, as_.constant(static_cast<std::uint32_t>(limit - 1)));
  as_.compare(outside, Comparison::less, Scalar::u32, greatest, index);
  if (i.imm == 1)
    as_.vmovups(to, index);
  else
    multiply(to, index, static_cast<std::uint32_t>(i.imm));
  as_.fill(to, outside);
}
/// Counts wrap modulo 32.
void Emitter::shift(const Inst& i, const EmitRule& rule, std::uint32_t v, const Vector& to) {
  const Vector a = cache_.value(operand(i, 0, v));
  const bool has_sign = rule.type == Scalar::i32;
  if (const std::uint32_t* by = constant(i, 1)) {
    const auto count = static_cast<std::uint8_t>(*by % 32);
    if (rule.code == Code::shl) return as_.vpslld(to, a, count);
    return has_sign ? as_.vpsrad(to, a, count) : as_.vpsrld(to, a, count);
  }
  const Vector low = as_.scratch();
  as_.vmovups(low, as_.constant(31));
  as_.bit_and(low, low, cache_.source(operand(i, 1, v)));
  if (rule.code == Code::shl) return as_.vpsllvd(to, a, low);
  return has_sign ? as_.vpsravd(to, a, low) : as_.vpsrlvd(to, a, low);
}

}  // namespace lockstep::spirv

#endif
