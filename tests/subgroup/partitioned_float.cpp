#include "subgroup/partitioned.hpp"

#include <catch2/catch.hpp>

using namespace lockstep;
using namespace lockstep::test;

TEST_CASE("Reductions and scans of partitions: float, double") {
  check_types<PartitionedCalls, SomeSizes>(TypeList<float, double>{});
}
