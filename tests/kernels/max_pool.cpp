#include "kernels/sweep.hpp"

namespace {

using namespace lockstep;
using namespace lockstep::test;

TEST_CASE("max_pool at every subgroup size that it is defined at") {
  sweep(
      "max_pool", {0, 16, 1000, 10000}, [](int size) { return size % 16 == 0; },
      "its groups have 16 lanes; use a multiple of 16");
}

TEST_CASE("max_pool takes images of several slices, and says which it does not take") {
  const kernels::Entry& entry = kernel("max_pool");
  auto inputs = entry.make_input(0, 1);
  inputs[0].values = std::vector<float16_t>(36 * 8 * 3);
  inputs[1].values = std::vector<std::uint32_t>{36, 8, 3};
  auto texels = std::get<std::vector<float16_t>>(inputs[0].values);
  for (std::size_t i = 0; i < texels.size(); ++i)
    texels[i] = static_cast<float16_t>(static_cast<float>(i * 7919 % 2048));
  inputs[0].values = texels;
  run_checked(entry, inputs, 32);

  inputs[1].values = std::vector<std::uint32_t>{36, 8, 2};
  CHECK_THROWS_WITH(entry.make_case(inputs, 32),
                    "the input in_image has 864 elements, but an image of 36 x 8 x 2 takes 576");
  inputs[1].values = std::vector<std::uint32_t>{35, 8, 3};
  CHECK_THROWS_WITH(entry.make_case(inputs, 32),
                    "the input size is 35 x 8 x 3; use a multiple of 4 for width and height, and "
                    "at least one slice");
}

}  // namespace
