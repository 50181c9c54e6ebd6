#include "kernels/sweep.hpp"

namespace {

using namespace lockstep::test;

TEST_CASE("rotate at every subgroup size that it is defined at") {
  sweep(
      "rotate", {0, 1, 127, 128, 129, 1000}, [](int size) { return 128 % size == 0; },
      "workgroups of 128 leave a subgroup with lanes missing; use 1, 2, 4, 8, 16, 32, 64 or 128");
}

}  // namespace
