#pragma once

#include "cli/run_options.hpp"
#include "shader_job/command_line.hpp"
#include "shader_job/shader_job.hpp"

namespace lockstep::cli {

using shader_job::as_command;
using shader_job::BoundBuffer;
using shader_job::BoundSampler;
using shader_job::make_case;
using shader_job::resolved;
using shader_job::ShaderJob;

}  // namespace lockstep::cli
