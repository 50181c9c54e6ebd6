#include "kernels/sweep.hpp"

namespace {

using namespace lockstep::test;

TEST_CASE("matrix_product at every subgroup size that it is defined at") {
  sweep(
      "matrix_product", {0, 1, 127, 128, 129, 1000}, [](int size) { return size % 16 == 0; },
      "its groups have 16 lanes; use a multiple of 16");
}

}  // namespace
