#include <lockstep/glsl/image.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <tuple>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/dispatch/device.hpp>
#include <lockstep/glsl/kernel.hpp>

#include "support/settings.hpp"

namespace {

using namespace lockstep;
using std::uint32_t;

constexpr int run_sizes[] = {1, 2, 3, 5, 8, 24, 32, 33, 64, 128};

float bits_to_float(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
uint32_t float_to_bits(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// The value of 16 bits, digit by digit.
double half_value(uint32_t half) {
  const int exponent = static_cast<int>(half >> 10 & 31);
  const double fraction = (half & 1023) / 1024.0;
  const double sign = half & 0x8000 ? -1 : 1;
  if (exponent == 31) return fraction == 0 ? sign * INFINITY : NAN;
  if (exponent == 0) return sign * std::ldexp(fraction, -14);
  return sign * std::ldexp(1 + fraction, exponent - 15);
}

/// The half nearest to a float, ties to even, among all halves.
uint32_t nearest_half(float value) {
  const uint32_t sign = std::signbit(value) ? 0x8000 : 0;
  if (std::isnan(value)) return sign | 0x7e00;
  const double size = std::fabs(static_cast<double>(value));
  uint32_t below = 0, above = 0x7c00;  // halves rise with their bits
  while (above - below > 1) {
    const uint32_t middle = (below + above) / 2;
    (half_value(middle) <= size ? below : above) = middle;
  }
  // Overflow happens as if there were one more binade.
  const double next = above == 0x7c00 ? 65536.0 : half_value(above);
  if (half_value(below) == size) return sign | below;
  const double to_below = size - half_value(below), to_above = next - size;
  if (to_below != to_above) return sign | (to_below < to_above ? below : above);
  return sign | (below % 2 == 0 ? below : above);
}

template <class S>
struct LoadAll : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{64};
  image2D in;
  Buffer<float> out;  // four numbers per texel

  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    const uint row = in.size().x;
    const vec4 texel = imageLoad(in, ivec2(Int(i % row), Int(i / row)));
    out[i * 4u] = texel.x;
    out[i * 4u + 1u] = texel.y;
    out[i * 4u + 2u] = texel.z;
    out[i * 4u + 3u] = texel.w;
  }
};

template <class S>
struct StoreAll : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{64};
  Buffer<const vec4> in;
  image2D out;

  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    const uint row = out.size().x;
    imageStore(out, ivec2(Int(i % row), Int(i / row)), in[i]);
  }
};

TEST_CASE("images of 16-bit floats: all 65536 are read exactly") {
  std::vector<std::uint16_t> halves(65536);
  for (uint32_t k = 0; k < 65536; ++k) halves[k] = static_cast<std::uint16_t>(k);
  Image2D in(ImageFormat::r16f, 256, 256, bytes_of(halves));
  std::vector<float> out(4 * 65536);
  CHECK(Device{}.dispatch<LoadAll, 32>({1024}, in, out).count() == 0);
  uint32_t wrong = 0;
  for (uint32_t k = 0; k < 65536; ++k) {
    const double want = half_value(k);
    const float got = out[4 * k];
    // NaN keeps its sign and payload and is quiet.
    const uint32_t nan = (k & 0x8000) << 16 | 0x7fc00000 | (k & 1023) << 13;
    wrong += std::isnan(want)
                 ? float_to_bits(got) != nan
                 : static_cast<double>(got) != want || std::signbit(got) != std::signbit(want);
    wrong += out[4 * k + 1] != 0 || out[4 * k + 2] != 0 || out[4 * k + 3] != 1;
  }
  CHECK(wrong == 0);
}

TEST_CASE("images of 16-bit floats: every boundary between two is rounded correctly") {
  // Each half, the middle between it and the next, and the floats on either side of both.
  std::vector<float> values = {NAN, -NAN, bits_to_float(0x7f800001), INFINITY, 1e30f, 1e-30f};
  for (uint32_t k = 0; k < 0x7c00; ++k) {
    const auto here = static_cast<float>(half_value(k));
    const auto next = static_cast<float>(k + 1 == 0x7c00 ? 65536.0 : half_value(k + 1));
    for (const float value : {here, (here + next) / 2}) {
      for (const float v : {std::nextafter(value, -1.0f), value, std::nextafter(value, INFINITY)}) {
        values.push_back(v);
        values.push_back(-v);
      }
    }
  }
  while (values.size() % 512 != 0) values.push_back(0);

  const auto height = static_cast<uint32_t>(values.size() / 512);
  std::vector<std430::vec4> in(values.size());
  for (std::size_t k = 0; k < values.size(); ++k) {
    // In an image of four components each gets its turn.
    in[k] = {values[k], values[values.size() - 1 - k], values[k ^ 1], values[k ^ 2]};
  }
  std::vector<std::uint16_t> one(values.size()), four(4 * values.size());
  Image2D r(ImageFormat::r16f, 512, height, bytes_of(one));
  Image2D rgba(ImageFormat::rgba16f, 512, height, bytes_of(four));
  Device{}.dispatch<StoreAll, 32>({8 * height}, in, r);
  Device{}.dispatch<StoreAll, 32>({8 * height}, in, rgba);
  uint32_t wrong = 0;
  for (std::size_t k = 0; k < values.size(); ++k) {
    wrong += one[k] != nearest_half(in[k][0]);
    for (int c = 0; c < 4; ++c) {
      wrong += four[4 * k + static_cast<std::size_t>(c)] != nearest_half(in[k][c]);
    }
  }
  CHECK(wrong == 0);

  // And back: what was stored is read again.
  std::vector<float> out(4 * values.size());
  Device{}.dispatch<LoadAll, 32>({8 * height}, rgba, out);
  wrong = 0;
  for (std::size_t k = 0; k < out.size(); ++k) {
    const double want = half_value(four[k]);
    wrong += std::isnan(want) ? !std::isnan(out[k]) : static_cast<double>(out[k]) != want;
  }
  CHECK(wrong == 0);
}

TEST_CASE(
    "images of bytes: [0, 1] rounded to nearest, halves to even; everything else is clamped") {
  std::vector<float> values = {NAN, -1, -0.0f, 2, INFINITY, -INFINITY, 1e-20f};
  for (int k = 0; k <= 255; ++k) {
    for (const double exact : {k / 255.0, (k + 0.5) / 255.0}) {
      float v = static_cast<float>(exact);
      for (int back = 0; back < 4; ++back) v = std::nextafter(v, -1.0f);
      for (int step = 0; step < 9; ++step, v = std::nextafter(v, 2.0f)) values.push_back(v);
    }
  }
  values.push_back(0.5f);  // 127.5
  while (values.size() % 64 != 0) values.push_back(0.25f);
  const auto width = static_cast<uint32_t>(values.size());
  std::vector<std430::vec4> in(width);
  for (uint32_t k = 0; k < width; ++k) {
    in[k] = {values[k], values[width - 1 - k], values[k ^ 1], values[k ^ 2]};
  }
  std::vector<std::uint8_t> stored(4 * width);
  Image2D image(ImageFormat::rgba8, width, 1, bytes_of(stored));
  Device{}.dispatch<StoreAll, 32>({width / 64}, in, image);
  for (uint32_t k = 0; k < width; ++k) {
    for (int c = 0; c < 4; ++c) {
      const float v = in[k][c];
      // The integer nearest to the exact product.
      uint32_t want = 0;
      const long double product = static_cast<long double>(v) * 255;
      for (uint32_t n = 0; n <= 255 && !(std::isnan(v) || v <= 0); ++n) {
        const long double mine = std::fabs(product - n), best = std::fabs(product - want);
        if (mine < best || (mine == best && n % 2 == 0)) want = n;
      }
      if (v > 1) want = 255;
      CAPTURE(k, c, v);
      CHECK(stored[4 * k + static_cast<uint32_t>(c)] == want);
    }
  }
  std::vector<float> out(4 * width);
  Device{}.dispatch<LoadAll, 32>({width / 64}, image, out);
  for (uint32_t k = 0; k < 4 * width; ++k) {
    CHECK(out[k] ==
          static_cast<float>(stored[k] / 255.0));  // of a quotient, rounding twice is right
  }
}

template <class S>
struct Everything : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{10, 3, 2};
  image2D wide;      // rgba32f
  image2DArray one;  // r32f
  uimage3D count;    // r32ui
  iimage2D low;      // r32i
  Buffer<vec4> texels;
  Buffer<uvec4> counts;
  Buffer<ivec4> lows;

  void main() {
    const Uint i = gl_LocalInvocationIndex;
    const ivec3 p(gl_LocalInvocationID);
    if (auto most = when(i % 7u != 2u)) {
      const ivec2 mirrored(9 - p.x, p.y + 3 * p.z);
      imageStore(wide, mirrored, imageLoad(wide, mirrored) * 2.0f);
      imageStore(one, ivec3(p.x, p.y, p.z), vec4(Float(i), 8.0f, 8.0f, 8.0f));
      texels[i] = imageLoad(one, p);
      // Half a row further: some lanes are outside.
      texels[i] += imageLoad(one, p + ivec3(5, 0, 0));
      imageStore(one, p - ivec3(0, 0, 2), vec4(100.0f));
      const Uint old = imageAtomicAdd(count, ivec3(p.x / 5, 0, 0), i);
      counts[i] = imageLoad(count, ivec3(p.x, p.y, p.z)) + uvec4(old * 0u);
      imageAtomicMax(count, ivec3(1, 1, 1), i);
      imageAtomicMin(low, ivec2(0), Int(i) - 20);
      imageAtomicCompSwap(low, ivec2(1, 0), Int(i), Int(i) + 1);
      imageAtomicOr(count, ivec3(2, 0, 0), 1u << (i % 32u));
      imageAtomicXor(count, ivec3(3, 0, 0), i);
      imageAtomicAnd(count, ivec3(4, 0, 0), 0xffffff00u | i);
      lows[i] = ivec4(imageAtomicExchange(low, ivec2(Int(i), 1), 5));
      lows[i] = lows[i] + imageLoad(low, ivec2(Int(i), 1));
      imageAtomicAdd(one, ivec3(8, 2, 1), 0.5f);  // of a lane that does not run
      imageAtomicAdd(one, ivec3(9, 2, 2), 0.5f);  // no such layer
      imageAtomicStore(low, ivec2(Int(i), 2), 7, gl_ScopeDevice, gl_StorageSemanticsImage,
                       gl_SemanticsRelease);
      lows[i] += ivec4(imageAtomicLoad(low, ivec2(Int(i), 2), gl_ScopeDevice,
                                       gl_StorageSemanticsImage, gl_SemanticsAcquire));
      imageAtomicAdd(low, ivec2(2, 0), 3, gl_ScopeDevice, gl_StorageSemanticsImage,
                     gl_SemanticsAcquireRelease);
    }
    const ivec2 size(imageSize(wide));
    const ivec3 layers(imageSize(one));
    if (auto first = when(i == 2u)) {
      texels[i] = vec4(vec2(size), vec2(layers.yz()));
    }
  }
};

struct Arrays {
  std::vector<float> wide = std::vector<float>(10 * 6 * 4), one = std::vector<float>(60);
  std::vector<uint32_t> count = std::vector<uint32_t>(60, 0xffffffff);
  std::vector<std::int32_t> low = std::vector<std::int32_t>(60 * 3);
  std::vector<std430::vec4> texels = std::vector<std430::vec4>(60);
  std::vector<std430::uvec4> counts = std::vector<std430::uvec4>(60);
  std::vector<std430::ivec4> lows = std::vector<std430::ivec4>(60);

  Arrays() {
    for (std::size_t k = 0; k < wide.size(); ++k) wide[k] = static_cast<float>(k);
    count[0] = count[1] = 0;
    count[2] = count[3] = 0;
    count[10 * 3 + 11] = 0;
    for (std::size_t k = 0; k < low.size(); ++k) low[k] = -static_cast<std::int32_t>(k);
    low[1] = 3;
  }
  template <class Run>
  FaultLog run(Run run) {
    Image2D wide_image(ImageFormat::rgba32f, 10, 6, bytes_of(wide));
    Image2DArray one_image(ImageFormat::r32f, 10, 3, 2, bytes_of(one));
    Image3D count_image(ImageFormat::r32ui, {10, 3, 2}, bytes_of(count));
    Image2D low_image(ImageFormat::r32i, 60, 3, bytes_of(low));
    return run(wide_image, one_image, count_image, low_image, texels, counts, lows);
  }
};

void check_everything(const Arrays& got, const FaultLog& faults) {
  const Arrays start;
  uint32_t added[2] = {0, 0}, bits = 0, parity = 0, kept = 0xffffffff;
  std::int32_t least = 0, chain = 3;
  uint64_t want_faults = 0;
  uint32_t lanes = 0;
  for (uint32_t i = 0; i < 60; ++i) {
    if (i % 7 == 2) continue;
    ++lanes;
    const uint32_t x = i % 10, z = i / 30;
    added[x / 5] += i;
    bits |= 1u << (i % 32);
    parity ^= i;
    kept &= 0xffffff00u | i;
    least = std::min(least, static_cast<std::int32_t>(i) - 20);
    if (static_cast<std::int32_t>(i) == chain) ++chain;
    want_faults += 1 + (x >= 5);  // the missing layers; beyond the row
    want_faults += 1;             // the store to a negative layer
    static_cast<void>(z);
  }
  CHECK(faults.count() == want_faults);
  CHECK(got.count[0] == added[0]);
  CHECK(got.count[1] == added[1]);
  CHECK(got.count[2] == bits);
  CHECK(got.count[3] == parity);
  CHECK(got.count[4] == kept);
  CHECK(got.count[30 + 10 + 1] == 59);
  CHECK(got.low[0] == least);
  CHECK(got.low[1] == chain);
  CHECK(got.low[2] == -2 + 3 * static_cast<std::int32_t>(lanes));
  for (uint32_t i = 0; i < 60; ++i) {
    CAPTURE(i);
    const bool runs = i % 7 != 2;
    const uint32_t x = i % 10;
    // The mirrored texel's lane has x counted from the other end.
    const uint32_t mirror = i - x + (9 - x);
    const bool mirror_runs = mirror % 7 != 2;
    for (uint32_t c = 0; c < 4; ++c) {
      CHECK(got.wide[4 * i + c] == static_cast<float>(4 * i + c) * (mirror_runs ? 2.0f : 1.0f));
    }
    const float added_halves = i == 58 ? 0.5f * static_cast<float>(lanes) : 0;
    CHECK(got.one[i] == (runs ? static_cast<float>(i) : 0) + added_halves);
    if (runs) {
      CHECK(got.lows[i] == std430::ivec4{-60 - static_cast<std::int32_t>(i) + 5 + 7,
                                         -60 - static_cast<std::int32_t>(i) + 7,
                                         -60 - static_cast<std::int32_t>(i) + 7,
                                         -60 - static_cast<std::int32_t>(i) + 1 + 7});
      CHECK(got.texels[i][1] == 0);
      CHECK(got.texels[i][3] == (x < 5 ? 2 : 1));  // outside the image the fourth is zero, too
      CHECK(got.counts[i][3] == 1);
    }
  }
  CHECK(got.texels[2] == std430::vec4{10, 6, 3, 2});
}

TEST_CASE("images of all kinds: load, store, size, atomics, and what is outside") {
  for (const int size : run_sizes) {
    INFO("subgroup size " << size);
    Arrays arrays;
    const FaultLog faults = arrays.run([&](auto&... a) {
      return Device{.subgroup_size = size, .faults = Faults::counted}
          .dispatch<Everything, LOCKSTEP_TEST_WIDTHS>({1}, a...);
    });
    check_everything(arrays, faults);
    if (size == 128) {
      CHECK(faults.first().access.object ==
            MemoryObject{.kind = MemoryObject::Kind::image, .binding = 1});
      CHECK(faults.first().access.kind == AccessKind::read);
      CHECK(faults.first().access.unit == LaneAccess::Unit::coordinate);
      CHECK(faults.first().access.index == 10);
      CHECK(faults.first().access.size == 10);
      CHECK(faults.first().lanes.first() == 5);
    }
  }
  for (const int size : {5, 24}) {
    INFO("tangled, subgroup size " << size);
    Arrays arrays;
    const FaultLog faults = arrays.run([&](auto&... a) {
      return Device{.subgroup_size = size, .faults = Faults::counted}.dispatch<Everything, 32>(
          Convergence{}, {1}, a...);
    });
    check_everything(arrays, faults);
  }
}

/// Images with qualifiers, and a compare-and-swap with memory semantics.
template <class S>
struct Qualifiers : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{60};
  readonly<uimage2D> in;    // 50 texels
  writeonly<uimage2D> out;  // 60 x 2
  uimage2D chain;           // 2 texels
  readonly<writeonly<uimage2D>> sized;

  static Uint first(const readonly<uimage2D>& image, const Int& x) {
    return imageLoad(image, ivec2(x, 0)).x;
  }
  static void put(const writeonly<uimage2D>& image, const ivec2& p, const Uint& value) {
    imageStore(image, p, uvec4(value));
  }

  void main() {
    const Int i(gl_LocalInvocationIndex);
    const Uint mine = first(in, i);
    if (auto some = when(gl_LocalInvocationIndex % 7u != 2u)) {
      // The chain advances when it reaches the lane's number.
      const Uint old = imageAtomicCompSwap(
          chain, ivec2(0), mine % 8u, (mine + 1u) % 8u, gl_ScopeDevice, gl_StorageSemanticsImage,
          gl_SemanticsAcquireRelease, gl_StorageSemanticsImage, gl_SemanticsAcquire);
      put(out, ivec2(i, 0), old);
      put(chain, ivec2(1, 0), first(chain, Int(0)) + Uint(1u));
      put(out, ivec2(i, 1), Uint(static_cast<uint>(imageSize(sized).x)));
      imageAtomicCompSwap(chain, ivec2(2, 0), mine, mine, gl_ScopeWorkgroup,  // outside
                          gl_StorageSemanticsImage, gl_SemanticsRelaxed, gl_StorageSemanticsNone,
                          gl_SemanticsRelaxed);
    }
  }
};

TEST_CASE("images: readonly and writeonly, and a compare-and-swap with its order") {
  std::vector<uint32_t> in(50), want(120, 99);
  for (uint32_t i = 0; i < 50; ++i) in[i] = i * i % 11 + i / 3;
  uint32_t chain_end = 0, steps = 0;
  for (uint32_t i = 0; i < 60; ++i) {
    if (i % 7 == 2) continue;
    const uint32_t mine = i < 50 ? in[i] : 0;
    want[i] = chain_end;
    want[60 + i] = 7;
    if (chain_end != mine % 8) continue;
    chain_end = (mine + 1) % 8;
    ++steps;
  }
  REQUIRE(steps == 9);
  const auto check = [&](int size, auto run) {
    INFO("subgroup size " << size);
    std::vector<uint32_t> out(120, 99), chain(2), sized(7);
    Image2D in_image(ImageFormat::r32ui, 50, 1, bytes_of(in));
    Image2D out_image(ImageFormat::r32ui, 60, 2, bytes_of(out));
    Image2D chain_image(ImageFormat::r32ui, 2, 1, bytes_of(chain));
    Image2D sized_image(ImageFormat::r32ui, 7, 1, bytes_of(sized));
    const FaultLog faults = run(in_image, out_image, chain_image, sized_image);
    CHECK(out == want);
    CHECK(chain == std::vector<uint32_t>{chain_end, chain_end + 1});
    CHECK(faults.count() == 10 + 51);  // beyond the 50 texels; all that run, beyond the chain
  };
  for (const int size : {4, 5, 8, 16, 24, 31, 32, 33, 64, 100, 128}) {
    check(size, [&](auto&... images) {
      return Device{.subgroup_size = size, .faults = Faults::counted}
          .dispatch<Qualifiers, LOCKSTEP_TEST_WIDTHS>({1}, images...);
    });
  }
  check(24, [&](auto&... images) {
    return Device{.subgroup_size = 24, .faults = Faults::counted}.dispatch<Qualifiers, 32>(
        Convergence{}, {1}, images...);
  });
}

template <class S>
struct Touch : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{4};
  image2D image;

  void main() {
    const Int i(gl_SubgroupInvocationID);
    const vec4 texel = imageLoad(image, ivec2(i, 0));
    imageStore(image, ivec2(i, 1), texel);
    imageAtomicAdd(image, ivec2(0, 0), texel.x);
  }
};

struct Log : Observer {
  std::vector<Event> events;
  void on(const Event& event) override {
    if (!event.name.empty()) events.push_back(event);
  }
};

TEST_CASE("images: accesses are told to the observer") {
  std::vector<float> texels = {1, 2, 3, 4, 0, 0, 0, 0};
  Image2D image(ImageFormat::r32f, 4, 2, bytes_of(texels));
  Log log;
  Device{.subgroup_size = 4}.dispatch<Touch, 4>(Convergence{.observer = &log}, {1}, image);
  CHECK(texels == std::vector<float>{11, 2, 3, 4, 1, 2, 3, 4});
  REQUIRE(log.events.size() == 3);
  CHECK(log.events[0].kind == Event::Kind::read);
  CHECK(log.events[0].name == "imageLoad");
  CHECK(to_string(log.events[0].operands.at(0), 2) == "(2, 0)");
  CHECK(to_string(log.events[0].result, 2) == "(3, 0, 0, 1)");
  CHECK(log.events[0].access.object ==
        MemoryObject{.kind = MemoryObject::Kind::image, .binding = 0});
  CHECK(log.events[0].access.byte == std::vector<std::uint64_t>{0, 4, 8, 12});
  CHECK(log.events[1].access.byte == std::vector<std::uint64_t>{16, 20, 24, 28});
  CHECK(log.events[1].kind == Event::Kind::write);
  CHECK(to_string(log.events[1].operands.at(1), 2) == "(3, 0, 0, 1)");
  CHECK(log.events[2].kind == Event::Kind::atomic);
  CHECK(log.events[2].name == "imageAtomicAdd");
  CHECK(to_string(log.events[2].result, 1) == "2");
  CHECK(log.events[2].where.line == log.events[1].where.line + 1);
}

TEST_CASE("images: another type than the kernel's, and atomics on packed texels, are errors") {
  Image2D integers(ImageFormat::r32ui, 4, 2);
  CHECK_THROWS_WITH(
      (Device{.subgroup_size = 4}.dispatch<Touch, 4>({1}, integers)),
      "argument 0 is an image in r32ui, of type uimage2D, but the kernel declares it as "
      "image2D");
  Image3D volume(ImageFormat::r32f, {4, 2, 1});
  CHECK_THROWS_WITH(
      (Device{.subgroup_size = 4}.dispatch<Touch, 4>(Convergence{}, {1}, volume)),
      "argument 0 is an image in r32f, of type image3D, but the kernel declares it as "
      "image2D");
  Image2D packed(ImageFormat::rgba8, 4, 2);
  CHECK_THROWS_WITH(
      (Device{.subgroup_size = 4}.dispatch<Touch, 4>({1}, packed)),
      "imageAtomicAdd on argument 0, an image in rgba8: atomics take images in r32ui, "
      "r32i or r32f");
}

template <class S>
struct Exchange : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8, 8};
  image2D source, target;

  void main() {
    const ivec2 p(Int(gl_GlobalInvocationID.x), Int(gl_GlobalInvocationID.y));
    const vec4 texel = imageLoad(source, p);
    if (auto some = when(gl_GlobalInvocationID.x != 3u)) imageStore(target, p, texel);
  }
};
template <class S>
struct ExchangeIntegers : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8, 8};
  iimage2D source, target;
  uimage2D unsigned_source, unsigned_target;

  void main() {
    const ivec2 p(Int(gl_GlobalInvocationID.x), Int(gl_GlobalInvocationID.y));
    imageStore(target, p, imageLoad(source, p));
    imageStore(unsigned_target, p, imageLoad(unsigned_source, p));
  }
};

/// Texels in which no component is NaN, since NaN may change.
void fill(Image& image, std::uint32_t seed) {
  for (std::byte& b : image.bytes()) {
    seed = seed * 1664525 + 1013904223;
    b = static_cast<std::byte>(seed >> 24 & 0x1f);
  }
}

TEST_CASE("images of every format: what is loaded and stored again is the same") {
  std::vector<ImageFormat> of[3];
  for (std::size_t k = 0; k < std::size(image_formats); ++k) {
    const auto number = static_cast<std::size_t>(image_formats[k].number());
    if (number < 3) of[number].push_back(static_cast<ImageFormat>(k));
  }
  for (const ImageFormat format : of[0]) {
    INFO(to_string(format));
    Image2D source(format, 8, 8), target(format, 8, 8);
    fill(source, 1);
    CHECK(Device{.subgroup_size = 24}.dispatch<Exchange, 24>({1}, source, target).count() == 0);
    const std::size_t bytes = texel_bytes(format);
    for (std::size_t n = 0; n < 64 * bytes; ++n)
      REQUIRE(target.bytes()[n] == (n / bytes % 8 == 3 ? std::byte{0} : source.bytes()[n]));
  }
  REQUIRE(of[1].size() <= of[2].size());
  for (std::size_t k = 0; k < of[2].size(); ++k) {
    const ImageFormat format = of[1][k % of[1].size()];
    INFO(to_string(format) << " " << to_string(of[2][k]));
    Image2D source(format, 8, 8), target(format, 8, 8);
    Image2D unsigned_source(of[2][k], 8, 8), unsigned_target(of[2][k], 8, 8);
    fill(source, 2);
    fill(unsigned_source, 3);
    Device{.subgroup_size = 24}.dispatch<ExchangeIntegers, 24>({1}, source, target, unsigned_source,
                                                               unsigned_target);
    REQUIRE(std::ranges::equal(source.bytes(), target.bytes()));
    REQUIRE(std::ranges::equal(unsigned_source.bytes(), unsigned_target.bytes()));
  }
}

}  // namespace
