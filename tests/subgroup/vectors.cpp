#include "subgroup/vectors.hpp"

#include <catch2/catch.hpp>

#include "subgroup/arb.hpp"
#include "subgroup/ballot.hpp"
#include "subgroup/quad.hpp"
#include "subgroup/rotate.hpp"
#include "subgroup/shuffle.hpp"
#include "subgroup/shuffle_relative.hpp"

using namespace lockstep;
using namespace lockstep::test;

TEST_CASE("Vectors: broadcasts") {
  check_vectors<BroadcastCalls>();
  ArbCalls<AsVector<std::uint32_t, 3, 24>>::check();
}

TEST_CASE("Vectors: shuffles") {
  check_vectors<ShuffleCalls>();
  check_vectors<ShuffleRelativeCalls>();
}

TEST_CASE("Vectors: rotations") { check_vectors<RotateCalls>(); }

TEST_CASE("Vectors: quads") { check_vectors<QuadCalls>(); }
