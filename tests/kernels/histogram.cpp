#include "kernels/sweep.hpp"

namespace {

using namespace lockstep::test;

TEST_CASE("histogram at every subgroup size") {
  sweep("histogram", {0, 1, 4095, 4096, 4097, 20000});
}

}  // namespace
