#include <lockstep/trace/trace.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <ostream>
#include <set>
#include <string_view>

#include "runtime/trace/open_source.hpp"

namespace lockstep::trace {
namespace {

std::string workgroup_text(const std::array<std::uint32_t, 3>& workgroup) {
  const auto [x, y, z] = workgroup;
  return y == 0 && z == 0 ? fmt::format("{}", x) : fmt::format("({}, {}, {})", x, y, z);
}

/// A maximal rule leaves nothing open.
std::string rule_text(const Request& request) {
  const std::string rule(to_string(request.rule));
  return request.rule == Rule::maximal ? rule : rule + ", " + request.choose;
}

/// A note for each source whose lines are missing: compilers may have been given names relative to another folder.
std::string unreadable_sources(const Timeline& timeline) {
  std::string text;
  std::set<std::string_view> seen;
  for (const Step& step : timeline.steps) {
    if (!seen.insert(step.where.file).second || open_source(step.where.file)) continue;
    text +=
        fmt::format("without source lines: {} cannot be read from this folder\n", step.where.file);
  }
  return text;
}

std::string error_text(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& e) {
    return e.what();
  }
}

}  // namespace

std::string Trace::title(const SubgroupTrace& of) const {
  const int existing = timeline(of).existing.count();
  const std::string lanes = existing == subgroup_size_
                                ? fmt::format("{} lanes", existing)
                                : fmt::format("{} of {} lanes", existing, subgroup_size_);
  return fmt::format("{}, subgroup {} of workgroup {}: {}, {}", name_, of.subgroup,
                     workgroup_text(of.workgroup), lanes, rule_text(request_));
}

std::string Trace::text(const Look& look) const {
  std::string text;
  for (const SubgroupTrace& subgroup : subgroups_) {
    const Timeline steps = timeline(subgroup);
    text += fmt::format("{}{}\n\n{}\n{}{}\n{}", text.empty() ? "" : "\n", title(subgroup),
                        draw(steps, look), draw_legend(steps, look), unreadable_sources(steps),
                        draw_summary(steps, look));
  }
  if (faults_.count() != 0) text += "\n" + to_string(faults_) + "\n";
  if (left_out_ != 0) text += fmt::format("\n{} later events are left out\n", left_out_);
  if (error_) text += "\nerror: " + error_text(error_) + "\n";
  if (!choices_.empty()) text += fmt::format("\nto repeat this run: choose = \"{}\"\n", replay());
  return text;
}

std::string Trace::replay() const {
  // Of which choices the answers are stands before the first chooser, too.
  const std::size_t kinds = request_.choose.find('=');
  return (kinds == std::string::npos ? "" : request_.choose.substr(0, kinds + 1)) +
         "replay:" + choices_;
}

void Trace::print() const {
  const std::string all = text(look_of_terminal());
  std::fwrite(all.data(), 1, all.size(), stdout);
  std::fflush(stdout);
}
void Trace::print(std::ostream& to) const { to << text(); }

void Trace::save(const std::string& path) const {
  if (!path.ends_with(".txt"))
    throw Error("cannot save a trace as " + path + ": the name must end with .txt");
  std::ofstream file(path);
  file << text({.columns = 100, .colour = false, .stack = false});
  if (!file.flush()) throw Error("cannot write the trace to " + path);
}

Recording::Recording(std::string name, int subgroup_size, Request request)
    : name_(std::move(name)),
      subgroup_size_(subgroup_size),
      request_(std::move(request)),
      chooser_(Chooser::parse(request_.choose)) {
  convergence_.rule = request_.rule;
  convergence_.chooser = &chooser_;
  convergence_.observer = this;
}

void Recording::on(const Event& event) {
  for (std::size_t k = 0; k < 3; ++k)
    num_workgroups_[k] = std::max(num_workgroups_[k], event.workgroup[k] + 1);
  num_subgroups_ = std::max(num_subgroups_, event.subgroup + 1);
  if (!request_.has(event) || events_++ >= request_.most_events) return;
  // The subgroup that runs is one of the last that started.
  auto found = std::find_if(subgroups_.rbegin(), subgroups_.rend(), [&](const SubgroupTrace& s) {
    return s.subgroup == event.subgroup && s.workgroup == event.workgroup;
  });
  // A script dispatches several times.
  if (found == subgroups_.rend() || event.kind == Event::Kind::start) {
    subgroups_.push_back({event.workgroup, event.subgroup, {}});
    found = subgroups_.rbegin();
  }
  found->events.push_back(event);
}

Trace Recording::finish() {
  if (error_ && num_subgroups_ == 0) std::rethrow_exception(error_);
  if (subgroups_.empty()) {
    const auto [x, y, z] = request_.workgroup;
    const auto [nx, ny, nz] = num_workgroups_;
    throw AbsentSubgroup(
        fmt::format("there is no subgroup {} in a workgroup ({}, {}, {}): {} runs {} x {} x {} "
                    "workgroups of {} "
                    "subgroups here",
                    request_.subgroup, x, y, z, name_, nx, ny, nz, num_subgroups_));
  }
  Trace trace;
  trace.name_ = name_;
  trace.request_ = request_;
  trace.subgroup_size_ = subgroup_size_;
  trace.subgroups_ = std::move(subgroups_);
  trace.faults_ = std::move(faults_);
  trace.error_ = error_;
  trace.choices_ = chooser_.made_as_text();
  trace.left_out_ = events_ - std::min(events_, request_.most_events);
  return trace;
}

}  // namespace lockstep::trace
