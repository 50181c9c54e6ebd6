#pragma once

/// \file
/// Whether what a device left in a job's buffers is something that Vulkan allows.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <lockstep/spirv/float_order.hpp>

#include "capture/job/replay.hpp"
#include "report/judge.hpp"
#include "report/last_writers.hpp"

namespace lockstep::job {

/// What is known about one buffer or image.
struct Judged {
  std::size_t binding = 0;  ///< its number in the job
  report::Judgement result;
  /// Who wrote each of result.first, in their order; nothing for those that no invocation wrote.
  std::vector<std::optional<report::Writer>> writers;
  /// Of each element, if they are asked for: the number of the lane that wrote it, counted through workgroups,
  /// subgroups and lanes; -1 for none. Empty if there are too many.
  std::vector<std::int64_t> lanes = {};
};

/// Another legal behaviour that gives what the device gave.
struct Explanation {
  std::string text;             ///< "--subgroup-size 16": options of `lockstep run`
  bool same_device = true;      ///< whether this device may do so: at its size and in its lanes
  std::vector<std::string> on;  ///< the dimensions in which it differs
};

struct Judgement {
  std::vector<Judged> buffers;             ///< those with outputs
  std::optional<Explanation> explanation;  ///< of wrong elements
  std::size_t count(report::Verdict verdict) const;
};

struct JudgeOptions {
  /// The one order in which the device adds and multiplies between lanes; none: any.
  std::optional<FloatOrder> order;
  bool map = false;     ///< find the lane of each element
  bool explain = true;  ///< look for another behaviour that explains wrong elements
};

/// Judges outputs of one job, any number of them: what devices may give is found once.
///
/// Requires      The replay outlives it. For each call as many outputs as bindings; one that is empty is not judged.
/// Active lanes  As in the shader.
/// Errors        Throws Error where the job does not run on Lockstep: an endless loop, a barrier that some invocations do
///               not reach; and for outputs of another size.
/// Cost          Runs the job some times when it is made, once with all that devices may give.
/// Spec          "Precision and Operation of SPIR-V Instructions" of the Vulkan specification.
/// Example       tests/job/mutations.cpp
class Judge {
 public:
  explicit Judge(const Replay& replay, const JudgeOptions& options = {});
  ~Judge();
  Judge(const Judge&) = delete;
  Judge& operator=(const Judge&) = delete;

  Judgement operator()(const Contents& outputs);

 private:
  class Judging;
  std::unique_ptr<Judging> judging_;
};

/// The same once. Without outputs it judges those of the job's bindings.
Judgement judge(const Replay& replay, const Contents& outputs, const JudgeOptions& options = {});
Judgement judge(const Replay& replay, const JudgeOptions& options = {});

}  // namespace lockstep::job
