#include <catch2/catch.hpp>

#include <lockstep/glsl/image.hpp>
#include <lockstep/lockstep.hpp>

// After all other headers: the macros rename ordinary words.
#include <lockstep/glsl/keywords.hpp>

/// \file
/// What may look like a mistake, but is defined. The name of a test case is what is written, " => no error: " and
/// what it means; docs/reference/misuse.md lists them.

namespace {

using namespace lockstep;

/// Runs K on the fast machine and on the tangled one, with two subgroups, and compares what it writes.
template <template <class> class K, class... A>
void expect_values(const std::vector<std::uint32_t>& want, A&... arguments) {
  const Device device{.subgroup_size = 4};
  std::vector<std::uint32_t> out(want.size());
  CHECK_NOTHROW(device.dispatch<K, 4>({1}, out, arguments...));
  CHECK(out == want);
  out.assign(want.size(), 0);
  CHECK_NOTHROW(device.dispatch<K, 4>(Convergence{}, {1}, out, arguments...));
  CHECK(out == want);
}

template <class S>
struct NamesTexel : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8};
  Buffer<uint> out;
  uimage2D image;
  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    const ivec2 p(Int(i), 0);
    imageStore(image, p, uvec4(i));
    auto texel = imageLoad(image, p);
    imageStore(image, p, uvec4(100u));
    out[i] = texel.x;
  }
};

TEST_CASE(
    "auto texel = imageLoad(image, p); imageStore(image, p, other); => no error: a texel is a "
    "value, which keeps what was read") {
  Image2D image(ImageFormat::r32ui, 8, 1);
  expect_values<NamesTexel>({0, 1, 2, 3, 4, 5, 6, 7}, image);
}

}  // namespace
