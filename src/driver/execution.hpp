#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <lockstep/spirv/descriptor_table.hpp>
#include <lockstep/workgroup/size3.hpp>

#include "capture/job/job.hpp"
#include "driver/commands.hpp"
#include "driver/pipeline.hpp"
#include "driver/properties.hpp"

namespace lockstep::driver {

struct Device;
class DispatchPlace;

/// A set that is bound for dispatches.
struct BoundSet {
  const DescriptorMap* set = nullptr;
  std::shared_ptr<const DescriptorMap> pushed = {};  ///< set, if it consists of push descriptors
  std::vector<std::uint32_t> offsets = {};           ///< of its dynamic buffers, in binding order
};

/// The state of a queue while it runs the command buffers of a submission.
class Execution {
 public:
  explicit Execution(Device& on) : device(on) {}

  /// Runs the commands of a primary command buffer, which begins with nothing bound.
  void run(const std::vector<CommandBuffer::Command>& commands);
  /// Runs those of a secondary one within it: they have a state of their own.
  void run_within(const std::vector<CommandBuffer::Command>& commands);

  /// Runs the bound pipeline. Throws Error where the device cannot go on.
  void dispatch(Size3 base, Size3 groups);

  Device& device;
  PipelineHandle pipeline;  ///< that is bound
  std::array<BoundSet, max_bound_descriptor_sets> sets;
  std::array<std::byte, max_push_constants_size> push_constants{};
  std::vector<std::string> labels;  ///< the debug labels that are open

 private:
  void unbind();
  /// Runs a dispatch that is over again under other choices, and tells what its results depend on.
  void explore(job::Job& job, const DescriptorTable& table, const DispatchPlace& place);
  /// Runs it on the second device, and tells what is wrong with the results.
  void compare(const job::Job& job, const DispatchPlace& place);
  /// The descriptors of the bound sets, copied: the host may change others of the same sets while the shader runs.
  /// Texels that must be converted are in `copies`.
  DescriptorTable bound_table(TexelCopies& copies) const;
  /// What stands for the bound sets as they are; empty if texels must be copied.
  LastBound::Key bound_key() const;
  /// What is in them for the pipeline. Of many descriptors it is what the last dispatch found, if it stands for the same.
  BoundDescriptors bound(TexelCopies& copies) const;
};

}  // namespace lockstep::driver
