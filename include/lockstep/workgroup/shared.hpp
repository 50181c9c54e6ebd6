#pragma once

#include <concepts>
#include <string_view>
#include <type_traits>

#include <lockstep/exec/undefined.hpp>
#include <lockstep/workgroup/traced_memory.hpp>

namespace lockstep::inline LOCKSTEP_ABI {

namespace detail {

/// A kernel whose subgroups run one after another, each to its end.
template <class K>
concept WithoutBarriers = requires(K& kernel) {
  { kernel.main() } -> std::same_as<void>;
};

/// Takes memory for a shared array from the kernel; gives the array's number among the kernel's, and its name.
template <class K>
Binding take_shared(K& kernel, std::uint64_t bytes, std::string_view name) {
  static_assert(
      !WithoutBarriers<K>,
      "a kernel with Shared arrays needs Barriers main(), which ends with co_return or contains "
      "co_await barrier(): with void main() each subgroup runs alone");
  const Binding binding(kernel.lockstep_take_shared(bytes), MemoryObject::Kind::shared,
                        number_of_name(name));
  return binding.of_one_thread();  // a workgroup runs on one
}

/// What a machine with these numbers keeps beside a shared array of so many numbers, or bytes of elements: nothing.
/// Machines with numbers of their own specialise it.
template <class Numbers, std::size_t Size>
struct SharedShadow {
  template <class State, class T, int W>
  LOCKSTEP_INLINE static auto array(State& state, const View<T, W>& view) {
    return make_array(state, view);
  }
  template <class State>
  LOCKSTEP_INLINE static State* context(State* state) {
    return state;
  }
};

}  // namespace detail

/// An array shared by the invocations of a workgroup: `Shared<uint, 128> totals{this};` in a
/// kernel. Findings call it "shared array 0", by its position among the kernel's, or by the name in
/// `Shared<uint, 128> totals{this, "totals"};`.
///
/// Requires      Constructed with the kernel's `this`; the kernel does not run on pixels, and its main()
///               returns Barriers.
/// Active lanes  As Element.
/// Errors        As Element. Throws Error where the device has less shared memory than the kernel's
///               arrays take together.
/// Cost          As Element.
/// Spec          GLSL shared · SPIR-V StorageClass Workgroup
/// Example       kernels/prefix_sum
template <class T, int N, class S>
class Shared {
  static_assert(!PixelsOn<S>, "shared memory belongs to workgroups, and pixels have none");
  static constexpr int W = S::width;

 public:
  template <class K>
  explicit(false) Shared(K* kernel, std::string_view name = {})
      : state_(&kernel->lockstep_state()),
        location_(&kernel->lockstep_location()),
        binding_(detail::take_shared(*kernel, bytes_each * N, name)) {
    if (kernel->lockstep_undefined() == Undefined::poison) [[unlikely]]
      for (T& element : data_) element = poison();
  }
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;

  /// Each lane's element.
  LOCKSTEP_INLINE auto operator[](const detail::LaneIndex<ValueOn<S, std::uint32_t>>&
                                      index) requires(!detail::takes_traced_index<S>) {
    return array()[index];
  }
  /// Each lane's element; a negative index is out of bounds.
  LOCKSTEP_INLINE auto operator[](
      const detail::ConvertedIndex<ValueOn<S, std::uint32_t>, ValueOn<S, std::int32_t>>&
          index) requires(!detail::takes_traced_index<S>) {
    return array()[index];
  }
  /// The same element for all lanes.
  LOCKSTEP_INLINE auto operator[](const detail::UniformIndex& index) requires(
      !detail::takes_traced_index<S>) {
    return array()[index];
  }
  auto operator[](const detail::TracedIndex<W>& index) requires(detail::takes_traced_index<S>) {
    return array()[index];
  }
  /// Number of elements.
  static constexpr std::uint32_t length() { return N; }

 private:
  static constexpr std::uint64_t bytes_each = std::is_same_v<T, bool> ? 4 : sizeof(T);

  static T poison() {
    if constexpr (std::same_as<T, bool>)
      return true;
    else
      return exec::poison<T>();
  }

  LOCKSTEP_INLINE ArrayOn<S, T> array() {
    return shadow_.array(*state_,
                         detail::View<T, W>{data_, N, binding_, &state_->active, location_});
  }

  alignas(64) T data_[N] = {};
  typename S::State* state_;
  Location* location_;
  detail::Binding binding_;
  [[no_unique_address]] detail::SharedShadow<typename S::Numbers, N> shadow_;
};

}  // namespace lockstep::inline LOCKSTEP_ABI
