#include "kernels/sweep.hpp"

namespace {

using namespace lockstep::test;

TEST_CASE("match_any at every subgroup size") { sweep("match_any", {0, 1, 127, 128, 129, 1000}); }

}  // namespace
