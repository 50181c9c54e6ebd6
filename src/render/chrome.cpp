#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "render/files.hpp"
#include "render/lane_json.hpp"
#include "trace/excerpt.hpp"

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

/// One subgroup as a process.
class Process {
 public:
  Process(Json& events, const trace::Trace& trace, const trace::SubgroupTrace& subgroup, int number)
      : events_(events),
        recorded_(subgroup.events),
        timeline_(trace.timeline(subgroup)),
        excerpt_(timeline_),
        process_(number) {
    add("M", 0, {{"name", "process_name"}, {"args", {{"name", trace.title(subgroup)}}}});
    add("M", 0, {{"name", "process_sort_index"}, {"args", {{"sort_index", number}}}});
    for_each_lane(timeline_.existing, [&](int lane) {
      add("M", lane + 1,
          {{"name", "thread_name"}, {"args", {{"name", fmt::format("lane {}", lane)}}}});
    });
  }

  void write() {
    for (std::size_t k = 0; k < timeline_.steps.size(); ++k) {
      const Step& step = timeline_.steps[k];
      if (step.kind == Step::Kind::merge)
        merge(step, k);
      else
        lines(step, k);
      waiting(step, k);
      add("C", 0,
          {{"name", "active lanes"}, {"ts", k}, {"args", {{"lanes", step.active().count()}}}});
    }
    add("C", 0,
        {{"name", "active lanes"}, {"ts", timeline_.steps.size()}, {"args", {{"lanes", 0}}}});
  }

 private:
  /// `thread` 0 is the subgroup as a whole.
  void add(std::string_view phase, int thread, Json rest) {
    Json event{{"ph", phase}, {"pid", process_}, {"tid", thread}};
    event.update(rest);
    events_.push_back(std::move(event));
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
};

}  // namespace

std::string to_chrome_trace(const trace::Trace& trace) {
  Json events = Json::array();
  int process = 0;
  for (const trace::SubgroupTrace& subgroup : trace.subgroups())
    Process(events, trace, subgroup, ++process).write();
  Json file{{"displayTimeUnit", "ns"}, {"traceEvents", std::move(events)}};
  return file.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace lockstep::render
