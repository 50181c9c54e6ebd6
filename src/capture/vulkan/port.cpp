#include "capture/vulkan/port.hpp"

#include <algorithm>

#include "shader/front/compile.hpp"
#include "shader/front/encoded.hpp"

namespace lockstep::vulkan {
namespace {

/// A module without subgroup uniform control flow, which no capability announces: drivers without
/// the extension reject it, and without the promise they may still keep it.
std::vector<std::uint32_t> without_uniform_control_flow(const std::vector<std::uint32_t>& words) {
  constexpr auto uniform_control_flow =
      static_cast<std::uint32_t>(spv::ExecutionMode::SubgroupUniformControlFlowKHR);
  std::vector<std::uint32_t> kept(words.begin(), words.begin() + spirv::header_words);
  for (const spirv::Encoded i : spirv::EncodedInstructions(words)) {
    if (i.opcode() != spv::Op::OpExecutionMode || i.words[2] != uniform_control_flow)
      kept.insert(kept.end(), i.words.begin(), i.words.end());
  }
  return kept;
}

}  // namespace

Port::Port(const Device& device, const kernels::KernelCase& job,
           const std::string& kernels_directory) {
  std::vector<std::vector<std::uint32_t>> modules;
  for (const kernels::Pass& pass : job.passes) {
    if (pass.attachments > 0) {
      lacks_ = "graphics pipelines, which are not supported";
      return;
    }
    modules.push_back(without_uniform_control_flow(
        spirv::load_file(kernels_directory + "/" + pass.shader, {}).words));
    if (lacks_.empty()) lacks_ = device.lacks(modules.back());
  }
  if (!lacks_.empty()) return;

  for (const kernels::Argument& argument : job.arguments) {
    if (argument.texels) {
      const auto& [format, kind, size] = *argument.texels;
      resources_.push_back(Resource::image(device, format, kind, size));
      continue;
    }
    const std::size_t bytes =
        std::visit([](const auto& v) { return v.size() * sizeof v[0]; }, argument.values);
    resources_.push_back(Resource::buffer(device, std::max<std::size_t>(bytes, 4)));
  }
  for (std::size_t k = 0; k < job.passes.size(); ++k) {
    const kernels::Pass& pass = job.passes[k];
    std::vector<Slot> slots;
    std::vector<const Resource*> bound;
    for (std::uint32_t binding = 0; binding < pass.bindings.size(); ++binding) {
      const Resource& resource = resources_[pass.bindings[binding]];
      slots.push_back({.set = 0, .binding = binding, .is_image = resource.is_image()});
      bound.push_back(&resource);
    }
    PipelineOptions options;
    options.push_constant_bytes = static_cast<std::uint32_t>(pass.push_constants.size());
    steps_.push_back({.pipeline = Pipeline(device, modules[k], std::move(slots), options),
                      .workgroups = pass.workgroups,
                      .resources = std::move(bound),
                      .push_constants = pass.push_constants});
  }
}

void Port::upload(const kernels::KernelCase& job) {
  for (std::size_t k = 0; k < resources_.size(); ++k)
    std::visit([&](const auto& v) { resources_[k].upload(std::as_bytes(std::span(v))); },
               job.arguments[k].values);
}

double Port::run() {
  double seconds = 0;
  for (Step& step : steps_)
    seconds += step.pipeline.run(step.workgroups, step.resources, step.push_constants);
  return seconds;
}

void Port::download(kernels::KernelCase& job) const {
  for (std::size_t k = 0; k < resources_.size(); ++k)
    std::visit([&](auto& v) { resources_[k].download(std::as_writable_bytes(std::span(v))); },
               job.arguments[k].values);
}

}  // namespace lockstep::vulkan
