#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "capture/job/job.hpp"
#include "capture/vulkan/runner.hpp"

/// \file
/// Runs jobs on a Vulkan device.

namespace lockstep::cli {

/// Runs a job on the device: fills in its outputs, the size of its subgroups, their lanes and the device. Devices that
/// can require a size are asked for the given one, or else their own. Throws UsageError for what the device lacks or the
/// runner does not provide, and Error for a device that fails.
void run_on(const vulkan::Device& device, job::Job& job, std::optional<std::uint32_t> size);

/// What to say about a device in a list: "0: llvmpipe (llvmpipe Mesa 22.3.6), subgroups of 8".
std::string line_of(const vulkan::Properties& properties, std::size_t number);

}  // namespace lockstep::cli
