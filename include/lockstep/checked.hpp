#pragma once

/// \file
/// Checked runs of kernels in C++: `device.dispatch_checked<K>({groups}, arguments...)`.

#include <lockstep/checked/machine.hpp>
#include <lockstep/lockstep.hpp>
