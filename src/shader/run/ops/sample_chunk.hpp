#pragma once

#include "shader/run/program.hpp"

namespace lockstep::spirv::sampling {

/// Samples for a chunk of lanes at a time. Does nothing and returns false where lanes may differ in more than their
/// coordinates, and for what is rare: cubes, layers, three dimensions, comparisons, gathers, several levels, and
/// formats that are not converted that way.
bool sample_chunks(const SampleArgs& args, Context& c);

}  // namespace lockstep::spirv::sampling
