#include "io/png.hpp"

namespace lockstep::io {

Picture decode_png(std::span<const std::byte>, std::uint64_t) {
  throw PngError("cannot be read: this build (LOCKSTEP_SANDBOX) reads no PNG files");
}

std::string encode_png(const Picture&) {
  throw PngError("this build (LOCKSTEP_SANDBOX) writes no PNG files");
}

}  // namespace lockstep::io
