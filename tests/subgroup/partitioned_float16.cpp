#include "subgroup/partitioned.hpp"

#include <catch2/catch.hpp>

using namespace lockstep;
using namespace lockstep::test;

TEST_CASE("Reductions and scans of partitions: lockstep::float16_t") {
  check_types<PartitionedCalls, FewestSizes>(TypeList<lockstep::float16_t>{});
}
