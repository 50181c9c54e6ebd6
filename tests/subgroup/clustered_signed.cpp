#include "subgroup/clustered.hpp"

#include <catch2/catch.hpp>

using namespace lockstep;
using namespace lockstep::test;

TEST_CASE("Reductions of clusters: signed integers") {
  check_types<ClusteredCalls, FewestSizes>(
      TypeList<std::int8_t, std::int16_t, std::int32_t, std::int64_t>{});
}
