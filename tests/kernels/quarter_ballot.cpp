#include "kernels/sweep.hpp"

namespace {

using namespace lockstep::test;

TEST_CASE("quarter_ballot at every subgroup size") {
  sweep("quarter_ballot", {0, 1, 127, 128, 129, 2000});
}

}  // namespace
