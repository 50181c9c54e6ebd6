#include <catch2/catch.hpp>
#include <deque>
#include <string>

#include <lockstep/spirv/descriptor_table.hpp>
#include <lockstep/spirv/pipeline.hpp>

#include "kernels/registry.hpp"
#include "oracle/reference.hpp"
#include "reference/walker.hpp"
#include "run/judge.hpp"
#include "run/types.hpp"
#include "support/settings.hpp"
#include "twins/engine_twin.hpp"

/// \file
/// The kernels' GLSL twins, walked one invocation at a time: what comes out is what the kernels' checks want, and what the
/// oracle allows beside the engine's results.

namespace {

using namespace lockstep;

npy::Dtype type_of(const kernels::Argument& argument) {
  constexpr npy::Dtype types[] = {npy::Dtype::uint32, npy::Dtype::int32, npy::Dtype::float32,
                                  npy::Dtype::float16};
  return types[argument.values.index()];
}

void walk(kernels::Job& job, int size) {
  for (const kernels::Pass& pass : job.passes) {
    const Module module = Module::load(std::string(LOCKSTEP_KERNELS_DIR) + "/" + pass.shader);
    reference::Job walk{.words = module.words(), .subgroup_size = size};
    walk.workgroups = {pass.workgroups.x, pass.workgroups.y, pass.workgroups.z};
    walk.push_constants = pass.push_constants;
    for (std::uint32_t k = 0; k < pass.bindings.size(); ++k) {
      kernels::Argument& argument = job.arguments[pass.bindings[k]];
      reference::Binding binding{.binding = k, .bytes = twins::bytes_of(argument)};
      if (argument.texels)
        binding.width = argument.texels->size.x, binding.height = argument.texels->size.y;
      walk.bindings.push_back(binding);
    }
    reference::walk(walk);
  }
}

void run_for_oracle(kernels::Job& job, int size, oracle::Reference& reference) {
  for (const kernels::Pass& pass : job.passes) {
    const Module module = Module::load(std::string(LOCKSTEP_KERNELS_DIR) + "/" + pass.shader);
    DescriptorTable table;
    std::deque<Image> images;
    for (std::uint32_t k = 0; k < pass.bindings.size(); ++k) {
      kernels::Argument& argument = job.arguments[pass.bindings[k]];
      if (!argument.texels) {
        table.set(0).bind_bytes(k, twins::bytes_of(argument));
        continue;
      }
      const kernels::Texels& is = *argument.texels;
      images.emplace_back(is.format, is.kind, is.size, twins::bytes_of(argument));
      table.set(0).bind_image(k, images.back());
    }
    const Pipeline pipeline(module, {.subgroup_size = size});
    pipeline.dispatch(table, {.workgroups = pass.workgroups,
                              .push_constants = pass.push_constants,
                              .reference = &reference});
  }
}

std::vector<int> sizes() {
#if defined(LOCKSTEP_TEST_REDUCED)
  return {5, 32};
#else
  return {1, 2, 3, 4, 5, 8, 16, 24, 32, 64, 100, 128};
#endif
}

TEST_CASE("twins walked one invocation at a time give what is right and allowed") {
  std::size_t walked = 0;
  for (const int size : sizes())
    for (const kernels::Entry& entry : kernels::all_kernels()) {
      if (!entry.undefined_at(size).empty()) continue;
      const kernels::Job job = entry.make_job(entry.make_input(130, 1), size);
      if (job.passes[0].shader.ends_with(".frag")) continue;
      INFO(entry.name << ", subgroup size " << size);
      kernels::Job mine = job, other = job;
      oracle::Reference reference;
      run_for_oracle(mine, size, reference);
      walk(other, size);
      CHECK(entry.check(job, other) == "");
      for (std::size_t k = 0; k < job.arguments.size(); ++k) {
        const auto bytes = twins::bytes_of(std::as_const(mine).arguments[k]);
        const auto theirs = twins::bytes_of(std::as_const(other).arguments[k]);
        const run::Judgement judged =
            run::judge(type_of(job.arguments[k]), {bytes.data(), bytes, theirs, {}}, reference);
        INFO(job.arguments[k].name << "[" << judged.worst.index << "] " << judged.worst.reference
                                   << " " << judged.worst.device << " " << judged.worst.reason);
        CHECK(judged.count(run::Verdict::wrong) == 0);
      }
      ++walked;
    }
  CHECK(walked >= 25 * sizes().size());
}

}  // namespace
