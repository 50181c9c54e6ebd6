// As a user who chooses widths for a source: before the first header of Lockstep, so without a precompiled one.
#define LOCKSTEP_WIDTHS 4, 32

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include <lockstep/lockstep.hpp>

#include <lockstep/glsl/pixels.hpp>

namespace {

using namespace lockstep;

template <class S>
struct ChosenWidth : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{1};
  Buffer<uint> width_run;

  void main() { width_run[0u] = uint{S::width}; }
};

template <class S>
struct ChosenPixelWidth : Pixels<S> {
  LOCKSTEP_PIXELS(S);
  Buffer<uint> width_run;

  void main() { width_run[0u] = uint{S::width}; }
};

std::uint32_t width_at(int size) {
  std::vector<std::uint32_t> width(1);
  Device{.subgroup_size = size}.dispatch<ChosenWidth>({1}, width);
  return width[0];
}

TEST_CASE("LOCKSTEP_WIDTHS chooses the widths of a dispatch that names none") {
  CHECK(width_at(1) == 4);
  CHECK(width_at(4) == 4);
  CHECK(width_at(5) == 32);
  CHECK(width_at(32) == 32);
  CHECK_THROWS_WITH(
      width_at(33),
      "subgroup size 33 does not fit the widths this dispatch was compiled for: use 1 to "
      "32, or name a wider one");
}

TEST_CASE("LOCKSTEP_WIDTHS chooses those of every kind of dispatch") {
  std::vector<std::uint32_t> width(1);
  Device{.subgroup_size = 8}.dispatch<ChosenWidth>(Convergence{}, {1}, width);
  CHECK(width[0] == 32);
  Device{.subgroup_size = 4}.dispatch_pixels<ChosenPixelWidth>(2, 2, width);
  CHECK(width[0] == 4);
  Device{.subgroup_size = 8}.dispatch_pixels<ChosenPixelWidth>(Convergence{}, 2, 2, width);
  CHECK(width[0] == 32);
}

}  // namespace
