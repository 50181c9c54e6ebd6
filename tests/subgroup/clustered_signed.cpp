#include "subgroup/clustered.hpp"

#include <catch2/catch.hpp>

using namespace lockstep;
using namespace lockstep::test;

TEST_CASE("Reductions of clusters: signed integers") {
  check_types<ClusteredCalls, FewestSizes>(
      SampledTypes<SignedTypes, TypeList<std::int16_t, std::int32_t>>{});
}
