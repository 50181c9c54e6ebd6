#include "kernels/sweep.hpp"

namespace {

using namespace lockstep::test;

TEST_CASE("subgroup_scan at every subgroup size") {
  sweep("subgroup_scan", {0, 1, 127, 128, 129, 1000});
}

}  // namespace
