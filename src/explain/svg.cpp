#include <algorithm>
#include <string>

#include <fmt/format.h>

#include <lockstep/exec/event.hpp>

#include "explain/picture.hpp"
#include "io/xml.hpp"

namespace lockstep::explain {
namespace {

constexpr int row_height = 24, left = 84, gap = 44;
constexpr std::string_view blue = "#0072b2", orange = "#d55e00", grey = "#57606a", pale = "#e8eaed";

/// Lanes as columns: the arguments, then lines to the results that they move to, or a row of dots for each result.
class Figure {
 public:
  explicit Figure(const Answer& answer) : answer_(answer), cell_(width_of_cell()) {
    text(8, y_ + 16, fmt::format("{}, subgroup size {}", answer.row->name(), answer.size),
         " font-weight=\"bold\"");
    y_ += 28;
    numbers();
    for (const Column& column : answer.arguments) values(column, false);
    if (answer.origin == Origin::moved)
      lines();
    else if (answer.origin != Origin::none || answer.result.kind == Kind::ballot)
      dots();
    if (answer.result.kind != Kind::ballot) values(answer.result, true);
    legend();
  }

  std::string take() const {
    const int width = std::max(left + answer_.size * cell_ + 12, 560);
    return fmt::format(
        R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {1}" width="{0}" height="{1}" )"
        R"(font-family="monospace" font-size="13" role="img" aria-label="{2}">)"
        R"(<rect width="{0}" height="{1}" fill="#ffffff"/>)"
        "\n{3}</svg>\n",
        width, y_ + 8,
        io::xml_text(fmt::format("What each lane gets from {}", answer_.row->name())), out_);
  }

 private:
  std::string value(const Column& column, int lane) const {
    const Words& words = column.lanes[static_cast<std::size_t>(lane)];
    return column.kind == Kind::boolean ? (words[0] != 0 ? "T" : "F") : to_text(column.kind, words);
  }

  int width_of_cell() const {
    std::size_t longest = 1;
    const auto measure = [&](const Column& column) {
      if (column.kind == Kind::ballot) return;
      for (int lane = 0; lane < answer_.size; ++lane)
        longest = std::max(longest, value(column, lane).size());
    };
    for (const Column& column : answer_.arguments) measure(column);
    measure(answer_.result);
    // Many lanes are small, and only some have their number.
    if (answer_.size > 32) return static_cast<int>(longest) * 8 + 6;
    return std::max(28, static_cast<int>(longest) * 8 + 12);
  }

  int x_of(int lane) const { return left + lane * cell_; }
  int middle_of(int lane) const { return x_of(lane) + cell_ / 2 - 1; }

  void text(int x, int y, std::string_view what, std::string_view more = "") {
    out_ += fmt::format("<text x=\"{}\" y=\"{}\"{}>{}</text>\n", x, y, more, io::xml_text(what));
  }

  void numbers() {
    text(8, y_ + 15, "lane", fmt::format(" fill=\"{}\"", grey));
    for (int lane = 0; lane<answer_.size; lane += answer_.size> 32 ? 8 : 1)
      text(middle_of(lane), y_ + 15, std::to_string(lane),
           fmt::format(" text-anchor=\"middle\" font-size=\"11\" fill=\"{}\"", grey));
    y_ += row_height;
  }

  void box(int lane, std::string_view what, std::string_view fill, std::string_view ink) {
    out_ +=
        fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"3\" fill=\"{}\"/>\n",
                    x_of(lane), y_, cell_ - 2, row_height - 3, fill);
    text(middle_of(lane), y_ + 15, what, fmt::format(" text-anchor=\"middle\" fill=\"{}\"", ink));
  }

  /// The bits of an argument that all lanes share, as dots.
  void ballot(const Column& column) {
    const LaneSet bits = to_lanes(column.lanes[static_cast<std::size_t>(answer_.active.first())]);
    bool same = true;
    for_each_lane(answer_.active, [&](int lane) {
      same = same && to_lanes(column.lanes[static_cast<std::size_t>(lane)]) == bits;
    });
    if (!same) return;
    text(8, y_ + 15, column.name);
    for (int lane = 0; lane < answer_.size; ++lane) dot(lane, bits.test(lane));
    y_ += row_height;
  }

  void values(const Column& column, bool is_result) {
    if (column.kind == Kind::ballot) {
      if (answer_.active.any_lane()) ballot(column);
      return;
    }
    text(8, y_ + 15, column.name);
    for (int lane = 0; lane < answer_.size; ++lane) {
      if (!answer_.active.test(lane))
        box(lane, is_result ? "" : value(column, lane), pale, "#9aa0a6");
      else if (is_result && answer_.undefined.test(lane))
        box(lane, "?", orange, "#ffffff");
      else
        box(lane, value(column, lane), is_result ? blue : "#cfe3f1",
            is_result ? "#ffffff" : "#1b1f24");
    }
    y_ += row_height;
  }

  void lines() {
    for (int lane = 0; lane < answer_.size; ++lane) {
      const LaneSet from = answer_.sources[static_cast<std::size_t>(lane)];
      for_each_lane(from, [&](int source) {
        out_ += fmt::format(
            "<path d=\"M{0} {1}C{0} {2} {3} {2} {3} {4}\" fill=\"none\" stroke=\"{5}\" "
            "stroke-width=\"1.5\"/>\n",
            middle_of(source), y_, y_ + gap / 2, middle_of(lane), y_ + gap - 3, blue);
      });
    }
    y_ += gap;
  }

  /// The bits of a lane's ballot, or the lanes that its result is made of.
  LaneSet dots_of(int lane) const {
    const auto at = static_cast<std::size_t>(lane);
    return answer_.result.kind == Kind::ballot ? to_lanes(answer_.result.lanes[at])
                                               : answer_.sources[at];
  }

  /// The lanes that have the same share a row.
  void dots() {
    y_ += 6;
    LaneSet done;
    for_each_lane(answer_.active.without(answer_.undefined), [&](int lane) {
      if (done.test(lane)) return;
      const LaneSet from = dots_of(lane);
      LaneSet same;
      for_each_lane(answer_.active.without(answer_.undefined), [&](int other) {
        if (dots_of(other) == from) same = same | LaneSet::lane(other);
      });
      done = done | same;
      const std::string name = to_string(same);
      text(8, y_ + 14, name.size() > 10 ? name.substr(0, 8) + "..." : name,
           fmt::format(" font-size=\"11\" fill=\"{}\"", grey));
      for (int other = 0; other < answer_.size; ++other) dot(other, from.test(other));
      y_ += 18;
    });
    y_ += 8;
  }

  void dot(int lane, bool on) {
    out_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\"/>\n", middle_of(lane),
                        y_ + 9, on ? 6 : 2, on ? blue : "#c4c9cf");
  }

  void legend() {
    y_ += 6;
    const std::string_view what =
        answer_.origin == Origin::moved       ? "Lines: where each result comes from."
        : answer_.result.kind == Kind::ballot ? "Dots: the bits set for the lanes at the left."
        : answer_.origin == Origin::none      ? ""
        : answer_.origin == Origin::bits
            ? "Dots: the bits of the ballot, and those that count for the lanes at the left."
            : "Dots: the lanes whose values make the result of the lanes at the left.";
    if (!what.empty()) {
      text(8, y_ + 13, what, fmt::format(" font-size=\"11\" fill=\"{}\"", grey));
      y_ += 16;
    }
    std::string marks;
    if (LaneSet::first_n(answer_.size).without(answer_.active).any_lane())
      marks = "Pale: not active. ";
    if (answer_.undefined.any_lane()) marks += "Question mark: undefined.";
    if (marks.empty()) return;
    text(8, y_ + 13, marks, fmt::format(" font-size=\"11\" fill=\"{}\"", grey));
    y_ += 16;
  }

  const Answer& answer_;
  int cell_;
  int y_ = 4;
  std::string out_;
};

}  // namespace

std::string to_svg(const Answer& answer) { return Figure(answer).take(); }

}  // namespace lockstep::explain
