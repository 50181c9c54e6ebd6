#if LOCKSTEP_SPIRV_NATIVE

#include "shader/native/transitions.hpp"

#include "shader/native/layout.hpp"

namespace lockstep::spirv {

using namespace Xbyak::util;
using Xbyak::Label;

namespace {

constexpr auto near = Xbyak::CodeGenerator::T_NEAR;

}  // namespace

void Transitions::load_active(const Xbyak::Reg64& to) { as_.mov(to, ptr[rbx + layout::active]); }

void Transitions::require_active(const Label& other) {
  as_.cmp(qword[rbx + layout::active], 0);
  as_.je(other, near);
}

void Transitions::require_all_active(int size, const Label& other) {
  const auto first = [](int lanes) {
    return lanes >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << lanes) - 1;
  };
  as_.mov(rdx, first(size));
  as_.cmp(rdx, ptr[rbx + layout::active]);
  as_.jne(other, near);
  if (size <= 64) return;
  as_.mov(rdx, first(size - 64));
  as_.cmp(rdx, ptr[rbx + layout::active + 8]);
  as_.jne(other, near);
}

void Transitions::enter(std::uint32_t construct) {
  const std::size_t entered = layout::entered(construct);
  as_.mov(rcx, ptr[rbx + offsetof(Context, frames)]);
  as_.mov(byte[rcx + entered + layout::entered_any], 1);
  as_.mov(qword[rcx + entered + layout::entered_waiting], 0);
}

void Transitions::enter_without(const Xbyak::Reg64& lanes, std::uint32_t construct,
                                const Label& other) {
  const std::size_t entered = layout::entered(construct);
  as_.mov(rax, ptr[rbx + layout::active]);
  as_.xor_(rax, lanes);
  as_.jz(other, near);
  as_.mov(ptr[rbx + layout::active], rax);
  as_.mov(rax, ptr[rbx + offsetof(Context, frames)]);
  as_.mov(byte[rax + entered + layout::entered_any], 1);
  as_.mov(ptr[rax + entered + layout::entered_waiting], lanes);
  as_.mov(rax, ptr[rbx + offsetof(Context, divergences)]);
  as_.inc(qword[rax]);
}

void Transitions::stay_outside(std::uint32_t construct) {
  const std::size_t entered = layout::entered(construct);
  as_.mov(rax, ptr[rbx + layout::active]);
  as_.mov(rcx, ptr[rbx + offsetof(Context, frames)]);
  as_.mov(byte[rcx + entered + layout::entered_any], 0);
  as_.mov(ptr[rcx + entered + layout::entered_waiting], rax);
}

void Transitions::enter_elected(std::uint32_t construct, const Label& other) {
  const std::size_t entered = layout::entered(construct);
  as_.mov(rax, ptr[rbx + layout::active]);
  as_.blsi(rcx, rax);
  as_.jz(other, near);
  as_.mov(ptr[rbx + layout::active], rcx);
  as_.xor_(rax, rcx);
  as_.mov(rcx, ptr[rbx + offsetof(Context, frames)]);
  as_.mov(byte[rcx + entered + layout::entered_any], 1);
  as_.mov(ptr[rcx + entered + layout::entered_waiting], rax);
}

void Transitions::enter_other_side(std::uint32_t construct, const Label& other) {
  const std::size_t entered = layout::entered(construct);
  as_.mov(rcx, ptr[rbx + offsetof(Context, frames)]);
  as_.mov(rdx, ptr[rcx + entered + layout::entered_waiting]);
  as_.test(rdx, rdx);
  as_.jz(other, near);
  // If no lane entered the first side, those that wait are active, too.
  as_.andn(rax, rdx, ptr[rbx + layout::active]);
  as_.mov(ptr[rbx + layout::active], rdx);
  as_.mov(ptr[rcx + entered + layout::entered_waiting], rax);
  as_.mov(byte[rcx + entered + layout::entered_any], 1);
}

void Transitions::rejoin(std::uint32_t construct, const Label& other) {
  as_.mov(rcx, ptr[rbx + offsetof(Context, frames)]);
  as_.mov(rax, ptr[rcx + layout::entered(construct) + layout::entered_waiting]);
  as_.mov(rdx, rax);
  as_.or_(rdx, ptr[rbx + layout::active]);
  as_.jz(other, near);
  as_.mov(ptr[rbx + layout::active], rdx);
  as_.mov(ptr[rbx + layout::otherwise], rax);
}

void Transitions::close_selection(std::uint32_t construct, const Label& other) {
  as_.mov(rcx, ptr[rbx + offsetof(Context, frames)]);
  as_.cmp(qword[rcx + layout::entered(construct) + layout::entered_waiting], 0);
  as_.jne(other, near);
  require_active(other);
  as_.mov(qword[rbx + layout::otherwise], 0);
}

void Transitions::leave_loop(const Xbyak::Reg64& lanes) {
  as_.or_(ptr[rbx + layout::broken], lanes);
  as_.xor_(ptr[rbx + layout::active], lanes);
}

void Transitions::next_trip(const Label& other) {
  as_.mov(rax, ptr[rbx + layout::continuing]);
  as_.or_(rax, ptr[rbx + layout::continuing + 8]);
  as_.jnz(other, near);
}

void Transitions::limit_slice() {
  as_.add(rax, ptr[rbx + offsetof(Context, max_trips)]);
  as_.mov(rdx, ptr[rbx + offsetof(Context, slice_end)]);
  as_.cmp(rax, rdx);
  as_.cmova(rax, rdx);
  as_.mov(ptr[rbx + offsetof(Context, slice_end)], rax);
}
void Transitions::count_begin(std::uint32_t construct) {
  as_.mov(rcx, ptr[rbx + offsetof(Context, frames)]);
  as_.mov(rax, ptr[rbx + offsetof(Context, loop_start)]);
  as_.mov(ptr[rcx + layout::outer_start(construct)], rax);
  as_.mov(rax, ptr[rbx + offsetof(Context, steps)]);
  as_.mov(ptr[rcx + layout::steps_before(construct)], rax);
  as_.mov(ptr[rbx + offsetof(Context, loop_start)], rax);
  limit_slice();
}
void Transitions::count_end(std::uint32_t construct) {
  as_.mov(rcx, ptr[rbx + offsetof(Context, frames)]);
  as_.mov(rax, ptr[rbx + offsetof(Context, steps)]);
  as_.sub(rax, ptr[rcx + layout::steps_before(construct)]);
  as_.add(rax, ptr[rcx + layout::outer_start(construct)]);
  as_.mov(ptr[rbx + offsetof(Context, loop_start)], rax);
  limit_slice();
}

void Transitions::loop_back(const Label& other) {
  as_.mov(rax, ptr[rbx + offsetof(Context, steps)]);
  as_.inc(rax);
  as_.cmp(rax, ptr[rbx + offsetof(Context, slice_end)]);
  as_.jae(other, near);
  as_.mov(ptr[rbx + offsetof(Context, steps)], rax);
}

void Transitions::end() {
  as_.mov(dword[rbx + offsetof(Context, stop)], static_cast<int>(Context::Stop::ended));
}

}  // namespace lockstep::spirv

#endif
