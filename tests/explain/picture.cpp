#include "explain/picture.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <sstream>
#include <string>

#include <nlohmann/json.hpp>

#include "explain/topics.hpp"

namespace {

using namespace lockstep;
using namespace lockstep::explain;

Answer answer_of(const char* name, int size, LaneSet active, Arguments arguments = {}) {
  return Experiment(*find_row(name), size, arguments).run(active);
}

std::size_t widest(const std::string& text) {
  std::size_t width = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) width = std::max(width, line.size());
  return width;
}

TEST_CASE("a scan is drawn with its sources") {
  const Answer answer =
      answer_of("subgroupExclusiveAdd", 4, parse_lanes("0,1,3", 4), {{"5", "6", "7", "8"}, {}, {}});
  CHECK(draw(answer, {}) ==
        "  subgroup size 4, active lanes 0-1,3\n"
        "\n"
        "  lane        0  1  2  3\n"
        "  value       5  6  .  8\n"
        "  result      0  5  . 11\n"
        "\n"
        "  Lanes whose values (#) make the result, for each lane:\n"
        "\n"
        "            0 1 2 3\n"
        "  lane 0    . . . .\n"
        "  lane 1    # . . .\n"
        "  lane 3    # # . .\n"
        "\n"
        "  Lane 3: 5 + 6 = 11\n"
        "\n");
}

TEST_CASE("a shuffle is drawn with the lanes that it reads") {
  const Answer answer = answer_of("subgroupShuffle", 4, parse_lanes("0,1,3", 4),
                                  {{"5", "6", "7", "8"}, {"3", "2", "0", "0"}, {}});
  CHECK(draw(answer, {}) ==
        "  subgroup size 4, active lanes 0-1,3\n"
        "\n"
        "  lane        0  1  2  3\n"
        "  value       5  6  .  8\n"
        "  id          3  2  .  0\n"
        "  from lane   3  ?  .  0\n"
        "  result      8  ?  .  5\n"
        "\n");
}

TEST_CASE("pictures of every built-in fit the terminal, at every size") {
  for (const Row& row : rows()) {
    for (const int size : {1, 8, 32, 128}) {
      for (const int columns : {40, 80, 200}) {
        INFO(row.name() << " at size " << size << " in " << columns << " columns");
        std::string text;
        if (row.kind == Row::Kind::barrier) {
          text = describe(row, nullptr, {.columns = columns});
        } else {
          static std::string last;
          static Answer answer;
          const std::string key = std::string(row.name()) + std::to_string(size);
          if (key != last)
            answer = answer_of(std::string(row.name()).c_str(), size, usual_lanes(size));
          last = key;
          text = describe(row, &answer, {.columns = columns});
        }
        CHECK(widest(text) <= static_cast<std::size_t>(columns));
        CHECK(
            std::ranges::all_of(text, [](char c) { return c == '\n' || (c >= ' ' && c <= '~'); }));
      }
    }
  }
}

long count_of(const std::string& text, std::string_view part) {
  long count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST_CASE("topics fit 80 columns, and say what ran") {
  for (const Topic& topic : topics()) {
    INFO(topic.name);
    const std::vector<Block> blocks = topic.tell();
    const std::string text = draw(blocks, {.columns = 80});
    CHECK(widest(text) <= 80);
    CHECK(to_json(topic, blocks)["blocks"].size() == blocks.size());
    // The figure has each of these lines.
    const std::string svg = to_svg(topic, blocks);
    CHECK(svg.starts_with("<svg "));
    CHECK(std::ranges::count(text, '\n') - static_cast<long>(blocks.size()) + 1 ==
          count_of(svg, "<text") - 2);
    CHECK(count_of(svg, "<text") == count_of(svg, "</text>"));
  }
}

TEST_CASE("the three rules of reconvergence give three counts") {
  for (const Block& block : find_topic("reconvergence")->tell()) {
    if (block.table.head.empty()) continue;
    const auto& rows = block.table.rows;
    REQUIRE(rows.size() == 3);
    CHECK(rows[0][2] == "4 4 4 4 4 4 4 4");
    CHECK(rows[0][3] == "3 3 3 3 3 3 . .");
    CHECK(rows[1][2] == "8 8 8 8 8 8 8 8");
    CHECK(rows[1][3] == "3 3 3 3 3 3 . .");
    CHECK(rows[2][3] == "6 6 6 6 6 6 . .");
    for (const auto& row : rows) CHECK(row[1] == "8 8 8 8 8 8 8 8");
  }
}

TEST_CASE("figures are well formed, and show each lane") {
  for (const Row& row : rows()) {
    if (row.kind == Row::Kind::barrier) continue;
    INFO(row.name());
    const std::string svg = to_svg(answer_of(std::string(row.name()).c_str(), 8, usual_lanes(8)));
    CHECK(svg.starts_with("<svg "));
    CHECK(svg.ends_with("</svg>\n"));
    CHECK(svg.find("nan") == std::string::npos);
    for (int lane = 0; lane < 8; ++lane)
      CHECK(svg.find(">" + std::to_string(lane) + "</text>") != std::string::npos);
  }
}

TEST_CASE("figures of ballots have a dot for each bit") {
  const auto dots = [](const Answer& answer) {
    const std::string svg = to_svg(answer);
    int count = 0;
    for (auto at = svg.find("r=\"6\""); at != std::string::npos; at = svg.find("r=\"6\"", at + 1))
      ++count;
    return count;
  };
  CHECK(dots(answer_of("subgroupBallot", 8, LaneSet::first_n(8), {{"T", "false"}, {}, {}})) == 4);
  CHECK(dots(answer_of("gl_SubgroupLtMask", 4, LaneSet::first_n(4))) == 0 + 1 + 2 + 3);
  // The three bits of the argument, and those below lanes 1 and 2 to 3.
  CHECK(dots(answer_of("subgroupBallotExclusiveBitCount", 4, LaneSet::first_n(4),
                       {{"0b1011"}, {}, {}})) == 3 + 1 + 2);
  CHECK(dots(answer_of("subgroupPartitionNV", 4, LaneSet::first_n(4), {{"7", "8"}, {}, {}})) == 4);
}

TEST_CASE("JSON has results and sources of active lanes only") {
  const Answer answer =
      answer_of("subgroupInclusiveAdd", 4, parse_lanes("0,3", 4), {{"1", "2", "4", "8"}, {}, {}});
  const auto json = to_json(*answer.row, &answer);
  CHECK(json["run"]["result"].dump() == "[1,null,null,9]");
  CHECK(json["run"]["sources"].dump() == "[[0],[],[],[0,3]]");
  CHECK(json["spirv"][0]["name"] == "OpGroupNonUniformIAdd");
}

}  // namespace
