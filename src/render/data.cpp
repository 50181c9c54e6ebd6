#include "render/data.hpp"

#include <exception>
#include <string_view>

#include <fmt/format.h>

#include "render/tables.hpp"
#include "trace/excerpt.hpp"

namespace lockstep::render {
namespace {

using Json = nlohmann::ordered_json;
using trace::Level;
using trace::Step;
using trace::Timeline;

/// Values of built-ins and accesses are left out beyond this.
constexpr std::size_t most_value_bytes = std::size_t{2} << 20;

std::string hex(LaneSet lanes) {
  return lanes.high == 0 ? fmt::format("{:x}", lanes.low)
                         : fmt::format("{:x}{:016x}", lanes.high, lanes.low);
}

std::string_view name_of(Level::Kind kind) {
  switch (kind) {
    case Level::Kind::selection:
      return "selection";
    case Level::Kind::loop:
      return "loop";
    case Level::Kind::switch_statement:
      return "switch";
    case Level::Kind::call:
      break;
  }
  return "call";
}

class Data {
 public:
  explicit Data(const trace::Trace& trace) : trace_(trace) {
    for (const trace::SubgroupTrace& subgroup : trace.subgroups()) add(subgroup);
  }

  Json take() {
    Json files = Json::array();
    trace::Sources sources;
    for (const auto& name : files_.take())
      files.push_back({{"name", name}, {"lines", sources.lines(name)}});
    return {{"size", trace_.subgroup_size()},
            {"files", files},
            {"masks", masks_.take()},
            {"places", places_.take()},
            {"states", states_.take()},
            {"stacks", stacks_.take()},
            {"texts", texts_.take()},
            {"values", values_.take()},
            {"subgroups", std::move(subgroups_)}};
  }

 private:
  std::size_t mask(LaneSet lanes) { return masks_[hex(lanes)]; }
  Json masks_of(const std::vector<LaneSet>& sets) {
    Json numbers = Json::array();
    for (const LaneSet& lanes : sets) numbers.push_back(mask(lanes));
    return numbers;
  }

  void add(const trace::SubgroupTrace& subgroup) {
    const Timeline timeline = trace_.timeline(subgroup);
    Json steps = Json::array();
    operations_ = Json::array();
    left_out_ = 0;
    for (const Step& step : timeline.steps) {
      Json packed = packed_step(step, timeline.existing);
      for (const std::size_t event : step.operations) {
        if (value_bytes_ < most_value_bytes) {
          packed.push_back(operations_.size());
          operations_.push_back(operation(subgroup.events[event]));
          value_bytes_ += operations_.back().dump().size();
        } else if (left_out_ == 0) {
          left_out_ = steps.size();
        }
      }
      steps.push_back(std::move(packed));
    }
    subgroups_.push_back({{"title", trace_.title(subgroup)},
                          {"workgroup", subgroup.workgroup},
                          {"subgroup", subgroup.subgroup},
                          {"existing", mask(timeline.existing)},
                          {"steps", std::move(steps)},
                          {"operations", std::move(operations_)},
                          {"left_out", left_out_}});
  }

  Json packed_step(const Step& step, LaneSet existing) {
    const bool stays_apart =
        step.kind == Step::Kind::merge && step.outcome == Step::Outcome::stay_apart;
    const Json place{static_cast<int>(step.kind),
                     files_[step.where.file],
                     step.where.line,
                     step.diverges ? 1 : 0,
                     static_cast<int>(step.outcome),
                     texts_[stays_apart ? why_open(step, existing) : ""],
                     masks_of(step.arrivals)};
    return {places_[place], states_[state(step)], stacks_[stack(step)], texts_[step.note],
            step.trip};
  }

  Json state(const Step& step) {
    return {masks_of(step.tangles), step.names,         mask(step.starts),
            mask(step.aside),       mask(step.waiting), step.waiting_names};
  }
  Json stack(const Step& step) {
    Json levels = Json::array();
    for (const Level& level : step.stack)
      levels.push_back({name_of(level.kind), level.where.line, masks_of(level.entered),
                        mask(level.waiting), mask(level.arrived), mask(level.continuing)});
    return levels;
  }

  /// Kind, name, lanes, operands, result, object, and where each lane accesses it.
  Json operation(const Event& event) {
    const bool is_built_in = event.kind == Event::Kind::built_in;
    const LaneSet lanes = is_built_in ? event.tangles[0].lanes : event.others;
    Json operands = Json::array();
    for (const LaneValues& operand : event.operands) operands.push_back(values(operand, lanes));
    Json places = Json::array();
    if (!is_built_in) {
      for_each_lane(lanes, [&](int lane) {
        const auto at = static_cast<std::size_t>(lane);
        const bool outside =
            at >= event.access.byte.size() || event.access.byte[at] == Access::outside;
        places.push_back(outside ? Json(-1) : Json(event.access.byte[at]));
      });
    }
    const bool has_result = event.result.type != LaneValues::Type::none;
    return {std::string(to_string(event.kind)),
            texts_[std::string(event.name)],
            mask(lanes),
            std::move(operands),
            has_result ? Json(values(event.result, lanes)) : Json(-1),
            texts_[is_built_in ? "" : to_string(event.access.object)],
            std::move(places)};
  }
  std::size_t values(const LaneValues& values, LaneSet lanes) {
    Json list = Json::array();
    for_each_lane(lanes, [&](int lane) { list.push_back(to_string(values, lane)); });
    value_bytes_ += list.dump().size();
    return values_[list];
  }

  const trace::Trace& trace_;
  Table<std::string> files_, masks_, texts_;
  Table<Json> places_, states_, stacks_, values_;
  Json subgroups_ = Json::array(), operations_;
  std::size_t value_bytes_ = 0, left_out_ = 0;
};

Json json_of(const Finding& finding) {
  Json json{{"rule", finding.rule},
            {"severity", to_string(finding.severity)},
            {"message", finding.message},
            {"file", finding.where.file},
            {"line", finding.where.line}};
  if (finding.origin.line > 0)
    json["note"] =
        fmt::format("{}:{}: {}", finding.origin.file, finding.origin.line, finding.origin_message);
  if (finding.other)
    json["note"] = fmt::format("{}:{}: {}", finding.other->where.file, finding.other->where.line,
                               finding.other->message);
  return json;
}

std::string text_of(const std::exception_ptr& error) {
  if (error == nullptr) return "";
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& e) {
    return e.what();
  }
}

}  // namespace

Json data_of(const trace::Trace& trace, std::span<const Finding> findings,
             std::span<const Buffer> buffers) {
  Json data = Data(trace).take();
  data["findings"] = Json::array();
  for (const Finding& finding : findings) data["findings"].push_back(json_of(finding));
  data["error"] = text_of(trace.error());
  data["buffers"] = Json::array();
  for (const Buffer& buffer : buffers)
    data["buffers"].push_back({{"title", buffer.title},
                               {"before", buffer.before},
                               {"after", buffer.after},
                               {"more", buffer.more}});
  return data;
}

}  // namespace lockstep::render
