#pragma once

#include <lockstep/glsl/kernel.hpp>

namespace lockstep::inline LOCKSTEP_ABI {

/// The base class of kernels that run on pixels, like fragment shaders: Device::dispatch_pixels.
///
/// Every four lanes form a quad: pixels (x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1) with even x
/// and y. If the image's width or height is odd, some of them are outside: helpers, which are
/// active so that derivatives and quad built-ins have a neighbour to read, and which store nothing.
///
/// Requires      As Kernel, with LOCKSTEP_PIXELS(S) instead of LOCKSTEP_GLSL(S), a main() that returns
///               void, and no local_size.
/// Active lanes  As Kernel; helpers take part in everything except stores and atomics.
/// Errors        None of its own.
/// Cost          As Kernel.
/// Spec          GLSL fragment shader
/// Example       tests/glsl/pixels.cpp
template <class S>
class Pixels : public Kernel<S> {
 public:
  using Float = ValueOn<S, float>;

  /// The centre of each lane's pixel; z is 0, w is 1.
  VecOn<S, float, 4> gl_FragCoord;
  /// Whether the lane's pixel is outside the image.
  ValueOn<S, bool> gl_HelperInvocation;

  LOCKSTEP_INLINE Pixels(const detail::SubgroupSetup<S>& setup)
      : Pixels(setup, {setup.grid.area, setup.location.workgroup.x}) {}

 private:
  using Place = detail::PixelPlace<S::width>;

  LOCKSTEP_INLINE static Float centre(const typename Place::Uint& pixel) {
    return Lanes<float, S::width>(pixel) + 0.5f;
  }

  LOCKSTEP_INLINE Pixels(const detail::SubgroupSetup<S>& setup, const Place& place)
      : Kernel<S>(setup),
        gl_FragCoord(centre(place.x), centre(place.y), Float(0.0f), Float(1.0f)),
        gl_HelperInvocation(~setup.state.covered) {}
};

}  // namespace lockstep::inline LOCKSTEP_ABI

/// The first line of a kernel that runs on pixels.
#define LOCKSTEP_PIXELS(S)                      \
  LOCKSTEP_GLSL(S);                             \
  using LockstepPixels = ::lockstep::Pixels<S>; \
  using LockstepPixels::gl_FragCoord;           \
  using LockstepPixels::gl_HelperInvocation;    \
  static_assert(true, "LOCKSTEP_PIXELS(S) ends with a semicolon")
