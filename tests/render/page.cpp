#include "render/page.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <lockstep/exec/checks.hpp>

#include "render/uneven.hpp"

using namespace lockstep;
using Json = nlohmann::json;

namespace {

Json data_of(const std::string& html) {
  const std::string start = "<script type=\"application/json\" id=\"data\">";
  const std::size_t at = html.find(start) + start.size();
  return Json::parse(html.substr(at, html.find("</script>", at) - at));
}

std::vector<LaneSet> sets_of(const Json& data, const Json& numbers) {
  std::vector<LaneSet> sets;
  for (const auto& number : numbers) {
    const std::string hex = data.at("masks").at(number.get<std::size_t>());
    sets.push_back({std::stoull(hex, nullptr, 16), 0});
  }
  return sets;
}

}  // namespace

TEST_CASE("a page has the steps of the timeline") {
  const trace::Trace trace = test::trace_of_uneven(3, {.which = trace::Request::Which::workgroup});
  const Json data = data_of(render::to_html({trace}));
  CHECK(data.at("size") == 8);
  REQUIRE(data.at("subgroups").size() == 2);
  for (std::size_t s = 0; s < 2; ++s) {
    const trace::Timeline timeline = trace.timeline(trace.subgroups()[s]);
    const Json& subgroup = data.at("subgroups").at(s);
    CHECK(subgroup.at("title") == trace.title(trace.subgroups()[s]));
    const Json& steps = subgroup.at("steps");
    REQUIRE(steps.size() == timeline.steps.size());
    for (std::size_t k = 0; k < steps.size(); ++k) {
      const trace::Step& expected = timeline.steps[k];
      const Json& step = steps.at(k);
      const Json& place = data.at("places").at(step.at(0).get<std::size_t>());
      const Json& state = data.at("states").at(step.at(1).get<std::size_t>());
      INFO("step " << k);
      CHECK(place.at(0) == static_cast<int>(expected.kind));
      CHECK(data.at("files").at(place.at(1).get<std::size_t>()).at("name") == expected.where.file);
      CHECK(place.at(2) == expected.where.line);
      CHECK(sets_of(data, state.at(0)) == expected.tangles);
      CHECK(state.at(1) == expected.names);
      CHECK(sets_of(data, {state.at(4)})[0] == expected.waiting);
      CHECK(data.at("stacks").at(step.at(2).get<std::size_t>()).size() == expected.stack.size());
      CHECK(place.at(3) == (expected.diverges ? 1 : 0));
      CHECK(sets_of(data, place.at(6)) == expected.arrivals);
      CHECK(step.size() - 5 == expected.operations.size());
    }
  }
}

TEST_CASE("a page has the values of built-ins and accesses, lane by lane") {
  const trace::Trace trace = test::trace_of_uneven(1);
  const Json data = data_of(render::to_html({trace}));
  const Json& operations = data.at("subgroups").at(0).at("operations");
  const auto is_sum = [&](const Json& operation) {
    return operation.at(0) == "built-in" &&
           data.at("texts").at(operation.at(1).get<std::size_t>()) == "subgroupAdd";
  };
  const auto sum = std::ranges::find_if(operations, is_sum);
  REQUIRE(sum != operations.end());
  // Lanes 0, 2, 4 and 6 add their numbers.
  CHECK(sets_of(data, {sum->at(2)})[0] == LaneSet{0x55, 0});
  CHECK(data.at("values").at(sum->at(3).at(0).get<std::size_t>()) == Json({"0", "2", "4", "6"}));
  CHECK(data.at("values").at(sum->at(4).get<std::size_t>()) == Json({"12", "12", "12", "12"}));
  const auto write = std::ranges::find_if(
      operations, [](const Json& operation) { return operation.at(0) == "write"; });
  REQUIRE(write != operations.end());
  CHECK(write->at(6) == Json({0, 8, 16, 24}));
}

TEST_CASE("a page has findings and buffers, and no text in it ends an element") {
  Finding finding = finding_of(Check::data_race);
  finding.message = "it says </script> & <b>";
  finding.where = {"a.comp", 7};
  finding.other = OtherEnd{{"a.comp", 5}, "written here", {}, 0, {}};
  const render::Buffer buffer{"B", {"1", "2"}, {"1", "3"}, 4};
  const trace::Trace trace = test::trace_of_uneven(1);
  const std::vector findings{finding};
  const std::vector buffers{buffer};
  const std::string html = render::to_html({trace, findings, buffers});
  const Json data = data_of(html);
  CHECK(data.at("findings").at(0).at("message") == "it says </script> & <b>");
  CHECK(data.at("findings").at(0).at("note") == "a.comp:5: written here");
  CHECK(data.at("buffers").at(0).at("after") == Json({"1", "3"}));
  CHECK(data.at("buffers").at(0).at("more") == 4);
  CHECK(data.at("buffers").at(0).at("bytes") == 4);
  std::size_t ends = 0;
  for (std::size_t at = html.find("</script>"); at != std::string::npos;
       at = html.find("</script>", at + 1))
    ++ends;
  CHECK(ends == 2);
  // It loads nothing.
  for (const std::string_view outside : {"https:", " src=", " href=", "@import", "url("}) {
    INFO(outside);
    CHECK(html.find(outside) == std::string::npos);
  }
}

TEST_CASE("a page of 100,000 steps has less than 5 MiB") {
  const trace::Trace trace = test::trace_of_uneven(20000);
  const std::string html = render::to_html({trace});
  const Json data = data_of(html);
  const Json& subgroup = data.at("subgroups").at(0);
  CHECK(subgroup.at("steps").size() > 100000);
  CHECK(subgroup.at("left_out") > 1000);
  CHECK(html.size() < std::size_t{5} << 20);
}

TEST_CASE("a page of two runs has both, aligned in rows") {
  const trace::Trace few = test::trace_of_uneven(2), many = test::trace_of_uneven(4);
  const render::Shown second{many};
  const Json data = data_of(render::to_html({few}, &second));
  const std::size_t steps = data.at("subgroups").at(0).at("steps").size();
  const std::size_t beside = data.at("beside").at("subgroups").at(0).at("steps").size();
  CHECK(steps == few.timeline().steps.size());
  CHECK(beside == many.timeline().steps.size());
  // Rows come in stretches: the first step of each run, and how many.
  std::size_t i = 0, j = 0;
  const Json& comparison = data.at("comparisons").at(0);
  for (const Json& row : comparison.at("rows")) {
    const auto count = row.at(2).get<std::size_t>();
    if (row.at(0) != -1) {
      CHECK(row.at(0) == i);
      i += count;
    }
    if (row.at(1) != -1) {
      CHECK(row.at(1) == j);
      j += count;
    }
  }
  CHECK(i == steps);
  CHECK(j == beside);
  CHECK(comparison.at("together").is_number());
  CHECK(!comparison.at("different").empty());
}

TEST_CASE("a page of two long runs has less than 5 MiB, and says what it leaves out") {
  const trace::Trace run = test::trace_of_uneven(24000), other = test::trace_of_uneven(25000);
  const render::Shown second{other};
  const std::string html = render::to_html({run}, &second);
  CHECK(html.size() < std::size_t{5} << 20);
  const Json data = data_of(html);
  std::size_t shown[2];
  const Json* const subgroups[] = {&data.at("subgroups").at(0),
                                   &data.at("beside").at("subgroups").at(0)};
  for (std::size_t k = 0; k < 2; ++k) {
    shown[k] = subgroups[k]->at("steps").size();
    CHECK(shown[k] > 80000);
    const auto left_out = subgroups[k]->at("steps_left_out").get<std::size_t>();
    CHECK(left_out > 0);
    CHECK(shown[k] + left_out == (k == 0 ? run : other).timeline().steps.size());
  }
  // Every row has a step that the page has.
  const Json& comparison = data.at("comparisons").at(0);
  std::size_t rows = 0;
  for (const Json& row : comparison.at("rows")) {
    const auto count = row.at(2).get<std::int64_t>();
    for (std::size_t k = 0; k < 2; ++k)
      CHECK(row.at(k).get<std::int64_t>() + count <= static_cast<std::int64_t>(shown[k]));
    rows += static_cast<std::size_t>(count);
  }
  CHECK(rows >= std::min(shown[0], shown[1]));
  CHECK(comparison.at("left_out") > 0);
  CHECK(comparison.at("different").empty());
}

TEST_CASE("a page shows the texts that it is given, and reads no file") {
  const trace::Trace trace = test::trace_of_uneven(1);
  const std::map<std::string, std::string> sources{
      {trace.timeline().steps[0].where.file, "first\nsecond  \n"}};
  Json data = data_of(render::to_html({trace, {}, {}, &sources}));
  CHECK(data.at("files").at(0).at("lines") == Json({"first", "second"}));
  const std::map<std::string, std::string> others{{"other", "text"}};
  data = data_of(render::to_html({trace, {}, {}, &others}));
  CHECK(data.at("files").at(0).at("lines").empty());
}
