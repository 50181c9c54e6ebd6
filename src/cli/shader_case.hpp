#pragma once

#include "cli/run_options.hpp"
#include "shader_case/command_line.hpp"
#include "shader_case/shader_case.hpp"

namespace lockstep::cli {

using shader_case::as_command;
using shader_case::BoundBuffer;
using shader_case::BoundSampler;
using shader_case::make_case;
using shader_case::resolved;
using shader_case::ShaderCase;

}  // namespace lockstep::cli
