#pragma once

#include <lockstep/workgroup/memory.hpp>

namespace lockstep::inline LOCKSTEP_ABI {

/// An array that the invocations of a workgroup share: `Shared<uint, 128> totals{this};` in a
/// kernel.
///
/// Requires      Made with the kernel's `this`.
/// Active lanes  As Element.
/// Errors        As Element; faults count shared memory as binding 0xffffffff.
/// Cost          As Element.
/// Spec          GLSL shared · SPIR-V StorageClass Workgroup
/// Example       kernels/prefix_sum
template <class T, int N, int W>
class Shared {
 public:
  static constexpr std::uint32_t binding = 0xffffffff;

  template <class K>
  explicit(false) Shared(K* kernel)
      : state_(&kernel->lockstep_state()), location_(&kernel->lockstep_location()) {}
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;

  /// Each lane's element, or the same for all.
  template <class Index>
  LOCKSTEP_INLINE auto operator[](const Index& index) {
    return Array<T, W>({data_, N, binding, state_, location_})[index];
  }
  /// Number of elements.
  static constexpr std::uint32_t length() { return N; }

 private:
  alignas(64) T data_[N] = {};
  const exec::State<W>* state_;
  Location* location_;
};

}  // namespace lockstep::inline LOCKSTEP_ABI
