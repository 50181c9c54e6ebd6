#pragma once

#include <lockstep/config.hpp>
#include <lockstep/dispatch/image.hpp>

/// \file
/// Declares the types of images in kernels: a kernel with images includes glsl/image.hpp.

namespace lockstep::inline LOCKSTEP_ABI {

template <class S, class T, ImageKind Kind, bool Readable = true, bool Writable = true>
class ImageOn;

namespace detail {

/// An image type with GLSL's qualifiers.
template <class I>
struct Qualified;
template <class S, class T, ImageKind Kind, bool Readable, bool Writable>
struct Qualified<ImageOn<S, T, Kind, Readable, Writable>> {
  using readonly = ImageOn<S, T, Kind, Readable, false>;
  using writeonly = ImageOn<S, T, Kind, false, Writable>;
};

}  // namespace detail
}  // namespace lockstep::inline LOCKSTEP_ABI
