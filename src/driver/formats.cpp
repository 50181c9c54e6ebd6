#include "driver/formats.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <utility>

namespace lockstep::driver {
namespace {

/// A row of the table of all formats.
struct FormatRow {
  VkFormat format;
  TexelFormat texels;
  std::optional<ImageFormat> stencil = {};  ///< of the stencil aspect, if there is another one
  VkImageAspectFlags aspects = VK_IMAGE_ASPECT_COLOR_BIT;
};

using Field = PackedTexels::Field;
constexpr TexelFormat packed(std::uint8_t bytes, Field red, Field green, Field blue = {},
                             Field alpha = {}, Field exponent = {}) {
  return {.texels = ImageFormat::rgba32f, .packed = {bytes, {red, green, blue, alpha}, exponent}};
}

constexpr FormatRow rows[] = {
    {VK_FORMAT_R32G32B32A32_SFLOAT, {ImageFormat::rgba32f}},
    {VK_FORMAT_R16G16B16A16_SFLOAT, {ImageFormat::rgba16f}},
    {VK_FORMAT_R32G32_SFLOAT, {ImageFormat::rg32f}},
    {VK_FORMAT_R16G16_SFLOAT, {ImageFormat::rg16f}},
    {VK_FORMAT_B10G11R11_UFLOAT_PACK32, {ImageFormat::r11f_g11f_b10f}},
    {VK_FORMAT_R32_SFLOAT, {ImageFormat::r32f}},
    {VK_FORMAT_R16_SFLOAT, {ImageFormat::r16f}},
    {VK_FORMAT_R16G16B16A16_UNORM, {ImageFormat::rgba16}},
    {VK_FORMAT_A2B10G10R10_UNORM_PACK32, {ImageFormat::rgb10_a2}},
    {VK_FORMAT_R8G8B8A8_UNORM, {ImageFormat::rgba8}},
    {VK_FORMAT_A8B8G8R8_UNORM_PACK32, {ImageFormat::rgba8}},
    {VK_FORMAT_R16G16_UNORM, {ImageFormat::rg16}},
    {VK_FORMAT_R8G8_UNORM, {ImageFormat::rg8}},
    {VK_FORMAT_R16_UNORM, {ImageFormat::r16}},
    {VK_FORMAT_R8_UNORM, {ImageFormat::r8}},
    {VK_FORMAT_R16G16B16A16_SNORM, {ImageFormat::rgba16_snorm}},
    {VK_FORMAT_R8G8B8A8_SNORM, {ImageFormat::rgba8_snorm}},
    {VK_FORMAT_A8B8G8R8_SNORM_PACK32, {ImageFormat::rgba8_snorm}},
    {VK_FORMAT_R16G16_SNORM, {ImageFormat::rg16_snorm}},
    {VK_FORMAT_R8G8_SNORM, {ImageFormat::rg8_snorm}},
    {VK_FORMAT_R16_SNORM, {ImageFormat::r16_snorm}},
    {VK_FORMAT_R8_SNORM, {ImageFormat::r8_snorm}},
    {VK_FORMAT_R32G32B32A32_SINT, {ImageFormat::rgba32i}},
    {VK_FORMAT_R16G16B16A16_SINT, {ImageFormat::rgba16i}},
    {VK_FORMAT_R8G8B8A8_SINT, {ImageFormat::rgba8i}},
    {VK_FORMAT_A8B8G8R8_SINT_PACK32, {ImageFormat::rgba8i}},
    {VK_FORMAT_R32G32_SINT, {ImageFormat::rg32i}},
    {VK_FORMAT_R16G16_SINT, {ImageFormat::rg16i}},
    {VK_FORMAT_R8G8_SINT, {ImageFormat::rg8i}},
    {VK_FORMAT_R32_SINT, {ImageFormat::r32i}},
    {VK_FORMAT_R16_SINT, {ImageFormat::r16i}},
    {VK_FORMAT_R8_SINT, {ImageFormat::r8i}},
    {VK_FORMAT_R64_SINT, {ImageFormat::r64i}},
    {VK_FORMAT_R32G32B32A32_UINT, {ImageFormat::rgba32ui}},
    {VK_FORMAT_R16G16B16A16_UINT, {ImageFormat::rgba16ui}},
    {VK_FORMAT_A2B10G10R10_UINT_PACK32, {ImageFormat::rgb10_a2ui}},
    {VK_FORMAT_R8G8B8A8_UINT, {ImageFormat::rgba8ui}},
    {VK_FORMAT_A8B8G8R8_UINT_PACK32, {ImageFormat::rgba8ui}},
    {VK_FORMAT_R32G32_UINT, {ImageFormat::rg32ui}},
    {VK_FORMAT_R16G16_UINT, {ImageFormat::rg16ui}},
    {VK_FORMAT_R8G8_UINT, {ImageFormat::rg8ui}},
    {VK_FORMAT_R32_UINT, {ImageFormat::r32ui}},
    {VK_FORMAT_R16_UINT, {ImageFormat::r16ui}},
    {VK_FORMAT_R8_UINT, {ImageFormat::r8ui}},
    {VK_FORMAT_R64_UINT, {ImageFormat::r64ui}},
    {VK_FORMAT_B8G8R8A8_UNORM, {ImageFormat::rgba8, true}},
    {VK_FORMAT_B8G8R8A8_SRGB, {ImageFormat::rgba8, true, true}},
    {VK_FORMAT_R8G8B8A8_SRGB, {ImageFormat::rgba8, false, true}},
    {VK_FORMAT_A8B8G8R8_SRGB_PACK32, {ImageFormat::rgba8, false, true}},
    // The lowest bit and the number of bits of each component.
    {VK_FORMAT_R4G4_UNORM_PACK8, packed(1, {4, 4}, {0, 4})},
    {VK_FORMAT_R4G4B4A4_UNORM_PACK16, packed(2, {12, 4}, {8, 4}, {4, 4}, {0, 4})},
    {VK_FORMAT_B4G4R4A4_UNORM_PACK16, packed(2, {4, 4}, {8, 4}, {12, 4}, {0, 4})},
    {VK_FORMAT_A4R4G4B4_UNORM_PACK16, packed(2, {8, 4}, {4, 4}, {0, 4}, {12, 4})},
    {VK_FORMAT_A4B4G4R4_UNORM_PACK16, packed(2, {0, 4}, {4, 4}, {8, 4}, {12, 4})},
    {VK_FORMAT_R5G6B5_UNORM_PACK16, packed(2, {11, 5}, {5, 6}, {0, 5})},
    {VK_FORMAT_B5G6R5_UNORM_PACK16, packed(2, {0, 5}, {5, 6}, {11, 5})},
    {VK_FORMAT_R5G5B5A1_UNORM_PACK16, packed(2, {11, 5}, {6, 5}, {1, 5}, {0, 1})},
    {VK_FORMAT_B5G5R5A1_UNORM_PACK16, packed(2, {1, 5}, {6, 5}, {11, 5}, {0, 1})},
    {VK_FORMAT_A1R5G5B5_UNORM_PACK16, packed(2, {10, 5}, {5, 5}, {0, 5}, {15, 1})},
    {VK_FORMAT_A2R10G10B10_UNORM_PACK32, packed(4, {20, 10}, {10, 10}, {0, 10}, {30, 2})},
    {VK_FORMAT_E5B9G9R9_UFLOAT_PACK32, packed(4, {0, 9}, {9, 9}, {18, 9}, {}, {27, 5})},
    {VK_FORMAT_D16_UNORM, {ImageFormat::r16}, {}, VK_IMAGE_ASPECT_DEPTH_BIT},
    {VK_FORMAT_D32_SFLOAT, {ImageFormat::r32f}, {}, VK_IMAGE_ASPECT_DEPTH_BIT},
    {VK_FORMAT_S8_UINT, {ImageFormat::r8ui}, {}, VK_IMAGE_ASPECT_STENCIL_BIT},
    {VK_FORMAT_D32_SFLOAT_S8_UINT,
     {ImageFormat::r32f},
     ImageFormat::r8ui,
     VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT},
};

const FormatRow* find_row(VkFormat format) {
  const auto* const found = std::ranges::find(rows, format, &FormatRow::format);
  return found == std::end(rows) ? nullptr : found;
}

// The transfer functions of sRGB, by the Khronos Data Format Specification.
double linear_of_srgb(double x) {
  return x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4);
}
double srgb_of_linear(double x) {
  return x <= 0.0031308 ? x * 12.92 : 1.055 * std::pow(x, 1 / 2.4) - 0.055;
}

/// Changes all components but the fourth. NaN stays what it is.
template <class F>
void for_each_color(TexelBits& texel, F f) {
  for (std::size_t k = 0; k < 3; ++k) {
    const auto x = std::bit_cast<float>(static_cast<std::uint32_t>(texel[k]));
    texel[k] = std::bit_cast<std::uint32_t>(static_cast<float>(f(double(x))));
  }
}

constexpr VkFormatFeatureFlags2 of_all_images =
    VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT | VK_FORMAT_FEATURE_2_TRANSFER_SRC_BIT |
    VK_FORMAT_FEATURE_2_TRANSFER_DST_BIT | VK_FORMAT_FEATURE_2_BLIT_SRC_BIT |
    VK_FORMAT_FEATURE_2_BLIT_DST_BIT;
constexpr VkFormatFeatureFlags2 without_format =
    VK_FORMAT_FEATURE_2_STORAGE_READ_WITHOUT_FORMAT_BIT |
    VK_FORMAT_FEATURE_2_STORAGE_WRITE_WITHOUT_FORMAT_BIT;

bool is_float(ImageFormat format) { return info_of(format).number() == TexelNumber::float32; }

/// Of depth and stencil: only commands of a queue for graphics may write them.
FormatSupport support_of_depth(VkImageAspectFlags aspects, const Settings& settings) {
  if (!settings.graphics_stub) return {};
  FormatSupport support{of_all_images | VK_FORMAT_FEATURE_2_DEPTH_STENCIL_ATTACHMENT_BIT, 0};
  if ((aspects & VK_IMAGE_ASPECT_DEPTH_BIT) != 0)
    support.images |= VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_DEPTH_COMPARISON_BIT;
  return support;
}

/// What the engine does with storage images and texel buffers whose texels lie as its own.
FormatSupport support_of_engine(ImageFormat format, const Profile& profile) {
  FormatSupport support{VK_FORMAT_FEATURE_2_STORAGE_IMAGE_BIT | without_format,
                        VK_FORMAT_FEATURE_2_UNIFORM_TEXEL_BUFFER_BIT |
                            VK_FORMAT_FEATURE_2_STORAGE_TEXEL_BUFFER_BIT | without_format};
  if (info_of(format).takes_atomics() &&
      (!is_float(format) || profile.features.contain(Feature::shader_image_float32_atomics))) {
    support.images |= VK_FORMAT_FEATURE_2_STORAGE_IMAGE_ATOMIC_BIT;
    support.buffers |= VK_FORMAT_FEATURE_2_STORAGE_TEXEL_BUFFER_ATOMIC_BIT;
  }
  return support;
}

}  // namespace

std::optional<FormatPlanes> planes_of(VkFormat format) {
  const FormatRow* const row = find_row(format);
  if (row == nullptr) return std::nullopt;
  return FormatPlanes{row->texels, row->stencil, row->aspects};
}

TexelBits decode_texel(const TexelFormat& format, const std::byte* from) {
  if (format.packed.bytes != 0) return format.packed.decode(from);
  TexelBits texel = lockstep::decode_texel(format.texels, from);
  if (format.bgra) std::swap(texel[0], texel[2]);
  if (format.srgb) for_each_color(texel, linear_of_srgb);
  return texel;
}

void encode_texel(const TexelFormat& format, std::byte* to, TexelBits texel) {
  if (format.packed.bytes != 0) return format.packed.encode(to, texel);
  if (format.srgb) for_each_color(texel, srgb_of_linear);
  if (format.bgra) std::swap(texel[0], texel[2]);
  lockstep::encode_texel(format.texels, to, texel);
}

std::optional<TexelFormat> texel_buffer_format_of(VkFormat format) {
  const FormatRow* const row = find_row(format);
  if (row == nullptr || row->aspects != VK_IMAGE_ASPECT_COLOR_BIT) return std::nullopt;
  if (!row->texels.is_engine() && !row->texels.is_blue_first()) return std::nullopt;
  return row->texels;
}

FormatSupport support_of(VkFormat format, const Settings& settings) {
  // With the stub programs describe vertices, too, that they never draw.
  constexpr VkFormatFeatureFlags2 vertices = VK_FORMAT_FEATURE_2_VERTEX_BUFFER_BIT;
  constexpr VkFormat only_vertices[] = {VK_FORMAT_R32G32B32_UINT, VK_FORMAT_R32G32B32_SINT,
                                        VK_FORMAT_R32G32B32_SFLOAT};
  if (settings.graphics_stub && std::ranges::count(only_vertices, format) != 0)
    return {0, vertices};
  const FormatRow* const row = find_row(format);
  if (row == nullptr) return {};
  if (row->aspects != VK_IMAGE_ASPECT_COLOR_BIT) return support_of_depth(row->aspects, settings);
  const ImageFormat texels = row->texels.texels;
  const bool wide = info_of(texels).bits[0] == 64;
  if (wide && !settings.profile.features.contain(Feature::shader_image_int64_atomics)) return {};
  FormatSupport support;
  if (row->texels.is_engine()) support = support_of_engine(texels, settings.profile);
  // Copied for each dispatch, and back.
  if (row->texels.is_blue_first()) support = support_of_engine(texels, settings.profile);
  support.images |= of_all_images;
  if (is_float(texels)) support.images |= VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_LINEAR_BIT;
  // Nothing can be drawn, but programs that never draw make images that they could draw to.
  if (settings.graphics_stub && !wide) {
    support.images |= VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT;
    if (is_float(texels)) support.images |= VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BLEND_BIT;
    if (support.buffers != 0) support.buffers |= vertices;
  }
  return support;
}

}  // namespace lockstep::driver
