#pragma once

#include <deque>

#include <lockstep/dispatch/image.hpp>
#include <lockstep/spirv/descriptor_table.hpp>

#include "registry/kernel_case.hpp"

namespace lockstep::ports {

/// The resources of a pass's port: each argument of the job at its binding in set 0. The table refers to the job's values
/// and to the images that are added to `images`.
DescriptorTable bind(kernels::KernelCase& job, const kernels::Pass& pass,
                     std::deque<Image>& images);

}  // namespace lockstep::ports
