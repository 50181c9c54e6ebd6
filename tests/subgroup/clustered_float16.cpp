#include "subgroup/clustered.hpp"

#include <catch2/catch.hpp>

using namespace lockstep;
using namespace lockstep::test;

TEST_CASE("Reductions of clusters: lockstep::float16_t") {
  check_types<ClusteredCalls, FewestSizes>(TypeList<lockstep::float16_t>{});
}
