#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include <lockstep/dispatch/mapping.hpp>
#include <lockstep/dispatch/parallel.hpp>
#include <lockstep/dispatch/profile.hpp>
#include <lockstep/dispatch/workgroup_order.hpp>
#include <lockstep/exec/checks.hpp>
#include <lockstep/exec/endless_loop.hpp>
#include <lockstep/exec/lenient.hpp>
#include <lockstep/exec/reconvergence_stack.hpp>
#include <lockstep/oracle/allowed_results.hpp>
#include <lockstep/spirv/address_space.hpp>
#include <lockstep/spirv/descriptor_table.hpp>
#include <lockstep/spirv/float_order.hpp>
#include <lockstep/spirv/module.hpp>
#include <lockstep/spirv/shader_interface.hpp>
#include <lockstep/spirv/shader_run.hpp>
#include <lockstep/spirv/spec_constant.hpp>
#include <lockstep/workgroup/size3.hpp>

namespace lockstep {

namespace spirv {
struct LoweredShader;
class BoundMemory;
}  // namespace spirv

/// What a pipeline is made for: all of it is part of the pipeline and cannot change later.
/// Pipelines of the same words and equal options are equal.
struct PipelineOptions {
  std::string entry = "main";
  /// By SpecId. Constants that the module lacks have no effect, as in Vulkan.
  std::map<std::uint32_t, SpecConstant> specialization = {};
  int subgroup_size = 32;  ///< 1 to 128
  /// Elements of arrays of descriptors without a size, by set and binding; 1024 of those that are not here.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> unsized_arrays = {};
  /// Accesses outside bound memory follow robustBufferAccess2 and robustImageAccess2: reads return zero,
  /// writes are dropped. They always do here; with this option they are not faults in the result either.
  bool robust = false;
  friend bool operator==(const PipelineOptions&, const PipelineOptions&) = default;
};

/// One dispatch of a pipeline, apart from its descriptors.
struct Dispatch {
  Size3 workgroups{1, 1, 1};
  Size3 base{0, 0, 0};  ///< gl_WorkGroupID of the first workgroup (vkCmdDispatchBase)
  std::span<const std::byte> push_constants = {};
  const AddressSpace* addresses = nullptr;  ///< of device addresses; null: each is a fault
  /// Descriptors that nothing is bound to are faults when they are used, not an error of the dispatch
  /// (descriptorBindingPartiallyBound).
  bool partially_bound = false;
  int threads = 0;  ///< at most that many; 0 for all of the machine
  std::uint64_t max_steps =
      default_max_trips;  ///< iterations of one loop before it counts as endless
  /// A rule, chooser and observers. Without chooser and observers a run is as fast as without a rule, on one thread.
  const Convergence* convergence = nullptr;
  Lenient lenient = {};  ///< what is tolerated instead of being an Error
  Mapping mapping = {};  ///< which invocation runs in which lane
  /// Instead of `mapping` what a device was seen to do: gl_LocalInvocationIndex of each lane of each subgroup, in
  /// order, or no_invocation. Each invocation once; empty: none was seen.
  std::span<const std::uint32_t> lanes = {};
  WorkgroupOrder order = {};     ///< in which workgroups start
  bool deterministic = false;    ///< everything in one order, on one thread
  Progress* progress = nullptr;  ///< is told how far the dispatch is
  Checks checks = {};            ///< the rules of a checked run
  bool count_work = false;       ///< fills in ShaderRun::work; without chooser and observers
  /// Gets what conforming devices may leave in memory besides the results of this run, which then
  /// takes many times as long, on one thread.
  oracle::AllowedResults* bounds = nullptr;
  FloatOrder float_order = FloatOrder::tree;
  bool only_float_order = false;  ///< with `bounds`: devices use no other order
};

/// What a table has for the resources of a pipeline's shader, found once for any number of dispatches. It
/// keeps nothing of the table, and has no memory: that must outlive the dispatches. Any threads may use it.
class BoundDescriptors {
 private:
  friend class Pipeline;
  BoundDescriptors(std::shared_ptr<const spirv::LoweredShader> shader,
                   std::shared_ptr<const spirv::BoundMemory> memory)
      : shader_(std::move(shader)), memory_(std::move(memory)) {}

  std::shared_ptr<const spirv::LoweredShader> shader_;
  std::shared_ptr<const spirv::BoundMemory> memory_;
};

/// A compute shader ready to run: an entry point of a module at one subgroup size, with its specialization.
/// Copies share it, and it never changes: any number of threads may dispatch it at once, each with
/// a table, push constants and groups of its own.
///
/// A Vulkan driver has one in each VkPipeline. Specialization constants come as the bytes of
/// VkSpecializationInfo (SpecConstant::from_bytes). vkCmdDispatchIndirect reads the groups when the
/// command is executed. A pipeline cache maps words and options to Pipelines, whose copies cost
/// nothing; a miss is VK_PIPELINE_COMPILE_REQUIRED. A driver sets Dispatch::partially_bound, since
/// Vulkan only considers descriptors in use.
///
/// Requires      Bound memory outlives the dispatch. Concurrent dispatches race only where their
///               shaders do: on memory, not on the pipeline.
/// Active lanes  As in the shader, under maximal reconvergence unless another rule is given.
/// Errors        The constructor throws Error for an entry point that the module lacks, a subgroup
///               size outside 1 to 128, a specialization constant of another size, and anything
///               unsupported, with its line. dispatch throws Error for descriptors that are missing
///               or do not fit, by set, binding, element and name; for groups that end beyond 2^32;
///               for `lanes` that do not map the shader's workgroups; for a barrier that some
///               invocation does not reach, and for an endless loop.
/// Cost          Lowered and assembled by the constructor, and again by the first dispatch with an
///               observer or another rule. A copy costs as much as a pointer's.
/// Spec          VkComputePipelineCreateInfo, vkCmdDispatchBase
/// Example       tests/spirv/pipeline.cpp
class Pipeline {
 public:
  explicit Pipeline(const Module& module, const PipelineOptions& options = {});

  /// The same at another subgroup size; only what depends on the size is computed again.
  Pipeline at_subgroup_size(int size) const;

  /// Its bindings, local size and modes.
  const ShaderInterface& interface() const;
  /// The number of lanes in a subgroup.
  int subgroup_size() const;

  /// Throws Error if a device of that profile does not support the dispatch, and names what is missing.
  void check(const Profile& profile, Size3 workgroups) const;
  /// Whether dispatches can count their work: the module must name the source lines of all that it does.
  bool can_count_work() const;
  /// Runs the shader on a grid of workgroups, and returns when all have ended.
  ShaderRun dispatch(const DescriptorTable& descriptors, const Dispatch& dispatch = {}) const;
  /// What the dispatch looks up in the table first, for dispatches with the same descriptors.
  BoundDescriptors bind(const DescriptorTable& descriptors, bool partially_bound = false) const;
  /// The same as with the table. `dispatch.partially_bound` has no effect.
  ShaderRun dispatch(const BoundDescriptors& descriptors, const Dispatch& dispatch = {}) const;

 private:
  friend class Shader;
  struct Parts;
  /// Without a program yet.
  Pipeline(std::shared_ptr<const spirv::LoweredShader> lowered, int subgroup_size, bool robust);
  /// Makes the program of most dispatches.
  void prepare() const;

  std::shared_ptr<const Parts> parts_;
};

}  // namespace lockstep
