#include <lockstep/job/allowed.hpp>

#include <ostream>

#include <fmt/format.h>

#include "judgement/judge.hpp"

namespace lockstep::oracle {

struct Job::Parts {
  explicit Parts(const std::string& folder) : replay(job::read(folder)), judge(replay) {
    for (const job::Binding& binding : replay.job().bindings) outputs.push_back(binding.output);
  }

  job::Replay replay;
  judgement::Judge judge;
  Outputs outputs;
};

Job Job::load(const std::string& folder) {
  Job made;
  made.parts_ = std::make_shared<Parts>(folder);
  return made;
}
const std::string& Job::name() const { return parts_->replay.job().name; }
const Outputs& Job::outputs() const { return parts_->outputs; }

namespace {

std::string line_of(const job::Binding& binding, const judgement::Element& element,
                    const std::optional<report::Writer>* writer) {
  std::string line =
      fmt::format("{} {} is {} and not {}", binding.name,
                  element.path.empty() ? fmt::format("[{}]", element.index) : element.path,
                  element.device, element.reference);
  if (!element.low.empty()) line += fmt::format(", {}", judgement::allowed_text(element));
  if (writer != nullptr && *writer)
    line += fmt::format(", written by workgroup ({}, {}, {}), subgroup {}, lane {} in {}:{}",
                        (*writer)->workgroup.x, (*writer)->workgroup.y, (*writer)->workgroup.z,
                        (*writer)->subgroup, (*writer)->lane, (*writer)->where.file,
                        (*writer)->where.line);
  return line + "\n";
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const Outputs& outputs) {
  std::size_t bytes = 0, buffers = 0;
  for (const auto& output : outputs) {
    bytes += output.size();
    buffers += output.empty() ? 0 : 1;
  }
  return out << bytes << " bytes in " << buffers << (buffers == 1 ? " buffer" : " buffers");
}

Judgement judge(const Job& job, const Outputs& outputs) {
  const judgement::Judgement judged = job.parts_->judge(outputs);
  using judgement::Verdict;
  Judgement result{judged.count(Verdict::equal),     judged.count(Verdict::allowed),
                   judged.count(Verdict::unordered), judged.count(Verdict::undefined),
                   judged.count(Verdict::racy),      judged.count(Verdict::open),
                   judged.count(Verdict::wrong),     {}};
  for (const judgement::Buffer& buffer : judged.buffers) {
    const job::Binding& binding = job.parts_->replay.job().bindings[buffer.part];
    for (std::size_t k = 0; k < buffer.result.first.size(); ++k) {
      if (buffer.result.first[k].verdict == Verdict::wrong)
        result.text += line_of(binding, buffer.result.first[k],
                               k < buffer.writers.size() ? &buffer.writers[k] : nullptr);
    }
  }
  if (judged.explanation)
    result.text += fmt::format("as lockstep run {} gives\n", judged.explanation->text);
  return result;
}

}  // namespace lockstep::oracle

namespace lockstep {

bool AllowedMatcher::match(const oracle::Outputs& outputs) const {
  const oracle::Judgement judged = judge(job_, outputs);
  last_ = judged.text;
  return judged.is_allowed();
}
std::string AllowedMatcher::toString() const {
  return fmt::format("is allowed for the job {}{}{}", job_.name(), last_.empty() ? "" : "\n",
                     last_);
}
bool AllowedMatcher::MatchAndExplain(const oracle::Outputs& outputs,
                                     std::ostream* explanation) const {
  const bool matches = match(outputs);
  if (explanation != nullptr) *explanation << last_;
  return matches;
}
void AllowedMatcher::DescribeTo(std::ostream* to) const {
  *to << "is allowed for the job " << job_.name();
}
void AllowedMatcher::DescribeNegationTo(std::ostream* to) const {
  *to << "is wrong for the job " << job_.name();
}

}  // namespace lockstep
