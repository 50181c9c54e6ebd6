#include "kernels/sweep.hpp"

namespace {

using namespace lockstep::test;

TEST_CASE("small_workgroup at every subgroup size") {
  sweep("small_workgroup", {0, 1, 2, 33, 300});
}

}  // namespace
