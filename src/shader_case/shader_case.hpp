#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <lockstep/spirv/pipeline.hpp>
#include <lockstep/spirv/reflection.hpp>

#include "shader_case/buffers.hpp"
#include "shader_case/run_options.hpp"

/// \file
/// A shader with everything that it runs on, as the options say.

namespace lockstep::shader_case {

/// An address to write before the run: into a buffer, or into the push constants.
struct AddressPlace {
  std::optional<std::size_t> buffer;  ///< its number; none for the push constants
  std::uint64_t at = 0;
  std::size_t target = 0;    ///< the number of a buffer
  std::uint64_t offset = 0;  ///< in it
};

/// The shader with everything that it runs on.
struct ShaderCase {
  Module module;
  PipelineOptions pipeline_options;
  Reflection reflection;
  Size3 groups{1, 1, 1};
  std::vector<BoundBuffer> buffers;
  std::vector<std::byte> push;
  std::vector<AddressPlace> addresses;
  std::vector<BoundSampler> samplers;
  std::vector<std::uint32_t> lanes;  ///< of a captured job
};

/// The bytes that the shader accesses. A level has none of its own: they are its image's.
std::span<std::byte> texels_of(BoundBuffer& buffer, std::vector<BoundBuffer>& all);

/// Whether --push names members: "count=5 scale=1.5".
bool names_members(std::string_view push);

/// A shader and its inputs. Throws UsageError and InputError.
ShaderCase make_case(Module module, const RunOptions& options, int subgroup_size);
/// How the shader is dispatched, without a convergence.
Dispatch dispatch_of(const ShaderCase& shader, const RunOptions& options);
/// Runs the shader on the buffers. Their addresses are the same in every run of a case.
ShaderRun run(const ShaderCase& shader, const Pipeline& pipeline, std::vector<BoundBuffer>& buffers,
              Dispatch dispatch);
/// Writes those buffers to files for which --save names one.
void save(const std::vector<BoundBuffer>& buffers);
/// Throws UsageError for anything that the device or the engine does not support, before the shader runs.
Pipeline make_pipeline(ShaderCase& shader, const Profile& profile, const Dispatch& dispatch);

}  // namespace lockstep::shader_case
