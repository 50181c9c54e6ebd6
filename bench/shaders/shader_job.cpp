#include "shaders/shader_job.hpp"

#include <span>
#include <variant>

namespace lockstep::bench {
namespace {

std::span<std::byte> bytes_of_argument(kernels::Argument& argument) {
  return std::visit([](auto& v) { return std::as_writable_bytes(std::span(v)); }, argument.values);
}

}  // namespace

ShaderJob::ShaderJob(const kernels::Job& job, const std::string& kernels_directory) {
  for (const kernels::Pass& pass : job.passes)
    shaders_.push_back(Shader::load(kernels_directory + "/" + pass.shader));
}

void ShaderJob::run(kernels::Job& job, const DispatchSettings& settings) {
  for (std::size_t p = 0; p < job.passes.size(); ++p) {
    const kernels::Pass& pass = job.passes[p];
    std::vector<Image> images;
    images.reserve(pass.bindings.size());  // they are bound by reference
    for (std::uint32_t binding = 0; binding < pass.bindings.size(); ++binding) {
      kernels::Argument& argument = job.arguments[pass.bindings[binding]];
      const std::span<std::byte> bytes = bytes_of_argument(argument);
      if (argument.texels) {
        const kernels::Texels& is = *argument.texels;
        images.emplace_back(is.format, is.kind, is.size, bytes);
        shaders_[p].bind_image(binding, images.back());
      } else {
        shaders_[p].bind_bytes(0, binding, 0, bytes);
      }
    }
    if (!pass.push_constants.empty()) shaders_[p].push_bytes(std::span(pass.push_constants));
    shaders_[p].dispatch(pass.workgroups, settings);
  }
}

MakeRival& make_rival() {
  static MakeRival made = nullptr;
  return made;
}

}  // namespace lockstep::bench
