#pragma once

#include <type_traits>
#include <utility>

#include <lockstep/workgroup/atomics.hpp>

/// \file
/// Arrays in kernels that run on pixels: as workgroup/memory.hpp, but helpers only read.

namespace lockstep::inline LOCKSTEP_ABI {

/// One element of an array per lane: as Element, except that helper lanes take no part in stores
/// and atomics.
///
/// Requires      As Element.
/// Active lanes  Helpers read like others. The result of their atomics is undefined: here zero.
/// Errors        As Element; a store that a helper does not make is not a fault.
/// Cost          As Element.
/// Spec          Vulkan "Fragment Shader Execution": helper invocations
/// Example       tests/workgroup/pixel_memory.cpp
template <class L, class T, class Index>
class PixelElement : public Element<L, T, Index> {
  static constexpr int W = L::width;
  using All = Element<L, T, Index>;

 public:
  LOCKSTEP_INLINE PixelElement(const detail::View<T, W>& view, const Index& index,
                               const Mask<W>* covered, SourceLocation where)
      : All(view, index, where), covered_(covered) {}

  /// Writes each active lane's value to its element, except for helpers.
  LOCKSTEP_INLINE void operator=(const L& value) && requires(!std::is_const_v<T>) { store(value); }
  /// Reads the other element, then writes.
  LOCKSTEP_INLINE void operator=(PixelElement&& other) && requires(!std::is_const_v<T>) {
    store(L(static_cast<PixelElement&&>(other)));
  }
  LOCKSTEP_NAMED_ELEMENT void operator=(const PixelElement&) &&;
  LOCKSTEP_ELEMENT_ASSIGNMENTS(L, !std::is_const_v<T>)
  /// For compound assignments: the value before, without helpers.
  LOCKSTEP_INLINE L read_to_change() const {
    return without_helpers([](All && element) __attribute__((always_inline)) {
      return L(static_cast<All&&>(element));
    });
  }

  /// For atomics: helpers take no part.
  LOCKSTEP_INLINE Mask<W> active() const { return this->view().active() & *covered_; }

  /// f(element), where no helper touches the element.
  template <class F>
  LOCKSTEP_INLINE auto without_helpers(F&& f) const {
    const Mask<W> storing = active();
    return f(All(this->view().of(&storing), this->index(), this->where()));
  }

 private:
  LOCKSTEP_INLINE void store(const L& value) const {
    without_helpers([&](All && element)
                        __attribute__((always_inline)) { static_cast<All&&>(element) = value; });
  }

  const Mask<W>* covered_;
};

/// An array in a kernel that runs on pixels: as Array.
template <class T, int W>
class PixelArray {
 public:
  using L = Lanes<std::remove_const_t<T>, W>;
  using Uint = Lanes<std::uint32_t, W>;

  LOCKSTEP_INLINE PixelArray(const detail::View<T, W>& view, const Mask<W>* covered)
      : view_(view), covered_(covered) {}
  PixelArray(const PixelArray&) = default;
  /// An array to read from, made from one to write to.
  LOCKSTEP_INLINE PixelArray(
      const PixelArray<std::remove_const_t<T>, W>& writable) requires std::is_const_v<T>
      : view_(writable.view_), covered_(writable.covered_) {}

  /// Each lane's element.
  LOCKSTEP_INLINE PixelElement<L, T, Uint> operator[](const detail::LaneIndex<Uint>& index) const {
    return {view_, index.lanes, covered_, index.where};
  }
  /// Each lane's element; a negative index is out of bounds.
  LOCKSTEP_INLINE PixelElement<L, T, Uint> operator[](
      const detail::ConvertedIndex<Uint, Lanes<std::int32_t, W>>& index) const {
    return {view_, index.lanes, covered_, index.where};
  }
  /// The same element for all lanes.
  LOCKSTEP_INLINE PixelElement<L, T, std::uint32_t> operator[](
      const detail::UniformIndex& index) const {
    return {view_, index.value, covered_, index.where};
  }
  /// GLSL's length() of a runtime-sized array.
  LOCKSTEP_INLINE std::uint32_t length() const { return view_.size; }
  /// The array as the subgroup sees it.
  LOCKSTEP_INLINE const detail::View<T, W>& view() const { return view_; }
  /// The lanes that are not helpers, for places.
  LOCKSTEP_INLINE const Mask<W>* context() const { return covered_; }

 private:
  template <class U, int V>
  friend class PixelArray;

  detail::View<T, W> view_;
  const Mask<W>* covered_;
};

namespace detail {

/// As for Array.
template <class T, int W>
LOCKSTEP_INLINE PixelArray<T, W> make_array(const exec::PixelState<W>& state,
                                            const View<T, W>& view) {
  return PixelArray<T, W>(view, &state.covered);
}

}  // namespace detail
}  // namespace lockstep::inline LOCKSTEP_ABI
