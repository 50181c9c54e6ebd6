#include "kernels/sweep.hpp"

namespace {

using namespace lockstep::test;

TEST_CASE("bitonic_sort at every subgroup size that it is defined at") {
  sweep("bitonic_sort", {0, 1, 127, 128, 129, 1000}, is_power_of_two,
        "lanes exchange values with partners, which requires a power of two; use 1, 2, 4, 8, 16, "
        "32, 64 or 128");
}

}  // namespace
