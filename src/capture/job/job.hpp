#pragma once

/// \file
/// A job: one dispatch of a shader on a device, with all that it read and wrote, as a folder.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <lockstep/spirv/reflection.hpp>
#include <lockstep/spirv/spec_constant.hpp>
#include <lockstep/workgroup/size3.hpp>

#include "io/images.hpp"
#include "io/npy.hpp"

namespace lockstep::job {

/// Of the folders that `write` makes; `read` takes these and older ones.
inline constexpr int version = 1;

/// A buffer, an image or a sampler, or one of an array of them.
struct Binding {
  using Kind = Reflection::Binding::Kind;

  Kind kind = Kind::storage_buffer;
  std::uint32_t set = 0, binding = 0, element = 0;
  std::string name;                     ///< in the shader
  bool writable = false;                ///< whether the shader may write it
  npy::Dtype type = npy::Dtype::uint8;  ///< of its numbers; uint8 where a block has several types
  std::vector<std::byte> input = {};    ///< its bytes before the dispatch; of an image its texels
  std::vector<std::byte> output = {};   ///< after it, of those that are writable
  std::optional<io::ImageShape> image = {};
  std::string sampler = {};  ///< as `lockstep run --sampler` takes it
};

/// A specialization constant: the bits that the pipeline got.
struct Constant {
  std::uint32_t id = 0;
  std::uint64_t bits = 0;
  std::uint32_t bytes = 4;
};

/// One dispatch.
struct Job {
  std::string name;                  ///< of its folder
  std::string source;                ///< the file that the shader came from, for messages
  std::string command;               ///< what was run, for people
  std::vector<std::uint32_t> words;  ///< of its SPIR-V
  std::string entry = "main";
  std::vector<Constant> constants;
  std::vector<std::byte> push_constants;
  Size3 groups{1, 1, 1};
  std::vector<Binding> bindings;

  // Of the device that it ran on; no output and no device where it did not run yet.
  int subgroup_size = 32;
  bool required_size = false;  ///< whether the pipeline required that size
  /// gl_LocalInvocationIndex of each lane of each subgroup of a workgroup, or no_invocation. Empty: invocation n is lane
  /// n % subgroup_size of subgroup n / subgroup_size.
  std::vector<std::uint32_t> lanes;
  nlohmann::ordered_json device = nullptr;  ///< docs/reference/jobs.md has its members

  /// As a pipeline takes them.
  std::map<std::uint32_t, SpecConstant> specialization() const;
};

/// The kinds' names in job.json, which are Vulkan's: "storage_buffer".
const char* name_of(Binding::Kind kind);

/// Whether the path is a folder with a job.
bool is_job(const std::filesystem::path& path);

/// Reads a folder. Errors of the shader itself are found when it is run.
///
/// Requires      None.
/// Active lanes  None.
/// Errors        InputError or npy::Error that names the file: one that is missing, malformed, of a newer version, or that
///               does not fit the others.
/// Cost          Reads all files.
/// Spec          None.
/// Example       tests/job/job.cpp
Job read(const std::filesystem::path& folder);

/// Writes a folder, whole or not at all. A job that is there already is replaced.
///
/// Requires      None.
/// Active lanes  None.
/// Errors        InputError or npy::Error: something else is there, or it cannot be written.
/// Cost          Writes all files.
/// Spec          None.
/// Example       tests/job/job.cpp
void write(const std::filesystem::path& folder, const Job& job);

}  // namespace lockstep::job
