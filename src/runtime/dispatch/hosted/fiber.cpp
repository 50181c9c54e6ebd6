#include "runtime/dispatch/fiber.hpp"

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
// NOLINTBEGIN(bugprone-reserved-identifier): their names
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
// NOLINTEND(bugprone-reserved-identifier)

namespace lockstep {
namespace {

using Context = boost::context::fiber;

std::size_t stack_bytes = std::size_t{8} << 20;
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

/// The exceptions under way and those in handlers, as the Itanium C++ ABI lays them out. A thread has one list of them
/// in the C++ run-time library; a fiber has a list of its own, which it swaps in.
struct Exceptions {
  void* caught = nullptr;
  unsigned uncaught = 0;
};

}  // namespace

/// Who resumed a strand, while that or one in its place runs.
struct Fiber::Resumer {
  explicit Resumer(void* list_of_thread) : exceptions_of_thread(list_of_thread) {
    if (__tsan_get_current_fiber != nullptr) side.tsan = __tsan_get_current_fiber();
    std::memcpy(&exceptions, exceptions_of_thread, sizeof exceptions);
  }

  Side side;
  Context context;  ///< where it stands
  void* exceptions_of_thread;
  Exceptions exceptions;   ///< its own
  Strand* last = nullptr;  ///< who gave the turn back to it
};

/// A stack, and the loop on it that runs one body after another.
class Fiber::Strand {
 public:
  Strand() : stack_(boost::context::protected_fixedsize_stack(stack_bytes).allocate()) {
    side_.bottom = static_cast<std::byte*>(stack_.sp) - stack_.size;
    side_.size = stack_.size;
    if (__tsan_create_fiber != nullptr) side_.tsan = __tsan_create_fiber(0);
    // Boost enters the new stack at once, and comes back.
    Side here;
    if (__tsan_get_current_fiber != nullptr) here.tsan = __tsan_get_current_fiber();
    Side::tell_tsan(side_);
    new (&context_)
        Context(std::allocator_arg, boost::context::preallocated(stack_.sp, stack_.size, stack_),
                Kept(), [this](Context&& from) { return loop(std::move(from)); });
    Side::tell_tsan(here);
  }
  Strand(const Strand&) = delete;
  Strand& operator=(const Strand&) = delete;
  /// The loop waits for a body that never comes, and has nothing to clean up.
  ~Strand() {
    if (__tsan_destroy_fiber != nullptr) __tsan_destroy_fiber(side_.tsan);
    boost::context::protected_fixedsize_stack(stack_.size).deallocate(stack_);
  }

  /// Before its first turn: the fiber whose body it runs.
  void start(Fiber& fiber) { fiber_ = &fiber; }
  /// Runs until this strand or one in its place stops. Returns that one's fiber if its body has ended, or null.
  Fiber* resume() {
    Resumer resumer(abi::__cxa_get_globals());
    resumer_ = &resumer;
    from_ = nullptr;
    swap_in();
    resumer.side.leave_for(side_);
    Context from = std::move(context_).resume();
    Strand& last = *resumer.last;
    resumer.side.come_from(last.side_);
    std::memcpy(resumer.exceptions_of_thread, &resumer.exceptions, sizeof resumer.exceptions);
    last.context_ = std::move(from);
    return std::exchange(last.has_ended_, false) ? last.fiber_ : nullptr;
  }
  /// On the strand: goes back to who resumed it.
  void stop() {
    swap_out();
    resumer_->last = this;
    side_.leave_for(resumer_->side);
    come_from(std::move(resumer_->context).resume());
  }
  /// On the strand: the other one goes on.
  void stop_for(Strand& next) {
    swap_out();
    next.resumer_ = resumer_;
    next.from_ = this;
    next.swap_in();
    side_.leave_for(next.side_);
    come_from(std::move(next.context_).resume());
  }

 private:
  /// The stack outlives what runs on it.
  struct Kept {
    void deallocate(boost::context::stack_context&) {}
  };

  void swap_in() { std::memcpy(resumer_->exceptions_of_thread, &exceptions_, sizeof exceptions_); }
  void swap_out() { std::memcpy(&exceptions_, resumer_->exceptions_of_thread, sizeof exceptions_); }
  /// It goes on: where the one stands that ran before it, its resumer or another strand, becomes known.
  void come_from(Context&& from) {
    side_.come_from(from_ == nullptr ? resumer_->side : from_->side_);
    (from_ == nullptr ? resumer_->context : from_->context_) = std::move(from);
  }
  /// Were it never to return, AddressSanitizer would look at the stack before it is told of the switch.
  Context loop(Context&& from) {
    come_from(std::move(from));
    do {
      fiber_->body_();
      has_ended_ = true;
      stop();
    } while (fiber_ != nullptr);
    return std::move(resumer_->context);
  }

  boost::context::stack_context stack_;
  Side side_;
  Exceptions exceptions_;
  Fiber* fiber_ = nullptr;
  bool has_ended_ = false;      ///< the body, and nothing knows it yet
  Resumer* resumer_ = nullptr;  ///< while it runs
  Strand* from_ = nullptr;      ///< which ran before it; null: its resumer
  /// Where it stands while it does not run. Never destroyed, which would unwind the loop.
  union {
    Context context_;
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

bool Fiber::supported() { return true; }
void Fiber::set_stack_bytes(std::size_t bytes) { stack_bytes = bytes; }
Fiber::Fiber(std::function<void()> body) : body_(std::move(body)) {}
Fiber::~Fiber() = default;

void Fiber::resume() {
  auto& spare = idle().strands;
  if (strand_ == nullptr) {
    if (spare.empty()) {
      strand_ = std::make_unique<Strand>();
    } else {
      strand_ = std::move(spare.back());
      spare.pop_back();
    }
    strand_->start(*this);
  }
  Fiber* const ended = strand_->resume();
  if (ended == nullptr) return;
  if (spare.size() < most_idle) spare.push_back(std::move(ended->strand_));
  ended->strand_.reset();
}

void Fiber::stop() { strand_->stop(); }
void Fiber::stop_for(Fiber& next) { strand_->stop_for(*next.strand_); }

}  // namespace lockstep
