#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "oracle/ran.hpp"
#include "registry/registry.hpp"
#include "support/settings.hpp"
#include "support/walker/walker.hpp"

/// \file
/// The kernels' GLSL ports, walked one invocation at a time: what comes out is what the kernels' checks want, and what the
/// oracle allows beside the engine's results.

namespace {

using namespace lockstep;

void walk(kernels::KernelCase& job, int size) {
  for (const kernels::Pass& pass : job.passes) {
    const Module module = Module::load(std::string(LOCKSTEP_KERNELS_DIR) + "/" + pass.shader);
    walker::Job walk{.words = module.words(), .subgroup_size = size};
    walk.workgroups = {pass.workgroups.x, pass.workgroups.y, pass.workgroups.z};
    walk.push_constants = pass.push_constants;
    for (std::uint32_t k = 0; k < pass.bindings.size(); ++k) {
      kernels::Argument& argument = job.arguments[pass.bindings[k]];
      walker::Binding binding{.binding = k, .bytes = ports::bytes_of(argument)};
      if (argument.texels)
        binding.width = argument.texels->size.x, binding.height = argument.texels->size.y;
      walk.bindings.push_back(binding);
    }
    walker::walk(walk);
  }
}

std::vector<int> sizes() {
#if defined(LOCKSTEP_TEST_REDUCED)
  return {5, 32};
#else
  return {1, 2, 3, 4, 5, 8, 16, 24, 32, 64, 100, 128};
#endif
}

TEST_CASE("ports walked one invocation at a time give what is right and allowed") {
  std::size_t walked = 0;
  for (const int size : sizes())
    for (const kernels::Entry& entry : kernels::all_kernels()) {
      if (!entry.undefined_at(size).empty()) continue;
      const kernels::KernelCase job = entry.make_case(entry.make_input(130, 1), size);
      if (job.passes[0].shader.ends_with(".frag")) continue;
      INFO(entry.name << ", subgroup size " << size);
      kernels::KernelCase other = job;
      walk(other, size);
      CHECK(entry.verify(job, other) == "");
      oracle_test::check_allowed(oracle_test::run_for_oracle(job, size), other);
      ++walked;
    }
  CHECK(walked >= 25 * sizes().size());
}

}  // namespace
