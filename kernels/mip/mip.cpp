#include "mip/mip.hpp"

#include <cmath>

#include "registry/inputs.hpp"
#include "registry/passes.hpp"
#include "registry/verify.hpp"

namespace lockstep::kernels {
namespace {
namespace mip_case {

using Uint = std::uint32_t;

// Inputs: the colours, and width and height of their image. Integers: quarters of sums are exact.
std::vector<Argument> make_input(std::size_t n, std::uint64_t seed) {
  const auto side = std::max(static_cast<Uint>(std::sqrt(static_cast<double>(n))), 1u);
  return {input("in_color", random_below<float>(std::size_t{4} * side * side, seed, 256)),
          input("size", std::vector<Uint>{side, side})};
}

Size3 size_of(const Argument& argument) {
  const auto numbers = values<Uint>(argument);
  if (numbers.size() != 2 || numbers[0] == 0 || numbers[1] == 0)
    throw InputError("the input size must be two numbers from 1 on: width and height");
  return {numbers[0], numbers[1], 1};
}

KernelCase make_case(std::vector<Argument> inputs, int subgroup_size) {
  const Size3 size = size_of(inputs[1]);
  const Size3 half{(size.x + 1) / 2, (size.y + 1) / 2, 1};
  make_image(inputs[0], ImageFormat::rgba32f, ImageKind::two_d, size);
  inputs.push_back(output<float>("low_res_frame", std::size_t{4} * half.x * half.y));
  make_image(inputs[2], ImageFormat::rgba32f, ImageKind::two_d, half);
  inputs.push_back(output<float>("frame", std::size_t{4} * size.x * size.y));
  make_image(inputs[3], ImageFormat::rgba32f, ImageKind::two_d, size);
  return {.subgroup_size = subgroup_size,
          .arguments = std::move(inputs),
          .passes = {pixel_pass<Mip, Texels, Texels, Texels>("mip/mip.frag", size, {0, 2, 3}, 1)}};
}

std::string verify(const KernelCase& before, const KernelCase& after) {
  const auto in = values<float>(before.arguments[0]);
  const Size3 size = size_of(before.arguments[1]);
  const auto texel = [&](std::size_t x, std::size_t y, std::size_t k) {
    x = std::min(x, std::size_t{size.x} - 1);
    y = std::min(y, std::size_t{size.y} - 1);
    return k == 3 ? 1.0 : double{in[4 * (y * size.x + x) + k]};
  };
  std::vector<Expected> frame, low_res;
  for (std::size_t y = 0; y < size.y; ++y) {
    for (std::size_t x = 0; x < size.x; ++x) {
      for (std::size_t k = 0; k < 4; ++k) {
        frame.push_back({texel(x, y, k), 0});
        if (x % 2 != 0 || y % 2 != 0) continue;
        double sum = 0, magnitude = 0;
        for (std::size_t i = 0; i < 4; ++i) {
          const double color = texel(x + i % 2, y + i / 2, k);
          sum += color;
          magnitude += std::abs(color);
        }
        low_res.push_back({sum / 4, magnitude * 0x1p-23});
      }
    }
  }
  const std::string wrong = difference("low_res_frame", low_res, values<float>(after.arguments[2]));
  if (!wrong.empty()) return wrong;
  return difference("frame", frame, values<float>(after.arguments[3]));
}

std::string needs_quads(int subgroup_size) {
  if (subgroup_size >= 4) return {};
  return "a quad has 4 lanes; use 4 or more";
}

}  // namespace mip_case
}  // namespace

Entry mip_entry() {
  using namespace mip_case;
  return {.name = "mip",
          .summary = "a frame and its next smaller mip level, by swaps in quads of pixels",
          .source = source::tutorial,
          .undefined_at = needs_quads,
          .make_input = make_input,
          .make_case = make_case,
          .verify = verify};
}

}  // namespace lockstep::kernels
