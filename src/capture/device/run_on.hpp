#pragma once

#include <cstdint>
#include <optional>

#include "capture/job/job.hpp"
#include "capture/vulkan/runner.hpp"

/// \file
/// Runs jobs on a Vulkan device.

namespace lockstep::capture {

/// Runs a job on the device: fills in its outputs, the size of its subgroups, their lanes and the device. Devices that
/// can require a size are asked for the given one, or else their own. Throws io::InputError for what the device lacks or the
/// runner does not provide, and Error for a device that fails.
void run_on(const vulkan::Device& device, job::Job& job, std::optional<std::uint32_t> size);

}  // namespace lockstep::capture
