#include "subgroup/vectors.hpp"

#include <catch2/catch.hpp>

#include "subgroup/arithmetic.hpp"

using namespace lockstep;
using namespace lockstep::test;

TEST_CASE("Vectors: reductions and scans") { check_vectors<ArithmeticCalls>(); }
