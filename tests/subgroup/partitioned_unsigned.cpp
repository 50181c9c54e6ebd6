#include "subgroup/partitioned.hpp"

#include <catch2/catch.hpp>

using namespace lockstep;
using namespace lockstep::test;

TEST_CASE("Reductions and scans of partitions: unsigned integers") {
  check_types<PartitionedCalls, FewestSizes>(
      SampledTypes<UnsignedTypes, TypeList<std::uint16_t>>{});
  check_at<PartitionedCalls, std::uint32_t>(ManySizes{});
}
