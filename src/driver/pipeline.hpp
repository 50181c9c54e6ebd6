#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <lockstep/spirv/pipeline.hpp>
#include <lockstep/spirv/reflection.hpp>

#include "driver/given_name.hpp"
#include "driver/handle.hpp"
#include "driver/module_file.hpp"

namespace lockstep::driver {

struct Device;

/// The words of a shader module. Pipelines keep what they need of them.
class ShaderModule {
 public:
  ShaderModule(std::uint32_t number, std::vector<std::uint32_t> its_words)
      : self_{number}, words_(std::move(its_words)) {}

  const Numbered& self() const { return self_; }
  const std::vector<std::uint32_t>& words() const { return words_; }
  /// As a file, which is made up when it is asked for first.
  std::shared_ptr<const ModuleFile> file(const std::string& folder);

 private:
  Numbered self_;
  std::vector<std::uint32_t> words_;
  std::mutex making_;
  std::shared_ptr<const ModuleFile> file_;
};

/// All that a pipeline is made of, for caches.
struct PipelineKey {
  std::vector<std::uint32_t> words;
  PipelineOptions options;
  friend bool operator==(const PipelineKey&, const PipelineKey&) = default;
};

/// What the last dispatch of a pipeline found in its sets. To find thousands of descriptors takes longer than a dispatch.
/// Thread-safe.
class LastBound {
 public:
  /// The versions of the sets and their dynamic offsets.
  using Key = std::vector<std::uint64_t>;

  std::optional<BoundDescriptors> find(const Key& key) const;
  void keep(Key key, BoundDescriptors found);

 private:
  mutable std::mutex changing_;
  Key key_;
  std::optional<BoundDescriptors> bound_;
};

/// A compute pipeline, shared by all VkPipelines that are made of the same words and options.
struct CompiledPipeline {
  lockstep::Pipeline engine;
  PipelineKey key;
  std::shared_ptr<const ModuleFile> file;     ///< of the module
  std::vector<Reflection::Binding> bindings;  ///< that the shader declares
  std::uint64_t push_bytes;                   ///< of its push constants
  std::uint64_t brief_group;              ///< invocations of a workgroup; 0 if they might take long
  std::unique_ptr<LastBound> last_bound;  ///< null if it has few descriptors
};
using SharedPipeline = std::shared_ptr<const CompiledPipeline>;

/// What VkPipeline refers to.
struct PipelineHandle {
  SharedPipeline compiled = nullptr;  ///< null if it is for graphics
  Numbered self = {};
  Numbered module = {};  ///< that it was made of
};

/// Pipelines by what they are made of. It is a VkPipelineCache, too. Thread-safe.
class PipelineCache {
 public:
  SharedPipeline find(const PipelineKey& key) const;
  void add(const PipelineKey& key, SharedPipeline pipeline);
  void merge(const PipelineCache& other);

 private:
  struct Hash {
    std::size_t operator()(const PipelineKey& key) const;
  };

  mutable std::mutex changing_;
  std::unordered_map<PipelineKey, SharedPipeline, Hash> pipelines_;
};

/// The pipelines that a device compiled last: without a cache of its own a program still does not wait twice for the
/// same. Thread-safe.
class RecentPipelines {
 public:
  static constexpr std::size_t most = 64;

  SharedPipeline find(const PipelineKey& key) const;
  void add(SharedPipeline pipeline);

 private:
  mutable std::mutex changing_;
  std::deque<SharedPipeline> pipelines_;  ///< the oldest first
};

LOCKSTEP_ICD_HANDLE(VkShaderModule, ShaderModule)
LOCKSTEP_ICD_HANDLE(VkPipeline, PipelineHandle)
LOCKSTEP_ICD_HANDLE(VkPipelineCache, PipelineCache)

}  // namespace lockstep::driver
