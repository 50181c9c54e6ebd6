#include <lockstep/glsl/pixels.hpp>

#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/dispatch/device.hpp>

#include <lockstep/glsl/keywords.hpp>

namespace {

using namespace lockstep;
using std::uint32_t;
using Numbers = std::vector<uint32_t>;

constexpr int run_sizes[] = {4, 5, 8, 16, 24, 31, 32, 33, 64, 100, 127, 128};

/// What each pixel finds: its place, how often it runs, derivatives, its quad, and the helpers.
template <class S>
struct WhoAmI : Pixels<S> {
  LOCKSTEP_PIXELS(S);
  uint width;
  Buffer<float> centre_x;
  Buffer<float> centre_y;
  Buffer<uint> runs;
  Buffer<float> dx;
  Buffer<float> dy_coarse;
  Buffer<uint> member;
  Buffer<uint> helpers_in_quad;
  Buffer<uint> helpers;

  static Uint helper_bit(const Bool& helper) { return select(helper, Uint(1u), Uint(0u)); }

  void main() {
    const Uint x = Uint(gl_FragCoord.x), y = Uint(gl_FragCoord.y);
    const Uint i = y * width + x;
    centre_x[i] = gl_FragCoord.x;
    centre_y[i] = gl_FragCoord.y;
    atomicAdd(runs[i], 1u);
    const Float curve = gl_FragCoord.x * gl_FragCoord.x * gl_FragCoord.y;
    dx[i] = dFdx(curve);
    dy_coarse[i] = dFdyCoarse(curve);
    member[i] = gl_SubgroupInvocationID % 4u;
    helpers_in_quad[i] = subgroupClusteredAdd(helper_bit(gl_HelperInvocation), 4u);
    // Helpers can say so only through somebody else: stores of theirs vanish.
    atomicAdd(helpers[0u], 1000000u * helper_bit(gl_HelperInvocation));
    const uint in_all = subgroupAdd(helper_bit(gl_HelperInvocation));
    If (subgroupBallotFindLSB(subgroupBallot(!gl_HelperInvocation)) == gl_SubgroupInvocationID) {
      atomicAdd(helpers[0u], in_all);
    }
  }
};

TEST_CASE("every pixel runs once, in its quad") {
  for (const auto& [width, height] : {std::pair(1u, 1u), std::pair(2u, 2u), std::pair(1u, 9u),
                                      std::pair(8u, 6u), std::pair(7u, 5u), std::pair(33u, 4u)}) {
    for (const int size : run_sizes) {
      for (const int threads : {1, 0}) {
        const std::size_t n = std::size_t{width} * height;
        std::vector<float> cx(n), cy(n), dx(n), dy(n);
        Numbers runs(n), member(n), in_quad(n), helpers(1);
        const FaultLog faults =
            Device{.subgroup_size = size, .threads = threads}.dispatch_pixels<WhoAmI, 8, 33, 128>(
                width, height, width, cx, cy, runs, dx, dy, member, in_quad, helpers);
        INFO(width << " x " << height << ", size " << size);
        CHECK(faults.count() == 0);
        CHECK(runs == Numbers(n, 1));
        CHECK(helpers[0] == (width + width % 2) * (height + height % 2) - n);
        int wrong = 0;
        for (uint32_t y = 0; y < height; ++y) {
          for (uint32_t x = 0; x < width; ++x) {
            const std::size_t i = y * width + x;
            const auto f = [](uint32_t px, uint32_t py) {
              const float a = static_cast<float>(px) + 0.5f, b = static_cast<float>(py) + 0.5f;
              return a * a * b;
            };
            const uint32_t left = x & ~1u, top = y & ~1u;
            uint32_t outside = 0;
            for (uint32_t k = 0; k < 4; ++k)
              outside += left + k % 2 >= width || top + k / 2 >= height;
            wrong += cx[i] != static_cast<float>(x) + 0.5f;
            wrong += cy[i] != static_cast<float>(y) + 0.5f;
            wrong += member[i] != x % 2 + 2 * (y % 2);
            wrong += in_quad[i] != outside;
            wrong += dx[i] != f(left + 1, y) - f(left, y);
            wrong += dy[i] != f(left, top + 1) - f(left, top);
          }
        }
        CHECK(wrong == 0);
      }
    }
  }
}

/// Pixels that return, and loops of different length: helpers stay to be asked.
template <class S>
struct Diverge : Pixels<S> {
  LOCKSTEP_PIXELS(S);
  uint width;
  Buffer<const uint> trips;
  Buffer<uint> out;
  Buffer<const uint> beside;

  void main() {
    const Uint x = Uint(gl_FragCoord.x), y = Uint(gl_FragCoord.y);
    auto sum = var(beside[x]);  // helpers read, too
    const Uint right = subgroupQuadSwapHorizontal(sum);
    If (x % 5u == 3u) Return;
    const Uint i = y * width + x;
    auto count = var(0u);
    While (count < trips[x]) {
      count += 1u;
      sum += right;
    }
    out[i] += sum;
  }
};

TEST_CASE("control flow diverges between pixels as between invocations") {
  constexpr uint32_t width = 13, height = 7;
  Numbers trips(width + 1), beside(width + 1), want(width * height, 1);
  for (uint32_t x = 0; x <= width; ++x) {
    trips[x] = x * 7 % 5;
    beside[x] = 3 * x + 1;
  }
  for (uint32_t y = 0; y < height; ++y)
    for (uint32_t x = 0; x < width; ++x)
      if (x % 5 != 3) want[y * width + x] = 1 + beside[x] + trips[x] * beside[x ^ 1];
  for (const int size : run_sizes) {
    Numbers out(width * height, 1);
    const FaultLog faults = Device{.subgroup_size = size}.dispatch_pixels<Diverge, 8, 33, 128>(
        width, height, width, trips, out, beside);
    CHECK(faults.count() == 0);
    CHECK(out == want);
  }
}

TEST_CASE("no pixels are no work, and wrong sizes are errors") {
  Numbers trips(10), out(10);
  const auto run = [&](int size, uint32_t width, uint32_t height) {
    return Device{.subgroup_size = size}.dispatch_pixels<Diverge, 4, 128>(width, height, width,
                                                                          trips, out, trips);
  };
  CHECK(run(4, 0, 5).count() == 0);
  CHECK(run(4, 5, 0).count() == 0);
  CHECK(out == Numbers(10));
  CHECK_THROWS_WITH(run(3, 5, 5),
                    Catch::Contains("kernel Diverge") && Catch::Contains("at least 4"));
  CHECK_THROWS_WITH(run(129, 5, 5), Catch::Contains("subgroup size 129"));
  CHECK_THROWS_WITH(run(4, 0xffffffff, 0xffffffff), Catch::Contains("split them"));
}

TEST_CASE("pixels need what the profile has") {
  Numbers trips(10), out(10);
  Profile profile = profile::nvidia;
  profile.features = profile.features.without(Feature::quad);
  CHECK_NOTHROW(Device{profile::nvidia}.dispatch_pixels<Diverge, 32>(2, 2, 2u, trips, out, trips));
  CHECK_THROWS_WITH((Device{profile}.dispatch_pixels<Diverge, 32>(2, 2, 2u, trips, out, trips)),
                    Catch::Contains("kernel Diverge needs VK_SUBGROUP_FEATURE_QUAD_BIT"));
}

/// Derivatives in a compute kernel.
template <class S>
struct Derive : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{6, 4};
  Buffer<float> dx;
  Buffer<float> dy;

  void main() {
    const Float f =
        Float(gl_LocalInvocationID.x * gl_LocalInvocationID.x + gl_LocalInvocationID.y * 10u);
    dx[gl_LocalInvocationIndex] = dFdx(f);
    dy[gl_LocalInvocationIndex] = dFdy(f);
  }
};

TEST_CASE("compute kernels have derivatives where the mapping makes quads of neighbours") {
  for (const int size : {4, 8, 24, 32, 100}) {
    std::vector<float> dx(24), dy(24);
    Device{.subgroup_size = size, .mapping = Mapping::quads()}.dispatch<Derive, 8, 128>({1}, dx,
                                                                                        dy);
    for (uint32_t i = 0; i < 24; ++i) {
      const auto left = static_cast<float>(i % 6 / 2 * 2);
      CHECK(dx[i] == (left + 1) * (left + 1) - left * left);
      CHECK(dy[i] == 10.0f);
    }
  }
  std::vector<float> dx(24), dy(24);
  Profile profile = profile::nvidia;
  profile.features = profile.features.without(Feature::compute_derivative_group_quads);
  CHECK_NOTHROW(Device{profile}.dispatch<Derive, 32>({1}, dx, dy));
  CHECK_THROWS_WITH(
      (Device{.profile = profile, .mapping = Mapping::quads()}.dispatch<Derive, 32>({1}, dx, dy)),
      Catch::Contains("computeDerivativeGroupQuads"));
}

}  // namespace

#include <lockstep/glsl/keywords_off.hpp>
