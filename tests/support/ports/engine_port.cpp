#include "support/ports/engine_port.hpp"

#include <deque>
#include <variant>

#include <lockstep/dispatch/image.hpp>

namespace lockstep::ports {
namespace {

void bind(Shader& shader, std::uint32_t binding, kernels::Argument& argument,
          std::deque<Image>& images) {
  if (!argument.texels) {
    shader.bind_bytes(0, binding, 0, bytes_of(argument));
    return;
  }
  const kernels::Texels& is = *argument.texels;
  images.emplace_back(is.format, is.kind, is.size, bytes_of(argument));
  shader.bind_image(binding, images.back());
}

}  // namespace

std::span<std::byte> bytes_of(kernels::Argument& argument) {
  return std::visit([](auto& v) { return std::as_writable_bytes(std::span(v)); }, argument.values);
}
std::span<const std::byte> bytes_of(const kernels::Argument& argument) {
  return std::visit([](const auto& v) { return std::as_bytes(std::span(v)); }, argument.values);
}

EnginePort::EnginePort(const kernels::KernelCase& job, const std::string& kernels_directory) {
  for (const kernels::Pass& pass : job.passes)
    shaders_.push_back(Shader::load(kernels_directory + "/" + pass.shader));
}

FaultLog EnginePort::run(kernels::KernelCase& job, const DispatchSettings& settings) {
  FaultLog findings;
  for (std::size_t k = 0; k < job.passes.size(); ++k) {
    const kernels::Pass& pass = job.passes[k];
    std::deque<Image> images;  // shaders refer to them
    for (std::uint32_t binding = 0; binding < pass.bindings.size(); ++binding)
      bind(shaders_[k], binding, job.arguments[pass.bindings[binding]], images);
    shaders_[k].push_bytes(pass.push_constants);
    findings.merge(shaders_[k].dispatch(pass.workgroups, settings).findings);
  }
  return findings;
}

}  // namespace lockstep::ports
