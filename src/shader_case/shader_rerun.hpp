#pragma once

#include <memory>

#include "judgement/rerun.hpp"
#include "shader_case/shader_case.hpp"

namespace lockstep::shader_case {

/// What `lockstep run` was given, for those who judge its results: with its mapping, order, choices and leniency.
class ShaderRerun : public judgement::Rerun {
 public:
  /// All but `initial` outlive it. `initial` are the buffers before the run.
  ShaderRerun(const ShaderCase& shader, const Pipeline& pipeline, const RunOptions& options,
              std::vector<BoundBuffer> initial);

  const std::vector<judgement::Part>& parts() const override { return parts_; }
  const Pipeline& pipeline() const override { return pipeline_; }
  Size3 groups() const override { return shader_.groups; }
  std::span<const std::uint32_t> lanes() const override { return shader_.lanes; }
  Rule rule() const override;
  bool is_fixed() const override { return !options_.choose.empty(); }
  judgement::Contents inputs() const override;
  ShaderRun run(judgement::Contents& contents, Dispatch how, int subgroup_size) const override;
  const std::byte* address(const judgement::Contents& contents, std::size_t part) const override;
  std::unique_ptr<judgement::Rerun> at_subgroup_size(int size) const override;

 private:
  Dispatch dispatch_like(const Dispatch& how, bool other_size) const;

  const ShaderCase& shader_;
  Pipeline pipeline_;
  const RunOptions& options_;
  std::vector<BoundBuffer> initial_;
  std::vector<judgement::Part> parts_;
  bool has_own_lanes_ = true;
};

}  // namespace lockstep::shader_case
