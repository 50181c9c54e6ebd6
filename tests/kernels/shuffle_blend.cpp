#include "kernels/sweep.hpp"

namespace {

using namespace lockstep::test;

TEST_CASE("shuffle_blend at every subgroup size") {
  sweep("shuffle_blend", {0, 1, 127, 128, 129, 1000});
}

}  // namespace
