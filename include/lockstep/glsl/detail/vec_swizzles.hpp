#pragma once

#include <lockstep/config.hpp>

/// \file
/// The components of a GLSL vector and every selection of two to four of them.

namespace lockstep::inline LOCKSTEP_ABI {

template <class T, int N, int W>
struct Vec;

namespace detail {

/// The index of the component that a letter names.
constexpr int component_index(char letter) { return letter == 'w' ? 3 : letter - 'x'; }

/// Whether a vector of N has all these components. An invalid swizzle fails to compile here.
template <int N, char... Letters>
concept vector_has_components = ((component_index(Letters) < N) && ...);

template <class L, int N>
struct VecComponents;

template <class L>
struct VecComponents<L, 2> {
  L x, y;

  template <int K>
  requires(K < 2) LOCKSTEP_INLINE const L& component() const {
    if constexpr (K == 0)
      return x;
    else
      return y;
  }
};

template <class L>
struct VecComponents<L, 3> {
  L x, y, z;

  template <int K>
  requires(K < 3) LOCKSTEP_INLINE const L& component() const {
    if constexpr (K == 0)
      return x;
    else if constexpr (K == 1)
      return y;
    else
      return z;
  }
};

template <class L>
struct VecComponents<L, 4> {
  L x, y, z, w;

  template <int K>
  requires(K < 4) LOCKSTEP_INLINE const L& component() const {
    if constexpr (K == 0)
      return x;
    else if constexpr (K == 1)
      return y;
    else if constexpr (K == 2)
      return z;
    else
      return w;
  }
};

}  // namespace detail
}  // namespace lockstep::inline LOCKSTEP_ABI

// One function for each selection, expanded in the body of Vec: .xy(), .zyx(), .wwww(), ...
#define LOCKSTEP_SWIZZLE_OF_2(a, b)                                                               \
  LOCKSTEP_INLINE Vec<T, 2, W> a##b() const requires detail::vector_has_components<N, *#a, *#b> { \
    return this->template swizzle<*#a, *#b>();                                                    \
  }
#define LOCKSTEP_SWIZZLE_OF_3(a, b, c)                                 \
  LOCKSTEP_INLINE Vec<T, 3, W> a##b##c()                               \
      const requires detail::vector_has_components<N, *#a, *#b, *#c> { \
    return this->template swizzle<*#a, *#b, *#c>();                    \
  }
#define LOCKSTEP_SWIZZLE_OF_4(a, b, c, d)                                   \
  LOCKSTEP_INLINE Vec<T, 4, W> a##b##c##d()                                 \
      const requires detail::vector_has_components<N, *#a, *#b, *#c, *#d> { \
    return this->template swizzle<*#a, *#b, *#c, *#d>();                    \
  }
#define LOCKSTEP_SWIZZLES_FROM_3(a, b, c) \
  LOCKSTEP_SWIZZLE_OF_3(a, b, c)          \
  LOCKSTEP_SWIZZLE_OF_4(a, b, c, x)       \
  LOCKSTEP_SWIZZLE_OF_4(a, b, c, y)       \
  LOCKSTEP_SWIZZLE_OF_4(a, b, c, z)       \
  LOCKSTEP_SWIZZLE_OF_4(a, b, c, w)
#define LOCKSTEP_SWIZZLES_FROM_2(a, b) \
  LOCKSTEP_SWIZZLE_OF_2(a, b)          \
  LOCKSTEP_SWIZZLES_FROM_3(a, b, x)    \
  LOCKSTEP_SWIZZLES_FROM_3(a, b, y)    \
  LOCKSTEP_SWIZZLES_FROM_3(a, b, z)    \
  LOCKSTEP_SWIZZLES_FROM_3(a, b, w)
#define LOCKSTEP_SWIZZLES_FROM_1(a) \
  LOCKSTEP_SWIZZLES_FROM_2(a, x)    \
  LOCKSTEP_SWIZZLES_FROM_2(a, y)    \
  LOCKSTEP_SWIZZLES_FROM_2(a, z)    \
  LOCKSTEP_SWIZZLES_FROM_2(a, w)
#define LOCKSTEP_SWIZZLES     \
  LOCKSTEP_SWIZZLES_FROM_1(x) \
  LOCKSTEP_SWIZZLES_FROM_1(y) \
  LOCKSTEP_SWIZZLES_FROM_1(z) \
  LOCKSTEP_SWIZZLES_FROM_1(w)
