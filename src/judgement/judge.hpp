#pragma once

/// \file
/// Whether what a device left after a dispatch is something that Vulkan allows.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <lockstep/spirv/float_order.hpp>

#include "judgement/elements.hpp"
#include "judgement/rerun.hpp"
#include "report/last_writers.hpp"

namespace lockstep::judgement {

/// What is known about one buffer or image.
struct Buffer {
  std::size_t part = 0;  ///< its number among those of the dispatch
  Elements result;
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

/// How many combinations of the choices that a rule of convergence leaves open were tried.
struct TriedChoices {
  std::uint64_t runs = 0;
  bool exhausted = false;  ///< all of them
};

struct Judgement {
  std::vector<Buffer> buffers;             ///< those with outputs
  std::optional<Explanation> explanation;  ///< of elements that differ
  std::optional<TriedChoices> tried;       ///< if elements that differ asked for it
  std::size_t count(Verdict verdict) const;
  /// "right", "allowed", "undefined", "racy", "open" or "wrong": that of the worst element.
  const char* outcome() const;
};

struct Options {
  /// The one order in which the device adds and multiplies between lanes; none: any.
  std::optional<FloatOrder> order;
  bool map = false;  ///< find the lane of each element
  /// Ask of what would be wrong whether a race, or other choices of the device, give it.
  bool explain = true;
};

/// Judges outputs of one dispatch, any number of them: what devices may give is found once.
///
/// Requires      The dispatch outlives it. For each call as many outputs as parts; one that is empty is not judged.
/// Active lanes  As in the shader.
/// Errors        Throws Error where the dispatch does not run on Lockstep: an endless loop, a barrier that some
///               invocations do not reach; and for outputs of another size.
/// Cost          Runs the dispatch some times when it is made, once with all that devices may give. If elements would be
///               wrong, a checked run, and up to 2000 runs or 5 seconds for each kind of choice.
/// Spec          "Precision and Operation of SPIR-V Instructions" of the Vulkan specification.
/// Example       tests/judgement/judge.cpp
class Judge {
 public:
  explicit Judge(const Rerun& rerun, const Options& options = {});
  explicit Judge(const job::Replay& replay, const Options& options = {});
  ~Judge();
  Judge(const Judge&) = delete;
  Judge& operator=(const Judge&) = delete;

  Judgement operator()(const Contents& outputs);

 private:
  class Judging;
  std::unique_ptr<Rerun> owned_;
  std::unique_ptr<Judging> judging_;
};

/// The same once. Without outputs it judges those of the job's bindings.
Judgement judge(const job::Replay& replay, const Contents& outputs, const Options& options = {});
Judgement judge(const job::Replay& replay, const Options& options = {});

}  // namespace lockstep::judgement
