#if LOCKSTEP_SPIRV_NATIVE

#include "spirv/native/writer.hpp"

#include <map>
#include <tuple>
#include <utility>

namespace lockstep::spirv {
namespace {

using Kind = Recipe::Kind;

bool is_comparison(Code code) {
  return code == Code::equal || code == Code::not_equal || code == Code::less ||
         code == Code::less_equal;
}
/// The same for whole numbers and others: with NaN only != holds.
std::uint8_t predicate(Code comparison) {
  return comparison == Code::equal        ? 0
         : comparison == Code::less       ? 1
         : comparison == Code::less_equal ? 2
                                          : 4;
}

/// Which operands are numbers in chunks: from the first to one before the last.
std::pair<int, int> operands_of(const Recipe& recipe) {
  switch (recipe.code) {
    case Code::select:
      return {1, 3};
    case Code::copy:
    case Code::neg:
    case Code::bnot:
    case Code::mod:
      return {0, 1};
    case Code::div:
      return {0, recipe.type == Scalar::f32 ? 2 : 1};
    case Code::chain:
      return {1, 2};
    default:
      return {0, 2};
  }
}

constexpr std::size_t steps_at = offsetof(Context, steps);
constexpr std::size_t most_pins = 11;

}  // namespace

Writer::Writer(const Program& program, std::size_t bytes, std::uint8_t* to)
    : Registers(bytes, to),
      program_(program),
      labels_(program.insts.size() + 1),
      is_target_(program.insts.size() + 1) {}

void Writer::write() {
  find_targets();
  find_loops();
  forget();
  push(rbx);
  push(r12);
  push(r13);
  mov(rbx, rdi);
  mov(r12, ptr[rdi + offsetof(Context, regs)]);
  mov(r13, reinterpret_cast<std::uintptr_t>(program_.insts.data()));
  jmp(rsi);
  for (std::size_t k = 0; k < program_.insts.size(); ++k) {
    begin(k);
    instruction(k);
    end_of_life(k);
  }
  for (Cold& code : cold_) write_cold(code);
  write_next();
}

std::vector<const std::uint8_t*> Writer::starts() const {
  std::vector<const std::uint8_t*> all;
  for (std::size_t k = 0; k < program_.insts.size(); ++k) all.push_back(labels_[k].getAddress());
  return all;
}

std::size_t Writer::number(const Inst* i) const {
  return static_cast<std::size_t>(i - program_.insts.data());
}

/// Whether the instruction calls nothing as a rule.
bool Writer::is_short(std::size_t k) const {
  switch (program_.recipes[k].kind) {
    case Kind::arithmetic:
    case Kind::test:
    case Kind::run:
    case Kind::indexed:
    case Kind::trip_back:
      return true;
    case Kind::rejoin:
      return program_.recipes[k].code == Code::trip_end;
    default:
      return false;
  }
}

/// The end of a trip, which lanes that left it or continued early go to when nobody else is left.
bool Writer::is_end_of_trip(std::size_t k) const {
  const Recipe& recipe = program_.recipes[k];
  return (recipe.kind == Kind::rejoin || recipe.kind == Kind::trip_back) &&
         recipe.code == Code::trip_end;
}

/// Where code is entered from elsewhere: registers hold nothing there.
void Writer::find_targets() {
  is_target_[program_.first] = true;
  for (std::size_t k = 0; k < program_.insts.size(); ++k) {
    const Inst& i = program_.insts[k];
    const Kind kind = program_.recipes[k].kind;
    const bool goes_back = kind == Kind::back || kind == Kind::trip_back;
    if (kind == Kind::stop || goes_back) is_target_[k + 1] = true;
    const bool goes = kind == Kind::branch || kind == Kind::jump || kind == Kind::jump_if ||
                      kind == Kind::test || kind == Kind::rejoin || goes_back;
    if (goes) is_target_[number(i.target)] = true;
    if (goes_back) {
      if (i.args != nullptr) is_target_[number(static_cast<const Inst*>(i.args))] = true;
    }
  }
}

void Writer::find_loops() {
  for (std::size_t k = 0; k < program_.insts.size(); ++k) {
    if (program_.recipes[k].kind != Kind::trip_back) continue;
    const std::size_t head = number(program_.insts[k].target);
    if (!is_simple(head, k)) continue;
    Loop& loop = loops_.emplace_back();
    loop.head = head;
    loop.back = k;
    loop.pins = find_pins(head, k);
  }
}
bool Writer::is_simple(std::size_t head, std::size_t back) const {
  for (std::size_t k = head; k < back; ++k) {
    if (!is_short(k) || (k > head && is_target_[k] && !is_end_of_trip(k))) return false;
  }
  return true;
}
/// The chunks that the loop uses most, and those first that it changes.
std::vector<Registers::Held> Writer::find_pins(std::size_t head, std::size_t back) const {
  struct Use {
    std::uint32_t count = 0;
    bool changed = false, made = false;  ///< made: a value of one trip
  };
  std::map<std::uint32_t, Use> uses;
  const auto make = [&](std::uint32_t at) {
    for (std::uint32_t c = 0; c < program_.chunks; ++c) uses[at + c * chunk_bytes].made = true;
  };
  for (std::size_t k = head; k < back; ++k) {
    const Inst& i = program_.insts[k];
    const Recipe& recipe = program_.recipes[k];
    if (recipe.code == Code::load) make(static_cast<const MemoryArgs*>(i.args)->value[0].at);
    if (recipe.code == Code::load_indexed) make(i.dst);
    if (recipe.type == Scalar::boolean || recipe.kind == Kind::run || recipe.kind == Kind::indexed)
      continue;
    const std::uint32_t places[] = {i.a, i.b, i.c};
    const auto [first, last] = operands_of(recipe);
    for (int operand = first; operand < last; ++operand) {
      for (std::uint32_t c = 0; c < (i.varying(operand) ? i.chunks : 1u); ++c)
        ++uses[places[operand] + c * chunk_bytes].count;
    }
    if (recipe.kind != Kind::arithmetic || is_comparison(recipe.code)) continue;
    for (std::uint32_t c = 0; c < i.chunks; ++c) {
      Use& use = uses[i.dst + c * chunk_bytes];
      ++use.count;
      (recipe.lasting ? use.changed : use.made) = true;
    }
  }
  std::vector<std::pair<Use, std::uint32_t>> order;
  for (const auto& [at, use] : uses) {
    // What is used once may as well be loaded there.
    if (use.count > 1 && !use.made && !is_indexed(at)) order.emplace_back(use, at);
  }
  std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
    return std::tuple(b.first.changed, b.first.count, a.second) <
           std::tuple(a.first.changed, a.first.count, b.second);
  });
  if (order.size() > most_pins) order.resize(most_pins);
  std::vector<Held> pins;
  for (const auto& [use, at] : order) pins.push_back({at, use.changed});
  return pins;
}
/// Whether the chunk is of a variable that is also reached by an index.
bool Writer::is_indexed(std::uint32_t at) const {
  for (const auto& args : program_.indexed_args) {
    for (const std::uint32_t slot : args->slots) {
      if (at - slot < program_.chunks * chunk_bytes) return true;
    }
  }
  return false;
}

void Writer::begin(std::size_t k) {
  // To the end of a simple loop's trip others come by code out of the way.
  if (is_end_of_trip(k) && loop_ != nullptr) return;
  if (is_target_[k]) {
    save_all();
    forget();
  }
  L(labels_[k]);
  for (Loop& loop : loops_) {
    if (loop.head != k) continue;
    loop_ = &loop;
    pin(loop.pins);
    load_pinned();
    if (program_.chunks <= 2) load_active();
    L(loop.pinned_head);
  }
}

void Writer::instruction(std::size_t k) {
  const Inst& i = program_.insts[k];
  switch (program_.recipes[k].kind) {
    case Kind::call:
      return call_function(k);
    case Kind::branch:
      call_function(k);
      return go_if(i.target);
    case Kind::jump:
      save_all();
      return jmp(labels_[number(i.target)], T_NEAR);
    case Kind::jump_if:
      save_all();
      return jump_unless(i, program_.recipes[k], labels_[number(i.target)]);
    case Kind::test:
      return write_test(k);
    case Kind::rejoin:
      return program_.recipes[k].code == Code::trip_end ? write_trip_end(k) : write_rejoin(k);
    case Kind::back:
      return back_by_call(k);
    case Kind::trip_back:
      return write_trip_back(k);
    case Kind::stop:
      call_function(k);
      return jmp(exit_, T_NEAR);
    case Kind::end:
      // Nobody asks for registers any more.
      mov(dword[rbx + offsetof(Context, stop)], static_cast<int>(Context::Stop::ended));
      forget();
      return jmp(exit_, T_NEAR);
    case Kind::run:
      return write_run(k);
    case Kind::indexed:
      return write_indexed(k);
    case Kind::arithmetic:
      return arithmetic(i, program_.recipes[k]);
  }
}

/// Values that nobody asks for behind an instruction are never saved.
void Writer::end_of_life(std::size_t k) {
  for (; deaths_ < program_.deaths.size() && program_.deaths[deaths_].inst <= k; ++deaths_)
    overwritten(program_.deaths[deaths_].at, program_.deaths[deaths_].bytes);
}

void Writer::call_function(std::size_t k) {
  save_all();
  forget();
  lea(rdi, ptr[r13 + k * sizeof(Inst)]);
  mov(rsi, rbx);
  call(reinterpret_cast<const void*>(program_.insts[k].run));
}
/// On at the instruction if the function just called has named it.
void Writer::go_if(const Inst* target) {
  lea(rcx, ptr[r13 + number(target) * sizeof(Inst)]);
  cmp(rax, rcx);
  je(labels_[number(target)], T_NEAR);
}

/// On at the label where the bool, or the comparison of whole numbers, fails.
void Writer::jump_unless(const Inst& i, const Recipe& recipe, const Xbyak::Label& label) {
  const bool has_sign = recipe.type == Scalar::i32;
  if (!is_comparison(recipe.code)) {
    test(byte[r12 + i.a], 1);
    return jz(label, T_NEAR);
  }
  first_to(eax, i.a);
  first_to(ecx, i.b);
  cmp(eax, ecx);
  switch (recipe.code) {
    case Code::equal:
      return jne(label, T_NEAR);
    case Code::not_equal:
      return je(label, T_NEAR);
    case Code::less:
      return has_sign ? jge(label, T_NEAR) : jae(label, T_NEAR);
    default:
      return has_sign ? jg(label, T_NEAR) : ja(label, T_NEAR);
  }
}

/// The subgroup has stopped: on with whoever is next. Where that one begins is looked up by comparing;
/// an indirect jump takes longer than all of it.
void Writer::write_next() {
  L(exit_);
  Xbyak::Label out;
  mov(rdi, rbx);
  call(reinterpret_cast<const void*>(&advance));
  test(rax, rax);
  jz(out, T_NEAR);
  mov(rbx, rax);
  mov(r12, ptr[rbx + offsetof(Context, regs)]);
  mov(rcx, ptr[rbx + offsetof(Context, next)]);
  const auto begin_at = [&](std::size_t k) {
    lea(rdx, ptr[r13 + k * sizeof(Inst)]);
    cmp(rcx, rdx);
    je(labels_[k], T_NEAR);
  };
  begin_at(program_.first);
  for (std::size_t k = 0; k < program_.insts.size(); ++k) {
    if (program_.recipes[k].kind == Kind::stop) begin_at(k + 1);
  }
  L(out);
  pop(r13);
  pop(r12);
  pop(rbx);
  ret();
}

Writer::Cold& Writer::cold(std::size_t k) {
  Cold& code = cold_.emplace_back();
  code.inst = k;
  code.before = now_;
  return code;
}
void Writer::come_back(Cold& code) {
  code.after = now_;
  L(code.back);
}
void Writer::write_cold(Cold& code) {
  const std::size_t k = code.inst;
  const Kind kind = program_.recipes[k].kind;
  L(code.begin);
  now_ = code.before;
  save_all();
  forget();
  if (code.is_label) L(labels_[k]);
  if (kind == Kind::trip_back) return back_by_call(k);
  call_function(k);
  if (kind == Kind::test || kind == Kind::rejoin) go_if(program_.insts[k].target);
  load(code.after);
  jmp(code.back, T_NEAR);
}

// Transitions that leave every lane where it is are passed over; all others are calls of exec/'s.

void Writer::write_test(std::size_t k) {
  const Inst& i = program_.insts[k];
  const Recipe& recipe = program_.recipes[k];
  if (is_comparison(recipe.code)) {
    compare_chunks(i, recipe);
    bool_bits(i.chunks);
  } else {
    if (holds_bool(i.a)) save_bool();
    mov(rax, ptr[r12 + i.a]);
  }
  Cold& code = cold(k);
  mov(rcx, ptr[rbx + active_at]);
  if (recipe.test == Test::leave)
    and_(rcx, rax);
  else
    andn(rcx, rax, rcx);
  jnz(code.begin, T_NEAR);
  if (recipe.test == Test::enter) {
    const std::size_t entered = i.number * sizeof(FastFrame) + offsetof(FastFrame, entered);
    mov(rcx, ptr[rbx + offsetof(Context, frames)]);
    mov(byte[rcx + entered + offsetof(exec::Entered<128>, any)], 1);
    mov(qword[rcx + entered + offsetof(exec::Entered<128>, waiting)], 0);
    mov(qword[rcx + entered + offsetof(exec::Entered<128>, waiting) + 8], 0);
  }
  come_back(code);
}

/// The end of a selection that all lanes entered, if any are still there.
void Writer::write_rejoin(std::size_t k) {
  const std::size_t entered =
      program_.insts[k].number * sizeof(FastFrame) + offsetof(FastFrame, entered);
  const std::size_t otherwise = offsetof(Context, state) + offsetof(exec::State<128>, otherwise);
  Cold& code = cold(k);
  mov(rcx, ptr[rbx + offsetof(Context, frames)]);
  cmp(qword[rcx + entered + offsetof(exec::Entered<128>, waiting)], 0);
  jne(code.begin, T_NEAR);
  cmp(qword[rbx + active_at], 0);
  je(code.begin, T_NEAR);
  mov(qword[rbx + otherwise], 0);
  mov(qword[rbx + otherwise + 8], 0);
  come_back(code);
}

/// The end of a trip, if no lane waits for it and any is still there.
void Writer::end_trip(std::size_t k, Cold& code) {
  code.is_label = loop_ != nullptr;
  if (program_.recipes[k].continues) {
    const std::size_t continuing =
        offsetof(Context, state) + offsetof(exec::State<128>, continuing);
    mov(rax, ptr[rbx + continuing]);
    or_(rax, ptr[rbx + continuing + 8]);
    jnz(code.begin, T_NEAR);
  }
  // Whether there are any above the first 64 is for the function to find out.
  cmp(qword[rbx + active_at], 0);
  je(code.begin, T_NEAR);
}
void Writer::write_trip_end(std::size_t k) {
  Cold& code = cold(k);
  end_trip(k, code);
  come_back(code);
}
/// The way back, and the end of the trip if it is in front of it.
void Writer::write_trip_back(std::size_t k) {
  Cold& code = cold(k);
  if (program_.recipes[k].code == Code::trip_end) end_trip(k, code);
  mov(rax, ptr[rbx + steps_at]);
  inc(rax);
  cmp(rax, ptr[rbx + offsetof(Context, slice_end)]);
  jae(code.begin, T_NEAR);
  mov(ptr[rbx + steps_at], rax);
  if (loop_ != nullptr) {
    restore_pinned();
    if (program_.chunks <= 2 && !now_.active) load_active();
    jmp(loop_->pinned_head, T_NEAR);
  } else {
    save_all();
    jmp(labels_[number(program_.insts[k].target)], T_NEAR);
  }
  loop_ = nullptr;
  pin({});
  forget();
}

void Writer::back_by_call(std::size_t k) {
  const Inst& i = program_.insts[k];
  call_function(k);
  test(rax, rax);
  jz(exit_, T_NEAR);
  go_if(i.target);
  if (i.args != nullptr) jmp(labels_[number(static_cast<const Inst*>(i.args))], T_NEAR);
}

/// Numbers side by side in memory.
void Writer::write_run(std::size_t k) {
  const Inst& i = program_.insts[k];
  const auto& m = *static_cast<const MemoryArgs*>(i.args);
  Cold& code = cold(k);
  first_to(eax, m.index.at);
  mov(rcx, ptr[rbx + offsetof(Context, limits)]);
  lea(rdx, ptr[rax + static_cast<std::size_t>(i.imm)]);
  cmp(rdx, ptr[rcx + m.limit * sizeof(std::uint64_t)]);
  ja(code.begin, T_NEAR);
  mov(rcx, ptr[rbx + offsetof(Context, memory)]);
  mov(rcx, ptr[rcx + m.resource * sizeof(Memory) + offsetof(Memory, data)]);
  lea(rcx, ptr[rcx + rax * 4 + static_cast<std::size_t>(m.offset)]);
  for (std::uint32_t c = 0; c < i.chunks; ++c) {
    begin_operation();
    const std::uint32_t value = m.value[0].at + (m.value[0].varying ? c * chunk_bytes : 0);
    if (program_.recipes[k].code == Code::load) {
      constexpr std::size_t bytes_ahead = 2048;
      prefetcht0(ptr[rcx + bytes_ahead + c * chunk_bytes]);
      const Zmm to = result_register(value);
      vmovups(to, ptr[rcx + c * chunk_bytes]);
      keep(to, value);
    } else {
      const Zmm from = chunk(value);
      vmovdqu32(ptr[rcx + c * chunk_bytes] | active_chunk(c, program_.chunks), from);
    }
  }
  come_back(code);
}

/// A variable's component by an index that is the same for all lanes.
void Writer::write_indexed(std::size_t k) {
  const Inst& i = program_.insts[k];
  const auto& slots = static_cast<const IndexedArgs*>(i.args)->slots;
  const std::uint32_t step = slots[1] - slots[0];
  const auto bytes = static_cast<std::uint32_t>(slots.size()) * step;
  Cold& code = cold(k);
  first_to(eax, i.a);
  if (i.imm != 0) add(rax, static_cast<std::uint32_t>(i.imm));
  cmp(rax, static_cast<std::uint32_t>(slots.size()));
  jae(code.begin, T_NEAR);
  imul(rax, rax, static_cast<int>(step));
  lea(rax, ptr[r12 + rax + slots[0]]);
  save_inside(slots[0], bytes);
  if (program_.recipes[k].code == Code::store_indexed) overwritten(slots[0], bytes);
  for (std::uint32_t c = 0; c < i.chunks; ++c) {
    begin_operation();
    const auto component = ptr[rax + c * chunk_bytes];
    if (program_.recipes[k].code == Code::load_indexed) {
      const Zmm to = result_register(i.dst + c * chunk_bytes);
      vmovups(to, component);
      keep(to, i.dst + c * chunk_bytes);
    } else {
      const Zmm value = chunk(i.b + (i.varying(1) ? c * chunk_bytes : 0)), all = fresh();
      vmovups(all, component);
      vmovdqa32(all | active_chunk(c, program_.chunks), value);
      vmovups(component, all);
    }
  }
  if (program_.recipes[k].code == Code::store_indexed) overwritten(slots[0], bytes);
  come_back(code);
}

void Writer::arithmetic(const Inst& i, const Recipe& recipe) {
  if (recipe.type == Scalar::boolean) return whole_bool(i, recipe);
  if (is_comparison(recipe.code)) return compare(i, recipe);
  for (std::uint32_t k = 0; k < i.chunks; ++k) {
    begin_operation();
    const std::uint32_t to = i.dst + k * chunk_bytes;
    if (!i.masked()) {
      const Zmm result = result_register(to);
      operation(i, recipe, k, result, result);
      keep(result, to);
      continue;
    }
    // The lanes that are not active keep what they have.
    const Zmm result = chunk(to);
    const Opmask active = active_chunk(k, program_.chunks);
    if (recipe.code == Code::select) {
      const Zmm chosen = fresh();
      operation(i, recipe, k, chosen, chosen);
      vmovdqa32(result | active, chosen);
    } else {
      operation(i, recipe, k, result, result | active);
    }
    keep(result, to);
  }
}

/// An operation on bools, whatever the number of lanes.
void Writer::whole_bool(const Inst& i, const Recipe& recipe) {
  save_bool();
  for (std::uint32_t half = 0; half < bool_bytes; half += 8) {
    mov(rax, ptr[r12 + i.a + half]);
    const auto b = ptr[r12 + i.b + half];
    switch (recipe.code) {
      case Code::band:
        and_(rax, b);
        break;
      case Code::bor:
        or_(rax, b);
        break;
      case Code::bxor:
        xor_(rax, b);
        break;
      default:
        not_(rax);
    }
    mov(ptr[r12 + i.dst + half], rax);
  }
  overwritten(i.dst, bool_bytes);
}

/// A comparison for a bool: its chunks stay in mask registers.
void Writer::compare(const Inst& i, const Recipe& recipe) {
  compare_chunks(i, recipe);
  keep_bool(i.dst, i.chunks);
}
void Writer::compare_chunks(const Inst& i, const Recipe& recipe) {
  save_bool();
  drop_bool();
  for (std::uint32_t k = 0; k < i.chunks; ++k) {
    begin_operation();
    const Zmm a = chunk(i.a + (i.varying(0) ? k * chunk_bytes : 0));
    const Zmm b = chunk(i.b + (i.varying(1) ? k * chunk_bytes : 0));
    switch (recipe.type) {
      case Scalar::f32:
        vcmpps(bool_chunk(k), a, b, predicate(recipe.code));
        break;
      case Scalar::i32:
        vpcmpd(bool_chunk(k), a, b, predicate(recipe.code));
        break;
      default:
        vpcmpud(bool_chunk(k), a, b, predicate(recipe.code));
    }
  }
}

/// The operation on chunk k into `to`, which is `result`, or those of its lanes that a mask has.
void Writer::operation(const Inst& i, const Recipe& recipe, std::uint32_t k, const Zmm& result,
                       const Zmm& to) {
  const std::uint32_t places[] = {i.a, i.b, i.c};
  const auto operand = [&](int number) {
    return chunk(places[static_cast<std::size_t>(number)] +
                 (i.varying(number) ? k * chunk_bytes : 0));
  };
  const bool real = recipe.type == Scalar::f32, has_sign = recipe.type == Scalar::i32;
  if (recipe.code == Code::select) {
    const Zmm yes = operand(1), no = operand(2);
    if (holds_bool(i.a) && i.varying(0)) return vpblendmd(result | bool_chunk(k), no, yes);
    kmovw(k1, ptr[r12 + i.a + (i.varying(0) ? k * 2 : 0)]);
    return vpblendmd(result | k1, no, yes);
  }
  if (recipe.code == Code::chain) return place(i, to, operand(1));
  const Zmm a = operand(0);
  switch (recipe.code) {
    case Code::copy:
      return vmovdqa32(to, a);
    case Code::neg:
      return negate(to, a, real);
    case Code::bnot:
      return vpternlogd(to, a, a, 0x55);
    case Code::div:
      if (real) return vdivps(to, a, operand(1));
      return vpsrld(to, a, static_cast<std::uint8_t>(i.imm));
    case Code::mod:
      return vpandd(to, a, broadcast(static_cast<std::uint32_t>(i.imm)));
    default:
      break;
  }
  const Zmm b = operand(1);
  switch (recipe.code) {
    case Code::add:
      return real ? vaddps(to, a, b) : vpaddd(to, a, b);
    case Code::sub:
      return real ? vsubps(to, a, b) : vpsubd(to, a, b);
    case Code::mul:
      return real ? vmulps(to, a, b) : vpmulld(to, a, b);
    case Code::shl:
    case Code::shr:
      return shift(to, a, b, recipe);
    case Code::band:
      return vpandd(to, a, b);
    case Code::bor:
      return vpord(to, a, b);
    case Code::bxor:
      return vpxord(to, a, b);
    case Code::min:
      return has_sign ? vpminsd(to, a, b) : vpminud(to, a, b);
    default:
      return has_sign ? vpmaxsd(to, a, b) : vpmaxud(to, a, b);
  }
}
/// Index * stride; all ones once the index is out of range or the product is too large.
void Writer::place(const Inst& i, const Zmm& to, const Zmm& index) {
  constexpr std::uint64_t most = 0xfffffffe;
  const std::uint64_t limit = std::min(*static_cast<const std::uint64_t*>(i.args),
                                       i.imm == 0 ? most + 1 : most / i.imm + 1);
  constexpr std::uint8_t not_less = 5;
  vpcmpud(k1, index, broadcast(static_cast<std::uint32_t>(limit)), not_less);
  if (i.imm == 1)
    vmovdqa32(to, index);
  else
    vpmulld(to, index, broadcast(static_cast<std::uint32_t>(i.imm)));
  vpternlogd(to | k1, to, to, 0xff);
}
void Writer::negate(const Zmm& to, const Zmm& a, bool real) {
  if (real) return vpxord(to, a, broadcast(0x80000000u));
  const Zmm zero = fresh();
  vpxord(zero, zero, zero);
  vpsubd(to, zero, a);
}
/// Counts count modulo 32.
void Writer::shift(const Zmm& to, const Zmm& a, const Zmm& count, const Recipe& recipe) {
  const Zmm low = broadcast(31);
  vpandd(low, low, count);
  if (recipe.code == Code::shl) return vpsllvd(to, a, low);
  return recipe.type == Scalar::i32 ? vpsravd(to, a, low) : vpsrlvd(to, a, low);
}
Xbyak::Zmm Writer::broadcast(std::uint32_t value) {
  const Zmm all = fresh();
  mov(eax, value);
  vpbroadcastd(all, eax);
  return all;
}

}  // namespace lockstep::spirv

#endif
