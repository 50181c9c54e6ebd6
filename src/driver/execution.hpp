#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <lockstep/workgroup/size3.hpp>

#include "driver/commands.hpp"
#include "driver/pipeline.hpp"
#include "driver/properties.hpp"

namespace lockstep::driver {

struct Device;

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
  void run(const CommandBuffer& commands);
  /// Runs those of a secondary one within it: they have a state of their own.
  void run_within(const CommandBuffer& commands);

  /// Runs the bound pipeline. Throws Error where the device cannot go on.
  void dispatch(Size3 base, Size3 groups);

  Device& device;
  SharedPipeline pipeline;
  std::string pipeline_name;
  std::array<BoundSet, max_bound_descriptor_sets> sets;
  std::array<std::byte, max_push_constants_size> push_constants{};
  std::vector<std::string> labels;  ///< the debug labels that are open

 private:
  void unbind();
  /// Where in the program's work this is, for findings.
  std::string place() const;
};

}  // namespace lockstep::driver
