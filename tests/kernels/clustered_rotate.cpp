#include "kernels/sweep.hpp"

namespace {

using namespace lockstep::test;

TEST_CASE("clustered_rotate at every subgroup size that it is defined at") {
  sweep(
      "clustered_rotate", {0, 1, 127, 128, 129, 1000}, [](int size) { return size % 4 == 0; },
      "its groups have 4 lanes; use a multiple of 4");
}

}  // namespace
