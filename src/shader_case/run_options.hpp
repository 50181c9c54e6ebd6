#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <lockstep/dispatch/mapping.hpp>
#include <lockstep/dispatch/profile.hpp>
#include <lockstep/dispatch/workgroup_order.hpp>
#include <lockstep/exec/checks.hpp>
#include <lockstep/exec/chooser.hpp>
#include <lockstep/exec/lenient.hpp>
#include <lockstep/exec/reconvergence_stack.hpp>
#include <lockstep/spirv/float_order.hpp>
#include <lockstep/spirv/spec_constant.hpp>

namespace lockstep::shader_case {

/// What a shader runs on, in the words of `lockstep run`.
struct RunOptions {
  std::vector<std::string> files;
  std::string groups, invocations;
  std::optional<int> subgroup_size;
  std::vector<int> subgroup_sizes = {};  ///< of `lockstep run`, where it names several or one
  std::string device;
  std::vector<std::string> buffers, saves, against, specs, defines, include_dirs;
  std::vector<std::string> images, samplers, addresses;
  std::string push;
  std::vector<std::string> uniforms;
  std::optional<std::string> entry;
  std::string target_env;
  std::string compiler;
  std::string shift;
  bool no_validate = false;
  std::size_t mutant = 0;  ///< of spirv::mutated; 0: the module as it is
  bool robust = false;
  std::string convergence, choose;
  std::string lenient;
  std::optional<std::string> check;
  std::string mapping, partial, order;
  int threads = 0;
  std::uint64_t max_steps = default_max_trips;
  bool stats = false, json = false;
  bool bits = false;
  bool strict = false;
  std::string strict_order;
  std::string explain;
  std::string junit, sarif;
  std::string trace;

  // Of a captured job, not of the command line.
  std::map<std::uint32_t, SpecConstant> constants;
  std::vector<std::uint32_t> lanes;  ///< as Dispatch has them
};

/// What --mapping with --partial-subgroups, and --workgroup-order name; UsageError for something else.
Mapping mapping_of(const RunOptions& options);
WorkgroupOrder order_of(const RunOptions& options);

/// The rules of --check; none without it. UsageError for an unknown name.
Checks checks_of(const RunOptions& options);

/// The order of --strict-order; UsageError for something else.
FloatOrder float_order_of(const RunOptions& options);

/// What --lenient names.
Lenient lenient_of(const RunOptions& options);

/// The device of --device at the size of --subgroup-size; by default one for teaching with 32 lanes.
Profile profile_of(const RunOptions& options);

/// The rule and chooser of --convergence and --choose.
class RunConvergence {
 public:
  explicit RunConvergence(const RunOptions& options);
  RunConvergence(const RunConvergence&) = delete;
  RunConvergence& operator=(const RunConvergence&) = delete;

  /// For the dispatch; null if neither was given and there is no observer: then the fast machine runs.
  const Convergence* get(Observer* observer = nullptr);
  /// The same for some observers.
  const Convergence* get(std::vector<Observer*> observers);

 private:
  Chooser chooser_;
  Convergence convergence_;
  bool named_;
};

}  // namespace lockstep::shader_case
