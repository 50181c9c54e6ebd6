#include "kernels/sweep.hpp"

namespace {

using namespace lockstep::test;

TEST_CASE("radix_sort at every subgroup size") {
  sweep("radix_sort", {0, 1, 1023, 1024, 1025, 20000});
}

}  // namespace
