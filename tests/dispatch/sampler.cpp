#include <lockstep/dispatch/sampler.hpp>

#include <catch2/catch.hpp>

// What samplers do is in tests/spirv/sampling.cpp.

TEST_CASE("Sampler: nearest, repeated, from level zero, as Vulkan's zeros are") {
  const lockstep::Sampler sampler;
  CHECK(sampler.mag_filter == lockstep::Filter::nearest);
  CHECK(sampler.min_filter == lockstep::Filter::nearest);
  CHECK(sampler.mipmap_mode == lockstep::Filter::nearest);
  for (const auto mode : {sampler.address_mode_u, sampler.address_mode_v, sampler.address_mode_w})
    CHECK(mode == lockstep::AddressMode::repeat);
  CHECK(sampler.border_color == lockstep::BorderColor::transparent_black);
  CHECK(sampler.lod_bias == 0);
  CHECK(sampler.min_lod == 0);
  CHECK(sampler.max_lod == 1000);
  CHECK_FALSE(sampler.unnormalized_coordinates);
  CHECK_FALSE(sampler.compares);
  CHECK(sampler.compare_op == lockstep::CompareOp::never);
}
