#if LOCKSTEP_SPIRV_NATIVE

#include "shader/native/emitter.hpp"

#include <algorithm>

#include "shader/ir/steps.hpp"

/// \file
/// The frame of the code: instructions in turn, calls, and code out of line.

namespace lockstep::spirv {

using namespace Xbyak::util;
using Xbyak::Label;

namespace {

/// Operands in memory have at least 16 bytes, the last vector of a component maybe less.
constexpr std::uint32_t most_read_beyond = 16;

}  // namespace

Emitter::Emitter(const Program& program, VectorAssembler& as, bool vectors)
    : program_(program),
      as_(as),
      transitions_(as),
      cache_(as, program),
      words_(as.shape(4)),
      shape_(words_),
      in_place_(vectors),
      register_bytes_(program.register_bytes),
      labels_(program.insts.size() + 1),
      is_target_(program.insts.size() + 1),
      is_reached_(program.insts.size() + 1) {
  for (const ConstantSlot& constant : program.constants) {
    if (constant.type != Scalar::boolean) constants_[constant.at] = constant.value;
  }
}

void Emitter::emit() {
  find_targets();
  if (in_place_ && as_.fuses()) fusions_.emplace(program_, is_target_, constants_);
  if (in_place_) {
    register_bytes_ += most_read_beyond;
    // A comparison has all its masks in registers at once, plus two operands; some operations have more.
    const std::size_t pins =
        static_cast<std::size_t>(as_.vectors() - 3 - spare_registers(program_));
    spill_place_ = (register_bytes_ + 63) / 64 * 64;
    const std::uint32_t own_begin = spill_place_ + 128;
    loops_ = find_simple_loops(program_, is_target_, as_, pins, own_begin);
    for (const SimpleLoop& loop : loops_) {
      for (const OwnPlace& own : loop.places.own)
        register_bytes_ = std::max(register_bytes_, own.to + own.bytes);
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
    if (is_elected_atomic(k)) {
      emit_elected_atomic(k);
      k += 2;
      end_live_ranges(k);
      continue;
    }
    if (const std::size_t end = end_of_series(k); end > k + 1) {
      emit_series(k, end);
      k = end - 1;
      continue;
    }
    instruction(k);
    end_live_ranges(k);
  }
  for (Cold& code : cold_) emit_cold(code);
  emit_next();
  as_.write_constants();
}

std::vector<const std::uint8_t*> Emitter::starts() const {
  std::vector<const std::uint8_t*> all(program_.insts.size());
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (is_target_[k]) all[k] = labels_[k].getAddress();
  }
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
    case Kind::indexed_by_lane:
    case Kind::ballot:
    case Kind::ballots:
    case Kind::vote:
    case Kind::shuffle:
    case Kind::reduction:
    case Kind::broadcast:
    case Kind::element:
    case Kind::atomic:
    case Kind::count:
    case Kind::count_begin:
    case Kind::count_end:
      rule.kind = Kind::call;
      break;
    case Kind::test:
    case Kind::elect:
    case Kind::rejoin:
    case Kind::other_side:
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
std::uint32_t Emitter::vectors_of(const Inst& i, const Shape& shape) const {
  const bool one = !i.varying_result() && !i.masked();
  return one ? 1 : vectors(i, shape);
}

/// Labels that other code jumps to. Where it does so in turn, registers hold nothing; code out of line loads them.
void Emitter::find_targets() {
  const auto reach = [&](std::size_t k) { is_target_[k] = is_reached_[k] = true; };
  reach(program_.first);
  for (std::size_t k = 0; k < program_.insts.size(); ++k) {
    const Inst& i = program_.insts[k];
    const Kind kind = program_.rules[k].kind;
    const bool goes_back = kind == Kind::back || kind == Kind::iterate;
    if (kind == Kind::stop || goes_back) reach(k + 1);
    const bool goes = kind == Kind::branch || kind == Kind::jump || kind == Kind::jump_if ||
                      kind == Kind::test || kind == Kind::elect || kind == Kind::rejoin ||
                      kind == Kind::other_side || goes_back;
    if (goes) is_target_[number(i.target)] = true;
    if (goes && !goes_out_of_line(rule(k))) reach(number(i.target));
    if (goes_back && i.args != nullptr) reach(number(static_cast<const Inst*>(i.args)));
  }
}

/// Whether only code out of line jumps to the target.
bool Emitter::goes_out_of_line(const EmitRule& rule) {
  return (rule.kind == Kind::test && rule.test == Test::enter) || rule.kind == Kind::elect ||
         rule.kind == Kind::other_side ||
         (rule.kind == Kind::rejoin && rule.code != Code::trip_end);
}

void Emitter::begin(std::size_t k) {
  // Out-of-line code jumps to the end of a simple loop's iteration.
  if (loop_ != nullptr && is_end_of_iteration(rule(k))) return;
  if (is_target_[k] && !is_reached_[k]) {
    as_.L(labels_[k]);
    contents_[k] = cache_.contents();
  } else if (is_target_[k]) {
    cache_.save_all();
    cache_.forget();
    as_.L(labels_[k]);
  }
  for (; next_loop_ < loops_.size() && loops_[next_loop_].head <= k; ++next_loop_) {
    ++steps_of_passes;
    if (loops_[next_loop_].head == k) enter_loop(loops_[next_loop_]);
  }
}

/// Long, as it has a case for each kind of rule.
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
      if (loop_ != nullptr) return emit_jump_out(k);
      cache_.save_all();
      return jump_unless(i, rule, labels_[number(i.target)]);
    case Kind::test:
      return emit_test(k);
    case Kind::elect:
      return emit_elect(k);
    case Kind::rejoin:
      return rule.code == Code::trip_end ? emit_end_of_iteration(k) : emit_rejoin(k);
    case Kind::other_side:
      return emit_other_side(k);
    case Kind::back:
      return back_by_call(k);
    case Kind::iterate:
      return emit_iterate(k);
    case Kind::count_begin:
      return transitions_.count_begin(i.number);
    case Kind::count_end:
      return transitions_.count_end(i.number);
    case Kind::stop:
      call_function(k);
      return as_.jmp(exit_, near);
    case Kind::end:
      return emit_end();
    case Kind::run:
      return emit_run(k);
    case Kind::indexed:
      return emit_indexed(k);
    case Kind::indexed_by_lane:
      return emit_indexed_by_lane(k);
    case Kind::arithmetic:
      if (is_part(k)) return;
      return arithmetic(i, rule);
    case Kind::ballot:
      return emit_ballot(i, rule);
    case Kind::ballots:
      return emit_ballots(i, rule);
    case Kind::vote:
      return emit_vote(i, rule);
    case Kind::shuffle:
      return emit_shuffle(i, rule);
    case Kind::reduction:
      return emit_reduction(i, rule);
    case Kind::broadcast:
      return emit_broadcast(k);
    case Kind::element:
      return emit_element(k);
    case Kind::atomic:
      return emit_atomic(k);
    case Kind::count:
      return rule.code == Code::count ? emit_count(i) : emit_count_split(i);
  }
}

/// Whether an operation up to k makes another value where one is that a part of k used last.
bool Emitter::is_made_again(const LastUse& last, std::size_t k) const {
  for (std::size_t later = last.inst; ++later <= k;)
    if (program_.insts[later].dst == last.at) return true;
  return false;
}
/// Dead values are never saved.
void Emitter::end_live_ranges(std::size_t k) {
  const auto& ends = program_.last_uses;
  for (; last_uses_ < ends.size() && ends[last_uses_].inst <= k; ++last_uses_) {
    const LastUse& end = ends[last_uses_];
    if (is_part(end.inst))
      later_[fusions_->whole_of(end.inst)].push_back(end);
    else
      cache_.overwritten(end.at, end.bytes);
  }
  const auto found = later_.find(k);
  if (found == later_.end()) return;
  for (const LastUse& end : found->second) {
    if (!is_made_again(end, k)) cache_.overwritten(end.at, end.bytes);
  }
  later_.erase(found);
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

/// The same where registers hold nothing; the instruction may expect something.
void Emitter::go_on_if(const Inst* target) {
  const auto found = contents_.find(number(target));
  if (found == contents_.end()) return go_if(target);
  Label other;
  as_.lea(rcx, ptr[r13 + number(target) * sizeof(Inst)]);
  as_.cmp(rax, rcx);
  as_.jne(other, near);
  go_on(target);
  as_.L(other);
}
void Emitter::go_on(const Inst* target) {
  const auto found = contents_.find(number(target));
  if (found != contents_.end()) cache_.load(found->second);
  as_.jmp(labels_[number(target)], near);
}

void Emitter::back_by_call(std::size_t k) {
  const Inst& i = program_.insts[k];
  call_function(k);
  as_.test(rax, rax);
  as_.jz(exit_, near);
  go_if(i.target);
  if (i.args != nullptr) as_.jmp(labels_[number(static_cast<const Inst*>(i.args))], near);
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
    if (program_.rules[k].kind == Kind::stop && k + 1 < program_.insts.size()) begin_at(k + 1);
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
  if (kind == Kind::jump_if || code.exit || is_sliced()) {
    kind == Kind::jump_if ? emit_exit_of_all(code) : code.exit ? emit_exit(code) : emit_pause(code);
    cache_.set_loop(nullptr);
    loop_ = nullptr;
    return;
  }
  if (emit_cold_transition(code)) return;
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
  if (kind == Kind::test || kind == Kind::elect || kind == Kind::rejoin || kind == Kind::other_side)
    go_on_if(program_.insts[k].target);
  if (code.is_elected_atomic) {
    call_function(k + 1);
    as_.L(labels_[k + 2]);
    call_function(k + 2);
    go_on_if(program_.insts[k + 2].target);
  }
  cache_.load(code.after);
  if (code.loop != nullptr) load_own(*code.loop);
  loop_ = nullptr;
  as_.jmp(code.back, near);
}

}  // namespace lockstep::spirv

#endif
