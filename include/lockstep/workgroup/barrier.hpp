#pragma once

#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

#include <lockstep/exec/call_site.hpp>
#include <lockstep/exec/left_scope.hpp>
#include <lockstep/workgroup/detail/barrier_frames.hpp>

namespace lockstep::inline LOCKSTEP_ABI {
namespace detail {

/// The common part of a kernel's coroutines: main() and the functions that it awaits.
class BarrierPromise {
 public:
  // The first argument of a kernel's member function is the kernel.
  template <class K, class... A>
  explicit BarrierPromise(K& kernel, A&&...)
      : frames(kernel.lockstep_frames()), is_main(frames.took_main()) {}

  template <class K, class... A>
  static void* operator new(std::size_t size, K& kernel, A&&...) {
    return kernel.lockstep_frames().take(size);
  }
  // Frames of main() are freed all at once, frames of functions by their owner. If this were a call,
  // g++ 12 would warn in the kernel, at -O0, about a mismatched operator new.
  [[gnu::always_inline]] static void operator delete(void*, std::size_t) noexcept {}

  // A run starts at once. The frame of main() ends with it; a function's waits for its owner, while
  // the caller continues. Neither costs main() an indirect call.
  std::suspend_never initial_suspend() noexcept { return {}; }
  struct End {
    bool is_main;
    std::coroutine_handle<> caller;
    bool await_ready() const noexcept { return is_main; }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<>) const noexcept {
      return caller ? caller : std::noop_coroutine();
    }
    void await_resume() const noexcept {}
  };
  End final_suspend() noexcept { return {is_main, caller}; }
  // A function's exception is rethrown where it is awaited, that of main() in the dispatch. It
  // never leaves the coroutine as an exception: clang 14 would destroy its locals twice.
  void unhandled_exception() noexcept {
    (is_main ? frames.error() : error) = std::current_exception();
  }

  /// The path of the barrier whose awaiter is at `place` in this coroutine's frame.
  std::uintptr_t path_from(std::uintptr_t place) const {
    for (const BarrierPromise* p = this; p->caller_promise != nullptr; p = p->caller_promise)
      place = join_paths(place, p->awaited_at);
    return place;
  }

  BarrierFrames& frames;
  bool is_main;
  std::coroutine_handle<> caller;
  BarrierPromise* caller_promise = nullptr;
  std::uintptr_t awaited_at = 0;  ///< the place of the awaiter in the caller's frame
  std::exception_ptr error;
};

/// One coroutine of a subgroup; Promise derives from BarrierPromise.
template <class Promise>
class [[nodiscard("a function with barriers continues only with co_await")]] BarrierRun {
 public:
  using Handle = std::coroutine_handle<Promise>;

  explicit BarrierRun(Promise & promise) : handle_(Handle::from_promise(promise)) {}
  BarrierRun(BarrierRun && other) noexcept : handle_(std::exchange(other.handle_, {})) {}
  BarrierRun& operator=(BarrierRun&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~BarrierRun() {
    if (handle_) give_up();
  }

  /// The run of main() has ended, and its frame with it.
  void release() { handle_ = {}; }

  /// co_await of a function: the caller stops while the function waits at a barrier, and gets its result.
  struct Await {
    Handle callee;
    bool await_ready() const noexcept { return callee.done(); }
    template <class CallerPromise>
    LOCKSTEP_INLINE void await_suspend(std::coroutine_handle<CallerPromise> caller) const noexcept {
      BarrierPromise& promise = callee.promise();
      promise.caller = caller;
      promise.caller_promise = &caller.promise();
      promise.awaited_at = place_in_frame(this, caller.address());
      promise.frames.note_caller(promise.awaited_at);  // it stopped before it had a caller
    }
    auto await_resume() const {
      if (callee.promise().error)
        std::rethrow_exception(std::exchange(callee.promise().error, nullptr));
      return callee.promise().result();
    }
  };
  Await operator co_await()&& noexcept { return {handle_}; }

 private:
  /// It still waits, or is a function without co_await.
  [[gnu::noinline]] void give_up() {
    BarrierPromise& promise = handle_.promise();
    BarrierFrames& frames = promise.frames;
    const bool is_main = promise.is_main;
    const GivenUp abandoned;
    if (!is_main && !handle_.done()) frames.forget_barrier();
    if (promise.error) frames.error() = std::move(promise.error);  // it had no co_await
    void* frame = handle_.address();
    handle_.destroy();
    if (!is_main) frames.give_back(frame);
  }

  Handle handle_;
};

struct VoidBarrierPromise;
template <class T>
struct ValueBarrierPromise;

}  // namespace detail

/// The return type of main() in a kernel with barriers, and of functions that await barriers:
/// `Barriers exchange() { ...; co_await barrier(); ... }`, called as `co_await exchange()`.
///
/// Requires      `co_await barrier()` only in control flow that is uniform in the workgroup, and
///               before any invocation has returned from the kernel, as GLSL requires.
/// Active lanes  A subgroup waits as a whole. All its lanes must be there. If none is, the subgroup skips the
///               barrier.
/// Errors        A barrier that some invocation does not reach stops the dispatch with an Error:
///               which subgroups and lanes wait where, and where the others are. A function called
///               without co_await that waits at a barrier is an Error, too.
/// Cost          One frame per subgroup, reused by the next workgroup; one indirect call per
///               barrier. A function with barriers costs another frame, from a list. g++ keeps a
///               coroutine's locals in memory, so put lane arithmetic into ordinary member
///               functions.
/// Spec          GLSL barrier · SPIR-V OpControlBarrier, Execution Workgroup
/// Example       kernels/prefix_sum
class [[nodiscard("a function with barriers continues only with co_await")]] Barriers
    : public detail::BarrierRun<detail::VoidBarrierPromise> {
 public:
  using promise_type = detail::VoidBarrierPromise;
  using BarrierRun::BarrierRun;
};

/// The return type of functions that await barriers and then return a value:
/// `BarriersThen<Uint> total(Uint part) { ...; co_return sum; }`, called as `const Uint sum =
/// co_await total(part)`.
///
/// Requires      As Barriers. Pass arguments by value, or by reference if they outlive the call.
/// Active lanes  As Barriers.
/// Errors        As Barriers.
/// Cost          As Barriers, and one copy of the value.
/// Spec          GLSL functions that call barrier
/// Example       tests/workgroup/barrier.cpp
template <class T>
class [[nodiscard("a function with barriers continues only with co_await")]] BarriersThen
    : public detail::BarrierRun<detail::ValueBarrierPromise<T>> {
 public:
  using promise_type = detail::ValueBarrierPromise<T>;
  using detail::BarrierRun<promise_type>::BarrierRun;
};

namespace detail {

/// Whether K has a function without arguments that returns Barriers and is a coroutine, as its main() must be: one
/// without co_await and co_return is a function that returns nothing, and g++ runs on into what follows it.
template <class K>
inline bool has_coroutine = false;

/// Where the compiler makes K's coroutine, this sets has_coroutine<K> before main() of the program.
template <class K>
struct Coroutine {
  static inline const bool noted = (has_coroutine<K> = true);
};

struct VoidBarrierPromise : BarrierPromise {
  template <class K>
  explicit VoidBarrierPromise(K& kernel) : BarrierPromise(kernel) {
    // g++ 12 makes a reference of K.
    static_cast<void>(&Coroutine<std::remove_reference_t<K>>::noted);
  }
  template <class K, class A, class... More>
  VoidBarrierPromise(K& kernel, A&& first, More&&... more)
      : BarrierPromise(kernel, static_cast<A&&>(first), static_cast<More&&>(more)...) {}

  Barriers get_return_object() { return Barriers(*this); }
  void return_void() const noexcept {}
  void result() const {}
};

template <class T>
struct ValueBarrierPromise : BarrierPromise {
  using BarrierPromise::BarrierPromise;
  BarriersThen<T> get_return_object() { return BarriersThen<T>(*this); }
  void return_value(const T& v) { value.emplace(v); }
  T result() const { return *value; }

  std::optional<T> value;
};

/// The awaitable of barrier(): stops the subgroup and records where.
struct [[nodiscard("barrier() only waits with co_await")]] BarrierPoint {
  CallSite barrier;

  bool await_ready() const noexcept { return false; }
  template <class Promise>
  LOCKSTEP_INLINE void await_suspend(std::coroutine_handle<Promise> run) const noexcept {
    const BarrierPromise& promise = run.promise();
    promise.frames.note_barrier(run,
                                {barrier, promise.path_from(place_in_frame(this, run.address()))});
  }
  void await_resume() const noexcept {}
};

}  // namespace detail
}  // namespace lockstep::inline LOCKSTEP_ABI
