#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "render/compare.hpp"
#include "render/files.hpp"
#include "render/lane_json.hpp"
#include "report/findings.hpp"
#include "runtime/trace/excerpt.hpp"

namespace lockstep::render {
namespace {

using Json = nlohmann::ordered_json;
using trace::Step;
using trace::Timeline;

std::string_view outcome_of(const Step& merge) {
  switch (merge.outcome) {
    case Step::Outcome::rejoined:
      return "lanes rejoin";
    case Step::Outcome::by_choice:
      return "lanes rejoin by choice";
    case Step::Outcome::stay_apart:
      break;
  }
  return "lanes stay apart";
}

std::string sets_text(const std::vector<LaneSet>& sets) {
  std::string text;
  for (const LaneSet& set : sets)
    text += fmt::format("{}{{{}}}", text.empty() ? "" : " ", to_string(set));
  return text;
}

/// When each step starts; empty: one microsecond after the step before it.
using Times = std::vector<std::size_t>;

/// One subgroup as a process.
class Process {
 public:
  Process(Json& events, const trace::Trace& trace, const trace::SubgroupTrace& subgroup, int number,
          std::string_view before_title, Times times)
      : events_(events),
        recorded_(subgroup.events),
        timeline_(trace.timeline(subgroup)),
        excerpt_(timeline_),
        process_(number),
        times_(std::move(times)) {
    const std::string title = std::string(before_title) + trace.title(subgroup);
    add("M", 0, {{"name", "process_name"}, {"args", {{"name", title}}}});
    add("M", 0, {{"name", "process_sort_index"}, {"args", {{"sort_index", number}}}});
    for_each_lane(timeline_.existing, [&](int lane) {
      add("M", lane + 1,
          {{"name", "thread_name"}, {"args", {{"name", fmt::format("lane {}", lane)}}}});
    });
  }

  void write() {
    for (std::size_t k = 0; k < timeline_.steps.size(); ++k) {
      const Step& step = timeline_.steps[k];
      const std::size_t at = times_.empty() ? k : times_[k];
      // Where only the run beside has steps, no lane is active here.
      if (at > end_) count(end_, 0);
      if (step.kind == Step::Kind::merge)
        merge(step, at);
      else
        lines(step, at);
      waiting(step, at);
      count(at, step.active().count());
      end_ = at + 1;
    }
    count(end_, 0);
  }
  /// A difference of two runs, as an instant of all processes.
  void difference(std::size_t at, const std::string& text) {
    add("i", 0, {{"name", text}, {"ts", at}, {"s", "g"}, {"args", Json::object()}});
  }
  /// What was found, at the first step of its line; where there is none, at the start.
  void finding(const Finding& found) {
    std::size_t at = 0;
    for (std::size_t k = 0; k < timeline_.steps.size(); ++k) {
      const Step& step = timeline_.steps[k];
      if (step.kind == Step::Kind::merge || !is_at(found, step.where)) continue;
      at = times_.empty() ? k : times_[k];
      break;
    }
    add("i", 0,
        {{"name", fmt::format("{}: {}", to_string(found.severity), found.rule)},
         {"ts", at},
         {"s", "p"},
         {"args", {{"finding", report::to_json(found)}}}});
  }

 private:
  /// `thread` 0 is the subgroup as a whole.
  void add(std::string_view phase, int thread, Json rest) {
    Json event{{"ph", phase}, {"pid", process_}, {"tid", thread}};
    event.update(rest);
    events_.push_back(std::move(event));
  }

  void count(std::size_t at, int lanes) {
    add("C", 0, {{"name", "active lanes"}, {"ts", at}, {"args", {{"lanes", lanes}}}});
  }

  void slice(int lane, std::size_t at, const std::string& name, Json arguments) {
    add("X", lane + 1, {{"name", name}, {"ts", at}, {"dur", 1}, {"args", std::move(arguments)}});
  }

  void lines(const Step& step, std::size_t at) {
    const std::string text = trace::trimmed(excerpt_.line(step.where));
    const std::string name = fmt::format("{}{}{}", step.where.line, text.empty() ? "" : ": ", text);
    for (std::size_t t = 0; t < step.tangles.size(); ++t) {
      for_each_lane(step.tangles[t], [&](int lane) {
        Json arguments{{"file", step.where.file},
                       {"line", step.where.line},
                       {"tangle", to_string(step.tangles[t])}};
        if (step.aside.test(lane)) arguments["condition"] = false;
        if (step.trip > 0) arguments["trip"] = step.trip;
        if (!step.note.empty()) arguments["result"] = step.note;
        const Json variables = variables_of(step, lane);
        if (!variables.empty()) arguments["variables"] = variables;
        slice(lane, at, name, std::move(arguments));
      });
    }
  }

  /// What the lane writes to named variables in this step.
  Json variables_of(const Step& step, int lane) const {
    Json variables = Json::object();
    for (const std::size_t number : step.assignments) {
      const Event& event = recorded_[number];
      if (event.others.test(lane))
        variables[std::string(event.access.object.name)] = json_of_lane(event.operands.at(0), lane);
    }
    return variables;
  }

  void waiting(const Step& step, std::size_t at) {
    for_each_lane(step.waiting, [&](int lane) { slice(lane, at, "waits", Json::object()); });
  }

  void merge(const Step& step, std::size_t at) {
    add("i", 0,
        {{"name", outcome_of(step)},
         {"ts", at},
         {"s", "p"},
         {"args",
          {{"file", step.where.file},
           {"line", step.where.line},
           {"arrived", sets_text(step.arrivals)},
           {"tangles", sets_text(step.tangles)}}}});
  }

  Json& events_;
  const std::vector<Event>& recorded_;
  Timeline timeline_;
  trace::Excerpt excerpt_;
  int process_;
  Times times_;
  std::size_t end_ = 0;  ///< of the last step that is written
};

/// The steps of one of two runs start where the rows of their comparison do.
Times times_of(const Comparison& comparison, std::size_t Comparison::Row::*which) {
  Times times;
  for (std::size_t row = 0; row < comparison.rows.size(); ++row)
    if (comparison.rows[row].*which != Comparison::none) times.push_back(row);
  return times;
}

/// Those of a recorded subgroup; the first one also has those of subgroups that were not recorded.
std::vector<const Finding*> findings_of(const Shown& run, std::size_t number) {
  const auto& subgroups = run.trace.subgroups();
  const auto recorded = [&](const Finding& finding) {
    const auto found = std::ranges::find_if(subgroups, [&](const trace::SubgroupTrace& one) {
      const auto& [x, y, z] = one.workgroup;
      return Size3{x, y, z} == finding.workgroup && one.subgroup == finding.subgroup;
    });
    return found == subgroups.end() ? std::size_t{0}
                                    : static_cast<std::size_t>(found - subgroups.begin());
  };
  std::vector<const Finding*> findings;
  for (const Finding& finding : run.findings)
    if (recorded(finding) == number) findings.push_back(&finding);
  return findings;
}

void add_differences(Process& process, const Comparison& comparison) {
  if (comparison.tangles) process.difference(*comparison.tangles, "first different lanes together");
  if (!comparison.value) return;
  const Comparison::Value& value = *comparison.value;
  process.difference(value.row, fmt::format("first different value: lane {}, {}: {}, beside {}",
                                            value.lane, value.what, value.first, value.second));
}

}  // namespace

std::string to_chrome_trace(const Shown& run, const Shown* beside) {
  Json events = Json::array();
  int process = 0;
  const auto subgroup_of = [](const Shown* of, std::size_t k) {
    return of != nullptr && k < of->trace.subgroups().size() ? &of->trace.subgroups()[k] : nullptr;
  };
  for (std::size_t k = 0; subgroup_of(&run, k) != nullptr || subgroup_of(beside, k) != nullptr;
       ++k) {
    const trace::SubgroupTrace *a = subgroup_of(&run, k), *b = subgroup_of(beside, k);
    Comparison comparison;
    if (a != nullptr && b != nullptr) comparison = compare(run.trace, *a, beside->trace, *b);
    if (a != nullptr) {
      Process first(events, run.trace, *a, ++process, "",
                    times_of(comparison, &Comparison::Row::first));
      first.write();
      for (const Finding* finding : findings_of(run, k)) first.finding(*finding);
      add_differences(first, comparison);
    }
    if (b != nullptr) {
      Process second(events, beside->trace, *b, ++process,
                     "beside: ", times_of(comparison, &Comparison::Row::second));
      second.write();
      for (const Finding* finding : findings_of(*beside, k)) second.finding(*finding);
    }
  }
  Json file{{"displayTimeUnit", "ns"}, {"traceEvents", std::move(events)}};
  return file.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace lockstep::render
