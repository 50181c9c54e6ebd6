#include "kernels/sweep.hpp"

namespace {

using namespace lockstep::test;

TEST_CASE("vote at every subgroup size") { sweep("vote", {0, 1, 127, 128, 129, 2000}); }

}  // namespace
