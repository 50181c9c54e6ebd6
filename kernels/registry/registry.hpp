#pragma once

#include <span>
#include <string_view>

#include "registry/kernel_case.hpp"

namespace lockstep::kernels {

/// All kernels, in the order of listings.
std::span<const Entry> all_kernels();

/// The kernel of this name, or nullptr.
const Entry* find_kernel(std::string_view name);

/// Runs a case's passes in order, under a rule of convergence if there is one; returns all their faults.
///
/// Requires      The case is for the device's subgroup size.
/// Active lanes  As the kernels.
/// Errors        As Device::dispatch.
/// Cost          As the kernels.
/// Spec          vkCmdDispatch, with a barrier before each but the first.
/// Example       tests/kernels/registry.cpp
FaultLog run(const Device& device, KernelCase& kernel_case,
             const Convergence* convergence = nullptr);

}  // namespace lockstep::kernels
