#include <pybind11/stl.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "explore/advice.hpp"
#include "explore/explorer.hpp"
#include "explore/shader_subject.hpp"
#include "explore/size_rules.hpp"
#include "python/bind.hpp"
#include "python/findings.hpp"
#include "python/jobs.hpp"
#include "python/progress.hpp"

/// \file
/// What a shader's result depends on.

namespace lockstep::python {
namespace {

namespace ex = lockstep::explore;

/// What the caller chose.
struct Choices {
  std::string vary, same;  ///< words separated by commas; one of them is empty
  std::vector<int> sizes;
  std::uint64_t runs = 2000;
  double seconds = 0;  ///< 0: without a limit of its own
  std::vector<bool> unordered;
  bool full_subgroups = false;
  bool occupancy_bound = false;
  bool has_max_steps = false;
};

/// Of the first run: enough for work, and quickly over for loops that wait in vain.
constexpr std::uint64_t first_steps = 1u << 22;

ex::Dimensions varied(const Choices& choices) {
  ex::Dimensions made =
      choices.vary.empty() ? ex::Dimensions::all() : ex::Dimensions::parse(choices.vary);
  if (!choices.same.empty()) {
    for (const ex::Dimension d : ex::Dimensions::parse(choices.same).list()) made.remove(d);
  }
  if (choices.full_subgroups) made.remove(ex::Dimension::partial_subgroups);
  if (choices.occupancy_bound) made.remove(ex::Dimension::progress);
  return made;
}

/// A module on the data of a job.
ex::ShaderSubject subject_of(const job::Replay& replay, const Pipeline& pipeline,
                             const Dispatch& how) {
  return {pipeline, how,
          [&replay](const Pipeline& one, const Dispatch& dispatch,
                    std::vector<std::vector<std::byte>>& written) {
            job::Contents contents = replay.inputs();
            ShaderRun run = replay.run_on(one, contents, dispatch);
            for (std::size_t k = 0; k < contents.size(); ++k) {
              if (replay.job().bindings[k].writable) written.push_back(std::move(contents[k]));
            }
            return run;
          }};
}

/// The same data, and another module.
struct OtherShader {
  OtherShader(const job::Replay& like, const Module& module, const Dispatch& how)
      : replay(like.job(), module), subject(subject_of(replay, replay.pipeline(), how)) {}
  OtherShader(const OtherShader&) = delete;
  OtherShader& operator=(const OtherShader&) = delete;

  job::Replay replay;
  ex::ShaderSubject subject;
};

py::list names_of(const ex::Dimensions& dimensions) {
  py::list made;
  for (const ex::Dimension d : dimensions.list()) made.append(std::string(to_string(d)));
  return made;
}

py::list bytes_of(const std::vector<std::vector<std::byte>>& buffers) {
  py::list made;
  for (const auto& bytes : buffers)
    made.append(py::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  return made;
}

py::dict to_python(const ex::Counterexample& found, const ex::Advice& advice) {
  py::dict made;
  std::vector<std::string> options = ex::to_options(found.setting);
  if (!found.result.error.empty()) {
    options.emplace_back("--max-steps");
    options.push_back(std::to_string(found.setting.max_steps));
  }
  made["options"] = options;
  made["on"] = names_of(found.on);
  made["buffer"] = found.difference.buffer;
  made["byte"] = found.difference.byte;
  made["error"] = found.difference.error;
  made["only_order"] = found.difference.only_order;
  made["buffers"] = bytes_of(found.result.buffers);
  made["advice"] = advice.text;
  py::list where;
  for (const ex::Parting& parting : advice.where)
    where.append(py::make_tuple(std::string(to_string(parting.dimension)), parting.where.file,
                                parting.where.line));
  made["where"] = where;
  return made;
}

/// Explores with progress until Ctrl-C.
class Exploring {
 public:
  Exploring(const JobOf& job, const Choices& choices, const py::object& callback)
      : replay_(job.replay),
        how_(job.how.dispatch()),
        full_(replay_.module(), replay_.pipeline().interface().local_size, choices.full_subgroups),
        callback_(callback) {
    how_.max_steps = choices.has_max_steps ? job.how.max_steps : first_steps;
    how_.mapping = {};
    subject_.emplace(subject_of(replay_, replay_.pipeline(), how_));
    const ShaderInterface& interface = replay_.pipeline().interface();
    request_.vary = varied(choices);
    request_.sizes = choices.sizes;
    request_.first.subgroup_size = replay_.pipeline().subgroup_size();
    request_.first.rule = job.how.rule.value_or(ex::declared_rule(interface));
    if (choices.has_max_steps) request_.first.max_steps = job.how.max_steps;
    const Size3& local = interface.local_size;
    request_.quads = local.x % 2 == 0 && local.y % 2 == 0 &&
                     std::ranges::all_of(choices.sizes, [](int size) { return size % 4 == 0; });
    const Size3& groups = replay_.job().groups;
    request_.workgroups = std::uint64_t{groups.x} * groups.y * groups.z;
    request_.may_be_partial = full_;
    request_.most_runs = choices.runs;
    if (choices.seconds > 0) request_.most_time = std::chrono::duration<double>(choices.seconds);
    request_.threads = job.how.threads;
    request_.unordered = choices.unordered;
    request_.progress = [this](std::uint64_t runs) { return goes_on(runs); };
  }

  /// Without the interpreter's lock.
  void run() {
    if (request_.vary.has(ex::Dimension::subgroup_size)) {
      for (const int size : request_.sizes) subject_->add_size(size);
    }
    const ex::Subject subject = std::cref(*subject_);
    verdict_ = ex::explore(subject, request_);
    if (interruption_.asked()) throw Interrupted();
    if (verdict_.smallest) advice_ = ex::advise(subject, request_, *verdict_.smallest);
    const Size3& local = replay_.pipeline().interface().local_size;
    findings_ = verdict_.first.findings;
    if (verdict_.smallest) findings_.merge(verdict_.smallest->result.findings);
    findings_.merge(ex::size_findings(
        replay_.module(), std::uint64_t{local.x} * local.y * local.z, subject, request_, verdict_,
        [&](const Module& module) {
          const auto other = std::make_shared<const OtherShader>(replay_, module, how_);
          return ex::Subject(
              [other](const ex::Setting& setting, Chooser& chooser, Observer* observer) {
                return other->subject(setting, chooser, observer);
              });
        }));
  }

  py::dict result() const {
    report::Findings findings;
    findings.add(findings_);
    py::dict made;
    made["runs"] = verdict_.runs;
    made["assumed"] = std::string(to_string(request_.first.rule));
    made["assumed_subgroups"] = full_.text;
    made["exhausted"] = names_of(verdict_.exhausted);
    const bool differs = verdict_.smallest.has_value();
    made["depends_on"] =
        names_of(verdict_.on.any() || !differs ? verdict_.on : verdict_.smallest->on);
    made["only_order"] = verdict_.only_order;
    made["first"] = bytes_of(verdict_.first.buffers);
    made["error"] = verdict_.first.error;
    made["findings"] = list_of(findings);
    made["smallest"] = differs ? py::object(to_python(*verdict_.smallest, advice_)) : py::none();
    return made;
  }

 private:
  bool goes_on(std::uint64_t runs) {
    if (interruption_.asked()) return false;
    if (callback_.is_none()) return true;
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::milliseconds(100)) return true;
    last_ = now;
    const py::gil_scoped_acquire acquire;
    callback_(runs, request_.most_runs);
    return true;
  }

  const job::Replay& replay_;
  Dispatch how_;
  std::optional<ex::ShaderSubject> subject_;
  ex::FullSubgroups full_;
  const py::object& callback_;
  ex::Request request_;
  ex::Verdict verdict_;
  ex::Advice advice_;
  FaultLog findings_;
  Interruption interruption_;
  std::chrono::steady_clock::time_point last_{};
};

py::dict explore(const JobOf& job, const Choices& choices, const py::object& callback) {
  Exploring exploring(job, choices, callback);
  {
    const py::gil_scoped_release release;
    exploring.run();
  }
  return exploring.result();
}

}  // namespace

void add_explore(py::module_& m) {
  py::class_<Choices>(m, "Choices")
      .def(py::init<>())
      .def_readwrite("vary", &Choices::vary)
      .def_readwrite("same", &Choices::same)
      .def_readwrite("sizes", &Choices::sizes)
      .def_readwrite("runs", &Choices::runs)
      .def_readwrite("seconds", &Choices::seconds)
      .def_readwrite("unordered", &Choices::unordered)
      .def_readwrite("full_subgroups", &Choices::full_subgroups)
      .def_readwrite("occupancy_bound", &Choices::occupancy_bound)
      .def_readwrite("has_max_steps", &Choices::has_max_steps);
  m.def("explore", &explore);
  m.def("dimensions", [] { return names_of(ex::Dimensions::all()); });
}

}  // namespace lockstep::python
