#include "subgroup/clustered.hpp"

#include <catch2/catch.hpp>

using namespace lockstep;
using namespace lockstep::test;

TEST_CASE("Reductions of clusters: unsigned integers") {
  check_types<ClusteredCalls, FewestSizes>(
      SampledTypes<UnsignedTypes, TypeList<std::uint16_t, std::uint64_t>>{});
}
