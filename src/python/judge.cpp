#include <pybind11/stl.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/choices.hpp"
#include "io/error.hpp"
#include "judgement/judge.hpp"
#include "python/bind.hpp"
#include "python/findings.hpp"
#include "python/jobs.hpp"

/// \file
/// Whether results of a device are ones that Vulkan allows.

namespace lockstep::python {
namespace {

/// What devices may give for a job.
class JudgeOf {
 public:
  JudgeOf(std::shared_ptr<const JobOf> job, const std::string& order, bool explain)
      : job_(std::move(job)) {
    judgement::Options options;
    if (!order.empty()) options.order = io::parse_float_order(order);
    options.explain = explain;
    judge_ = std::make_unique<judgement::Judge>(job_->replay, options);
  }

  judgement::Judgement operator()(const std::vector<std::optional<std::string>>& outputs) {
    const std::vector<std::size_t> written = job_->written();
    if (outputs.size() != written.size())
      throw io::InputError("as many outputs are needed as the shader writes buffers");
    job::Contents contents(job_->replay.job().bindings.size());
    for (std::size_t k = 0; k < outputs.size(); ++k) {
      if (!outputs[k]) continue;
      const auto bytes = std::as_bytes(std::span(*outputs[k]));
      contents[written[k]].assign(bytes.begin(), bytes.end());
    }
    return (*judge_)(contents);
  }
  const JobOf& job() const { return *job_; }

 private:
  std::shared_ptr<const JobOf> job_;
  std::unique_ptr<judgement::Judge> judge_;
};

py::dict to_python(const judgement::Element& judged, const std::optional<report::Writer>* writer) {
  py::dict made;
  made["verdict"] = judgement::name_of(judged.verdict);
  made["index"] = judged.index;
  made["path"] = judged.path;
  made["byte"] = judged.byte;
  made["reference"] = judged.reference;
  made["device"] = judged.device;
  made["low"] = judged.low;
  made["high"] = judged.high;
  made["ulps"] = judged.ulps;
  made["share"] = judged.share;
  made["reason"] = judged.reason;
  made["writer"] = py::none();
  if (writer != nullptr && *writer) {
    py::dict one;
    one["workgroup"] = tuple_of((*writer)->workgroup);
    one["subgroup"] = (*writer)->subgroup;
    one["lane"] = (*writer)->lane;
    one["place"] = place_of((*writer)->where);
    made["writer"] = one;
  }
  return made;
}

py::dict to_python(const JudgeOf& judge, const judgement::Judgement& judgement) {
  py::list buffers;
  for (const judgement::Buffer& judged : judgement.buffers) {
    py::dict one;
    one["name"] = judge.job().replay.job().bindings[judged.part].name;
    one["elements"] = judged.result.elements;
    py::list runs;
    for (const auto& [verdict, count] : judged.result.runs)
      runs.append(py::make_tuple(judgement::name_of(verdict), count));
    one["runs"] = runs;
    py::list first;
    for (std::size_t k = 0; k < judged.result.first.size(); ++k)
      first.append(to_python(judged.result.first[k],
                             k < judged.writers.size() ? &judged.writers[k] : nullptr));
    one["first"] = first;
    one["worst"] = to_python(judged.result.worst, nullptr);
    one["order"] = judged.result.order;
    buffers.append(one);
  }
  py::dict made;
  made["buffers"] = buffers;
  made["explanation"] = py::none();
  if (judgement.explanation) {
    py::dict explanation;
    explanation["options"] = judgement.explanation->text;
    explanation["same_device"] = judgement.explanation->same_device;
    explanation["on"] = judgement.explanation->on;
    made["explanation"] = explanation;
  }
  return made;
}

}  // namespace

void add_judge(py::module_& m) {
  py::class_<JudgeOf>(m, "JudgeData")
      .def(py::init([](std::shared_ptr<JobOf> job, const std::string& order, bool explain) {
        const py::gil_scoped_release release;
        return std::make_unique<JudgeOf>(std::move(job), order, explain);
      }))
      .def("judge", [](JudgeOf& judge, const std::vector<std::optional<std::string>>& outputs) {
        std::optional<judgement::Judgement> judgement;
        {
          const py::gil_scoped_release release;
          judgement = judge(outputs);
        }
        return to_python(judge, *judgement);
      });
  py::list verdicts;
  for (std::size_t k = 0; k < judgement::verdict_count; ++k)
    verdicts.append(judgement::name_of(static_cast<judgement::Verdict>(k)));
  m.attr("verdicts") = verdicts;
}

}  // namespace lockstep::python
