#include <lockstep/trace/terminal.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <vector>

#include "runtime/trace/cells.hpp"
#include "runtime/trace/excerpt.hpp"
#include "runtime/trace/names.hpp"
#include "runtime/trace/painter.hpp"
#include "runtime/trace/sets.hpp"
#include "runtime/trace/text.hpp"

namespace lockstep::trace {
namespace {

class Drawing {
 public:
  Drawing(const Timeline& timeline, const Look& look)
      : timeline_(timeline),
        look_(look),
        paint_(look.colour),
        excerpt_(timeline),
        layout_(choose_layout(timeline, look, excerpt_.widest())) {}

  std::string draw() {
    std::string text;
    const char* file = "";
    for (std::size_t k = 0; k < timeline_.steps.size();) {
      const Step& step = timeline_.steps[k];
      if (std::string_view(file) != step.where.file) {
        file = step.where.file;
        text += paint_(short_name(file), grey);
        text += '\n';
        text += lane_numbers();
      }
      text += row(step);
      for (const std::string& values : step.values) text += value_row(values);
      if (look_.stack) text += stack_rows(step);
      const Repetition again = repetition_before(++k);
      if (again.times < 2) continue;
      text += number("...") +
              paint_(again.rows == 1
                         ? fmt::format("this row {} times more", again.times)
                         : fmt::format("these {} rows {} times more", again.rows, again.times),
                     grey) +
              "\n";
      k += again.rows * again.times;
    }
    return text;
  }

 private:
  struct Repetition {
    std::size_t rows = 0, times = 0;
  };

  /// How often the rows before step `end` repeat right after it, at best.
  Repetition repetition_before(std::size_t end) const {
    constexpr std::size_t most_rows = 16;
    const std::vector<Step>& steps = timeline_.steps;
    Repetition best;
    for (std::size_t rows = 1; rows <= std::min(end, most_rows); ++rows) {
      std::size_t alike = 0;
      while (end + alike < steps.size() &&
             look_alike(steps[end - rows + alike], steps[end + alike]))
        ++alike;
      const std::size_t times = alike / rows;
      if (times >= 2 && rows * times > best.rows * best.times) best = {rows, times};
    }
    return best;
  }
  static bool look_alike(const Step& a, const Step& b) {
    return a.kind == b.kind && a.where.line == b.where.line &&
           std::string_view(a.where.file) == b.where.file && a.tangles == b.tangles &&
           a.names == b.names && a.aside == b.aside && a.waiting == b.waiting &&
           a.stack == b.stack && a.outcome == b.outcome && a.arrivals == b.arrivals &&
           a.values == b.values;
  }

  /// The numbers of lanes above their cells, as many as fit.
  std::string lane_numbers() const {
    std::string text;
    for (int first = 0; first < timeline_.subgroup_size; first += layout_.lanes_in_row) {
      std::string numbers;
      const int end = std::min(first + layout_.lanes_in_row, timeline_.subgroup_size);
      for (int lane = first; lane < end; ++lane) {
        const std::size_t at = layout_.column(lane - first) + (layout_.cell == 3 ? 1 : 0);
        const bool starts_group = layout_.group() == 0
                                      ? (layout_.cell == 3 || lane % 4 == 0 || end <= 10)
                                      : (lane - first) % layout_.group() == 0;
        if (!starts_group || (!numbers.empty() && numbers.size() + 1 > at)) continue;
        numbers.resize(at, ' ');
        numbers += std::to_string(lane);
      }
      text += paint_(fmt::format("{:>{}}  {}", first == 0 ? "line" : "", layout_.number, numbers),
                     grey) +
              "\n";
    }
    return text;
  }

  std::string number(const std::string& text) const {
    return paint_(fmt::format("{:>{}}  ", text, layout_.number), grey);
  }

  /// Cells with text next to or above them.
  std::string row(const std::string& number_text, const Cells& cells, const std::string& text) {
    std::string result = number(number_text);
    if (layout_.text_beside) {
      result += paint_cells(cells, 0, layout_, paint_) + "  " + text;
      return trimmed(result) + "\n";
    }
    result = trimmed(result + text) + "\n";
    for (int first = 0; first < timeline_.subgroup_size; first += layout_.lanes_in_row)
      result += trimmed(number("") + paint_cells(cells, first, layout_, paint_)) + "\n";
    return result;
  }

  std::string row(const Step& step) {
    return row(std::to_string(step.where.line), cells_of(step, timeline_.subgroup_size),
               text_of(step));
  }
  std::string text_of(const Step& step) {
    switch (step.kind) {
      case Step::Kind::line:
        return line_text(step);
      case Step::Kind::other_side:
        return fit(excerpt_.indent(step.where) + "} Else");
      case Step::Kind::merge:
        return merge_text(step);
    }
    return "";
  }

  std::string fit(const std::string& text) const {
    return clipped(text, layout_.text, look_.colour);
  }

  /// The source, followed by a note if there is one and room for it.
  std::string line_text(const Step& step) {
    std::string source = fit(excerpt_.line(step.where));
    std::string note = step.trip != 0 ? fmt::format("trip {}", step.trip) : step.note;
    if (note.empty() || width_of(source) + 3 + width_of(note) > layout_.text) return source;
    return source + "   " + paint_(note, 109);
  }

  std::string merge_text(const Step& step) {
    std::string text = excerpt_.indent(step.where) + "} ";
    if (step.merge == Event::Kind::next_trip) text += fmt::format("end of trip {}: ", step.trip);
    switch (step.outcome) {
      case Step::Outcome::rejoined:
        return paint_(fit(text + "rejoined: " + sets_text(step.arrivals, " + ")), 71);
      case Step::Outcome::by_choice:
        return paint_(fit(text + "rejoined, not promised: " + sets_text(step.arrivals, " + ")),
                      178);
      case Step::Outcome::stay_apart:
        return paint_(fit(text + "NOT REJOINED: " + sets_text(step.tangles, " | ")), 203, true);
    }
    return text;
  }

  /// What a variable gets, below the row of the line that assigns it.
  std::string value_row(const std::string& values) const {
    const auto room = static_cast<std::size_t>(look_.columns) - layout_.number - 2;
    return trimmed(number("") + paint_(clipped("  " + values, room, look_.colour), 109)) + "\n";
  }

  // ---- The reconvergence stack ----

  std::string stack_rows(const Step& step) {
    if (step.stack == shown_stack_) return "";
    shown_stack_ = step.stack;
    std::string text;
    LaneSet elsewhere = timeline_.existing.without(step.active() | step.waiting);
    std::string indent;
    for (const Level& level : step.stack) {
      const std::string title =
          fmt::format("{}{} {}", indent, name_of(level.kind), level.where.line);
      text += row("", marks_of(level, elsewhere), paint_(fit(title), grey));
      elsewhere = elsewhere | level.waiting | level.arrived | level.continuing;
      indent += "  ";
    }
    return text;
  }

  /// The lanes in the construct, by where they are in it; those in `elsewhere` have left it.
  Cells marks_of(const Level& level, LaneSet elsewhere) const {
    Cells cells(static_cast<std::size_t>(timeline_.subgroup_size));
    LaneSet entered;
    for (const LaneSet s : level.entered) entered = entered | s;
    for_each_lane(entered.without(elsewhere), [&](int i) {
      const char mark = level.waiting.test(i)      ? 'w'
                        : level.arrived.test(i)    ? 'm'
                        : level.continuing.test(i) ? 'n'
                                                   : '|';
      cells[static_cast<std::size_t>(i)] = {Cell::Kind::mark, mark};
    });
    return cells;
  }

  const Timeline& timeline_;
  const Look& look_;
  Painter paint_;
  Excerpt excerpt_;
  Layout layout_;
  std::vector<Level> shown_stack_;
};

Timeline part_of(const Timeline& timeline, const StepRange& range) {
  Timeline part{timeline.subgroup_size, timeline.existing, {}};
  for (std::size_t k = 0; k < timeline.steps.size(); ++k)
    if (range.has(k + 1)) part.steps.push_back(timeline.steps[k]);
  return part;
}

}  // namespace

std::string short_name(const char* file) {
  std::error_code ignored;
  const std::filesystem::path here = std::filesystem::current_path(ignored);
  const std::filesystem::path relative = std::filesystem::path(file).lexically_relative(here);
  const std::string text = relative.string();
  return text.empty() || text.starts_with("..") ? file : text;
}

std::string StepRange::text(std::size_t steps) const {
  if (first > steps) return fmt::format("no step {}: there are {}", first, steps);
  const std::size_t to = std::min(last, steps);
  return first == to ? fmt::format("step {} of {}", first, steps)
                     : fmt::format("steps {} to {} of {}", first, to, steps);
}

std::string draw(const Timeline& timeline, const Look& look) {
  if (look.steps.all()) return Drawing(timeline, look).draw();
  const Timeline part = part_of(timeline, look.steps);
  return Painter(look.colour)(look.steps.text(timeline.steps.size()), grey) + "\n" +
         Drawing(part, look).draw();
}

std::string draw_legend(const Timeline& whole, const Look& look) {
  const Timeline timeline = part_of(whole, look.steps);
  const Painter paint(look.colour);
  std::size_t tangles = 0;
  bool aside = false, waiting = false, gone = false;
  for (const Step& step : timeline.steps) {
    for (const char name : step.names)
      tangles = std::max(tangles, static_cast<std::size_t>(name - 'A') + 1);
    aside = aside || step.aside.any_lane();
    waiting = waiting || step.waiting.any_lane();
    gone = gone || (step.active() | step.waiting) != LaneSet::first_n(timeline.subgroup_size);
  }
  const bool halves = choose_layout(timeline, look, Excerpt(timeline).widest()).cell == 0;
  std::vector<std::string> parts;
  const auto sample = [&](char letter) {
    const std::string text = fmt::format(" {} ", letter);
    return paint.on() ? paint.on_background(text, hue_of(letter).light) : std::string(1, letter);
  };
  std::string letters = sample('A');
  for (std::size_t k = 1; k < std::min<std::size_t>(tangles, 4); ++k) {
    if (!paint.on()) letters += ' ';
    letters += sample(static_cast<char>('A' + k));
  }
  parts.push_back(letters + (tangles > 1 ? " execute, one letter per tangle" : " executes"));
  if (aside)
    parts.push_back(
        (halves ? paint.on_background("  ", hue_of('A').dark) : paint("a", hue_of('A').light)) +
        " its condition is false");
  if (waiting)
    parts.push_back((halves       ? paint.on_background("  ", waiting_grey)
                     : paint.on() ? paint("·", grey)
                                  : ".") +
                    " waits");
  if (gone) parts.push_back("blank: returned or nonexistent");
  if (look.stack)
    parts.push_back(
        "stack: | inside, w waits for the other side, m for the end, n for the next trip");
  std::string text;
  std::size_t column = 0;
  for (const std::string& part : parts) {
    // Escape sequences take no column, and their only letter is the last character.
    std::string bare;
    for (std::size_t i = 0; i < part.size(); ++i) {
      if (part[i] == '\x1b')
        i = part.find('m', i);
      else
        bare += part[i];
    }
    const std::size_t width = width_of(bare);
    if (column != 0 && column + 3 + width > static_cast<std::size_t>(look.columns)) {
      text += "\n";
      column = 0;
    }
    if (column != 0) text += "   ";
    text += part;
    column += (column == 0 ? 0 : 3) + width;
  }
  return text + "\n";
}

}  // namespace lockstep::trace
