#include <lockstep/oracle/allowed_results.hpp>

#include <catch2/catch.hpp>
#include <type_traits>

#include <lockstep/spirv/pipeline.hpp>

#include "oracle/bounds.hpp"

TEST_CASE("users see what a dispatch can fill, but only Lockstep makes it") {
  using lockstep::oracle::AllowedResults;
  STATIC_REQUIRE(std::is_same_v<decltype(lockstep::Dispatch::bounds), AllowedResults*>);
  STATIC_REQUIRE(!std::is_constructible_v<AllowedResults>);
  STATIC_REQUIRE(!std::is_destructible_v<AllowedResults>);
  lockstep::oracle::Bounds bounds;
  const lockstep::Dispatch dispatch{.bounds = &bounds};
  CHECK(static_cast<lockstep::oracle::Bounds*>(dispatch.bounds) == &bounds);
}
