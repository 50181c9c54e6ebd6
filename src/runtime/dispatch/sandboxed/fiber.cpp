#include "runtime/dispatch/fiber.hpp"

#include <utility>

#include <lockstep/exec/error.hpp>

namespace lockstep {

/// Never made.
class Fiber::Strand {};

bool Fiber::supported() { return false; }
void Fiber::set_stack_bytes(std::size_t) {}
Fiber::Fiber(std::function<void()> body) : body_(std::move(body)) {}
Fiber::~Fiber() = default;

void Fiber::resume() {
  throw Error(
      "this build (LOCKSTEP_SANDBOX) has one stack, and subgroups of a kernel in C++ that wait for "
      "one another need one each: use one subgroup per workgroup, or a build without "
      "LOCKSTEP_SANDBOX");
}

// No body runs.
void Fiber::stop() {}
void Fiber::stop_for(Fiber&) {}

}  // namespace lockstep
