#include "kernels/sweep.hpp"

namespace {

using namespace lockstep::test;

TEST_CASE("cull_triangles at every subgroup size") {
  sweep("cull_triangles", {0, 1, 127, 128, 129, 1000});
}

}  // namespace
