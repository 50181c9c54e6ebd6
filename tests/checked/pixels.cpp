#include <algorithm>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/checked.hpp>
#include <lockstep/glsl/pixels.hpp>

#include <lockstep/glsl/keywords.hpp>

namespace {

using namespace lockstep;
using std::uint32_t;
using Numbers = std::vector<uint32_t>;

/// The findings of K on pixels.
template <template <class> class K, class... A>
std::vector<Finding> findings(uint32_t width, uint32_t height, A&&... arguments) {
  const Device device{.subgroup_size = 8, .faults = Faults::counted};
  return device.dispatch_pixels_checked<K, 8>(width, height, arguments...).findings();
}

/// The derivative of a value that some pixels do not set.
template <class S>
struct Slope : Pixels<S> {
  LOCKSTEP_PIXELS(S);
  uint unset_x, width;
  Buffer<float> out;

  void main() {
    const Uint x = Uint(gl_FragCoord.x), y = Uint(gl_FragCoord.y);
    const Uint distance = select((x == unset_x) & (y == 1u), Uint(0u), Uint(1u));
    const Float height = 1.0f / Float(8u / distance);
    const Float slope = dFdxFine(height);
    out[y * width + x] = slope;
  }
};

TEST_CASE("derivatives of undefined values are undefined in their row of the quad only") {
  constexpr uint32_t width = 8;
  std::vector<float> out(2 * width);
  for (const uint32_t unset : {uint32_t{3}, uint32_t{100}}) {
    const auto found = findings<Slope>(width, 2, unset, width, out);
    INFO(unset);
    if (unset >= width) {
      CHECK(found.empty());
      continue;
    }
    REQUIRE(found.size() == 1);
    CHECK(found[0].rule == "division-by-zero");
    // Pixels 2 and 3 of the lower row are members 2 and 3 of the second quad.
    CHECK(to_string(found[0].lanes) == "6-7");
  }
}

/// A derivative where a pixel of the quad is in another branch.
template <class S>
struct SlopeInBranch : Pixels<S> {
  LOCKSTEP_PIXELS(S);
  uint border;
  Buffer<float> out;

  void main() {
    const Uint x = Uint(gl_FragCoord.x), y = Uint(gl_FragCoord.y);
    If (x < border) {
      const Float slope = dFdx(gl_FragCoord.x);
      If (y == 0u) out[x] = slope;
    }
  }
};

TEST_CASE("a derivative in a branch that splits a quad is undefined") {
  std::vector<float> out(8);
  CHECK(findings<SlopeInBranch>(8, 2, uint32_t{4}, out).empty());
  const auto found = findings<SlopeInBranch>(8, 2, uint32_t{5}, out);
  REQUIRE(found.size() == 1);
  CHECK(found[0].rule == "undefined-quad");
  CHECK(found[0].count == 1);
  CHECK(found[0].origin_message == "dFdx reads a lane of the quad that is not active");
}

/// Helpers compute an undefined value and an index outside, but store nothing.
template <class S>
struct HelpersStore : Pixels<S> {
  LOCKSTEP_PIXELS(S);
  uint width;
  Buffer<uint> out;

  void main() {
    const Uint x = Uint(gl_FragCoord.x);
    out[x] += 6u / (width - min(x, Uint(width)));
  }
};

TEST_CASE("what helpers would store is no finding, and what pixels store is") {
  Numbers three(3), two(2);
  CHECK(findings<HelpersStore>(3, 1, uint32_t{3}, three).empty());
  CHECK(three == Numbers{2, 3, 6});
  const auto found = findings<HelpersStore>(4, 1, uint32_t{3}, three);
  const auto of = [&](std::string_view rule) {
    return std::ranges::count(found, rule, &Finding::rule);
  };
  CHECK(of("out-of-bounds") == 2);  // it reads, and it writes
  CHECK(of("division-by-zero") == 1);
  CHECK(found.size() == 3);
}

}  // namespace
