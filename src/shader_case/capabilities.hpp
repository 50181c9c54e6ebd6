#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace lockstep::shader_case {

/// The features of Vulkan that a module's capabilities ask for and that profiles do not have, by their Vulkan names. The
/// engine supports some of them, and names the others when it makes a pipeline.
///
/// Requires      The words of a module.
/// Active lanes  None.
/// Errors        None.
/// Cost          O(capabilities).
/// Spec          Vulkan "SPIR-V Capabilities"
/// Example       tests/cli/inspect.cpp
std::vector<std::string> other_features(std::span<const std::uint32_t> words);

/// Whether the module makes addresses of integers, which its interface then does not show as such.
bool makes_addresses(std::span<const std::uint32_t> words);

}  // namespace lockstep::shader_case
