#include "render/data.hpp"

#include <algorithm>
#include <exception>
#include <map>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "render/compare.hpp"
#include "render/tables.hpp"
#include "runtime/trace/excerpt.hpp"
#include "runtime/trace/names.hpp"

namespace lockstep::render {
namespace {

using Json = nlohmann::ordered_json;
using trace::Level;
using trace::Step;
using trace::Timeline;

/// What is left out beyond these keeps a page below 5 MiB: steps, values of built-ins and accesses, and values of
/// variables.
constexpr std::size_t most_step_bytes = std::size_t{11} << 18;
constexpr std::size_t most_value_bytes = std::size_t{1} << 20;
constexpr std::size_t most_variable_bytes = std::size_t{3} << 18;

std::string hex(LaneSet lanes) {
  return lanes.high == 0 ? fmt::format("{:x}", lanes.low)
                         : fmt::format("{:x}{:016x}", lanes.high, lanes.low);
}

class Data {
 public:
  Data(const Shown& run, std::size_t runs)
      : trace_(run.trace),
        sources_(run.sources != nullptr ? trace::Sources(*run.sources) : trace::Sources()),
        most_step_bytes_(most_step_bytes / runs),
        most_value_bytes_(most_value_bytes / runs),
        most_variable_bytes_(most_variable_bytes / runs) {
    for (const trace::SubgroupTrace& subgroup : trace_.subgroups()) add(subgroup);
  }

  Json take() {
    Json files = Json::array();
    for (const auto& name : files_.take())
      files.push_back({{"name", name}, {"lines", sources_.lines(name)}});
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
    variables_ = {};
    Json writes = Json::array();
    std::size_t variables_left_out = 0;
    for (const Step& step : timeline.steps) {
      if (step_bytes_ > most_step_bytes_ && !steps.empty()) break;
      Json packed = packed_step(step, timeline.existing);
      for (const std::size_t event : step.operations) {
        if (value_bytes_ < most_value_bytes_) {
          packed.push_back(operations_.size());
          operations_.push_back(operation(subgroup.events[event]));
          value_bytes_ += operations_.back().dump().size();
        } else if (left_out_ == 0) {
          left_out_ = steps.size();
        }
      }
      for (const std::size_t event : step.assignments) {
        if (variable_bytes_ < most_variable_bytes_)
          writes.push_back(assignment_of(subgroup.events[event], steps.size()));
        else if (variables_left_out == 0)
          variables_left_out = steps.size();
      }
      step_bytes_ += packed.dump().size() + 1;
      steps.push_back(std::move(packed));
    }
    const std::size_t left_out = timeline.steps.size() - steps.size();
    subgroups_.push_back({{"title", trace_.title(subgroup)},
                          {"workgroup", subgroup.workgroup},
                          {"subgroup", subgroup.subgroup},
                          {"existing", mask(timeline.existing)},
                          {"steps", std::move(steps)},
                          {"steps_left_out", left_out},
                          {"operations", std::move(operations_)},
                          {"left_out", left_out_},
                          {"variables", names_of_variables()},
                          {"writes", std::move(writes)},
                          {"variables_left_out", variables_left_out}});
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
    return {number(places_, place), number(states_, state(step)), number(stacks_, stack(step)),
            texts_[step.note], step.trip};
  }

  /// A value's number in its table, whose new values count as bytes of steps.
  std::size_t number(Table<Json>& table, const Json& value) {
    const std::size_t before = table.values().size(), number = table[value];
    if (number == before) step_bytes_ += value.dump().size() + 1;
    return number;
  }

  /// Step, variable, lanes and values; one value stands for all lanes.
  Json assignment_of(const Event& event, std::size_t step) {
    const LaneValues& written = event.operands.at(0);
    Json list = Json::array();
    for_each_lane(event.others, [&](int lane) { list.push_back(to_string(written, lane)); });
    if (std::ranges::all_of(list, [&](const Json& value) { return value == list[0]; }))
      list = Json::array({list[0]});
    const MemoryObject& object = event.access.object;
    const Json json{step, variables_[{object.binding, object.name}], mask(event.others),
                    values_[list]};
    variable_bytes_ += json.dump().size() + list.dump().size();
    return json;
  }
  /// Variables of one name have numbers.
  Json names_of_variables() {
    std::map<std::string, int> times;
    Json names = Json::array();
    for (const auto& [id, name] : variables_.values()) {
      const int number = ++times[name];
      names.push_back(number == 1 ? name : fmt::format("{} ({})", name, number));
    }
    return names;
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
            std::move(places),
            extent(event.access)};
  }
  /// The bytes from the first to the last that a lane accesses.
  static std::uint64_t extent(const Access& access) {
    return (access.count - 1) * std::uint64_t{access.step} + access.bytes;
  }
  std::size_t values(const LaneValues& values, LaneSet lanes) {
    Json list = Json::array();
    for_each_lane(lanes, [&](int lane) { list.push_back(to_string(values, lane)); });
    value_bytes_ += list.dump().size();
    return values_[list];
  }

  const trace::Trace& trace_;
  trace::Sources sources_;
  const std::size_t most_step_bytes_, most_value_bytes_, most_variable_bytes_;
  Table<std::pair<std::uint32_t, std::string>> variables_;
  Table<std::string> files_, masks_, texts_;
  Table<Json> places_, states_, stacks_, values_;
  Json subgroups_ = Json::array(), operations_;
  std::size_t step_bytes_ = 0, value_bytes_ = 0, variable_bytes_ = 0, left_out_ = 0;
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

Json data_of_run(const Shown& run, std::size_t runs) {
  Json data = Data(run, runs).take();
  data["findings"] = Json::array();
  for (const Finding& finding : run.findings) data["findings"].push_back(json_of(finding));
  data["error"] = text_of(run.trace.error());
  data["buffers"] = Json::array();
  for (const Buffer& buffer : run.buffers)
    data["buffers"].push_back({{"title", buffer.title},
                               {"before", buffer.before},
                               {"after", buffer.after},
                               {"more", buffer.more},
                               {"bytes", buffer.bytes}});
  return data;
}

// ---- Two runs ----

std::int64_t step_number(std::size_t step) {
  return step == Comparison::none ? -1 : static_cast<std::int64_t>(step);
}

/// Rows that go on where the one before ends: first step, first step beside, how many.
Json packed_rows(std::span<const Comparison::Row> rows) {
  Json packed = Json::array();
  const auto goes_on = [](std::size_t before, std::size_t step) {
    return before == Comparison::none ? step == Comparison::none : step == before + 1;
  };
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (k > 0 && goes_on(rows[k - 1].first, rows[k].first) &&
        goes_on(rows[k - 1].second, rows[k].second))
      packed.back()[2] = packed.back()[2].get<std::size_t>() + 1;
    else
      packed.push_back({step_number(rows[k].first), step_number(rows[k].second), 1});
  }
  return packed;
}

/// Numbers that follow each other: the first, how many.
Json packed_numbers(const std::vector<std::size_t>& numbers, std::size_t end) {
  Json packed = Json::array();
  std::size_t next = 0;
  for (const std::size_t number : numbers) {
    if (number >= end) break;
    if (!packed.empty() && number == next)
      packed.back()[1] = packed.back()[1].get<std::size_t>() + 1;
    else
      packed.push_back({number, 1});
    next = number + 1;
  }
  return packed;
}

/// The rows whose steps the page has: so many of the run, and of the one beside it.
std::size_t rows_with(const std::vector<Comparison::Row>& rows, std::size_t steps,
                      std::size_t steps_beside) {
  const auto lacks = [](std::size_t step, std::size_t end) {
    return step != Comparison::none && step >= end;
  };
  const auto found = std::ranges::find_if(rows, [&](const Comparison::Row& row) {
    return lacks(row.first, steps) || lacks(row.second, steps_beside);
  });
  return static_cast<std::size_t>(found - rows.begin());
}

Json json_of(const Comparison& comparison, std::size_t end) {
  Json json{{"rows", packed_rows(std::span(comparison.rows).first(end))},
            {"different", packed_numbers(comparison.different, end)},
            {"left_out", comparison.rows.size() - end},
            {"together", nullptr},
            {"value", nullptr}};
  if (comparison.tangles && *comparison.tangles < end) json["together"] = *comparison.tangles;
  if (const auto& value = comparison.value; value && value->row < end)
    json["value"] = {{"row", value->row},
                     {"lane", value->lane},
                     {"what", value->what},
                     {"first", value->first},
                     {"second", value->second}};
  return json;
}

/// The subgroup that is shown beside another one.
const trace::SubgroupTrace& beside_of(const trace::Trace& beside, std::size_t number) {
  return beside.subgroups()[std::min(number, beside.subgroups().size() - 1)];
}

}  // namespace

Json data_of(const Shown& run, const Shown* beside) {
  Json data = data_of_run(run, beside == nullptr ? 1 : 2);
  if (beside == nullptr) return data;
  data["beside"] = data_of_run(*beside, 2);
  data["comparisons"] = Json::array();
  const std::vector<trace::SubgroupTrace>& subgroups = run.trace.subgroups();
  for (std::size_t k = 0; k < subgroups.size(); ++k) {
    const Comparison comparison =
        compare(run.trace, subgroups[k], beside->trace, beside_of(beside->trace, k));
    const std::size_t other = std::min(k, beside->trace.subgroups().size() - 1);
    const std::size_t end = rows_with(comparison.rows, data["subgroups"][k]["steps"].size(),
                                      data["beside"]["subgroups"][other]["steps"].size());
    data["comparisons"].push_back(json_of(comparison, end));
  }
  return data;
}

}  // namespace lockstep::render
