#include "subgroup/partitioned.hpp"

#include <catch2/catch.hpp>

using namespace lockstep;
using namespace lockstep::test;

TEST_CASE("Reductions and scans of partitions: signed integers") {
  check_types<PartitionedCalls, FewestSizes>(
      SampledTypes<SignedTypes, TypeList<std::int8_t, std::int64_t>>{});
}
