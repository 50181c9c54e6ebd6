#pragma once

/// \file
/// Runs a job on Lockstep.

#include <cstddef>
#include <vector>

#include <lockstep/spirv/pipeline.hpp>
#include <lockstep/spirv/reflection.hpp>

#include "capture/job/job.hpp"
#include "io/columns.hpp"

namespace lockstep::job {

/// The contents of a job's bindings, in their order.
using Contents = std::vector<std::vector<std::byte>>;

/// A job that runs again, at the captured size and in the captured lanes.
///
/// Requires      None.
/// Active lanes  As in the shader.
/// Errors        Throws Error for a shader that is not valid or not supported, and for bindings that do not fit it.
/// Cost          Compiles the shader when it is made.
/// Spec          None.
/// Example       tests/job/judge.cpp
class Replay {
 public:
  explicit Replay(Job job);
  /// The same for the module that the job's words came from, with what the words have lost.
  Replay(Job job, Module module);

  const Job& job() const { return job_; }
  const Module& module() const { return module_; }
  const Pipeline& pipeline() const { return pipeline_; }
  Contents inputs() const;
  /// Whether two bindings have the same numbers: one type, or these columns of a block.
  const std::vector<io::Column>& columns(std::size_t binding) const { return columns_[binding]; }

  /// Runs on the contents. Groups, push constants and lanes are those of the job; lanes only at its size and without
  /// another mapping.
  ShaderRun run(Contents& contents, Dispatch how = {}, int subgroup_size = 0) const;
  /// The same on a pipeline of the shader, at any size.
  ShaderRun run_on(const Pipeline& pipeline, Contents& contents, Dispatch how) const;

 private:
  Job job_;
  Module module_;
  Pipeline pipeline_;
  std::vector<std::vector<io::Column>> columns_;
};

}  // namespace lockstep::job
