#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace lockstep {

/// A function with a stack of its own, on the thread that resumes it: it can stop anywhere and go on later.
///
/// Requires      The body throws nothing, and has ended before the fiber is destroyed. One thread resumes it.
/// Active lanes  None.
/// Errors        resume throws std::bad_alloc if there is no memory for another stack.
/// Cost          A few dozen instructions to stop and to go on. Stacks of 8 MiB, as threads have, or of
///               set_stack_bytes(); only what is used takes memory. A thread reuses the stacks
///               of fibers that have ended.
/// Spec          None.
/// Example       tests/dispatch/fiber.cpp
class Fiber {
 public:
  /// Whether this build has other stacks; without, resume throws Error.
  static bool supported();
  /// The size of stacks that are made from here on. To be called before any fiber runs: for processes whose memory is
  /// limited, which counts whole stacks, and whose bodies need less than 8 MiB.
  static void set_stack_bytes(std::size_t bytes);

  explicit Fiber(std::function<void()> body);
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;
  ~Fiber();

  /// Runs the body until it, or one that goes on in its place, stops or ends. Requires that it has not ended.
  void resume();
  /// In the body: returns from resume; returns once the fiber is resumed.
  void stop();
  /// In the body: stops, and `next` goes on in its place, as if it had been resumed instead. Requires that `next` is
  /// under way, and has no other resumer.
  void stop_for(Fiber& next);
  /// Whether the body has begun and not ended.
  bool is_under_way() const { return strand_ != nullptr; }

 private:
  class Strand;
  struct Resumer;
  struct Idle;
  static Idle& idle();

  std::function<void()> body_;
  std::unique_ptr<Strand> strand_;  ///< while under way
};

}  // namespace lockstep
