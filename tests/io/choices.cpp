#include "io/choices.hpp"

#include <catch2/catch.hpp>

#include "io/error.hpp"

namespace io = lockstep::io;
using lockstep::Mapping;
using lockstep::WorkgroupOrder;

TEST_CASE("mappings have words") {
  CHECK(io::parse_mapping("") == Mapping::linear());
  CHECK(io::parse_mapping("linear") == Mapping::linear());
  CHECK(io::parse_mapping("reversed") == Mapping::reversed());
  CHECK(io::parse_mapping("quads") == Mapping::quads());
  CHECK(io::parse_mapping("shuffled:7") == Mapping::shuffled(7));
  CHECK(io::parse_mapping("reversed", "even") ==
        Mapping::reversed().filled(Mapping::Filling::even));
  CHECK(io::parse_mapping("", "random:3") == Mapping::linear().filled(Mapping::Filling::random, 3));
  for (const char* wrong : {"lineal", "shuffled", "shuffled:", "shuffled:x", "shuffledx:1"})
    CHECK_THROWS_AS(io::parse_mapping(wrong), io::InputError);
  CHECK_THROWS_WITH(io::parse_mapping("", "odd"),
                    "--partial-subgroups odd: write even or random:SEED");
}

TEST_CASE("orders of workgroups have words") {
  CHECK(io::parse_workgroup_order("") == WorkgroupOrder::linear());
  CHECK(io::parse_workgroup_order("reversed") == WorkgroupOrder::reversed());
  CHECK(io::parse_workgroup_order("shuffled:9") == WorkgroupOrder::shuffled(9));
  CHECK(io::parse_workgroup_order("permutation:5") == WorkgroupOrder::permutation(5));
  CHECK_THROWS_WITH(io::parse_workgroup_order("permutation:-1"),
                    "--workgroup-order permutation:-1: write linear, reversed, shuffled:SEED or "
                    "permutation:NUMBER");
}

TEST_CASE("rules and orders of floats have words") {
  CHECK(io::parse_rule("") == lockstep::Rule::maximal);
  CHECK(io::parse_rule("subgroup-uniform") == lockstep::Rule::subgroup_uniform);
  CHECK_THROWS_AS(io::parse_rule("none"), io::InputError);
  CHECK(io::parse_float_order("butterfly") == lockstep::FloatOrder::butterfly);
  CHECK_THROWS_AS(io::parse_float_order("up"), io::InputError);
}
