#include "dispatch/fiber.hpp"

#include <cxxabi.h>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include <boost/context/fiber.hpp>
#include <boost/context/protected_fixedsize_stack.hpp>

// The sanitizers' run-time libraries must be told of other stacks; without one these are null.
extern "C" {
[[gnu::weak]] void __sanitizer_start_switch_fiber(void** fake_stack, const void* bottom,
                                                  std::size_t size);
[[gnu::weak]] void __sanitizer_finish_switch_fiber(void* fake_stack, const void** old_bottom,
                                                   std::size_t* old_size);
[[gnu::weak]] void* __tsan_get_current_fiber();
[[gnu::weak]] void* __tsan_create_fiber(unsigned flags);
[[gnu::weak]] void __tsan_destroy_fiber(void* fiber);
[[gnu::weak]] void __tsan_switch_to_fiber(void* fiber, unsigned flags);
}

namespace lockstep {
namespace {

using Context = boost::context::fiber;

constexpr std::size_t stack_bytes = std::size_t{8} << 20;
/// A thread keeps no more stacks than this.
constexpr std::size_t most_idle = 1024;

/// One side of a switch, as the sanitizers know it.
struct Side {
  const void* bottom = nullptr;
  std::size_t size = 0;
  void* fake_stack = nullptr;
  void* tsan = nullptr;

  /// This side stops and `to` goes on.
  void leave_for(const Side& to) {
    if (__sanitizer_start_switch_fiber != nullptr)
      __sanitizer_start_switch_fiber(&fake_stack, to.bottom, to.size);
    tell_tsan(to);
  }
  static void tell_tsan(const Side& to) {
    if (__tsan_switch_to_fiber != nullptr) __tsan_switch_to_fiber(to.tsan, 0);
  }
  /// This side goes on, after `from`, whose stack becomes known.
  void come_from(Side& from) {
    if (__sanitizer_finish_switch_fiber != nullptr)
      __sanitizer_finish_switch_fiber(fake_stack, &from.bottom, &from.size);
  }
};

/// The exceptions under way and those in handlers, of which a thread has one list in the C++ run-time library. A
/// fiber has a list of its own, which it swaps in.
class Exceptions {
 public:
  void swap() {
    void* const of_thread = abi::__cxa_get_globals();
    State now;
    std::memcpy(&now, of_thread, sizeof now);
    std::memcpy(of_thread, &kept_, sizeof kept_);
    kept_ = now;
  }

 private:
  /// As the Itanium C++ ABI lays it out.
  struct State {
    void* caught = nullptr;
    unsigned uncaught = 0;
  };
  State kept_;
};

}  // namespace

/// A stack, and the loop on it that runs one body after another.
class Fiber::Strand {
 public:
  Strand() : stack_(boost::context::protected_fixedsize_stack(stack_bytes).allocate()) {
    mine_.bottom = static_cast<std::byte*>(stack_.sp) - stack_.size;
    mine_.size = stack_.size;
    if (__tsan_create_fiber != nullptr) mine_.tsan = __tsan_create_fiber(0);
    // Boost enters the new stack at once, and comes back.
    if (__tsan_get_current_fiber != nullptr) resumer_.tsan = __tsan_get_current_fiber();
    Side::tell_tsan(mine_);
    new (&other_)
        Context(std::allocator_arg, boost::context::preallocated(stack_.sp, stack_.size, stack_),
                Kept(), [this](Context&& resumer) { return loop(std::move(resumer)); });
    Side::tell_tsan(resumer_);
  }
  Strand(const Strand&) = delete;
  Strand& operator=(const Strand&) = delete;
  /// The loop waits for a body that never comes, and has nothing to clean up.
  ~Strand() {
    if (__tsan_destroy_fiber != nullptr) __tsan_destroy_fiber(mine_.tsan);
    boost::context::protected_fixedsize_stack(stack_bytes).deallocate(stack_);
  }

  /// Runs the body until it stops or ends. Returns whether it has ended.
  bool resume(const std::function<void()>& body) {
    body_ = &body;
    exceptions_.swap();
    if (__tsan_get_current_fiber != nullptr) resumer_.tsan = __tsan_get_current_fiber();
    resumer_.leave_for(mine_);
    other_ = std::move(other_).resume();
    resumer_.come_from(mine_);
    exceptions_.swap();
    return body_ == nullptr;
  }
  /// On the strand: goes back to who resumed it.
  void stop() {
    mine_.leave_for(resumer_);
    other_ = std::move(other_).resume();
    mine_.come_from(resumer_);
  }

 private:
  /// The stack outlives what runs on it.
  struct Kept {
    void deallocate(boost::context::stack_context&) {}
  };

  /// Were it never to return, AddressSanitizer would look at the stack before it is told of the switch.
  Context loop(Context&& resumer) {
    mine_.come_from(resumer_);
    other_ = std::move(resumer);
    do {
      (*body_)();
      body_ = nullptr;
      stop();
    } while (body_ != nullptr);
    return std::move(other_);
  }

  boost::context::stack_context stack_;
  Side mine_, resumer_;
  Exceptions exceptions_;
  const std::function<void()>* body_ = nullptr;
  /// Where the other side stands: of the strand while it is stopped, of its resumer while it runs. Never destroyed,
  /// which would unwind the loop.
  union {
    Context other_;
  };
};

/// Strands without a body.
struct Fiber::Idle {
  std::vector<std::unique_ptr<Strand>> strands;
};

Fiber::Idle& Fiber::idle() {
  thread_local Idle strands;
  return strands;
}

Fiber::Fiber(std::function<void()> body) : body_(std::move(body)) {}
Fiber::~Fiber() = default;

void Fiber::resume() {
  auto& spare = idle().strands;
  if (strand_ == nullptr && spare.empty()) {
    strand_ = std::make_unique<Strand>();
  } else if (strand_ == nullptr) {
    strand_ = std::move(spare.back());
    spare.pop_back();
  }
  if (!strand_->resume(body_)) return;
  if (spare.size() < most_idle) spare.push_back(std::move(strand_));
  strand_.reset();
}

void Fiber::stop() { strand_->stop(); }

}  // namespace lockstep
