#include <lockstep/glsl/pixels.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/dispatch/device.hpp>
#include <lockstep/glsl/image.hpp>
#include <lockstep/glsl/mat.hpp>

#include <lockstep/glsl/keywords.hpp>

namespace {

using namespace lockstep;
using std::uint32_t;
using Numbers = std::vector<uint32_t>;

LOCKSTEP_STRUCT(Cell, (vec3, normal), (float, weight), (uint, hits, 3), (mat2, turn));

constexpr int run_sizes[] = {4, 5, 8, 16, 24, 31, 32, 33, 64, 100, 127, 128};

/// Runs K at a size on the fast machine, or on the tangled one, with the arguments.
template <template <class> class K, class... A>
FaultLog run_pixels(const Device& device, bool tangled, uint32_t width, uint32_t height,
                    A&... arguments) {
  if (tangled) return device.dispatch_pixels<K, 128>(Convergence{}, width, height, arguments...);
#if defined(LOCKSTEP_TEST_FULL)
  return device.dispatch_pixels<K, 8, 32, 128>(width, height, arguments...);
#else
  return device.dispatch_pixels<K, 128>(width, height, arguments...);
#endif
}

/// What each pixel records: its place, how often it runs, derivatives, its quad, and the helpers.
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
    // Helpers can only report through another lane: their own stores have no effect.
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
      for (const auto& [threads, tangled] : {std::pair(1, false), {0, false}, {1, true}}) {
        if (tangled && width > 8 && size % 8 != 0) continue;
        const std::size_t n = std::size_t{width} * height;
        std::vector<float> cx(n), cy(n), dx(n), dy(n);
        Numbers runs(n), member(n), in_quad(n), helpers(1);
        const FaultLog faults =
            run_pixels<WhoAmI>(Device{.subgroup_size = size, .threads = threads}, tangled, width,
                               height, width, cx, cy, runs, dx, dy, member, in_quad, helpers);
        INFO(width << " x " << height << ", size " << size << ", tangled " << tangled);
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

/// Pixels that return, and loops of different length: helpers stay available.
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
    for (const bool tangled : {false, true}) {
      Numbers out(width * height, 1);
      const FaultLog faults = run_pixels<Diverge>(Device{.subgroup_size = size}, tangled, width,
                                                  height, width, trips, out, beside);
      CHECK(faults.count() == 0);
      CHECK(out == want);
    }
  }
}

/// Writes elements larger than a number, in every way there is. Every lane also writes elements of
/// its own, after those of the pixels, which only helpers reach.
template <class S>
struct Elements : Pixels<S> {
  LOCKSTEP_PIXELS(S);
  uint width;   // in quads: of the rows of the arrays
  uint target;  // the elements that helpers write
  Buffer<vec4> colours;
  Buffer<Cell> cells;
  Buffer<mat2x3> frames;
  Buffer<vec3> copies;
  Buffer<const Cell> given;

  void main() {
    const Uint x = Uint(gl_FragCoord.x), y = Uint(gl_FragCoord.y);
    const Uint i = y * width + x;  // helpers have elements, too
    colours[i] = vec4(gl_FragCoord.x, gl_FragCoord.y, 0.5f, 1.0f);
    colours[i].y += Float(x);
    colours[i] *= vec4(2.0f);
    // Helpers read: their values reach the neighbour.
    const Float beside = subgroupQuadSwapHorizontal(given[x].weight);
    colours[i].z = Float(subgroupQuadSwapHorizontal(given[x].hits[x % 3u]));
    colours[i][x % 4u] = -1.0f;
    If (x % 3u != 1u) {
      cells[i].normal = vec3(beside, given[x].normal.y, Float(y));
      cells[i].weight -= 3.0f;
      cells[i].hits[x % 3u] = i;
      cells[i].turn[1].x = beside;
      atomicAdd(cells[i].hits[1], 100u);
    }
    Else {
      cells[i] = given[x];
      cells[i].turn = mat2(1.0f, 2.0f, 3.0f, 4.0f);
    }
    atomicMax(cells[target].hits[2], select(gl_HelperInvocation, Uint(77u), Uint(i)));
    atomicExchange(cells[target].normal.z, select(gl_HelperInvocation, Float(9.0f), Float(5.0f)));
    frames[i][1] = vec3(given[x].normal) * 2.0f;
    frames[i][0].z = Float(i);
    copies[target] = vec3(select(gl_HelperInvocation, Float(9.0f), Float(5.0f)));
    copies[i] = given[x].normal;
  }
};

Cell given_cell(uint32_t x) {
  const auto f = static_cast<float>(x);
  Cell cell;
  cell.normal = {f, 2 * f + 1, f / 2};
  cell.weight = 10 * f + 1;
  cell.hits = {x, x + 1, x + 2};
  cell.turn = {std430::vec2{f, 1}, std430::vec2{2, f}};
  return cell;
}
Cell old_cell(uint32_t i) {
  Cell cell = given_cell(i + 50);
  cell.hits = {i, 2 * i, 0};
  return cell;
}

/// The arrays of Elements: this many pixels, with room for whole quads and one more element.
struct ElementArrays {
  ElementArrays(uint32_t w, uint32_t h)
      : width(w), height(h), row(w + w % 2), target(row * (h + h % 2)) {
    for (uint32_t x = 0; x < row; ++x) given.push_back(given_cell(x));
    for (uint32_t i = 0; i <= target; ++i) {
      const auto f = static_cast<float>(i);
      colours.push_back({f, f, f, f});
      cells.push_back(old_cell(i));
      frames.push_back({std430::vec3{f, 1, 2}, std430::vec3{3, 4, f}});
      copies.push_back({-f, 8, 8});
    }
  }

  uint32_t width, height, row, target;
  std::vector<std430::vec4> colours;
  std::vector<Cell> cells, given;
  std::vector<std430::mat2x3> frames;
  std::vector<std430::vec3> copies;
};

/// One pixel after the other; helpers have no effect.
ElementArrays wanted_elements(uint32_t width, uint32_t height) {
  ElementArrays a(width, height);
  for (uint32_t y = 0; y < height; ++y) {
    for (uint32_t x = 0; x < width; ++x) {
      const uint32_t i = y * a.row + x;
      const auto fx = static_cast<float>(x), fy = static_cast<float>(y);
      const auto hit = static_cast<float>(a.given[x ^ 1].hits[(x ^ 1) % 3]);
      a.colours[i] = {2 * fx + 1, 2 * (fy + 0.5f + fx), hit, 2};
      a.colours[i][static_cast<int>(x % 4)] = -1;
      Cell& cell = a.cells[i];
      if (x % 3 != 1) {
        const float beside = a.given[x ^ 1].weight;
        cell.normal = {beside, a.given[x].normal[1], fy};
        cell.weight -= 3;
        cell.hits[x % 3] = i;
        cell.turn[1][0] = beside;
        cell.hits[1] += 100;
      } else {
        cell = a.given[x];
        cell.turn = {std430::vec2{1, 2}, std430::vec2{3, 4}};
      }
      Cell& all = a.cells[a.target];
      if (all.hits[2] < i) all.hits[2] = i;
      all.normal[2] = 5;
      const auto& normal = a.given[x].normal;
      a.frames[i][1] = {normal[0] * 2, normal[1] * 2, normal[2] * 2};
      a.frames[i][0][2] = static_cast<float>(i);
      a.copies[a.target] = {5, 5, 5};
      a.copies[i] = {normal[0], normal[1], normal[2]};
    }
  }
  return a;
}

TEST_CASE("buffers of vectors, matrices and structs: helpers read and never store") {
  for (const auto& [width, height] :
       {std::pair(1u, 1u), std::pair(4u, 2u), std::pair(7u, 5u), std::pair(33u, 3u)}) {
    const ElementArrays want = wanted_elements(width, height);
    for (const int size : run_sizes) {
      for (const bool tangled : {false, true}) {
        INFO(width << " x " << height << ", size " << size << ", tangled " << tangled);
        ElementArrays got(width, height);
        const Device device{.subgroup_size = size, .threads = 1};  // all write copies[target]
        const FaultLog faults =
            run_pixels<Elements>(device, tangled, width, height, got.row, got.target, got.colours,
                                 got.cells, got.frames, got.copies, got.given);
        CHECK(faults.count() == 0);
        CHECK(got.colours == want.colours);
        CHECK(got.cells == want.cells);
        CHECK(got.frames == want.frames);
        CHECK(got.copies == want.copies);
      }
    }
  }
}

/// Arrays that end with the pixels: helpers are beyond them.
template <class S>
struct Tight : Pixels<S> {
  LOCKSTEP_PIXELS(S);
  Buffer<vec2> out;
  Buffer<const vec2> in;
  Buffer<uint> numbers;

  void main() {
    const Uint x = Uint(gl_FragCoord.x);
    out[x] = vec2(1.0f);
    out[x].x += 2.0f;
    out[x] -= vec2(0.0f, 3.0f);
    atomicAdd(out[x].y, 1.0f);
    out[x] = in[x] + vec2(out[0u]) * 0.0f;
    numbers[x] = 4u;
    numbers[x] += x;
    atomicAdd(numbers[x], 1u);
  }
};

TEST_CASE("what a helper does not store is not a fault, and what it reads beyond an array is one") {
  for (const int size : run_sizes) {
    for (const bool tangled : {false, true}) {
      const std::vector<std430::vec2> in = {{1, 2}, {3, 4}, {5, 6}};
      std::vector<std430::vec2> out(3);
      Numbers numbers(3);
      const FaultLog faults =
          run_pixels<Tight>(Device{.subgroup_size = size, .faults = Faults::counted}, tangled, 3, 1,
                            out, in, numbers);
      CHECK(out == in);
      CHECK(numbers == Numbers{5, 6, 7});
      CHECK(faults.count() == 2);  // x = 3 twice: beside the last pixel, and below
      CHECK(faults.first().access.kind == AccessKind::read);
      CHECK(faults.first().access.object.binding == 1);
      CHECK(faults.first().access.index == 3);
    }
  }
}

/// The number of lanes together after a selection inside another one, and an image that they write.
template <class S>
struct Apart : Pixels<S> {
  LOCKSTEP_PIXELS(S);
  uint width;
  Buffer<uint> together;
  uimage2D image;

  void main() {
    const Uint x = Uint(gl_FragCoord.x), y = Uint(gl_FragCoord.y);
    If (x > 0u) {
      If (x < 3u) {
      }
      const Uint count = Uint(subgroupAdd(Uint(1u)));
      together[y * width + x] = count;
      imageStore(image, ivec2(Int(x), Int(y)), uvec4(count));
      imageAtomicAdd(image, ivec2(0, 0), 1u);
    }
  }
};

TEST_CASE("pixels under another rule: sides that need not rejoin stay apart, helpers with them") {
  constexpr uint32_t width = 9, height = 5, wide = 5, quads = 15;
  for (const int size : {4, 5, 8, 16, 24, 31, 32, 33, 64, 100, 128}) {
    const auto each = static_cast<uint32_t>(size / 4);
    Numbers want(width * height);
    for (uint32_t first = 0; first < quads; first += each) {
      uint32_t lanes = 0, in = 0, left = 0;  // of the subgroup: all, those inside, those with x < 3
      const uint32_t end = std::min(first + each, quads);
      for (uint32_t i = 4 * first; i < 4 * end; ++i) {
        const uint32_t x = i / 4 % wide * 2 + i % 2;
        ++lanes;
        in += x > 0;
        left += x > 0 && x < 3;
      }
      for (uint32_t i = 4 * first; i < 4 * end; ++i) {
        const uint32_t x = i / 4 % wide * 2 + i % 2, y = i / 4 / wide * 2 + i / 2 % 2;
        // The whole subgroup entered it, so it leaves it together.
        const uint32_t count = in == lanes ? in : x < 3 ? left : in - left;
        if (x > 0 && x < width && y < height) want[y * width + x] = count;
      }
    }
    Numbers together(width * height), texels(width * height);
    Image2D image(ImageFormat::r32ui, width, height, bytes_of(texels));
    Chooser chooser = Chooser::rejoin_none();
    const Convergence apart{.rule = Rule::subgroup_uniform, .chooser = &chooser};
    const FaultLog faults = Device{.subgroup_size = size}.dispatch_pixels<Apart, 128>(
        apart, width, height, width, together, image);
    INFO("size " << size);
    CHECK(faults.count() == 0);
    CHECK(together == want);
    want[0] = (width - 1) * height;
    CHECK(texels == want);
  }
}

TEST_CASE("pixels with an observer: helpers are told to read, and not to write") {
  struct Log : Observer {
    std::vector<Event> reads, writes, atomics;
    int starts = 0, ends = 0;
    void on(const Event& event) override {
      using Kind = Event::Kind;
      starts += event.kind == Kind::start;
      ends += event.kind == Kind::end;
      if (event.kind == Kind::read) reads.push_back(event);
      if (event.kind == Kind::write) writes.push_back(event);
      if (event.kind == Kind::atomic) atomics.push_back(event);
    }
  } log;
  const Convergence observed{.observer = &log};
  const std::vector<std430::vec2> in(3);
  std::vector<std430::vec2> out(3);
  Numbers numbers(3);
  Device{.subgroup_size = 8, .faults = Faults::counted}.dispatch_pixels<Tight, 8>(observed, 3, 1,
                                                                                  out, in, numbers);
  CHECK(log.starts == 1);
  CHECK(log.ends == 1);
  const LaneSet pixels{0b0001'0011, 0}, all{0xff, 0};
  REQUIRE(log.reads.size() == 5);  // before += and -=; in and out[0]; before +=
  for (std::size_t k = 0; k < 5; ++k)
    CHECK(log.reads[k].others == (k == 2 || k == 3 ? all : pixels));
  REQUIRE(log.writes.size() == 6);
  for (const Event& event : log.writes) CHECK(event.others == pixels);
  REQUIRE(log.atomics.size() == 2);
  for (const Event& event : log.atomics) CHECK(event.others == pixels);

  log = {};
  Numbers together(6), texels(6);
  Image2D image(ImageFormat::r32ui, 3, 2, bytes_of(texels));
  Device{.subgroup_size = 4}.dispatch_pixels<Apart, 8>(observed, 3, 2, 3u, together, image);
  CHECK(log.starts == 2);
  REQUIRE(log.writes.size() == 4);  // to the buffer and to the image, in each subgroup
  CHECK(log.writes[1].others == LaneSet{0b1010, 0});
  CHECK(log.writes[3].others == LaneSet{0b0101, 0});
  CHECK(log.atomics.at(1).others == LaneSet{0b0101, 0});
}

TEST_CASE("pixels are no invocation group that rule core could speak of") {
  const std::vector<std430::vec2> in(3);
  std::vector<std430::vec2> out(3);
  Numbers numbers(3);
  CHECK_THROWS_WITH(
      (Device{.subgroup_size = 8}.dispatch_pixels<Tight, 8>(Convergence{.rule = Rule::core}, 3, 1,
                                                            out, in, numbers)),
      Catch::Contains("kernel Tight runs on pixels") && Catch::Contains("use subgroup-uniform"));
  CHECK_THROWS_WITH(
      (Device{.subgroup_size = 3}.dispatch_pixels<Tight, 8>(Convergence{}, 3, 1, out, in, numbers)),
      Catch::Contains("kernel Tight") && Catch::Contains("at least 4"));
  CHECK_THROWS_WITH(
      (Device{.subgroup_size = 9}.dispatch_pixels<Tight, 8>(Convergence{}, 3, 1, out, in, numbers)),
      Catch::Contains("subgroup size 9"));
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
