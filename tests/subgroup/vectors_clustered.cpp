#include "subgroup/vectors.hpp"

#include <catch2/catch.hpp>

#include "subgroup/clustered.hpp"

using namespace lockstep;
using namespace lockstep::test;

TEST_CASE("Vectors: reductions of clusters") { check_vectors<ClusteredCalls>(); }
