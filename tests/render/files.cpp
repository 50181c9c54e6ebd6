#include "render/files.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "render/compare.hpp"
#include "render/svg.hpp"
#include "render/uneven.hpp"

using namespace lockstep;
using Json = nlohmann::json;

TEST_CASE("each event is a line of JSON with its values") {
  const trace::Trace trace = test::trace_of_uneven(2);
  std::istringstream text(render::to_ndjson({trace}));
  std::vector<Json> events;
  for (std::string line; std::getline(text, line);) events.push_back(Json::parse(line));
  REQUIRE(events.size() == trace.events().size());
  bool has_sum = false, has_write = false;
  for (std::size_t k = 0; k < events.size(); ++k) {
    const Event& expected = trace.events()[k];
    const Json& event = events[k];
    INFO(to_string(expected));
    CHECK(event.at("kind") == to_string(expected.kind));
    CHECK(event.at("line") == expected.where.line);
    CHECK(event.at("depth") == expected.depth);
    CHECK(event.at("tangles").size() == expected.tangles.size());
    if (expected.kind == Event::Kind::built_in && expected.tangles[0].lanes == LaneSet{0x55, 0}) {
      has_sum = true;
      CHECK(event.at("name") == "subgroupAdd");
      CHECK(
          event.at("operands").at(0) ==
          Json::parse(
              R"({"type": "uint32", "components": 1, "lanes": {"0": 0, "2": 2, "4": 4, "6": 6}})"));
      CHECK(event.at("result").at("lanes").at("4") == 12);
    }
    if (expected.kind == Event::Kind::write && expected.others == LaneSet{0x55, 0}) {
      has_write = true;
      CHECK(event.at("access").at("object").at("kind") == "buffer");
      CHECK(event.at("access").at("first_byte") ==
            Json::parse(R"({"0": 0, "2": 8, "4": 16, "6": 24})"));
    }
  }
  CHECK(has_sum);
  CHECK(has_write);
}

TEST_CASE("a trace for Perfetto has a slice for each lane and step") {
  const trace::Trace trace = test::trace_of_uneven(2);
  const trace::Timeline timeline = trace.timeline();
  const Json file = Json::parse(render::to_chrome_trace({trace}));
  std::map<std::pair<int, int>, std::string> slices;  // by step and lane
  std::size_t counters = 0, instants = 0;
  for (const Json& event : file.at("traceEvents")) {
    CHECK(event.at("pid") == 1);
    const std::string phase = event.at("ph");
    counters += phase == "C" ? 1 : 0;
    instants += phase == "i" ? 1 : 0;
    if (phase != "X") continue;
    CHECK(event.at("dur") == 1);
    const std::pair at(event.at("ts").get<int>(), event.at("tid").get<int>() - 1);
    CHECK(slices.emplace(at, event.at("name")).second);
  }
  CHECK(counters == timeline.steps.size() + 1);
  std::size_t merges = 0;
  for (std::size_t k = 0; k < timeline.steps.size(); ++k) {
    const trace::Step& step = timeline.steps[k];
    merges += step.kind == trace::Step::Kind::merge ? 1 : 0;
    for (int lane = 0; lane < 8; ++lane) {
      INFO("step " << k << ", lane " << lane);
      const auto slice = slices.find({static_cast<int>(k), lane});
      const bool runs = step.kind != trace::Step::Kind::merge && step.active().test(lane);
      REQUIRE((slice != slices.end()) == (runs || step.waiting.test(lane)));
      if (slice == slices.end()) continue;
      if (runs)
        CHECK(slice->second.starts_with(std::to_string(step.where.line) + ": "));
      else
        CHECK(slice->second == "waits");
    }
  }
  CHECK(instants == merges);
}

TEST_CASE("a figure has a cell for each active lane") {
  const trace::Trace trace = test::trace_of_uneven(2);
  const render::Svg figure = render::to_svg({trace});
  CHECK(figure.shown.empty());
  const std::string& svg = figure.text;
  const std::size_t legend = svg.find("<g class=\"legend\"");
  REQUIRE(legend != std::string::npos);
  std::size_t cells = 0, lanes = 0;
  for (std::size_t at = svg.find("<rect"); at < legend; at = svg.find("<rect", at + 1)) ++cells;
  for (const trace::Step& step : trace.timeline().steps)
    lanes += static_cast<std::size_t>(step.active().count() + step.waiting.count());
  CHECK(cells == lanes + 1);  // and the background
  for (const char* sign : {"lanes together", "another tangle", "condition false", "waits",
                           "diverge", "the other side", "rejoin", "stay apart"})
    CHECK(svg.find(std::string(">") + sign + "</text>", legend) != std::string::npos);
  CHECK(svg.find("the runs differ") == std::string::npos);
  CHECK(svg.find("subgroupAdd(i)") != std::string::npos);
  CHECK(svg.starts_with("<svg xmlns="));
  CHECK(svg.ends_with("</svg>\n"));
}

namespace {

/// How many rows of steps a figure has: their lines' numbers are the faint texts at the left.
std::size_t rows_of(const std::string& svg) {
  std::size_t rows = 0;
  for (std::size_t at = svg.find("<text x=\"4\" "); at != std::string::npos;
       at = svg.find("<text x=\"4\" ", at + 1))
    ++rows;
  return rows;
}

}  // namespace

TEST_CASE("a figure of a long run ends after 500 steps, and says so") {
  const trace::Trace trace = test::trace_of_uneven(500);
  const std::size_t steps = trace.timeline().steps.size();
  REQUIRE(steps > 500);
  const render::Svg figure = render::to_svg({trace});
  CHECK(rows_of(figure.text) == 500);
  CHECK(figure.shown == "the first 500 of " + std::to_string(steps) + " steps");
  CHECK(figure.text.find(">Here are " + figure.shown + "; a page (.html) has more.</text>") !=
        std::string::npos);

  // All subgroups count, and so do rows that only the second run has.
  const trace::Trace both = test::trace_of_uneven(60, {.which = trace::Request::Which::workgroup});
  std::size_t all = 0;
  for (const trace::SubgroupTrace& subgroup : both.subgroups())
    all += both.timeline(subgroup).steps.size();
  const std::size_t first = both.timeline(both.subgroups()[0]).steps.size();
  REQUIRE(both.subgroups().size() > 1);
  REQUIRE(first < 500);
  const render::Svg many = render::to_svg({both});
  CHECK(rows_of(many.text) == std::min<std::size_t>(500, all));
  CHECK(many.shown.empty() == (all <= 500));
  const trace::Trace few = test::trace_of_uneven(2);
  const render::Shown beside{trace};
  const render::Svg compared = render::to_svg({few}, &beside);
  CHECK(compared.shown.starts_with("the first 500 of "));
}

namespace {

/// The lines' numbers at the left of the rows.
std::vector<int> numbers_of(const std::string& svg) {
  std::vector<int> numbers;
  for (std::size_t at = svg.find("<text x=\"4\" "); at != std::string::npos;
       at = svg.find("<text x=\"4\" ", at + 1))
    numbers.push_back(std::stoi(svg.substr(svg.find('>', at) + 1)));
  return numbers;
}

}  // namespace

TEST_CASE("a figure can have some of the steps") {
  const trace::Trace trace = test::trace_of_uneven(3);
  const std::vector<trace::Step> steps = trace.timeline().steps;
  REQUIRE(steps.size() > 12);
  std::vector<int> expected;
  for (std::size_t k = 4; k < 10; ++k) expected.push_back(steps[k].where.line);
  const render::Svg some = render::to_svg({trace}, nullptr, {5, 10});
  CHECK(numbers_of(some.text) == expected);
  CHECK(some.text.find(">steps 5 to 10 of " + std::to_string(steps.size()) + "</text>") !=
        std::string::npos);
  CHECK(some.shown.empty());
  CHECK(numbers_of(render::to_svg({trace}, nullptr, {5}).text).size() == steps.size() - 4);

  // Of two runs: the rows from the first run's step 5 to its step 10.
  const trace::Trace longer = test::trace_of_uneven(4);
  const render::Shown beside{longer};
  const render::Comparison comparison =
      render::compare(trace, trace.subgroups()[0], longer, longer.subgroups()[0]);
  std::vector<int> both;
  bool inside = false;
  for (const auto& row : comparison.rows) {
    if (row.first != render::Comparison::none) inside = row.first >= 4 && row.first < 10;
    if (inside && row.first != render::Comparison::none)
      both.push_back(steps[row.first].where.line);
  }
  CHECK(numbers_of(render::to_svg({trace}, &beside, {5, 10}).text) == both);

  // A range that is too long ends, too; a subgroup that is over before it is left out.
  const trace::Trace endless = test::trace_of_uneven(500);
  const render::Svg most = render::to_svg({endless}, nullptr, {101});
  const std::size_t all = endless.timeline().steps.size() - 100;
  CHECK(most.shown == "the first 500 of " + std::to_string(all) + " steps from step 101 on");
  CHECK(numbers_of(most.text)[0] == endless.timeline().steps[100].where.line);
  CHECK(numbers_of(render::to_svg({trace}, nullptr, {1000}).text).empty());
}

TEST_CASE("a figure of two runs marks the rows that differ, and the first different value") {
  const trace::Trace few = test::trace_of_uneven(2), many = test::trace_of_uneven(3);
  const render::Comparison comparison =
      render::compare(few, few.subgroups()[0], many, many.subgroups()[0]);
  const render::Shown beside{many}, itself{few};
  const std::string svg = render::to_svg({few}, &beside).text;
  const std::size_t legend = svg.find("<g class=\"legend\"");
  REQUIRE(legend != std::string::npos);
  const auto count = [&](std::string_view what) {
    std::size_t times = 0;
    for (std::size_t at = svg.find(what); at < legend; at = svg.find(what, at + 1)) ++times;
    return times;
  };
  CHECK(count(">≠</text>") == comparison.different.size());
  REQUIRE(comparison.tangles);
  CHECK(count("fill=\"#ffe9a8\"") ==
        (comparison.value && comparison.value->row != *comparison.tangles ? 2 : 1));
  CHECK(count("stroke-width=\"3\"") == (comparison.value ? 2 : 0));
  std::size_t lanes = 0;
  for (const trace::Trace* trace : {&few, &many}) {
    for (const trace::Step& step : trace->timeline().steps)
      lanes += static_cast<std::size_t>(step.active().count() + step.waiting.count());
  }
  CHECK(count("<rect") == lanes + 1 + count("fill=\"#ffe9a8\"") + count("stroke-width=\"3\""));
  CHECK(svg.find("first different lanes  line ") < legend);
  CHECK(svg.find(">the runs differ</text>", legend) != std::string::npos);
  const std::string same = render::to_svg({few}, &itself).text;
  CHECK(same.find(">no difference</text>") != std::string::npos);
}

namespace {

bool is_whole(const Json& event, const char* name) {
  return event.contains(name) && event.at(name).is_number_integer() && event.at(name) >= 0;
}

/// What the Trace Event Format asks of an event of each phase that is written; empty if nothing is missing.
std::string breaks_format(const Json& event) {
  static const std::map<std::string, std::vector<std::string>> fields{
      {"X", {"ph", "pid", "tid", "name", "ts", "dur", "args"}},
      {"C", {"ph", "pid", "tid", "name", "ts", "args"}},
      {"i", {"ph", "pid", "tid", "name", "ts", "s", "args"}},
      {"M", {"ph", "pid", "tid", "name", "args"}}};
  const std::string phase = event.value("ph", "");
  const auto known = fields.find(phase);
  if (known == fields.end()) return "an unknown phase";
  for (const auto& [name, value] : event.items())
    if (std::ranges::find(known->second, name) == known->second.end()) return "the field " + name;
  for (const std::string& name : known->second)
    if (!event.contains(name)) return "no field " + name;
  if (!event.at("name").is_string() || event.at("name").get<std::string>().empty())
    return "no name";
  if (!is_whole(event, "pid") || !is_whole(event, "tid")) return "pid and tid are whole numbers";
  if (!event.at("args").is_object()) return "args is an object";
  if (phase == "M") {
    static const std::map<std::string, std::string> arguments{
        {"process_name", "name"}, {"thread_name", "name"}, {"process_sort_index", "sort_index"}};
    const auto argument = arguments.find(event.at("name"));
    if (argument == arguments.end()) return "metadata that no viewer knows";
    return event.at("args").contains(argument->second) ? "" : "no args." + argument->second;
  }
  if (!is_whole(event, "ts")) return "ts is a number of microseconds";
  if (phase == "X" && !is_whole(event, "dur")) return "dur is a number of microseconds";
  if (phase == "i" && event.at("s") != "g" && event.at("s") != "p" && event.at("s") != "t")
    return "the scope is g, p or t";
  for (const auto& [name, value] : event.at("args").items())
    if (phase == "C" && !value.is_number()) return "a counter counts numbers";
  return "";
}

}  // namespace

TEST_CASE("a trace for Perfetto of two runs has both, at the same times") {
  const trace::Trace few = test::trace_of_uneven(2), many = test::trace_of_uneven(3);
  const render::Comparison comparison =
      render::compare(few, few.subgroups()[0], many, many.subgroups()[0]);
  const render::Shown beside{many};
  const Json file = Json::parse(render::to_chrome_trace({few}, &beside));
  std::map<int, std::string> names;
  // By process: when its lanes execute, from the lines of the slices.
  std::map<int, std::map<int, std::set<int>>> lines;
  std::set<int> differences;
  for (const Json& event : file.at("traceEvents")) {
    const int process = event.at("pid");
    if (event.at("name") == "process_name") names[process] = event.at("args").at("name");
    if (event.at("ph") == "X" && event.at("name") != "waits")
      lines[process][event.at("ts")].insert(event.at("args").at("line").get<int>());
    if (event.at("ph") == "i" && event.at("s") == "g")
      differences.insert(event.at("ts").get<int>());
  }
  REQUIRE(names.size() == 2);
  CHECK(names.at(2) == "beside: " + names.at(1));
  std::size_t in_both = 0;
  const trace::Timeline first = few.timeline(), second = many.timeline();
  for (std::size_t row = 0; row < comparison.rows.size(); ++row) {
    const auto [a, b] = comparison.rows[row];
    const auto shows = [&](int process, const trace::Timeline& timeline, std::size_t step) {
      const auto found = lines[process].find(static_cast<int>(row));
      const bool has_slices = step != render::Comparison::none &&
                              timeline.steps[step].kind != trace::Step::Kind::merge &&
                              !timeline.steps[step].tangles.empty();
      INFO("row " << row << " of process " << process);
      CHECK((found != lines[process].end()) == has_slices);
      if (has_slices && found != lines[process].end())
        CHECK(found->second == std::set<int>{timeline.steps[step].where.line});
      return has_slices;
    };
    const bool has_first = shows(1, first, a), has_second = shows(2, second, b);
    in_both += has_first && has_second ? 1 : 0;
  }
  CHECK(in_both > 5);
  REQUIRE(comparison.tangles);
  std::set<int> expected{static_cast<int>(*comparison.tangles)};
  if (comparison.value) expected.insert(static_cast<int>(comparison.value->row));
  CHECK(differences == expected);
}

TEST_CASE("events of two runs say of which run they are") {
  const trace::Trace few = test::trace_of_uneven(2), many = test::trace_of_uneven(3);
  const render::Shown beside{many};
  std::istringstream text(render::to_ndjson({few}, &beside));
  std::vector<std::string> runs;
  for (std::string line; std::getline(text, line);) runs.push_back(Json::parse(line).at("run"));
  std::vector<std::string> expected(few.events().size(), "first");
  expected.resize(few.events().size() + many.events().size(), "beside");
  CHECK(runs == expected);
}

TEST_CASE("files have the findings, at the first step of their line") {
  const trace::Trace trace = test::trace_of_uneven(2);
  const trace::Timeline timeline = trace.timeline();
  // One in a line that runs, and one of a subgroup that was not recorded, in a line that does not.
  std::size_t first = 3;
  while (timeline.steps[first].kind == trace::Step::Kind::merge) ++first;
  const SourceLocation where = timeline.steps[first].where;
  for (std::size_t k = 0; k < first; ++k)
    if (timeline.steps[k].where.line == where.line) first = k;
  std::vector<Finding> findings(2);
  findings[0].rule = "data-race";
  findings[0].message = "two lanes write";
  findings[0].where = where;
  findings[1].rule = "out-of-bounds";
  findings[1].where = {where.file, 9999};
  findings[1].subgroup = 77;
  const render::Shown shown{trace, findings};

  std::map<std::string, std::size_t> at;
  const Json file = Json::parse(render::to_chrome_trace(shown));
  for (const Json& event : file.at("traceEvents"))
    if (event.at("args").contains("finding")) {
      CHECK(breaks_format(event) == "");
      CHECK(at.emplace(event.at("name"), event.at("ts").get<std::size_t>()).second);
    }
  CHECK(at == std::map<std::string, std::size_t>{{"error: data-race", first},
                                                 {"error: out-of-bounds", 0}});

  std::istringstream text(render::to_ndjson(shown));
  std::vector<std::string> rules;
  for (std::string line; std::getline(text, line);)
    if (const Json event = Json::parse(line); event.at("kind") == "finding")
      rules.push_back(event.at("rule"));
  CHECK(rules == std::vector<std::string>{"data-race", "out-of-bounds"});

  const std::string svg = render::to_svg(shown).text;
  CHECK(svg.find(">line " + std::to_string(where.line) + ": error [data-race]</text>") !=
        std::string::npos);
  std::size_t red = 0, expected = 0;
  const std::string number =
      " font-weight=\"bold\" fill=\"#b42318\">" + std::to_string(where.line) + "</text>";
  for (std::size_t k = svg.find(number); k != std::string::npos; k = svg.find(number, k + 1)) ++red;
  for (const trace::Step& step : timeline.steps)
    expected += step.kind != trace::Step::Kind::merge && step.where.line == where.line ? 1 : 0;
  CHECK(red == expected);
}

TEST_CASE("a trace for Perfetto keeps the rules of the Trace Event Format") {
  const trace::Trace trace = test::trace_of_uneven(3, {.which = trace::Request::Which::workgroup});
  const trace::Trace other = test::trace_of_uneven(2);
  const render::Shown beside{other};
  const bool two = GENERATE(false, true);
  const Json file = Json::parse(render::to_chrome_trace({trace}, two ? &beside : nullptr));
  REQUIRE(file.is_object());
  CHECK((file.at("displayTimeUnit") == "ms" || file.at("displayTimeUnit") == "ns"));
  REQUIRE(file.at("traceEvents").is_array());
  std::map<std::pair<int, int>, int> ends;  // by process and thread: of the last slice
  std::set<int> named;
  for (const Json& event : file.at("traceEvents")) {
    INFO(event.dump());
    CHECK(breaks_format(event) == "");
    if (event.at("name") == "process_name") CHECK(named.insert(event.at("pid").get<int>()).second);
    CHECK(named.contains(event.at("pid").get<int>()));
    if (event.at("ph") != "X") continue;
    // Slices of a thread may nest, but not overlap; here they come one after another.
    int& end = ends[{event.at("pid"), event.at("tid")}];
    CHECK(event.at("ts") >= end);
    end = event.at("ts").get<int>() + event.at("dur").get<int>();
  }
  CHECK(named.size() == (two ? 3 : 2));
}
