#pragma once

#include <cstdint>

namespace lockstep {

/// How a sampler combines texels.
enum class Filter : std::uint8_t { nearest, linear };

/// How a sampler treats coordinates beyond an image's edge.
enum class AddressMode : std::uint8_t {
  repeat,
  mirrored_repeat,
  clamp_to_edge,
  clamp_to_border,
  mirror_clamp_to_edge
};

/// The texel beyond the edge of clamp_to_border.
enum class BorderColor : std::uint8_t { transparent_black, opaque_black, opaque_white };

/// How a shadow sampler compares its reference with a texel.
enum class CompareOp : std::uint8_t {
  never,
  less,
  equal,
  less_or_equal,
  greater,
  not_equal,
  greater_or_equal,
  always
};

/// How a shader's texture functions sample an image: the parameters of Vulkan's samplers.
///
/// Requires      None.
/// Active lanes  None.
/// Errors        None.
/// Cost          A small value.
/// Spec          VkSamplerCreateInfo
/// Example       tests/spirv/sampling.cpp
struct Sampler {
  Filter mag_filter = Filter::nearest;
  Filter min_filter = Filter::nearest;
  Filter mipmap_mode = Filter::nearest;  ///< between levels
  AddressMode address_mode_u = AddressMode::repeat;
  AddressMode address_mode_v = AddressMode::repeat;
  AddressMode address_mode_w = AddressMode::repeat;
  BorderColor border_color = BorderColor::transparent_black;
  float lod_bias = 0;
  float min_lod = 0;
  float max_lod = 1000;  ///< as VK_LOD_CLAMP_NONE
  bool unnormalized_coordinates = false;
  bool compares = false;  ///< for sampler2DShadow and the like
  CompareOp compare_op = CompareOp::never;
};

}  // namespace lockstep
