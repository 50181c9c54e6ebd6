#include "kernels/sweep.hpp"

namespace {

using namespace lockstep::test;

TEST_CASE("broadcast_load at every subgroup size") {
  sweep("broadcast_load", {0, 1, 127, 128, 129, 1000});
}

}  // namespace
