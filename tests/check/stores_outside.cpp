#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/exec/checks.hpp>
#include <lockstep/spirv/descriptor_set.hpp>
#include <lockstep/spirv/shader.hpp>

using namespace lockstep;

namespace {

/// An image of 32-bit texels, and how a shader names one of its texels.
struct Kind {
  const char *image, *place;         ///< GLSL: uimage..., and the coordinates in an ivec4 p
  std::vector<std::uint32_t> sizes;  ///< of the coordinates
  Size3 extent;                      ///< as descriptors have it
  std::uint32_t samples = 1;
};

// Vulkan 1.4, "Image Writes": if the coordinates are out of bounds, the write is discarded. Layers, faces and samples
// are coordinates.
const std::vector<Kind> kinds{
    {"1D", "p.x", {5}, {5, 1, 1}},
    {"1DArray", "p.xy", {5, 3}, {5, 3, 1}},
    {"2D", "p.xy", {5, 3}, {5, 3, 1}},
    {"2DArray", "p.xyz", {5, 3, 2}, {5, 3, 2}},
    {"3D", "p.xyz", {5, 3, 2}, {5, 3, 2}},
    {"Cube", "p.xyz", {3, 3, 6}, {3, 3, 6}},
    {"CubeArray", "p.xyz", {3, 3, 12}, {3, 3, 12}},
    {"Buffer", "p.x", {5}, {5, 1, 1}},
    // Each sample is a slice.
    {"2DMS", "p.xy, p.z", {5, 3, 2}, {5, 3, 2}},
    {"2DMSArray", "p.xyz, p.w", {5, 3, 3, 2}, {5, 3, 6}, 2},
};

/// All places with coordinates inside, just outside and far outside.
std::vector<std::vector<std::int32_t>> places_of(const Kind& kind) {
  std::vector<std::vector<std::int32_t>> places{{}};
  for (const std::uint32_t size : kind.sizes) {
    std::vector<std::vector<std::int32_t>> longer;
    const auto n = static_cast<std::int32_t>(size);
    for (const auto& place : places)
      for (const std::int32_t x : {0, n - 1, n, -1, 2 * n, std::numeric_limits<std::int32_t>::max(),
                                   std::numeric_limits<std::int32_t>::min()}) {
        longer.push_back(place);
        longer.back().push_back(x);
      }
    places = longer;
  }
  return places;
}

/// Which texel it is; the number of texels if it is none.
std::size_t texel_of(const Kind& kind, const std::vector<std::int32_t>& place, std::size_t texels) {
  // Of multisample arrays samples count before layers.
  std::vector<std::size_t> order{0, 1, 2};
  order.resize(kind.sizes.size());
  if (kind.sizes.size() == 4) order = {0, 1, 3, 2};
  std::size_t texel = 0;
  for (std::size_t k = order.size(); k-- > 0;) {
    const std::int64_t x = place[order[k]], n = kind.sizes[order[k]];
    if (x < 0 || x >= n) return texels;
    texel = texel * static_cast<std::size_t>(n) + static_cast<std::size_t>(x);
  }
  return texel;
}

}  // namespace

TEST_CASE("stores outside images of every kind are discarded, and told by checked runs") {
  for (const Kind& kind : kinds) {
    INFO(kind.image);
    auto shader = Shader::from_glsl(R"(#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, r32ui) uniform uimage)" +
                                    std::string(kind.image) + R"( image;
layout(set = 0, binding = 1) readonly buffer Places { ivec4 places[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i >= places.length()) return;
  ivec4 p = places[i];
  imageStore(image, )" + std::string(kind.place) +
                                    R"(, uvec4(i + 1));
})");
    const auto places = places_of(kind);
    std::vector<std::int32_t> words;
    for (auto place : places) {
      place.resize(4);
      words.insert(words.end(), place.begin(), place.end());
    }
    constexpr std::size_t guard = 64;  // texels on either side
    constexpr std::uint32_t untouched = 0xabcdef01;
    const std::size_t count = std::size_t{kind.extent.x} * kind.extent.y * kind.extent.z;
    std::vector<std::uint32_t> expected(count + 2 * guard, untouched);
    std::uint64_t outside = 0;
    for (std::uint32_t i = 0; i < places.size(); ++i) {
      const std::size_t texel = texel_of(kind, places[i], count);
      if (texel == count)
        ++outside;
      else
        expected[guard + texel] = i + 1;
    }
    REQUIRE(outside > 0);
    REQUIRE(outside < places.size());
    for (const int size : {4, 32}) {
      for (const bool checked : {false, true}) {
        INFO("subgroup size " << size << (checked ? ", checked" : ""));
        std::vector<std::uint32_t> texels(expected.size(), untouched);
        const Descriptor image{
            .kind = Descriptor::Kind::texels,
            .bytes = std::as_writable_bytes(std::span(texels).subspan(guard, count)),
            .format = ImageFormat::r32ui,
            .extent = kind.extent,
            .samples = kind.samples};
        DispatchSettings options{.subgroup_size = size};
        if (checked) options.checks = Checks{Check::out_of_bounds};
        const auto groups = static_cast<std::uint32_t>((places.size() + 63) / 64);
        const auto run =
            shader.bind_descriptor(0, 0, image).bind(1, words).dispatch({groups}, options);
        CHECK(texels == expected);
        CHECK(run.faults == (checked ? outside : 0));
        CHECK(run.findings.findings().size() == (checked ? 1 : 0));
      }
    }
  }
}
