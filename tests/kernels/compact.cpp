#include "kernels/sweep.hpp"

namespace {

using namespace lockstep::test;

TEST_CASE("compact at every subgroup size") { sweep("compact", {0, 1, 127, 128, 129, 1000}); }

}  // namespace
