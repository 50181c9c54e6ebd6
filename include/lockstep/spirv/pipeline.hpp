#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>

#include <lockstep/dispatch/profile.hpp>
#include <lockstep/exec/reconvergence_stack.hpp>
#include <lockstep/spirv/address_space.hpp>
#include <lockstep/spirv/descriptor_table.hpp>
#include <lockstep/spirv/module.hpp>
#include <lockstep/spirv/shader_interface.hpp>
#include <lockstep/spirv/shader_run.hpp>
#include <lockstep/spirv/spec_constant.hpp>
#include <lockstep/workgroup/size3.hpp>

namespace lockstep {

namespace spirv {
struct LoweredShader;
}

/// What a pipeline is made for: all of it is part of the pipeline and cannot change later. Pipelines of
/// the same words and equal options are the same.
struct PipelineOptions {
  std::string entry = "main";
  /// By SpecId. Constants that the module does not have change nothing, as in Vulkan.
  std::map<std::uint32_t, SpecConstant> specialization = {};
  int subgroup_size = 32;  ///< 1 to 128
  /// Accesses outside bound memory are what robustBufferAccess2 and robustImageAccess2 say: reads give
  /// zero, writes are dropped. They always are here; with this they are no faults in the result either.
  bool robust = false;
  friend bool operator==(const PipelineOptions&, const PipelineOptions&) = default;
};

/// One dispatch of a pipeline, beyond its descriptors.
struct Dispatch {
  Size3 workgroups{1, 1, 1};
  Size3 base{0, 0, 0};  ///< gl_WorkGroupID of the first workgroup (vkCmdDispatchBase)
  std::span<const std::byte> push_constants = {};
  const AddressSpace* addresses = nullptr;  ///< what device addresses mean; none: each is a fault
  /// Descriptors that nothing is bound to are faults when they are used, not an error of the dispatch
  /// (descriptorBindingPartiallyBound).
  bool partially_bound = false;
  int threads = 0;  ///< at most that many; 0 for all of the machine
  std::uint64_t max_steps =
      1u << 26;  ///< trips of loops in one subgroup before it counts as endless
  const Convergence* convergence = nullptr;  ///< a rule, chooser and observer; none: maximal, fast
};

/// A compute shader ready to run: an entry point of a module at one subgroup size, with its specialization.
/// Copies share it, and it never changes: any number of threads may dispatch it at once, each with
/// a table, push constants and groups of its own.
///
/// A Vulkan driver has one in each VkPipeline. Specialization constants come as the bytes of
/// VkSpecializationInfo (SpecConstant::from_bytes); vkCmdDispatchIndirect reads the groups when the
/// command is executed and dispatches those; a pipeline cache maps words and options to
/// Pipelines, whose copies cost nothing, and what is not in it is what VK_PIPELINE_COMPILE_REQUIRED
/// is about. A driver sets Dispatch::partially_bound, since Vulkan looks only at descriptors in use.
///
/// Requires      What is bound outlives the dispatch. Dispatches that run at once race where their
///               shaders do: on memory, not on the pipeline.
/// Active lanes  As the shader says, under maximal reconvergence unless another rule is asked for.
/// Errors        The constructor throws Error for an entry point the module lacks, a subgroup size
///               outside 1 to 128, a specialization constant of another size, and what is not
///               supported, with its line. dispatch throws Error for descriptors that are missing or do
///               not fit, by set, binding, element and name; for groups that end beyond 2^32; for a
///               barrier that not all invocations reach and a loop without an end.
/// Cost          Lowered and translated by the constructor; once more by the first dispatch with an
///               observer or another rule. A copy is a pointer's.
/// Spec          VkComputePipelineCreateInfo, vkCmdDispatchBase
/// Example       tests/spirv/pipeline.cpp
class Pipeline {
 public:
  explicit Pipeline(const Module& module, const PipelineOptions& options = {});

  /// The same at another subgroup size; only what depends on the size is done again.
  Pipeline at_subgroup_size(int size) const;

  /// What it wants bound, its local size and its modes.
  const ShaderInterface& interface() const;
  int subgroup_size() const;

  /// Throws Error if a device of that profile could not do such a dispatch, naming what is missing.
  void check(const Profile& profile, Size3 workgroups) const;
  /// Runs the shader on a grid of workgroups, and returns when all have ended.
  ShaderRun dispatch(const DescriptorTable& descriptors, const Dispatch& dispatch = {}) const;

 private:
  friend class Shader;
  struct Parts;
  /// Without a program yet.
  Pipeline(std::shared_ptr<const spirv::LoweredShader> lowered, int subgroup_size, bool robust);
  /// Makes the program that most dispatches run.
  void prepare() const;

  std::shared_ptr<const Parts> parts_;
};

}  // namespace lockstep
