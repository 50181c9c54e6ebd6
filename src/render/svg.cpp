#include "render/svg.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "io/xml.hpp"
#include "render/compare.hpp"
#include "runtime/trace/excerpt.hpp"

namespace lockstep::render {
namespace {

using trace::Step;
using trace::Timeline;

constexpr std::string_view bad = "#b42318", faint = "#57606a", ink = "#1b1f24",
                           selected = "#ffe9a8";  ///< as on the page
constexpr int row = 20, title_row = 24, left = 64, panel_gap = 20, letter_width = 8,
              least_text_width = 300;
/// As in page/timeline.js.
constexpr std::array<std::string_view, 8> palette = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                     "#e69f00", "#56b4e9", "#a0a000", "#8c6bb1"};

constexpr std::string_view diverge_mark = "M7 3V10M1 17L7 10L13 17",
                           rejoin_mark = "M1 3L7 10L13 3M7 10V17", apart_mark = "M3 3V17M11 3V17",
                           other_side_mark = "M1 3L13 17";

std::string_view colour_of(char letter) {
  return palette[static_cast<std::size_t>(letter - 'A') % palette.size()];
}

/// Whether dark letters are easier to read on it.
bool is_light(std::string_view colour) {
  const auto part = [&](std::size_t at) {
    return std::stoi(std::string(colour.substr(at, 2)), nullptr, 16);
  };
  return 3 * part(1) + 6 * part(3) + part(5) > 1400;
}

bool stays_apart(const Step& step) {
  return step.kind == Step::Kind::merge && step.outcome == Step::Outcome::stay_apart;
}

/// Elements of a figure, in the look of the page.
class Pen {
 public:
  void text(int x, int y, std::string_view what, std::string_view more = "") {
    out_ +=
        fmt::format("<text x=\"{}\" y=\"{}\"{}>{}</text>\n", x, y + 15, more, io::xml_text(what));
  }
  void box(int x, int y, int width, int height, std::string_view fill) {
    out_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>\n", x, y,
                        width, height, fill);
  }
  void frame(int x, int y, int width, int height) {
    out_ += fmt::format(
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"{}\" "
        "stroke-width=\"3\"/>\n",
        x, y, width, height, bad);
  }
  /// A lane that executes; hollow where the line's condition is false.
  void cell(int x, int y, int wide, char letter, bool aside) {
    const std::string_view own = colour_of(letter);
    if (aside)
      out_ += fmt::format(
          "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"{}\"/>",
          x + 0.5, y + 3.5, wide - 1, row - 7, own);
    else
      box(x, y + 1, wide, row - 2, own);
    if (wide < 10) return;
    text(x + wide / 2, y, std::string(1, aside ? static_cast<char>(letter + 32) : letter),
         fmt::format(" text-anchor=\"middle\" font-size=\"11\" fill=\"{}\"",
                     aside || is_light(own) ? "#000000" : "#ffffff"));
  }
  /// A lane that waits.
  void bar(int x, int y, int wide, char letter) {
    out_ += fmt::format(
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\" fill-opacity=\"0.22\"/>\n",
        x, y + 7, wide, row - 14, colour_of(letter));
  }
  void mark(int x, int y, std::string_view path) {
    out_ += fmt::format(
        "<path transform=\"translate({} {})\" d=\"{}\" fill=\"none\" stroke=\"{}\" "
        "stroke-width=\"1.5\"/>\n",
        x, y, path, path == apart_mark ? bad : ink);
  }
  void raw(std::string_view text) { out_ += text; }
  std::string take() { return std::exchange(out_, {}); }

 private:
  std::string out_;
};

/// A subgroup of a run, and where its lanes are drawn.
struct Panel {
  Panel(const Shown& run, const trace::SubgroupTrace& subgroup, int lanes_left)
      : title(run.trace.title(subgroup)),
        size(run.trace.subgroup_size()),
        left(lanes_left),
        findings(run.findings),
        timeline(run.trace.timeline(subgroup)),
        excerpt(timeline) {}

  bool has_finding(const Step& step) const {
    return step.kind != Step::Kind::merge &&
           std::ranges::any_of(findings, [&](const Finding& f) { return is_at(f, step.where); });
  }

  std::string title;
  int size, left;
  std::span<const Finding> findings;
  Timeline timeline;
  trace::Excerpt excerpt;
};

class Figure {
 public:
  Figure(const Shown& run, const Shown* beside, const trace::StepRange& steps)
      : steps_(steps),
        size_(run.trace.subgroup_size()),
        lanes_(size_ + (beside == nullptr ? 0 : beside->trace.subgroup_size())),
        cell_(lanes_ <= 32   ? 20
              : lanes_ <= 64 ? 12
                             : 8),
        panels_(beside == nullptr ? 1 : 2) {
    const auto& subgroups = run.trace.subgroups();
    for (std::size_t k = 0; k < subgroups.size(); ++k) {
      std::deque<Panel> panels;
      panels.emplace_back(run, subgroups[k], left);
      if (beside == nullptr) {
        add(panels, nullptr);
        continue;
      }
      const auto& others = beside->trace.subgroups();
      const auto& other = others[std::min(k, others.size() - 1)];
      panels.emplace_back(*beside, other, 2 * left + panel_gap + size_ * cell_);
      const Comparison comparison = compare(run.trace, subgroups[k], beside->trace, other);
      add(panels, &comparison);
    }
    findings(run, beside == nullptr ? "" : "left   ");
    if (beside != nullptr) findings(*beside, "right  ");
    if (rows_ <= most_figure_steps) return;
    shown_ = fmt::format("the first {} of {} steps{}", most_figure_steps, rows_,
                         steps_.all() ? "" : fmt::format(" from step {} on", steps_.first));
    line(fmt::format("Here are {}; a page (.html) has more.", shown_),
         fmt::format(" fill=\"{}\"", bad));
  }

  Svg take() {
    const int width = std::max(text_left() + std::max(least_text_width, widest_ * letter_width + 8),
                               widest_line_ * letter_width + 16);
    legend(width);
    const int height = y_ + 8;
    return {
        .text = fmt::format(
            R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {1}" width="{0}" height="{1}" )"
            R"(font-family="monospace" font-size="13"><rect width="{0}" height="{1}" fill="#ffffff"/>)"
            "\n{2}</svg>\n",
            width, height, pen_.take()),
        .shown = shown_};
  }

 private:
  int text_left() const { return panels_ * left + (panels_ - 1) * panel_gap + lanes_ * cell_ + 16; }

  /// A line of text over the whole width.
  void line(std::string_view what, std::string_view more) {
    pen_.text(8, y_, what, fmt::format(" xml:space=\"preserve\"{}", more));
    widest_line_ = std::max(widest_line_, static_cast<int>(what.size()));
    y_ += title_row;
  }

  void add(std::deque<Panel>& panels, const Comparison* comparison) {
    const bool two = comparison != nullptr;
    std::vector<std::size_t> rows = wanted_rows(panels[0], comparison);
    const std::size_t left_to_draw = most_figure_steps - std::min(rows_, most_figure_steps);
    rows_ += rows.size();
    if (left_to_draw == 0 || (rows.empty() && !steps_.all())) return;
    rows.resize(std::min(rows.size(), left_to_draw));
    for (std::size_t k = 0; k < panels.size(); ++k)
      line((two ? k == 0 ? "left   " : "right  " : "") + panels[k].title, " font-weight=\"bold\"");
    if (!steps_.all())
      line(steps_.text(panels[0].timeline.steps.size()), fmt::format(" fill=\"{}\"", faint));
    y_ += 6;
    for (const Panel& panel : panels) heads(panel);
    y_ += row;
    for (const std::size_t k : rows) {
      if (two) difference(panels, *comparison, k);
      add_row(panels, two ? comparison->rows[k] : Comparison::Row{k, Comparison::none},
              two ? value_text(*comparison, k) : std::nullopt);
    }
    y_ += row / 2;
    if (two) differences(panels, *comparison);
  }

  /// A row of the second run alone counts as the step before it.
  std::vector<std::size_t> wanted_rows(const Panel& first, const Comparison* comparison) const {
    std::vector<std::size_t> wanted;
    const std::size_t all =
        comparison == nullptr ? first.timeline.steps.size() : comparison->rows.size();
    std::size_t step = 1;
    for (std::size_t k = 0; k < all; ++k) {
      const std::size_t of_first = comparison == nullptr ? k : comparison->rows[k].first;
      if (of_first != Comparison::none) step = of_first + 1;
      if (steps_.has(step)) wanted.push_back(k);
    }
    return wanted;
  }

  void heads(const Panel& panel) {
    const int every = cell_ >= 20 ? 1 : 8;
    for (int lane = 0; lane < panel.size; lane += every)
      pen_.text(panel.left + lane * cell_ + 2, y_, std::to_string(lane),
                fmt::format(" font-size=\"10\" fill=\"{}\"", faint));
  }

  void add_row(std::deque<Panel>& panels, const Comparison::Row& at,
               const std::optional<std::string>& value) {
    const bool two = panels.size() > 1;
    std::string words;
    bool is_bad = false;
    const std::size_t steps[] = {at.first, at.second};
    for (std::size_t k = 0; k < panels.size(); ++k) {
      if (steps[k] == Comparison::none) continue;
      const Step& step = panels[k].timeline.steps[steps[k]];
      add(panels[k], step);
      const std::string said = described(step, panels[k].excerpt, !two);
      is_bad = is_bad || stays_apart(step);
      if (words.empty())
        words = said;
      else if (step.kind == Step::Kind::merge && words != said)
        words += ", right: " + said;
    }
    widest_ = std::max(widest_, static_cast<int>(words.size()));
    pen_.text(text_left(), y_, words,
              fmt::format(" xml:space=\"preserve\" fill=\"{}\"", is_bad ? bad : "#000000"));
    y_ += row;
    if (!value) return;
    widest_ = std::max(widest_, static_cast<int>(value->size()));
    pen_.text(text_left(), y_, *value, fmt::format(" fill=\"{}\"", bad));
    y_ += row;
  }

  void add(const Panel& panel, const Step& step) {
    pen_.text(panel.left - left + 4, y_, std::to_string(step.where.line),
              panel.has_finding(step) ? fmt::format(" font-weight=\"bold\" fill=\"{}\"", bad)
                                      : fmt::format(" fill=\"{}\"", faint));
    if (const std::string_view path = mark_of(step); !path.empty())
      pen_.mark(panel.left - 20, y_, path);
    for (std::size_t t = 0; t < step.tangles.size(); ++t) {
      for_each_lane(step.tangles[t], [&](int lane) {
        pen_.cell(panel.left + lane * cell_, y_, cell_ - 2, step.names[t], step.aside.test(lane));
      });
    }
    for_each_lane(step.waiting, [&](int lane) {
      pen_.bar(panel.left + lane * cell_, y_, cell_ - 2,
               step.waiting_names[static_cast<std::size_t>(lane)]);
    });
  }
  static std::string described(const Step& step, trace::Excerpt& excerpt, bool with_note) {
    if (step.kind == Step::Kind::merge) {
      return step.outcome == Step::Outcome::rejoined    ? "lanes rejoin"
             : step.outcome == Step::Outcome::by_choice ? "lanes rejoin by choice"
                                                        : "lanes stay apart";
    }
    const std::string source =
        step.kind == Step::Kind::other_side ? "the other side" : excerpt.line(step.where);
    return step.note.empty() || !with_note ? source : fmt::format("{}  {}", source, step.note);
  }
  /// A fork where lanes diverge, a join where they rejoin, two lines where they stay apart.
  static std::string_view mark_of(const Step& step) {
    if (stays_apart(step)) return apart_mark;
    if (step.kind == Step::Kind::merge) return rejoin_mark;
    if (step.kind == Step::Kind::other_side) return other_side_mark;
    return step.diverges ? diverge_mark : "";
  }

  // ---- Two runs ----

  static bool has_first_value(const Comparison& comparison, std::size_t number) {
    return comparison.value && comparison.value->row == number;
  }
  /// A sign before the right run; the first differences have a ground, and the lane with another value a frame.
  void difference(const std::deque<Panel>& panels, const Comparison& comparison,
                  std::size_t number) {
    const bool first = comparison.tangles == number, other = has_first_value(comparison, number);
    if (first || other) pen_.box(0, y_, text_left() - 8, row, selected);
    if (std::ranges::binary_search(comparison.different, number))
      pen_.text(panels[1].left - left - 16, y_, "≠",
                fmt::format(" font-weight=\"bold\" fill=\"{}\"", bad));
    if (!other) return;
    for (const Panel& panel : panels)
      pen_.frame(panel.left + comparison.value->lane * cell_ - 1, y_, cell_, row);
  }
  static std::optional<std::string> value_text(const Comparison& comparison, std::size_t number) {
    if (!has_first_value(comparison, number)) return std::nullopt;
    const Comparison::Value& value = *comparison.value;
    return fmt::format("lane {}, {}: {}, right: {}", value.lane, value.what, value.first,
                       value.second);
  }
  void differences(const std::deque<Panel>& panels, const Comparison& comparison) {
    const std::string text = to_string(comparison, panels[0].timeline, panels[1].timeline);
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      line(text.substr(begin, end - begin),
           comparison.different.empty() ? std::string() : fmt::format(" fill=\"{}\"", bad));
      begin = end + 1;
    }
  }

  void findings(const Shown& run, std::string_view which) {
    for (const Finding& finding : run.findings)
      line(fmt::format("{}line {}: {} [{}]", which, finding.where.line, to_string(finding.severity),
                       finding.rule),
           fmt::format(" fill=\"{}\"", bad));
  }

  // ---- Legend ----

  /// What the signs mean, in as many lines as the width takes.
  void legend(int width) {
    constexpr int sign = 20, gap = 18, cell = 16;
    int x = 8;
    y_ += 6;
    pen_.raw("<g class=\"legend\" font-size=\"12\">\n");
    const auto entry = [&](std::string_view what, auto&& draw) {
      const int wide = sign + static_cast<int>(what.size()) * letter_width + gap;
      if (x > 8 && x + wide > width) x = 8, y_ += row + 2;
      draw(x);
      pen_.text(x + sign, y_, what, fmt::format(" fill=\"{}\"", ink));
      x += wide;
    };
    entry("lanes together", [&](int at) { pen_.cell(at, y_, cell, 'A', false); });
    entry("another tangle", [&](int at) { pen_.cell(at, y_, cell, 'B', false); });
    entry("condition false", [&](int at) { pen_.cell(at, y_, cell, 'A', true); });
    entry("waits", [&](int at) { pen_.bar(at, y_, cell, 'A'); });
    entry("diverge", [&](int at) { pen_.mark(at, y_, diverge_mark); });
    entry("the other side", [&](int at) { pen_.mark(at, y_, other_side_mark); });
    entry("rejoin", [&](int at) { pen_.mark(at, y_, rejoin_mark); });
    entry("stay apart", [&](int at) { pen_.mark(at, y_, apart_mark); });
    if (panels_ > 1) {
      entry("the runs differ", [&](int at) {
        pen_.text(at + 2, y_, "≠", fmt::format(" font-weight=\"bold\" fill=\"{}\"", bad));
      });
      entry("first different value", [&](int at) { pen_.frame(at, y_ + 2, cell - 2, row - 4); });
      entry("first difference", [&](int at) { pen_.box(at, y_ + 1, cell, row - 2, selected); });
    }
    pen_.raw("</g>\n");
    y_ += row;
  }

  trace::StepRange steps_;
  int size_, lanes_, cell_, panels_, y_ = 8;
  std::size_t rows_ = 0;  ///< of these steps, also those that are not drawn
  std::string shown_;
  int widest_ = 0, widest_line_ = 0;  ///< letters of the texts beside the lanes, and above them
  Pen pen_;
};

}  // namespace

Svg to_svg(const Shown& run, const Shown* beside, const trace::StepRange& steps) {
  return Figure(run, beside, steps).take();
}

}  // namespace lockstep::render
