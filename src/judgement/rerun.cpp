#include "judgement/rerun.hpp"

#include <utility>

#include "explore/shader_subject.hpp"

namespace lockstep::judgement {
namespace {

class JobRerun : public Rerun {
 public:
  explicit JobRerun(const job::Replay& replay) : replay_(replay) {
    const std::vector<job::Binding>& bindings = replay.job().bindings;
    for (std::size_t k = 0; k < bindings.size(); ++k)
      parts_.push_back({bindings[k].type, replay.columns(k), bindings[k].input.size()});
  }

  const std::vector<Part>& parts() const override { return parts_; }
  const Pipeline& pipeline() const override { return replay_.pipeline(); }
  Size3 groups() const override { return replay_.job().groups; }
  std::span<const std::uint32_t> lanes() const override { return replay_.job().lanes; }
  Rule rule() const override { return explore::declared_rule(pipeline().interface()); }
  Contents inputs() const override { return replay_.inputs(); }
  ShaderRun run(Contents& contents, Dispatch how, int subgroup_size) const override {
    return replay_.run(contents, std::move(how), subgroup_size);
  }
  std::unique_ptr<Rerun> at_subgroup_size(int size) const override;

 private:
  const job::Replay& replay_;
  std::vector<Part> parts_;
};

/// A job with its replay.
class OwnedJob : private job::Replay, public JobRerun {
 public:
  explicit OwnedJob(job::Job job)
      : job::Replay(std::move(job)), JobRerun(static_cast<const job::Replay&>(*this)) {}
};

std::unique_ptr<Rerun> JobRerun::at_subgroup_size(int size) const {
  job::Job other = replay_.job();
  other.subgroup_size = size;
  other.lanes.clear();
  return std::make_unique<OwnedJob>(std::move(other));
}

}  // namespace

std::unique_ptr<Rerun> rerun_of(const job::Replay& replay) {
  return std::make_unique<JobRerun>(replay);
}

Dispatch plain_dispatch() {
  Dispatch how;
  how.deterministic = true;
  how.threads = 1;
  return how;
}

}  // namespace lockstep::judgement
