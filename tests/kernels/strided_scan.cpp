#include "kernels/sweep.hpp"

namespace {

using namespace lockstep::test;

TEST_CASE("strided_scan at every subgroup size") {
  sweep("strided_scan", {0, 1, 127, 128, 129, 1000});
}

}  // namespace
