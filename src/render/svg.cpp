#include "render/svg.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include <lockstep/exec/error.hpp>

#include "trace/excerpt.hpp"

namespace lockstep::render {
namespace {

using trace::Step;
using trace::Timeline;

constexpr std::string_view bad = "#b42318";  ///< the colour of what goes wrong
constexpr int row = 20, title_row = 30, left = 64, letter_width = 8, least_text_width = 300;
/// As in page/timeline.js.
constexpr std::array<std::string_view, 8> palette = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                     "#e69f00", "#56b4e9", "#a0a000", "#8c6bb1"};

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

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '&')
      out += "&amp;";
    else if (static_cast<unsigned char>(c) >= ' ')
      out += c;
  }
  return out;
}

class Figure {
 public:
  explicit Figure(const trace::Trace& trace)
      : size_(trace.subgroup_size()),
        cell_(size_ <= 32   ? 20
              : size_ <= 64 ? 12
                            : 8) {
    for (const trace::SubgroupTrace& subgroup : trace.subgroups()) {
      const Timeline timeline = trace.timeline(subgroup);
      trace::Excerpt excerpt(timeline);
      title(trace.title(subgroup));
      heads();
      for (const Step& step : timeline.steps) add(step, excerpt);
      y_ += row / 2;
    }
  }

  std::string take() const {
    const int width =
        left + size_ * cell_ + 16 + std::max(least_text_width, widest_ * letter_width + 8);
    return fmt::format(
        R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {1}" width="{0}" height="{1}" )"
        R"(font-family="monospace" font-size="13"><rect width="{0}" height="{1}" fill="#ffffff"/>)"
        "\n{2}</svg>\n",
        width, y_, out_);
  }

 private:
  void text(int x, std::string_view what, std::string_view more = "") {
    out_ += fmt::format("<text x=\"{}\" y=\"{}\"{}>{}</text>\n", x, y_ + 15, more, escaped(what));
  }
  void title(const std::string& what) {
    text(8, what, " font-weight=\"bold\"");
    y_ += title_row;
  }
  void heads() {
    const int every = cell_ >= 20 ? 1 : 8;
    for (int lane = 0; lane < size_; lane += every)
      text(left + lane * cell_ + 2, std::to_string(lane), " font-size=\"10\" fill=\"#57606a\"");
    y_ += row;
  }

  void add(const Step& step, trace::Excerpt& excerpt) {
    text(4, std::to_string(step.where.line), " fill=\"#57606a\"");
    mark(step);
    for (std::size_t t = 0; t < step.tangles.size(); ++t) {
      for_each_lane(step.tangles[t],
                    [&](int lane) { cell(lane, step.names[t], step.aside.test(lane)); });
    }
    for_each_lane(step.waiting,
                  [&](int lane) { bar(lane, step.waiting_names[static_cast<std::size_t>(lane)]); });
    const std::string words = described(step, excerpt);
    widest_ = std::max(widest_, static_cast<int>(words.size()));
    text(left + size_ * cell_ + 16, words,
         fmt::format(" xml:space=\"preserve\" fill=\"{}\"", stays_apart(step) ? bad : "#000000"));
    y_ += row;
  }
  static bool stays_apart(const Step& step) {
    return step.kind == Step::Kind::merge && step.outcome == Step::Outcome::stay_apart;
  }
  static std::string described(const Step& step, trace::Excerpt& excerpt) {
    if (step.kind == Step::Kind::merge) {
      return step.outcome == Step::Outcome::rejoined    ? "lanes rejoin"
             : step.outcome == Step::Outcome::by_choice ? "lanes rejoin by choice"
                                                        : "lanes stay apart";
    }
    const std::string source =
        step.kind == Step::Kind::other_side ? "the other side" : excerpt.line(step.where);
    return step.note.empty() ? source : fmt::format("{}  {}", source, step.note);
  }

  void cell(int lane, char letter, bool aside) {
    const int x = left + lane * cell_, wide = cell_ - 2;
    const std::string_view own = colour_of(letter);
    const std::string_view ink = aside || is_light(own) ? "#000000" : "#ffffff";
    out_ += aside ? fmt::format(
                        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" "
                        "stroke=\"{}\"/>",
                        x + 0.5, y_ + 3.5, wide - 1, row - 7, own)
                  : fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>",
                                x, y_ + 1, wide, row - 2, own);
    if (cell_ >= 12)
      text(x + wide / 2, std::string(1, aside ? static_cast<char>(letter + 32) : letter),
           fmt::format(" text-anchor=\"middle\" font-size=\"11\" fill=\"{}\"", ink));
  }
  void bar(int lane, char letter) {
    out_ += fmt::format(
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\" fill-opacity=\"0.22\"/>\n",
        left + lane * cell_, y_ + 7, cell_ - 2, row - 14, colour_of(letter));
  }
  /// A fork where lanes diverge, a join where they rejoin, two lines where they stay apart.
  void mark(const Step& step) {
    const bool merges = step.kind == Step::Kind::merge;
    std::string path;
    if (stays_apart(step))
      path = "M3 3V17M11 3V17";
    else if (merges)
      path = "M1 3L7 10L13 3M7 10V17";
    else if (step.kind == Step::Kind::other_side)
      path = "M1 3L13 17";
    else if (step.diverges)
      path = "M7 3V10M1 17L7 10L13 17";
    if (path.empty()) return;
    out_ += fmt::format(
        "<path transform=\"translate(44 {})\" d=\"{}\" fill=\"none\" stroke=\"{}\" "
        "stroke-width=\"1.5\"/>\n",
        y_, path, stays_apart(step) ? bad : "#1b1f24");
  }

  int size_, cell_, y_ = 8;
  int widest_ = 0;  ///< letters of the texts beside the lanes
  std::string out_;
};

}  // namespace

std::string to_svg(const trace::Trace& trace) {
  std::size_t steps = 0;
  for (const trace::SubgroupTrace& subgroup : trace.subgroups())
    steps += trace.timeline(subgroup).steps.size();
  if (steps > most_figure_steps)
    throw Error(fmt::format(
        "{} steps are too many for a figure, which has {} at most: trace one subgroup of a smaller "
        "run, or write a page (.html)",
        steps, most_figure_steps));
  return Figure(trace).take();
}

}  // namespace lockstep::render
