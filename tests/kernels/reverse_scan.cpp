#include "kernels/sweep.hpp"

namespace {

using namespace lockstep::test;

TEST_CASE("reverse_scan at every subgroup size") {
  sweep("reverse_scan", {0, 1, 127, 128, 129, 1000});
}

}  // namespace
