#include <lockstep/trace/terminal.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace lockstep::trace {
namespace {

// ---- Text ----

std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (c & '\xc0') != '\x80'; }));
}

std::string clipped(std::string_view text, std::size_t columns, bool unicode) {
  if (width_of(text) <= columns) return std::string(text);
  const std::string_view dots = unicode ? "…" : "...";
  const std::size_t kept = columns > width_of(dots) ? columns - width_of(dots) : 0;
  std::size_t bytes = 0;
  for (std::size_t seen = 0; bytes < text.size(); ++bytes) {
    if ((text[bytes] & '\xc0') != '\x80' && seen++ == kept) break;
  }
  return std::string(text.substr(0, bytes)) + std::string(dots);
}

std::string trimmed(std::string text) {
  text.erase(text.find_last_not_of(" \t\r") + 1);
  return text;
}

// ---- Colour ----

// Light and dark of the same hue, for black text on the light one. One after another they differ.
struct Hue {
  int light, dark;
};
constexpr std::array hues{Hue{75, 25},   Hue{215, 130}, Hue{114, 28}, Hue{211, 125},
                          Hue{221, 136}, Hue{80, 30},   Hue{147, 61}, Hue{180, 94},
                          Hue{150, 64},  Hue{203, 124}, Hue{117, 31}, Hue{225, 133}};

Hue hue_of(char letter) { return hues[static_cast<std::size_t>(letter - 'A') % hues.size()]; }

constexpr int grey = 244;
constexpr int waiting_grey = 236;

class Painter {
 public:
  explicit Painter(bool on) : on_(on) {}
  bool on() const { return on_; }

  std::string operator()(std::string_view text, int foreground, bool bold = false) const {
    if (!on_ || text.empty()) return std::string(text);
    return fmt::format("\x1b[{}38;5;{}m{}\x1b[0m", bold ? "1;" : "", foreground, text);
  }
  std::string on_background(std::string_view text, int background) const {
    return fmt::format("\x1b[38;5;16;48;5;{}m{}\x1b[0m", background, text);
  }
  std::string halves(int left, int right) const {
    if (left < 0 && right < 0) return " ";
    if (right < 0) return fmt::format("\x1b[38;5;{}m▌\x1b[0m", left);
    if (left < 0) return fmt::format("\x1b[38;5;{}m▐\x1b[0m", right);
    return fmt::format("\x1b[38;5;{};48;5;{}m▌\x1b[0m", left, right);
  }

 private:
  bool on_;
};

// ---- Source ----

class Sources {
 public:
  /// The line's text, without the blanks behind it; none when the file cannot be read.
  std::optional<std::string> line(SourceLocation where) {
    const std::vector<std::string>& lines = file(where.file);
    if (where.line < 1 || static_cast<std::size_t>(where.line) > lines.size()) return std::nullopt;
    return lines[static_cast<std::size_t>(where.line) - 1];
  }

 private:
  const std::vector<std::string>& file(const std::string& name) {
    const auto [found, is_new] = files_.try_emplace(name);
    if (is_new) {
      std::ifstream in(name);
      for (std::string text; std::getline(in, text);) found->second.push_back(trimmed(text));
    }
    return found->second;
  }

  std::map<std::string, std::vector<std::string>> files_;
};

std::size_t indentation(std::string_view text) {
  const std::size_t at = text.find_first_not_of(' ');
  return at == std::string_view::npos ? 0 : at;
}

/// The lines of a timeline, moved to the left as far as their file allows.
class Excerpt {
 public:
  explicit Excerpt(const Timeline& timeline) {
    for (const Step& step : timeline.steps) {
      const auto text = sources_.line(step.where);
      if (!text) continue;
      const auto [known, is_new] = common_.try_emplace(step.where.file, indentation(*text));
      known->second = std::min(known->second, indentation(*text));
    }
    for (const Step& step : timeline.steps) widest_ = std::max(widest_, width_of(line(step.where)));
  }

  std::string line(SourceLocation where) {
    const auto text = sources_.line(where);
    if (!text || text->empty()) return "";
    return text->substr(std::min(common_[where.file], text->size()));
  }
  std::string indent(SourceLocation where) { return std::string(indentation(line(where)), ' '); }
  std::size_t widest() const { return widest_; }

 private:
  Sources sources_;
  std::map<std::string, std::size_t> common_;
  std::size_t widest_ = 0;
};

// ---- Cells ----

struct Cell {
  enum class Kind { nothing, active, aside, waiting, mark };

  Kind kind = Kind::nothing;
  char letter = ' ';
};
using Cells = std::vector<Cell>;

int colour_of_mark(char mark) {
  switch (mark) {
    case 'w':
      return 178;
    case 'm':
      return 71;
    case 'n':
      return 68;
    default:
      return 250;
  }
}

/// How lanes are laid out: the columns of a cell (0: two cells a column), and how many lanes a row.
struct Layout {
  int cell = 2;
  int lanes_in_row = 8;
  bool text_beside = true;
  std::size_t number = 3;  ///< columns of a line number
  std::size_t text = 40;   ///< columns left for text

  int group() const { return cell >= 2 ? 0 : cell == 1 ? 8 : 16; }
  std::size_t column(int lane) const {
    const int gaps = group() == 0 ? 0 : lane / group();
    return static_cast<std::size_t>(cell == 0 ? lane / 2 + gaps : lane * cell + gaps);
  }
  std::size_t columns(int lanes) const {
    return lanes == 0 ? 0 : column(lanes - 1) + static_cast<std::size_t>(std::max(cell, 1));
  }
};

Layout choose_layout(int lanes, std::size_t columns, std::size_t number, std::size_t widest,
                     bool colour) {
  Layout layout;
  layout.number = number;
  layout.lanes_in_row = lanes;
  const std::size_t before = number + 2, gap = 2;
  const auto fits = [&](int cell, std::size_t text) {
    layout.cell = cell;
    const std::size_t taken = before + layout.columns(lanes) + gap;
    layout.text = columns > taken ? columns - taken : 0;
    return taken + text <= columns;
  };
  for (const int cell : {3, 2, 1, 0}) {
    if ((cell == 3 && lanes > 16) || (cell == 0 && (!colour || lanes <= 16))) continue;
    const std::size_t needed = std::min<std::size_t>(widest, cell >= 2 ? 46 : 34);
    if (fits(cell, needed)) return layout;
  }
  layout.text_beside = false;
  layout.text = columns > before ? columns - before : 0;
  for (const int cell : {1, 0}) {
    if (cell == 0 && !colour) continue;
    layout.cell = cell;
    if (before + layout.columns(lanes) <= columns) return layout;
  }
  // Several rows of lanes, each of as many groups of 8 as fit.
  layout.cell = 1;
  layout.lanes_in_row = 8;
  for (int n = 16; n < lanes; n *= 2) {
    if (before + layout.columns(n) <= columns) layout.lanes_in_row = n;
  }
  return layout;
}

std::string paint_cell(const Cell& cell, int width, const Painter& paint) {
  const auto in_middle = [&](std::string_view glyph) {
    return width == 3   ? fmt::format(" {} ", glyph)
           : width == 2 ? fmt::format("{} ", glyph)
                        : std::string(glyph);
  };
  const std::string letter = in_middle(std::string_view(&cell.letter, 1));
  switch (cell.kind) {
    case Cell::Kind::nothing:
      return std::string(static_cast<std::size_t>(width), ' ');
    case Cell::Kind::active:
      return paint.on() ? paint.on_background(letter, hue_of(cell.letter).light) : letter;
    case Cell::Kind::aside: {
      const char small = static_cast<char>(cell.letter - 'A' + 'a');
      return paint(in_middle(std::string_view(&small, 1)), hue_of(cell.letter).light);
    }
    case Cell::Kind::waiting:
      return paint.on() ? paint(in_middle("·"), grey) : in_middle(".");
    case Cell::Kind::mark:
      return paint(letter, colour_of_mark(cell.letter));
  }
  return "";
}

/// The colour of half a column; -1: none.
int colour_of_half(const Cell& cell) {
  switch (cell.kind) {
    case Cell::Kind::nothing:
      return -1;
    case Cell::Kind::active:
      return hue_of(cell.letter).light;
    case Cell::Kind::aside:
      return hue_of(cell.letter).dark;
    case Cell::Kind::waiting:
      return waiting_grey;
    case Cell::Kind::mark:
      return colour_of_mark(cell.letter);
  }
  return -1;
}

/// One row of cells, always as wide as the layout says.
std::string paint_cells(const Cells& cells, int first, const Layout& layout, const Painter& paint) {
  std::string text;
  const int end = std::min(first + layout.lanes_in_row, static_cast<int>(cells.size()));
  for (int lane = first; lane < end; lane += layout.cell == 0 ? 2 : 1) {
    const int in_row = lane - first;
    if (layout.group() != 0 && in_row != 0 && in_row % layout.group() == 0) text += ' ';
    const Cell& cell = cells[static_cast<std::size_t>(lane)];
    if (layout.cell != 0) {
      text += paint_cell(cell, layout.cell, paint);
    } else {
      const Cell right = lane + 1 < end ? cells[static_cast<std::size_t>(lane) + 1] : Cell{};
      text += paint.halves(colour_of_half(cell), colour_of_half(right));
    }
  }
  return text;
}

Cells cells_of(const Step& step, int lanes) {
  Cells cells(static_cast<std::size_t>(lanes));
  const auto put = [&](LaneSet set, Cell::Kind kind, char letter) {
    for_each_lane(set, [&](int i) {
      if (i < lanes) cells[static_cast<std::size_t>(i)] = {kind, letter};
    });
  };
  put(step.waiting, Cell::Kind::waiting, '.');
  for (std::size_t k = 0; k < step.tangles.size(); ++k) {
    put(step.tangles[k], Cell::Kind::active, step.names[k]);
    put(step.tangles[k] & step.aside, Cell::Kind::aside, step.names[k]);
  }
  return cells;
}

// ---- Rows ----

std::string sets_text(const std::vector<LaneSet>& sets, std::string_view between) {
  std::string text;
  for (const LaneSet s : sets) {
    if (!text.empty()) text += between;
    const std::string lanes = to_string(s);
    text += lanes.size() <= 16 ? lanes : fmt::format("{} lanes", s.count());
  }
  return text;
}

std::string_view name_of(const Level& level) {
  switch (level.kind) {
    case Level::Kind::selection:
      return "selection";
    case Level::Kind::loop:
      return "loop";
    case Level::Kind::switch_statement:
      return "switch";
    case Level::Kind::call:
      return "function";
  }
  return "?";
}

Layout choose_layout(const Timeline& timeline, const Look& look, std::size_t widest) {
  std::size_t number = 4;
  for (const Step& step : timeline.steps)
    number = std::max(number, std::to_string(step.where.line).size());
  return choose_layout(timeline.subgroup_size, static_cast<std::size_t>(std::max(look.columns, 20)),
                       number, widest, look.colour);
}

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

  /// How often the rows that end before step `end` come again right behind it, at their best.
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
           a.stack == b.stack && a.outcome == b.outcome && a.arrivals == b.arrivals;
  }

  /// The numbers of lanes above their cells, as many as have room.
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

  /// Cells with text beside or above them.
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

  /// The source, and behind it what is worth a note, if there is room.
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

  // ---- The reconvergence stack ----

  std::string stack_rows(const Step& step) {
    if (step.stack == shown_stack_) return "";
    shown_stack_ = step.stack;
    std::string text;
    LaneSet elsewhere = timeline_.existing.without(step.active() | step.waiting);
    std::string indent;
    for (const Level& level : step.stack) {
      const std::string title = fmt::format("{}{} {}", indent, name_of(level), level.where.line);
      text += row("", marks_of(level, elsewhere), paint_(fit(title), grey));
      elsewhere = elsewhere | level.waiting | level.arrived | level.continuing;
      indent += "  ";
    }
    return text;
  }

  /// Lanes that are in the construct, by where in it they are; `elsewhere` are not in it any more.
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

std::string percent(double part) { return fmt::format("{:.0f} %", 100 * part); }

std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string bar(double part, std::size_t columns, bool unicode) {
  const auto halves = static_cast<std::size_t>(part * static_cast<double>(columns) * 2 + 0.5);
  std::string text;
  if (!unicode) return std::string(std::max<std::size_t>(halves / 2, 1), '#');
  for (std::size_t k = 0; k < halves / 2; ++k) text += "━";
  if (halves % 2 != 0 || halves == 0) text += "╸";
  return text;
}

/// The merges that did not rejoin, each place once.
std::string apart_text(const Timeline& timeline, const Summary& summary, std::size_t columns,
                       bool unicode) {
  std::vector<std::pair<const Step*, int>> places;
  for (const std::size_t k : summary.apart) {
    const Step& step = timeline.steps[k];
    const auto known = std::ranges::find_if(places, [&](const auto& place) {
      return place.first->where.line == step.where.line && place.first->merge == step.merge &&
             std::string_view(place.first->where.file) == step.where.file;
    });
    if (known != places.end())
      ++known->second;
    else
      places.emplace_back(&step, 1);
  }
  std::string text;
  for (const auto& [step, times] : places) {
    std::string lanes = sets_text(step->tangles, " | ");
    if (times > 1) lanes = fmt::format("{} times, first {}", times, lanes);
    const std::string indented = "    " + lanes;
    text += fmt::format("  {}:{}\n{}\n    {}\n", short_name(step->where.file), step->where.line,
                        clipped(indented, columns, unicode), why_open(*step, timeline.existing));
  }
  return text;
}

std::string padded(std::string text, std::size_t columns) {
  const std::size_t width = width_of(text);
  if (width < columns) text.append(columns - width, ' ');
  return text;
}

}  // namespace

std::string short_name(const char* file) {
  std::error_code ignored;
  const std::filesystem::path here = std::filesystem::current_path(ignored);
  const std::filesystem::path relative = std::filesystem::path(file).lexically_relative(here);
  const std::string text = relative.string();
  return text.empty() || text.starts_with("..") ? file : text;
}

std::string draw(const Timeline& timeline, const Look& look) {
  return Drawing(timeline, look).draw();
}

std::string draw_legend(const Timeline& timeline, const Look& look) {
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
  parts.push_back(letters + (tangles > 1 ? " execute, a letter a tangle" : " executes"));
  if (aside)
    parts.push_back(
        (halves ? paint.on_background("  ", hue_of('A').dark) : paint("a", hue_of('A').light)) +
        " its condition is false");
  if (waiting)
    parts.push_back((halves       ? paint.on_background("  ", waiting_grey)
                     : paint.on() ? paint("·", grey)
                                  : ".") +
                    " waits");
  if (gone) parts.push_back("blank: returned or never there");
  if (look.stack)
    parts.push_back(
        "stack: | inside, w waits for the other side, m for the end, n for the next trip");
  std::string text;
  std::size_t column = 0;
  for (const std::string& part : parts) {
    // Escape sequences take no column, and contain no letter but their last.
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

std::string draw_summary(const Timeline& timeline, const Look& look) {
  const Painter paint(look.colour);
  const Summary summary = summarize(timeline);
  const auto columns = static_cast<std::size_t>(std::max(look.columns, 20));
  std::string text = fmt::format("{}, {} of their lanes at work, {}",
                                 counted(summary.times, "line executed", "lines executed"),
                                 percent(summary.utilisation),
                                 counted(summary.divergences, "divergence", "divergences"));
  if (summary.apart.empty()) {
    text += "; every merge rejoined\n";
  } else {
    text += ";\n";
    text += paint(counted(summary.apart.size(), "merge", "merges") + " did not rejoin:", 203, true);
    text += '\n';
  }
  text += apart_text(timeline, summary, columns, look.colour);

  Excerpt excerpt(timeline);
  std::uint64_t most = 1;
  for (const LineWork& work : summary.lines) most = std::max(most, work.lanes);
  const std::size_t bar_columns = columns < 100 ? 8 : 16;
  text += '\n';
  text += paint("line  times  lanes   busy", grey);
  text += '\n';
  for (const LineWork& work : summary.lines) {
    const double busy = static_cast<double>(work.lanes) /
                        (static_cast<double>(work.times) * timeline.subgroup_size);
    const double part = static_cast<double>(work.lanes) / static_cast<double>(most);
    const std::string numbers = fmt::format("{:>4}  {:>5}  {:>5}  {:>5}  ", work.where.line,
                                            work.times, work.lanes, percent(busy));
    const std::size_t before = width_of(numbers) + bar_columns + 1;
    text += trimmed(numbers + paint(padded(bar(part, bar_columns, look.colour), bar_columns), 75) +
                    " " +
                    clipped(excerpt.line(work.where), columns > before ? columns - before : 0,
                            look.colour)) +
            "\n";
  }
  return text;
}

}  // namespace lockstep::trace
