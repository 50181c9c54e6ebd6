#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <lockstep/spirv/descriptor_table.hpp>
#include <lockstep/workgroup/size3.hpp>

#include "capture/job/job.hpp"
#include "driver/pipeline.hpp"

namespace lockstep::driver {

/// Writes dispatches as folders that `lockstep` reads as jobs: FOLDER/0001-NAME and so on. Thread-safe.
class Capture {
 public:
  /// None if the folder is empty. Throws Error if it cannot be made.
  explicit Capture(std::string folder);

  /// A dispatch about to run.
  struct Subject {
    const PipelineHandle& pipeline;
    const DescriptorTable& table;
    std::span<const std::byte> push_constants;
    Size3 base, groups;
    std::uint32_t number;  ///< of the dispatch
    int default_subgroup_size;
  };
  bool is_wanted() const { return !folder_.empty(); }
  /// The job with what the shader will read; nothing if a job cannot say it, which is told on stderr.
  static std::optional<job::Job> begin(const Subject& subject);
  /// Writes the job with what the shader wrote.
  void end(job::Job& job, const DescriptorTable& table) const;
  static void add_outputs(job::Job& job, const DescriptorTable& table);
  /// Writes the job without: the shader did not come to its end.
  void end(const job::Job& job) const;

 private:
  std::string folder_;
};

}  // namespace lockstep::driver
