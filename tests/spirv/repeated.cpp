#include <cstdint>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/spirv/module.hpp>
#include <lockstep/spirv/pipeline.hpp>

#include "support/memory_growth.hpp"

/// \file
/// A pipeline that is dispatched in a loop takes no memory for good.

TEST_CASE("dispatches of a pipeline take no memory for good, from one thread and from eight") {
  const auto module = lockstep::Module::from_glsl(R"(#version 450
layout(local_size_x = 8) in;
layout(binding = 0) buffer Counts { uint counts[]; };
void main() { counts[gl_GlobalInvocationID.x] += 1; }
)");
  const lockstep::Pipeline pipeline(module, {.subgroup_size = 8});
  for (const int threads : {1, 8}) {
    constexpr int each = 1000;
    std::vector<std::vector<std::uint32_t>> counts(8, std::vector<std::uint32_t>(16));
    const std::ptrdiff_t growth = lockstep::test::memory_growth(threads, each, [&](int thread) {
      lockstep::DescriptorTable table;
      table.bind(0, counts[static_cast<std::size_t>(thread)]);
      pipeline.dispatch(table, {.workgroups = {2}});
    });
    INFO("threads: " << threads);
    CHECK(growth < 1 << 20);
    for (int thread = 0; thread < threads; ++thread)
      CHECK(counts[static_cast<std::size_t>(thread)] == std::vector<std::uint32_t>(16, 2 * each));
  }
}
