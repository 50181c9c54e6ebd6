#include <array>
#include <cmath>
#include <cstring>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/dispatch/image.hpp>
#include <lockstep/dispatch/sampler.hpp>
#include <lockstep/spirv/descriptor_table.hpp>
#include <lockstep/spirv/pipeline.hpp>

#include "judgement/elements.hpp"
#include "oracle/bounds.hpp"
#include "spirv/picture.hpp"

/// \file
/// What the oracle knows of texels: rounded to formats with few bits, stored where lanes may not get to, and filtered by a
/// device that knows the place between texels to a few bits only.

namespace {

using namespace lockstep;
using judgement::Verdict;
using lockstep::test::sampled::Picture;
using oracle::Allowed;
using Kind = Allowed::Kind;

/// A shader on an image and buffers of floats at bindings 1, 2, ...
struct ImageRun {
  std::vector<std::byte> texels;
  std::vector<std::vector<float>> buffers;
  oracle::Bounds bounds = {};

  ImageRun(const std::string& glsl, ImageFormat format, Size3 size, std::vector<std::byte> bytes,
           std::vector<std::vector<float>> arrays, const Sampler* sampler = nullptr)
      : texels(std::move(bytes)), buffers(std::move(arrays)) {
    const Module module = Module::from_glsl(glsl);
    const Pipeline pipeline(module, {.subgroup_size = 8});
    const ImageKind kind = size.z > 1 ? ImageKind::three_d : ImageKind::two_d;
    Image image(format, kind, size, texels);
    DescriptorTable table;
    table.set(0).bind_image(0, image);
    if (sampler != nullptr) table.set(0).bind_sampler(0, *sampler);
    for (std::uint32_t k = 0; k < buffers.size(); ++k) table.bind(k + 1, buffers[k]);
    pipeline.dispatch(table, {.workgroups = {1, 1, 1}, .bounds = &bounds});
  }

  /// Of texel k, if its word were another.
  template <class T>
  Verdict verdict(std::size_t k, T word) const {
    std::vector<std::byte> device = texels;
    std::memcpy(device.data() + k * sizeof(T), &word, sizeof(T));
    const npy::Dtype type = sizeof(T) == 4 ? npy::Dtype::uint32 : npy::Dtype::int8;
    const judgement::Elements judged =
        judgement::judge(type, {texels.data(), texels, device, {}}, bounds);
    std::size_t n = 0;
    for (const auto& [each, count] : judged.runs) {
      n += count;
      if (k < n) return each;
    }
    return Verdict::wrong;
  }
  template <class T>
  T word(std::size_t k) const {
    T value;
    std::memcpy(&value, texels.data() + k * sizeof(T), sizeof(T));
    return value;
  }
  Allowed allowed(std::size_t buffer, std::size_t k) const {
    return bounds.memory.load(reinterpret_cast<const std::byte*>(&buffers[buffer][k]), 4);
  }
};

/// The number that the bits of a float without sign stand for, of so many bits behind the point.
double small_float(std::uint32_t bits, int fraction) {
  const std::uint32_t exponent = bits >> fraction, rest = bits & ((1u << fraction) - 1);
  const double part = static_cast<double>(rest) / static_cast<double>(1u << fraction);
  return exponent == 0 ? std::ldexp(part, -14)
                       : std::ldexp(1 + part, static_cast<int>(exponent) - 15);
}
/// The last one that is not above x.
std::uint32_t small_below(double x, int fraction) {
  std::uint32_t bits = 0;
  while (bits + 1 < 31u << fraction && small_float(bits + 1, fraction) <= x) ++bits;
  return bits;
}

std::vector<float> numbers(std::size_t count, float low, float high, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<float> all(count);
  for (float& x : all) x = std::uniform_real_distribution<float>(low, high)(random);
  return all;
}

std::string stores(const std::string& format) {
  return "#version 450\nlayout(local_size_x = 64) in;\nlayout(binding = 0, " + format +
         ") uniform image2D image;\nlayout(binding = 1) readonly buffer In { float x[]; };\n"
         "layout(binding = 2) buffer Out { float res[]; };\nvoid main() {\n"
         "  uint i = gl_LocalInvocationIndex;\n  ivec2 at = ivec2(i % 8u, i / 8u);\n"
         "  imageStore(image, at, vec4(x[i], x[i + 64u], x[i + 128u], 1.0));\n"
         "  vec4 back = imageLoad(image, at);\n"
         "  for (int k = 0; k < 3; ++k) res[64 * k + int(i)] = back[k];\n}\n";
}

}  // namespace

TEST_CASE("each field of a packed texel may be either neighbour, and no other number") {
  const ImageRun run(stores("r11f_g11f_b10f"), ImageFormat::r11f_g11f_b10f, {8, 8, 1},
                     std::vector<std::byte>(256),
                     {numbers(192, 0.01f, 9, 1), std::vector<float>(192)});
  const int fraction[] = {6, 6, 5}, shift[] = {0, 11, 22};
  for (std::size_t i = 0; i < 64; ++i) {
    std::array<std::uint32_t, 3> low{};
    for (std::size_t k = 0; k < 3; ++k)
      low[k] = small_below(static_cast<double>(run.buffers[0][i + 64 * k]), fraction[k]);
    const auto word = [&](std::array<int, 3> more) {
      std::uint32_t all = 0;
      for (std::size_t k = 0; k < 3; ++k)
        all |= (low[k] + static_cast<std::uint32_t>(more[k])) << shift[k];
      return all;
    };
    INFO("texel " << i);
    for (int choice = 0; choice < 8; ++choice) {
      const Verdict verdict = run.verdict(i, word({choice & 1, choice >> 1 & 1, choice >> 2 & 1}));
      CHECK((verdict == Verdict::allowed || verdict == Verdict::equal));
    }
    for (std::size_t k = 0; k < 3; ++k) {
      std::array<int, 3> more{};
      more[k] = 2;
      CHECK(run.verdict(i, word(more)) == Verdict::wrong);
      more[k] = -1;
      CHECK(run.verdict(i, word(more)) == Verdict::wrong);
      const Allowed back = run.allowed(1, 64 * k + i);
      REQUIRE(back.kind == Kind::within);
      CHECK(back.values.low == small_float(low[k], fraction[k]));
      CHECK(back.values.high == small_float(low[k] + 1, fraction[k]));
    }
  }
}

TEST_CASE("what packed and signed formats hold exactly has one result") {
  std::vector<float> whole(192);
  for (std::size_t k = 0; k < whole.size(); ++k) whole[k] = static_cast<float>(k % 32);
  const ImageRun packed(stores("r11f_g11f_b10f"), ImageFormat::r11f_g11f_b10f, {8, 8, 1},
                        std::vector<std::byte>(256), {whole, std::vector<float>(192)});
  for (std::size_t i = 0; i < 64; ++i)
    CHECK(packed.verdict(i, packed.word<std::uint32_t>(i) ^ 1) == Verdict::wrong);

  const ImageRun norm(stores("rgba8_snorm"), ImageFormat::rgba8_snorm, {8, 8, 1},
                      std::vector<std::byte>(256),
                      {numbers(192, -1.5f, 1.5f, 2), std::vector<float>(192)});
  for (std::size_t i = 0; i < 64; ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      const double x = std::clamp(static_cast<double>(norm.buffers[0][i + 64 * k]), -1.0, 1.0);
      const auto low = static_cast<std::int8_t>(std::floor(x * 127));
      const auto high = static_cast<std::int8_t>(std::ceil(x * 127));
      INFO("texel " << i << ", component " << k);
      CHECK(norm.verdict(4 * i + k, low) != Verdict::wrong);
      CHECK(norm.verdict(4 * i + k, high) != Verdict::wrong);
      CHECK(norm.verdict(4 * i + k, static_cast<std::int8_t>(low - 1)) == Verdict::wrong);
      CHECK(norm.verdict(4 * i + k, static_cast<std::int8_t>(high == 127 ? 0 : high + 1)) ==
            Verdict::wrong);
      const Allowed back = norm.allowed(1, 64 * k + i);
      REQUIRE(back.is_number());
      if (back.kind == Kind::exact) continue;
      CHECK(back.values.low <= std::max(-1.0, low / 127.0));
      CHECK(back.values.high >= high / 127.0);
      CHECK(back.values.high - back.values.low < 1.01 / 127 + 1e-6);
    }
  }
}

TEST_CASE("where a lane may store a texel or not, others stay as they are") {
  const std::string glsl =
      "#version 450\nlayout(local_size_x = 8) in;\nlayout(binding = 0, r32ui) uniform uimage2D "
      "image;\n"
      "layout(binding = 1) readonly buffer In { float x[]; };\nvoid main() {\n"
      "  uint i = gl_LocalInvocationIndex;\n  float v = i < 2u ? x[i] : 3.0 * x[i];\n"
      "  if (exp(log(v)) < x[i]) imageStore(image, ivec2(i, 1), uvec4(7u));\n}\n";
  const ImageRun run(glsl, ImageFormat::r32ui, {8, 2, 1}, std::vector<std::byte>(64),
                     {numbers(8, 1, 2, 3)});
  for (std::size_t k = 0; k < 16; ++k) {
    INFO("texel " << k);
    CHECK(run.verdict<std::uint32_t>(k, 7 - run.word<std::uint32_t>(k)) ==
          (k == 8 || k == 9 ? Verdict::open : Verdict::wrong));
  }
}

TEST_CASE("a device that knows the place between texels to a few bits stays inside the bounds") {
  constexpr std::size_t lanes = 64;
  std::mt19937 random(4);
  for (const bool is_3d : {false, true}) {
    const std::string type = is_3d ? "sampler3D" : "sampler2D", of = is_3d ? "xyz" : "xy";
    const std::string glsl =
        "#version 450\nlayout(local_size_x = 64) in;\nlayout(binding = 0) uniform " + type +
        " image;\nlayout(binding = 1) readonly buffer In { vec4 x[]; };\n"
        "layout(binding = 2) buffer Out { float res[]; };\nvoid main() {\n"
        "  uint i = gl_LocalInvocationIndex;\n  res[i] = textureLod(image, x[i]." +
        of + ", 0.0).x;\n}\n";
    for (const AddressMode mode :
         {AddressMode::repeat, AddressMode::mirrored_repeat, AddressMode::clamp_to_edge,
          AddressMode::clamp_to_border, AddressMode::mirror_clamp_to_edge}) {
      Picture picture({4, 8, is_3d ? 4 : 1}, is_3d ? 3 : 2, false);
      Sampler& sampler = picture.sampler;
      sampler.mag_filter = sampler.min_filter = Filter::linear;
      sampler.address_mode_u = sampler.address_mode_v = sampler.address_mode_w = mode;
      sampler.border_color = BorderColor::opaque_white;
      std::vector<float> where = numbers(4 * lanes, -0.4f, 1.4f, 5);
      // The first lanes are at the middles of texels, where nothing is between.
      for (std::size_t i = 0; i < 8; ++i) {
        for (std::size_t k = 0; k < 4; ++k)
          where[4 * i + k] =
              (static_cast<float>(i % 4) + 0.5f) / static_cast<float>(k < 3 ? picture.size[k] : 1);
      }
      std::vector<std::byte> bytes(picture.texels.size() * 4);
      std::memcpy(bytes.data(), picture.texels.data(), bytes.size());
      const Size3 size{4, 8, is_3d ? 4u : 1u};
      const ImageRun run(glsl, ImageFormat::r32f, size, bytes, {where, std::vector<float>(lanes)},
                         &sampler);
      for (std::size_t i = 0; i < lanes; ++i) {
        const Allowed allowed = run.allowed(1, i);
        REQUIRE(allowed.kind == Kind::within);
        INFO("lane " << i << ", mode " << static_cast<int>(mode));
        // The texels reach from -20 to 43.
        CHECK(allowed.values.high - allowed.values.low < 63 * 0.4);
        if (i < 8) CHECK(allowed.values.high - allowed.values.low < 0.05);
        for (int draw = 0; draw < 20; ++draw) {
          const int bits = 4 + static_cast<int>(random() % 5);
          const bool nearest = random() % 2 == 0;
          double sum = 0;
          for (int corner = 0; corner < 1 << picture.axes; ++corner) {
            std::array<int, 3> p{};
            double weight = 1;
            for (std::size_t k = 0; k < static_cast<std::size_t>(picture.axes); ++k) {
              const double u = static_cast<double>(where[4 * i + k]) * picture.size[k] - 0.5;
              const double scaled = std::ldexp(u, bits);
              const double seen =
                  std::ldexp(nearest ? std::nearbyint(scaled) : std::floor(scaled), -bits);
              const bool upper = (corner >> k & 1) != 0;
              p[k] = static_cast<int>(std::floor(seen)) + (upper ? 1 : 0);
              weight *= upper ? seen - std::floor(seen) : 1 - (seen - std::floor(seen));
            }
            if (weight != 0) sum += weight * static_cast<double>(picture.at(p));
          }
          CHECK(allowed.values.low <= sum);
          CHECK(sum <= allowed.values.high);
        }
      }
    }
  }
}
