#pragma once

#include <lockstep/spirv/shader.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <lockstep/dispatch/image.hpp>

#include "kernels/job.hpp"

/// \file
/// Runs jobs of kernels from their GLSL twins on the shader engine, and compares what two runs left.

namespace lockstep::test {

/// Whether a pass's twin is a compute shader; those for pixels need a graphics pipeline.
inline bool is_compute(const kernels::Job& job) {
  return std::ranges::all_of(job.passes,
                             [](const kernels::Pass& pass) { return pass.attachments == 0; });
}

inline std::span<std::byte> bytes_of(kernels::Argument& argument) {
  return std::visit([](auto& v) { return std::as_writable_bytes(std::span(v)); }, argument.values);
}
inline std::span<const std::byte> bytes_of(const kernels::Argument& argument) {
  return std::visit([](const auto& v) { return std::as_bytes(std::span(v)); }, argument.values);
}

/// The twins of a job's passes, compiled once for any number of runs of jobs with the same passes.
class EngineTwin {
 public:
  EngineTwin(const kernels::Job& job, const std::string& kernels_directory) {
    for (const kernels::Pass& pass : job.passes)
      shaders_.push_back(Shader::load(kernels_directory + "/" + pass.shader));
  }

  /// Runs all passes one after another; returns the number of faults.
  std::uint64_t run(kernels::Job& job, const DispatchSettings& settings) {
    std::uint64_t faults = 0;
    for (std::size_t k = 0; k < job.passes.size(); ++k) {
      const kernels::Pass& pass = job.passes[k];
      std::deque<Image> images;
      for (std::uint32_t binding = 0; binding < pass.bindings.size(); ++binding)
        bind(shaders_[k], binding, job.arguments[pass.bindings[binding]], images);
      shaders_[k].push_bytes(pass.push_constants);
      faults += shaders_[k].dispatch(pass.workgroups, settings).faults;
    }
    return faults;
  }

 private:
  static void bind(Shader& shader, std::uint32_t binding, kernels::Argument& argument,
                   std::deque<Image>& images) {
    if (!argument.texels) {
      shader.bind_bytes(0, binding, 0, bytes_of(argument));
      return;
    }
    const kernels::Texels& is = *argument.texels;
    images.emplace_back(is.format, is.kind, is.size, bytes_of(argument));
    shader.bind_image(binding, images.back());
  }

  std::vector<Shader> shaders_;
};

/// Whether arrays are only defined but for an order: slots that atomics give out, and sums of floats
/// by atomics. With one thread, here and there, the order is that of subgroups and their lanes.
inline bool has_open_order(std::string_view kernel) {
  constexpr std::array<std::string_view, 5> names{
      "allocate", "allocate_broken", "allocate_nonuniform", "compact", "cull_triangles"};
  return std::ranges::find(names, kernel) != names.end();
}

/// The first byte at which two runs of a job differ, in one line; empty if there is none.
inline std::string first_difference(const kernels::Job& got, const kernels::Job& want) {
  for (std::size_t k = 0; k < want.arguments.size(); ++k) {
    const auto g = bytes_of(got.arguments[k]), w = bytes_of(want.arguments[k]);
    const auto at = std::ranges::mismatch(g, w).in2;
    if (at == w.end() && g.size() == w.size()) continue;
    return want.arguments[k].name + " differs at byte " + std::to_string(at - w.begin()) + " of " +
           std::to_string(w.size());
  }
  return "";
}

}  // namespace lockstep::test
