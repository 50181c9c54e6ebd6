#pragma once

#include <bit>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include <lockstep/config.hpp>
#include <lockstep/exec/call_site.hpp>
#include <lockstep/exec/memory_order.hpp>
#include <lockstep/workgroup/workgroup_run.hpp>

namespace lockstep::inline LOCKSTEP_ABI::detail {

/// A call, and a number that tells several of one macro apart.
struct CallAndPath {
  CallSite call;
  std::uintptr_t path = 0;

  friend bool operator==(const CallAndPath&, const CallAndPath&) = default;
};

/// The same as one number, where pointers leave bits free: with two to store and compare in each turn, prefix_sum took
/// 5 % longer.
template <class Call>
class PackedCallAndPath {
 public:
  PackedCallAndPath() = default;
  LOCKSTEP_INLINE PackedCallAndPath(CallAndPath parts)
      : bits_(std::bit_cast<std::uint64_t>(Call(parts.call)) | std::uint64_t{parts.path}
                                                                   << pointer_bits) {}
  operator CallAndPath() const {
    const std::uint64_t call = bits_ & ((std::uint64_t{1} << pointer_bits) - 1);
    return {std::bit_cast<Call>(call), static_cast<std::uintptr_t>(bits_ >> pointer_bits)};
  }
  friend bool operator==(const PackedCallAndPath& a, const PackedCallAndPath& b) {
    return a.bits_ == b.bits_ || CallAndPath(a) == CallAndPath(b);
  }

 private:
  static constexpr int pointer_bits = 48;
  std::uint64_t bits_ = 0;
};

#if defined(__cpp_lib_source_location) && (defined(__x86_64__) || defined(__aarch64__))
inline constexpr bool packs_calls = sizeof(CallSite) == sizeof(std::uint64_t);
#else
inline constexpr bool packs_calls = false;
#endif

/// Which barrier. Several of one macro are one call, as is the one of a function that is awaited at several
/// places; the path is made of the places of the awaiters in their coroutines' frames.
using BarrierMark = std::conditional_t<packs_calls, PackedCallAndPath<CallSite>, CallAndPath>;

inline SourceLocation where(const BarrierMark& mark) { return CallAndPath(mark).call.where(); }
inline BarrierId id_of(const BarrierMark& mark) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): only compared
  return {where(mark), reinterpret_cast<const void*>(CallAndPath(mark).path)};
}
/// The path of an awaiter in a function that is awaited at `caller`.
inline std::uintptr_t join_paths(std::uintptr_t path, std::uintptr_t caller) {
  return path * std::uintptr_t{0x9E3779B1} + caller;
}

/// Where a subgroup stopped: the coroutine to resume, and the barrier. Empty at the end of the run.
struct BarrierStop {
  std::coroutine_handle<> run;
  BarrierMark barrier;
};

/// The place in a frame of an awaiter, which differs between two co_await of one coroutine. When clang optimizes,
/// awaiters share places and may be outside of the frame, so all are one there.
LOCKSTEP_INLINE std::uintptr_t place_in_frame([[maybe_unused]] const void* awaiter,
                                              [[maybe_unused]] const void* frame) {
#if defined(__clang__) && defined(__OPTIMIZE__)
  return 0;
#else
  return reinterpret_cast<std::uintptr_t>(awaiter) - reinterpret_cast<std::uintptr_t>(frame);
#endif
}

/// Memory for the coroutine frames of one workgroup's subgroups, reused by the next workgroup. All
/// frames of main() have one size, so they are places in one array and freeing them does nothing;
/// frames of functions come from lists of equal blocks. It also holds the record of a subgroup that
/// stops at a barrier instead of its end.
class BarrierFrames {
 public:
  explicit BarrierFrames(std::size_t frames) : frames_(frames) {}
  BarrierFrames(const BarrierFrames&) = delete;
  BarrierFrames& operator=(const BarrierFrames&) = delete;
  ~BarrierFrames() {
    release(memory_);
    for (const Blocks& blocks : blocks_) {
      for (std::byte* block : blocks.all) release(block);
    }
  }

  /// The next frame is that of a main().
  void start_main() { is_main_ = true; }
  /// The next frame. Requires that no more than the promised number of frames of main() are in use.
  void* take(std::size_t size) {
    if (!is_main_) return take_block(size);
    if (size > frame_size_) grow(size);
    return memory_ + frame_size_ * used_++;
  }
  /// Whether the frame just taken is that of a main(); later ones belong to functions.
  bool took_main() {
    const bool main = is_main_;
    is_main_ = false;
    return main;
  }
  /// Frees the frame of a function.
  void give_back(void* frame) {
    std::byte* block = static_cast<std::byte*>(frame) - alignment;
    blocks_of(*reinterpret_cast<std::size_t*>(block)).free.push_back(block);
  }
  /// Frees all frames of main().
  void reset() { used_ = 0; }

  /// Starts a turn, up to the subgroup's next barrier or its end: `stop` receives where it stopped.
  /// Returns the coroutine to resume at its last barrier.
  std::coroutine_handle<> start_turn(BarrierStop& stop) {
    stop_ = &stop;
    return std::exchange(stop.run, nullptr);
  }
  /// Continues a turn that other subgroups' turns interrupted.
  void continue_turn(BarrierStop& stop) { stop_ = &stop; }
  /// A subgroup stops at a barrier.
  LOCKSTEP_INLINE void note_barrier(std::coroutine_handle<> run, CallAndPath barrier) {
    stop_->run = run;
    stop_->barrier = barrier;
  }
  /// The function in which it stopped is awaited at this place.
  void note_caller(std::uintptr_t place) {
    CallAndPath barrier = stop_->barrier;
    barrier.path = join_paths(barrier.path, place);
    stop_->barrier = barrier;
  }
  /// What the barrier is at which a subgroup is about to stop; only machines with observers note it.
  void note_sync(const Sync& sync) { sync_ = sync; }
  const Sync& sync() const { return sync_; }
  /// The exception of a main().
  std::exception_ptr& error() { return error_; }
  /// Rethrows it.
  void throw_error() {
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  }
  /// A function that waits at a barrier was destroyed: nothing awaits it.
  void forget_barrier() {
    if (!stop_->run) return;
    stop_->run = nullptr;
    lost_ = true;
    lost_at_ = where(stop_->barrier);
  }
  /// The barrier of a function that was called without co_await, if there is one.
  const SourceLocation* lost_barrier() const { return lost_ ? &lost_at_ : nullptr; }

 private:
  /// Frames of one size: all of them, and the free ones.
  struct Blocks {
    std::size_t size;
    std::vector<std::byte*> all, free;
  };

  // Frames hold registers of lanes; g++ 12 does not pass on their alignment, so every frame gets
  // it.
  static constexpr std::size_t alignment = 64;

  static std::byte* allocate(std::size_t size) {
    return static_cast<std::byte*>(::operator new (size, std::align_val_t{alignment}));
  }
  static void release(std::byte* memory) {
    if (memory != nullptr) ::operator delete (memory, std::align_val_t{alignment});
  }

  [[gnu::cold, gnu::noinline]] void grow(std::size_t size) {
    release(memory_);
    memory_ = nullptr;
    frame_size_ = (size + alignment - 1) / alignment * alignment;
    memory_ = allocate(frame_size_ * frames_);
  }
  Blocks& blocks_of(std::size_t size) {
    for (Blocks& blocks : blocks_) {
      if (blocks.size == size) return blocks;
    }
    return blocks_.emplace_back(Blocks{size, {}, {}});
  }
  // The frame's size is stored in front of it.
  [[gnu::noinline]] void* take_block(std::size_t size) {
    Blocks& blocks = blocks_of(size);
    if (blocks.free.empty()) {
      blocks.all.reserve(blocks.all.size() + 1);
      blocks.free.reserve(blocks.all.size() + 1);  // so that freeing never allocates
      std::byte* block = allocate(alignment + size);
      ::new (block) std::size_t(size);
      blocks.all.push_back(block);
      return block + alignment;
    }
    std::byte* block = blocks.free.back();
    blocks.free.pop_back();
    return block + alignment;
  }

  std::size_t frames_;
  std::size_t frame_size_ = 0;
  std::size_t used_ = 0;
  std::byte* memory_ = nullptr;
  BarrierStop outside_;  ///< of functions that wait although main() does not
  BarrierStop* stop_ = &outside_;
  std::exception_ptr error_;
  bool is_main_ = false;
  bool lost_ = false;
  SourceLocation lost_at_;
  Sync sync_;
  std::vector<Blocks> blocks_;
};

}  // namespace lockstep::inline LOCKSTEP_ABI::detail
