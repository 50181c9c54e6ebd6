#include "kernels/sweep.hpp"

namespace {

using namespace lockstep::test;

TEST_CASE("dynamic_branch at every subgroup size") {
  sweep("dynamic_branch", {0, 1, 127, 128, 129, 1000});
}

}  // namespace
