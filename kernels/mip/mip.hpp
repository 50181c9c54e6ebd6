#pragma once

// Source: "Vulkan Subgroup Tutorial" (003_24e6b1a705ab0ab7.txt), the quad category.
//
// Pixels are shaded in quads of 2x2, and while a frame is drawn the quads also make the next smaller
// mip level: two swaps add up the four colours, and the quad's first lane stores a quarter of the
// sum. (The text stores the sum itself.) Colours come from an image. If its width or height is odd,
// helper lanes outside it use the colour at the edge, so that the smaller image covers the remainder.

#include <lockstep/glsl/image.hpp>
#include <lockstep/glsl/pixels.hpp>
#include <lockstep/glsl/vec_functions.hpp>
#include <lockstep/lockstep.hpp>

#include <lockstep/glsl/keywords.hpp>

namespace lockstep::kernels {

template <class S>
struct Mip : Pixels<S> {
  LOCKSTEP_PIXELS(S);

  image2D in_color;
  image2D low_res_frame;
  image2D frame;

  void main() {
    const ivec2 pixel = ivec2(gl_FragCoord.xy());
    const ivec2 edge = ivec2(imageSize(in_color)) - ivec2(1);
    const vec3 color = imageLoad(in_color, min(pixel, edge)).xyz();
    const vec3 row = color + subgroupQuadSwapHorizontal(color);
    const vec3 low_res = (row + subgroupQuadSwapVertical(row)) * Float(0.25f);
    imageStore(frame, pixel, vec4(color, 1.0f));
    // The first lane of a quad is never a helper.
    If (gl_SubgroupInvocationID == subgroupQuadBroadcast(gl_SubgroupInvocationID, 0u)) {
      imageStore(low_res_frame, pixel / 2, vec4(low_res, 1.0f));
    }
  }
};

/// Copies in_color to frame, and makes low_res_frame of half its size, rounded up. Requires a subgroup
/// size of at least four.
template <int... Widths>
void mip(Image& in_color, Image& low_res_frame, Image& frame, const Device& device) {
  device.dispatch_pixels<Mip, Widths...>(in_color.size().x, in_color.size().y, in_color,
                                         low_res_frame, frame);
}

}  // namespace lockstep::kernels

#include <lockstep/glsl/keywords_off.hpp>
