#include "max_pool/max_pool.hpp"

#include <cmath>

#include "registry/inputs.hpp"
#include "registry/passes.hpp"
#include "registry/verify.hpp"

namespace lockstep::kernels {
namespace {
namespace max_pool_case {

using Uint = std::uint32_t;

// Inputs: the texels, and width, height and depth of their image. Integers up to 2048 are exact in
// 16 bits.
std::vector<Argument> make_input(std::size_t n, std::uint64_t seed) {
  const auto side = static_cast<Uint>(std::sqrt(static_cast<double>(n))) / 4 * 4;
  const Uint width = std::max(side, 4u);
  return {input("in_image", random_values<float16_t>(std::size_t{width} * width, seed,
                                                     [](std::uint64_t bits) {
                                                       return static_cast<float16_t>(
                                                           static_cast<float>(bits % 4097) - 2048);
                                                     })),
          input("size", std::vector<Uint>{width, width, 1})};
}

Size3 size_of(const Argument& argument) {
  const auto numbers = values<Uint>(argument);
  if (numbers.size() != 3)
    throw InputError("the input size must be three numbers: width, height and depth");
  return {numbers[0], numbers[1], numbers[2]};
}

KernelCase make_case(std::vector<Argument> inputs, int subgroup_size) {
  const Size3 in = size_of(inputs[1]);
  const Size3 out{in.x / 4, in.y / 4, in.z};
  if (in.x == 0 || in.y == 0 || in.z == 0 || in.x % 4 != 0 || in.y % 4 != 0)
    throw InputError(
        fmt::format("the input size is {} x {} x {}; use a multiple of 4 for width and height, and "
                    "at least one slice",
                    in.x, in.y, in.z));
  make_image(inputs[0], ImageFormat::r16f, ImageKind::three_d, in);
  inputs.push_back(output<float16_t>("out_image", std::size_t{out.x} * out.y * out.z));
  make_image(inputs[2], ImageFormat::r16f, ImageKind::three_d, out);
  return {.subgroup_size = subgroup_size,
          .arguments = std::move(inputs),
          .passes = {pass<MaxPool, Texels, Texels>("max_pool/max_pool.comp",
                                                   {(out.x + 7) / 8, out.y, out.z}, {0, 2})}};
}

std::string verify(const KernelCase& before, const KernelCase& after) {
  const auto in = values<float16_t>(before.arguments[0]);
  const auto out = values<float16_t>(after.arguments[2]);
  const Size3 size = size_of(before.arguments[1]);
  std::vector<float> want;
  for (std::size_t row = 0; row < std::size_t{size.y} * size.z; row += 4) {
    for (std::size_t x = 0; x < size.x; x += 4) {
      float largest = -std::numeric_limits<float>::infinity();
      for (std::size_t k = 0; k < 16; ++k) {
        largest = std::max(largest, static_cast<float>(in[(row + k / 4) * size.x + x + k % 4]));
      }
      want.push_back(largest);
    }
  }
  const std::vector<float> got(out.begin(), out.end());
  return difference<float>("out_image", want, got);
}

}  // namespace max_pool_case
}  // namespace

Entry max_pool_entry() {
  using namespace max_pool_case;
  return {.name = "max_pool",
          .summary = "an image of the largest of each 4x4 texels",
          .source = source::tutorial,
          .undefined_at = needs_multiple_of<16>,
          .make_input = make_input,
          .make_case = make_case,
          .verify = verify};
}

}  // namespace lockstep::kernels
