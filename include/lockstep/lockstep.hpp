#pragma once

/// \file
/// Everything public except the keywords: include <lockstep/glsl/keywords.hpp> where kernels are
/// written.

#include <lockstep/config.hpp>
#include <lockstep/dispatch/device.hpp>
#include <lockstep/exec/machine.hpp>
#include <lockstep/glsl/block.hpp>
#include <lockstep/glsl/functions.hpp>
#include <lockstep/glsl/geometric.hpp>
#include <lockstep/glsl/kernel.hpp>
#include <lockstep/glsl/relational.hpp>
#include <lockstep/glsl/vec.hpp>
#include <lockstep/lanes/ballot.hpp>
#include <lockstep/lanes/float16.hpp>
#include <lockstep/lanes/lanes.hpp>
#include <lockstep/lanes/mask.hpp>
#include <lockstep/lanes/permute.hpp>
#include <lockstep/subgroup.hpp>
#include <lockstep/workgroup/atomics.hpp>
#include <lockstep/workgroup/barrier.hpp>
#include <lockstep/workgroup/layout.hpp>
#include <lockstep/workgroup/place.hpp>
#include <lockstep/workgroup/scoped_atomics.hpp>
#include <lockstep/workgroup/shared.hpp>
#include <lockstep/workgroup/std430.hpp>
