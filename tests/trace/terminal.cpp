#include <lockstep/trace/terminal.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <catch2/catch.hpp>

#include "trace/run_stack.hpp"

namespace {

using namespace lockstep;
using test::StackRun;
using trace::Look;
using trace::Timeline;

/// A source file with lines to show, in a directory of its own.
class SourceFile {
 public:
  explicit SourceFile(const std::string& text)
      : path_(std::filesystem::temp_directory_path() / "lockstep-trace-test.hpp") {
    std::ofstream(path_) << text;
  }
  ~SourceFile() { std::filesystem::remove(path_); }
  SourceFile(const SourceFile&) = delete;
  SourceFile& operator=(const SourceFile&) = delete;

  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

const char* const source =
    "    If (odd) {\n"
    "      If (first) {\n"
    "        counter += 1;\n"
    "      }\n"
    "      base = broadcast(base);\n"
    "    } else {\n"
    "      nothing = \"ein Wort mit Ü\";\n"
    "    }\n";

/// Odd lanes enter line 1, lane 1 line 2; the merge of line 2 does not happen.
void odd_lanes(StackRun& run, std::uint64_t odd, std::uint64_t first) {
  run.enter(odd, 1);
  run.enter(first, 2);
  run.tell(Event::Kind::atomic, 3);
  run.leave(2);
  run.built_in("subgroupBroadcastFirst", 5, 4);
  run.flip(1);
  run.tell(Event::Kind::read, 7);
  run.leave(1);
}

Timeline odd_lanes_of(int size, const std::string& file) {
  StackRun run(LaneSet::first_n(size), Rule::core, Chooser::rejoin_none(), file);
  odd_lanes(run, 0xaaaaaaaaaaaaaaaau & LaneSet::first_n(size).low, 0b10);
  // Locations point to the run's copy of the file name, which ends with the run.
  Timeline timeline = trace::make_timeline(run.events(), size);
  static std::string kept;
  kept = file;
  for (trace::Step& step : timeline.steps) step.where.file = kept.c_str();
  return timeline;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// Columns that text takes on a terminal: without escape sequences, and one a code point.
std::size_t columns_of(const std::string& line) {
  std::size_t columns = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\x1b')
      i = line.find('m', i);
    else if ((line[i] & '\xc0') != '\x80')
      ++columns;
  }
  return columns;
}

TEST_CASE("rows hold the line's number, a cell a lane, and the source") {
  const SourceFile file(source);
  const std::string drawn = trace::draw(odd_lanes_of(8, file.path()), {});
  CHECK(drawn == trace::short_name(file.path().c_str()) +
                     "\n"
                     "line   0  1  2  3  4  5  6  7\n"
                     "   1   a  A  a  A  a  A  a  A   If (odd) {\n"
                     "   2   .  A  .  a  .  a  .  a     If (first) {\n"
                     "   3   .  A  .  .  .  .  .  .       counter += 1;\n"
                     "   2   .  A  .  B  .  B  .  B     } NOT REJOINED: 1 | 3,5,7\n"
                     "   5   .  A  .  B  .  B  .  B     base = broadcast(base);   A = 4, B = 5\n"
                     "   1   C  .  C  .  C  .  C  .   } Else\n"
                     "   7   C  .  C  .  C  .  C  .     nothing = \"ein Wort mit Ü\";\n"
                     "   1   A  A  A  A  A  A  A  A   } rejoined: 1 + 3,5,7 + 0,2,4,6\n");
}

TEST_CASE("the stack stands below rows that see another one") {
  const SourceFile file(source);
  Look look;
  look.stack = true;
  const auto lines = lines_of(trace::draw(odd_lanes_of(8, file.path()), look));
  REQUIRE(lines.size() > 9);
  CHECK(lines[4] == "       w  |  w  |  w  |  w  |   selection 1");
  CHECK(lines[6] == "       w  |  w  |  w  |  w  |   selection 1");
  CHECK(lines[7] == "          |     w     w     w     selection 2");
}

TEST_CASE("a source that cannot be read leaves numbers and lanes") {
  const auto lines = lines_of(trace::draw(odd_lanes_of(4, "no such file"), {}));
  REQUIRE(lines.size() == 10);
  CHECK(lines[0] == "no such file");
  CHECK(lines[2] == "   1   a  A  a  A");
  CHECK(lines[5] == "   2   .  A  .  B   } NOT REJOINED: 1 | 3");
}

TEST_CASE("at any size and width no line is wider than the terminal") {
  const SourceFile file(source);
  for (const int size : {1, 2, 7, 8, 16, 24, 31, 32, 64, 100, 128}) {
    const Timeline timeline = odd_lanes_of(size, file.path());
    for (const int columns : {40, 80, 120, 200}) {
      for (const bool colour : {false, true}) {
        Look look{.columns = columns, .colour = colour, .stack = true};
        INFO("size " << size << ", columns " << columns << ", colour " << colour);
        const auto drawn = lines_of(trace::draw(timeline, look));
        // The first line names the file.
        for (std::size_t i = 1; i < drawn.size(); ++i)
          CHECK(columns_of(drawn[i]) <= static_cast<std::size_t>(columns));
      }
    }
  }
}

/// How often a character appears for a lane in the rows of one step.
auto letters_in(const std::string& text, char letter) {
  return std::count(text.begin(), text.end(), letter);
}

TEST_CASE("many lanes in few columns: narrow cells, then rows of their own") {
  // Without a source every line holds lanes only.
  const auto row = [](int size, int columns, std::size_t line) {
    return lines_of(trace::draw(odd_lanes_of(size, "no such file"), {.columns = columns})).at(line);
  };
  CHECK(row(16, 80, 2) == "   1   a  A  a  A  a  A  a  A  a  A  a  A  a  A  a  A");
  CHECK(row(24, 80, 2) == "   1  a A a A a A a A a A a A a A a A a A a A a A a A");
  CHECK(row(64, 80, 2) ==
        "   1  aAaAaAaA aAaAaAaA aAaAaAaA aAaAaAaA aAaAaAaA aAaAaAaA aAaAaAaA "
        "aAaAaAaA");
  const SourceFile file(source);
  const auto lines = lines_of(trace::draw(odd_lanes_of(128, file.path()), {.columns = 80}));
  CHECK(lines[1] == "line  0        8        16       24       32       40       48       56");
  CHECK(lines[2] == "      64       72       80       88       96       104      112      120");
  CHECK(lines[3] == "   1  If (odd) {");
  CHECK(letters_in(lines[4], 'A') == 32);
  CHECK(letters_in(lines[4], 'a') == 32);
  CHECK(letters_in(lines[5], 'A') == 0);
  CHECK(letters_in(lines[5], 'a') == 64);
  CHECK(lines[6] == "   2    If (first) {");
}

TEST_CASE("without colour all is ASCII, with it cells have a background") {
  const Timeline timeline = odd_lanes_of(8, "no such file");
  const std::string plain = trace::draw(timeline, {}) + trace::draw_legend(timeline, {}) +
                            trace::draw_summary(timeline, {});
  CHECK(std::ranges::all_of(plain, [](char c) { return c == '\n' || (c >= ' ' && c <= '~'); }));
  Look colourful;
  colourful.colour = true;
  const std::string painted = trace::draw(timeline, colourful);
  CHECK(painted.find(";48;5;") != std::string::npos);
  // Tangles differ in their background.
  const auto background = [&](char letter) {
    const std::size_t at = painted.find(std::string("m ") + letter + " ");
    const std::size_t from = painted.rfind("48;5;", at) + 5;
    return painted.substr(from, at - from);
  };
  CHECK(background('A') != background('B'));
  // With two lanes per column they take half as many.
  const std::string halves = trace::draw(odd_lanes_of(128, "no such file"), colourful);
  CHECK(columns_of(lines_of(halves).at(2)) == 4 + 2 + 64 + 7);
  CHECK(halves.find("▌") != std::string::npos);
}

TEST_CASE("rows that come again are counted instead of shown") {
  StackRun run(LaneSet::first_n(4), Rule::maximal, Chooser::rejoin_all());
  for (int trip = 0; trip < 10; ++trip) {
    run.tell(Event::Kind::read, 5);
    run.tell(Event::Kind::write, 6);
  }
  run.tell(Event::Kind::read, 7);
  const Timeline timeline = trace::make_timeline(run.events(), 4);
  const auto lines = lines_of(trace::draw(timeline, {}));
  REQUIRE(lines.size() == 6);
  CHECK(lines[2] == "   5   A  A  A  A");
  CHECK(lines[3] == "   6   A  A  A  A");
  CHECK(lines[4] == " ...  these 2 rows 9 times more");
  CHECK(lines[5] == "   7   A  A  A  A");
}

TEST_CASE("the legend explains what is there") {
  CHECK(trace::draw_legend(odd_lanes_of(4, "no such file"), {}) ==
        "A B C execute, one letter per tangle   a its condition is false   . waits\n");
  StackRun run(LaneSet::first_n(4), Rule::maximal, Chooser::rejoin_all());
  run.tell(Event::Kind::read, 1);
  CHECK(trace::draw_legend(trace::make_timeline(run.events(), 4), {}) == "A executes\n");
  CHECK(trace::draw_legend(trace::make_timeline(run.events(), 8), {}) ==
        "A executes   blank: returned or nonexistent\n");
}

TEST_CASE("the summary adds up") {
  const SourceFile file(source);
  const Timeline timeline = odd_lanes_of(8, file.path());
  // Lines 1 (8 lanes), 2 (4), 3 (1), twice 5 (1 + 3), 7 (4): 21 lanes of 6 * 8.
  CHECK(trace::draw_summary(timeline, {}) ==
        "6 lines executed, 44 % of their lanes at work, 2 divergences;\n"
        "1 merge did not rejoin:\n  " +
            trace::short_name(file.path().c_str()) +
            ":2\n"
            "    1 | 3,5,7\n"
            "    nothing is promised: only 4 of 8 lanes entered it\n"
            "\n"
            "line  times  lanes   busy\n"
            "   1      1      8  100 %  ######## If (odd) {\n"
            "   2      1      4   50 %  ####       If (first) {\n"
            "   3      1      1   12 %  #            counter += 1;\n"
            "   5      2      4   25 %  ####       base = broadcast(base);\n"
            "   7      1      4   50 %  ####       nothing = \"ein Wort mit Ü\";\n");
}

TEST_CASE("a merge that fails again and again is listed once") {
  StackRun run(LaneSet::first_n(4), Rule::core, Chooser::rejoin_none());
  for (int k = 0; k < 3; ++k) {
    run.enter(0b0111, 1);
    run.enter(0b0001, 2);
    run.leave(2);
    run.leave(1);
  }
  const std::string text = trace::draw_summary(trace::make_timeline(run.events(), 4), {});
  CHECK(text.find("3 merges did not rejoin:\n") != std::string::npos);
  CHECK(text.find("    3 times, first 0 | 1-2\n") != std::string::npos);
}

TEST_CASE("names of files are short below the current directory") {
  const std::string here = std::filesystem::current_path().string();
  CHECK(trace::short_name((here + "/kernels/k.hpp").c_str()) == "kernels/k.hpp");
  CHECK(trace::short_name("/nowhere/else/k.hpp") == "/nowhere/else/k.hpp");
  CHECK(trace::short_name("kernels/k.hpp") == "kernels/k.hpp");
}

}  // namespace
