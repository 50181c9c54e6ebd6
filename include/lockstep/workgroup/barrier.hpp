#pragma once

#include <coroutine>
#include <cstddef>
#include <utility>

#include <lockstep/exec/source_location.hpp>
#include <lockstep/workgroup/detail/barrier_frames.hpp>

namespace lockstep::inline LOCKSTEP_ABI {

/// What the main() of a kernel with barriers returns: one subgroup's run, stopped at its next
/// barrier.
///
/// Requires      main() says `co_await barrier()` only in uniform control flow, as GLSL demands.
/// Active lanes  A subgroup waits as a whole, whatever its active mask.
/// Errors        A barrier that not all subgroups of a workgroup reach stops the dispatch with an
///               Error.
/// Cost          One frame a subgroup, reused by the next workgroup; one indirect call a barrier.
///               g++ keeps a coroutine's locals in memory, so put lane arithmetic into ordinary
///               member functions.
/// Spec          GLSL barrier · SPIR-V OpControlBarrier, Execution Workgroup
/// Example       kernels/prefix_sum
class Barriers {
 public:
  struct promise_type {
    detail::BarrierFrames& frames;
    SourceLocation waits_at;

    // The first argument of a kernel's main() is the kernel.
    template <class K>
    explicit promise_type(K& kernel) : frames(kernel.lockstep_frames()) {}

    Barriers get_return_object() { return Barriers(Handle::from_promise(*this)); }
    // The run starts at once and its frame ends with it: each saves one indirect call a subgroup.
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() noexcept {}
    void unhandled_exception() { throw; }

    template <class K>
    static void* operator new(std::size_t size, K& kernel) {
      return kernel.lockstep_frames().take(size);
    }
    static void operator delete(void*, std::size_t) noexcept {}
  };
  using Handle = std::coroutine_handle<promise_type>;

  Barriers(Barriers&& other) noexcept : handle_(std::exchange(other.handle_, {})) {}
  Barriers& operator=(Barriers&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  /// A run that still waits is given up.
  ~Barriers() {
    if (handle_) handle_.destroy();
  }

  /// Goes on to the next barrier or to the end.
  void resume() { handle_.resume(); }
  /// The run has come to its end, and its frame with it.
  void release() { handle_ = {}; }
  /// Whether the run waits at a barrier.
  bool waits() const { return static_cast<bool>(handle_); }
  /// The barrier where the subgroup waits. Requires that it does.
  const SourceLocation& waits_at() const { return handle_.promise().waits_at; }

 private:
  explicit Barriers(Handle handle) : handle_(handle) {}

  Handle handle_;
};

namespace detail {

/// What barrier() gives to co_await: stops the subgroup and notes where.
struct BarrierPoint {
  SourceLocation where;

  bool await_ready() const noexcept { return false; }
  void await_suspend(Barriers::Handle subgroup) const noexcept {
    subgroup.promise().waits_at = where;
    subgroup.promise().frames.note_barrier();
  }
  void await_resume() const noexcept {}
};

}  // namespace detail
}  // namespace lockstep::inline LOCKSTEP_ABI
