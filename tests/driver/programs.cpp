#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "capture/vulkan/runner.hpp"
#include "convergence/allowed.hpp"
#include "convergence/glsl.hpp"
#include "convergence/trial.hpp"
#include "driver/environment.hpp"
#include "shader/front/compile.hpp"

namespace {

using namespace lockstep;
using namespace lockstep::test;
using Words = std::vector<std::uint32_t>;

Words log_on(const vulkan::Device& device, const Words& module, std::uint32_t required_size) {
  Words words = log_words();
  auto buffer = vulkan::Resource::buffer(device, 4 * words.size());
  buffer.upload(std::as_bytes(std::span(words)));
  vulkan::PipelineOptions options;
  options.subgroup_size = required_size;
  vulkan::Pipeline pipeline(device, module, {{.set = 0, .binding = 0}}, options);
  const std::array<const vulkan::Resource*, 1> buffers{&buffer};
  pipeline.run({1}, buffers);
  buffer.download(std::as_writable_bytes(std::span(words)));
  return words;
}

Trial trial_of(std::uint64_t n, int size) {
  Trial trial = draw_trial(hash_of(seed(), 41, n), Style());
  trial.size = size;
  Draw draw(trial.seed);
  trial.existing = some_lanes(draw, size);
  return trial;
}

/// How what the device logged differs from the reference; empty if it does not. Throws TooLong.
std::string failure_of(const vulkan::Device& device, const Trial& trial,
                       std::uint32_t required_size) {
  const AllowedLog allowed =
      exactly(run_reference(trial.program, trial.existing, SwitchLanes::joined), false);
  if (!fits(allowed)) return "";
  const std::string text = to_glsl(trial.program, trial.size, trial.existing);
  const Words module = spirv::compile_glsl(text, "program.comp", {}).words;
  return difference(log_from(log_on(device, module, required_size)), allowed);
}

/// Runs programs until so many could be compared.
void compare(const vulkan::Device& device, int size, int count, std::uint32_t required_size) {
  int compared = 0;
  for (std::uint64_t n = 0; compared < count; ++n) {
    const Trial trial = trial_of(n, size);
    try {
      std::string failure = failure_of(device, trial, required_size);
      if (!failure.empty())
        failure =
            report(trial, [&](const Trial& t) { return failure_of(device, t, required_size); });
      INFO(failure);
      REQUIRE(failure.empty());
      ++compared;
    } catch (const TooLong&) {
      continue;
    }
  }
}

}  // namespace

TEST_CASE("random programs log what the reference says at every default size") {
  for (const int size : driver_sizes) {
    const Environment environment(size);
    const vulkan::Device device("Lockstep");
    REQUIRE(device.properties().subgroup_size == unsigned(size));
    compare(device, size, test::programs(10), 0);
  }
}

TEST_CASE("random programs log what the reference says at required sizes") {
  const Environment environment;
  const vulkan::Device device("Lockstep");
  REQUIRE(device.properties().required_size);
  REQUIRE(device.properties().min_subgroup_size == 4);
  REQUIRE(device.properties().max_subgroup_size == 128);
  for (const int size : {8, 64}) compare(device, size, test::programs(5), unsigned(size));
}
