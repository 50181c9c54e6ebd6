#include "subgroup/clustered.hpp"

#include <catch2/catch.hpp>

using namespace lockstep;
using namespace lockstep::test;

TEST_CASE("Reductions of clusters: float, double") {
  check_at<ClusteredCalls, float>(ManySizes{});
  check_types<ClusteredCalls, SomeSizes>(TypeList<double>{});
}
