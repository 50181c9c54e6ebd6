#pragma once

#include <lockstep/spirv/shader_run.hpp>

#include "shader/run/program.hpp"

namespace lockstep::spirv {

/// The places that a program counts, or reports to observers of lines. Counting alone has no branches.
CodePlaces code_places(const Program& program);

}  // namespace lockstep::spirv
