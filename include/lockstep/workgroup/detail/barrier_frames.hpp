#pragma once

#include <cstddef>
#include <new>

#include <lockstep/config.hpp>

namespace lockstep::inline LOCKSTEP_ABI::detail {

/// Memory for the coroutine frames of one workgroup's subgroups, used again by the next workgroup.
/// All frames of a kernel are equally large, so a frame is a place in one array and freeing it does
/// nothing. Also the note that a subgroup leaves when it stops at a barrier instead of at its end.
class BarrierFrames {
 public:
  explicit BarrierFrames(std::size_t frames) : frames_(frames) {}
  BarrierFrames(const BarrierFrames&) = delete;
  BarrierFrames& operator=(const BarrierFrames&) = delete;
  ~BarrierFrames() { release(); }

  /// The next frame. Requires that at most the promised number of frames is in use.
  void* take(std::size_t size) {
    if (size > frame_size_) grow(size);
    return memory_ + frame_size_ * used_++;
  }
  /// All frames are free again.
  void reset() { used_ = 0; }

  /// A subgroup stops at a barrier.
  void note_barrier() { at_barrier_ = true; }
  /// Whether a subgroup stopped at a barrier since the last call.
  bool take_note() {
    const bool noted = at_barrier_;
    at_barrier_ = false;
    return noted;
  }

 private:
  // Frames hold registers of lanes; g++ 12 does not pass their alignment on, so every frame gets
  // it.
  static constexpr std::size_t alignment = 64;

  [[gnu::cold, gnu::noinline]] void grow(std::size_t size) {
    release();
    frame_size_ = (size + alignment - 1) / alignment * alignment;
    memory_ =
        static_cast<std::byte*>(::operator new (frame_size_* frames_, std::align_val_t{alignment}));
  }
  void release() {
    if (memory_ != nullptr) ::operator delete (memory_, std::align_val_t{alignment});
  }

  std::size_t frames_;
  std::size_t frame_size_ = 0;
  std::size_t used_ = 0;
  std::byte* memory_ = nullptr;
  bool at_barrier_ = false;
};

}  // namespace lockstep::inline LOCKSTEP_ABI::detail
