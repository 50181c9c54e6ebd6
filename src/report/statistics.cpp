#include "report/statistics.hpp"

namespace lockstep::report {

void Statistics::on(const Event& event) {
  const Subgroup subgroup{event.workgroup, event.subgroup};
  std::vector<Event>& events = running_[subgroup];
  events.push_back(event);
  if (event.kind != Event::Kind::end) return;
  add(events);
  running_.erase(subgroup);
}

void Statistics::add(const std::vector<Event>& events) {
  const trace::Summary summary = trace::summarize(trace::make_timeline(events, subgroup_size_));
  ++subgroups_;
  times_ += summary.times;
  lanes_ += summary.lanes;
  divergences_ += summary.divergences;
  apart_ += summary.apart.size();
  for (const trace::LineWork& work : summary.lines) {
    auto& [times, lanes] = lines_[{work.where.file, work.where.line}];
    times += work.times;
    lanes += work.lanes;
  }
}

void Statistics::add(const WorkCounts& work) {
  subgroups_ += work.subgroups;
  divergences_ += work.divergences;
  for (const LineCount& line : work.lines) {
    times_ += line.times;
    lanes_ += line.lanes;
    auto& [times, lanes] = lines_[{line.where.file, line.where.line}];
    times += line.times;
    lanes += line.lanes;
  }
}

double Statistics::utilisation() const {
  if (times_ == 0) return 0;
  return static_cast<double>(lanes_) / (static_cast<double>(times_) * subgroup_size_);
}

std::vector<LineCost> Statistics::lines() const {
  std::vector<LineCost> result;
  for (const auto& [where, work] : lines_)
    result.push_back({where.first, where.second, work.first, work.second});
  return result;
}

}  // namespace lockstep::report
