#include "kernels/sweep.hpp"

namespace {

using namespace lockstep::test;

TEST_CASE("mip at every subgroup size that it is defined at") {
  // Sides of 1, 2, 5, 30 and 31 pixels: with helper lanes and without.
  sweep(
      "mip", {0, 4, 25, 900, 1000}, [](int size) { return size >= 4; },
      "a quad has 4 lanes; use 4 or more");
}

}  // namespace
