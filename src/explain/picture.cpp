#include "explain/picture.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <lockstep/exec/event.hpp>

#include "runtime/trace/painter.hpp"
#include "runtime/trace/text.hpp"

namespace lockstep::explain {
namespace {

using trace::Painter;

constexpr int label_width = 10, light_blue = 75, red = 203;
/// A matrix with more rows is cut.
constexpr int most_rows = 16;

/// Values of lanes in cells, some of them not shown.
struct Strip {
  std::string label;
  std::vector<std::string> cells;
  int colour = -1;
};

std::size_t index_of(int lane) { return static_cast<std::size_t>(lane); }

bool same_in(const Column& column, LaneSet lanes) {
  const Words& first = column.lanes[index_of(std::min(lanes.first(), 127)) % column.lanes.size()];
  bool same = true;
  for_each_lane(lanes, [&](int i) { same = same && column.lanes[index_of(i)] == first; });
  return same;
}

class Picture {
 public:
  Picture(const Answer& answer, const trace::Look& look)
      : answer_(answer), look_(look), paint_(look.colour) {}

  std::string take() {
    heading();
    table();
    ballots();
    if (answer_.origin == Origin::combined || answer_.origin == Origin::bits) matrix();
    example();
    return std::move(out_);
  }

 private:
  LaneSet known() const { return answer_.active.without(answer_.undefined); }

  void heading() {
    const std::string lanes = to_string(answer_.active);
    out_ +=
        wrapped(
            fmt::format(
                "subgroup size {}, active lanes {}{}", answer_.size, lanes.empty() ? "none" : lanes,
                answer_.cluster != 0 ? fmt::format(", clusters of {}", answer_.cluster) : ""),
            look_.columns, "  ") +
        "\n";
  }

  std::string cell(const Column& column, int lane) const {
    if (!answer_.active.test(lane)) return ".";
    return column.kind == Kind::boolean ? (column.lanes[index_of(lane)][0] != 0 ? "T" : "F")
                                        : to_text(column.kind, column.lanes[index_of(lane)]);
  }

  /// A ballot that is the same everywhere gets a line of its own, one that differs rows.
  bool in_table(const Column& column) const { return column.kind != Kind::ballot; }

  void table() {
    std::vector<Strip> strips;
    const auto add = [&](std::string label, int colour, auto&& text) {
      Strip strip{std::move(label), {}, colour};
      for (int lane = 0; lane < answer_.size; ++lane) strip.cells.push_back(text(lane));
      strips.push_back(std::move(strip));
    };
    add("lane", trace::grey, [](int lane) { return std::to_string(lane); });
    for (const Column& column : answer_.arguments)
      if (in_table(column)) add(column.name, -1, [&](int lane) { return cell(column, lane); });
    if (answer_.origin == Origin::moved)
      add("from lane", trace::grey, [&](int lane) {
        if (!answer_.active.test(lane)) return std::string(".");
        if (answer_.undefined.test(lane)) return std::string("?");
        return std::to_string(answer_.sources[index_of(lane)].first());
      });
    if (in_table(answer_.result))
      add(answer_.result.name, light_blue, [&](int lane) {
        return answer_.undefined.test(lane) ? "?" : cell(answer_.result, lane);
      });
    std::size_t width = 3;
    for (const Strip& strip : strips)
      for (const std::string& text : strip.cells) width = std::max(width, text.size() + 1);
    const int per_line = std::max(1, (look_.columns - label_width - 2) / static_cast<int>(width));
    for (int from = 0; from < answer_.size; from += per_line) {
      const int to = std::min(answer_.size, from + per_line);
      for (const Strip& strip : strips) line(strip, from, to, width);
      out_ += "\n";
    }
  }

  void line(const Strip& strip, int from, int to, std::size_t width) {
    out_ += "  " + paint_(fmt::format("{:<{}}", strip.label, label_width), trace::grey);
    for (int lane = from; lane < to; ++lane) {
      const std::string& text = strip.cells[index_of(lane)];
      const std::string padded = fmt::format("{:>{}}", text, width);
      if (text == "?")
        out_ += paint_(padded, red, true);
      else if (text == ".")
        out_ += paint_(padded, trace::waiting_grey + 4);
      else
        out_ +=
            strip.colour < 0 ? padded : paint_(padded, strip.colour, strip.colour == light_blue);
    }
    out_ = trace::trimmed(std::move(out_)) + "\n";
  }

  void ballots() {
    for (const Column& column : answer_.arguments)
      if (column.kind == Kind::ballot) ballot(column, answer_.active);
    if (answer_.result.kind == Kind::ballot && answer_.origin != Origin::combined)
      ballot(answer_.result, known());
    else if (answer_.result.kind == Kind::ballot && same_in(answer_.result, known()))
      ballot(answer_.result, known());
  }

  void ballot(const Column& column, LaneSet lanes) {
    if (!lanes.any_lane()) return;
    if (!same_in(column, lanes))
      return rows(column.name, lanes,
                  [&](int lane) { return to_lanes(column.lanes[index_of(lane)]); });
    const Words& words = column.lanes[index_of(lanes.first())];
    std::string hexadecimal;
    for (int k = (answer_.size - 1) / 32; k >= 0; --k)
      hexadecimal += hexadecimal.empty() ? fmt::format("{:x}", words[index_of(k)])
                                         : fmt::format(" {:08x}", words[index_of(k)]);
    const std::string text = fmt::format("lanes {} (0x{}), the same in all active lanes",
                                         to_text(Kind::ballot, words), hexadecimal);
    std::string body = wrapped(text, look_.columns - label_width - 2, "");
    std::string label = fmt::format("{:<{}}", column.name, label_width);
    std::size_t start = 0;
    while (start < body.size()) {
      const std::size_t end = body.find('\n', start);
      out_ += "  " + paint_(label, trace::grey) + body.substr(start, end - start) + "\n";
      label.assign(label_width, ' ');
      start = end + 1;
    }
    out_ += "\n";
  }

  void matrix() {
    if (!known().any_lane()) return;
    if (answer_.origin == Origin::combined && answer_.result.kind == Kind::ballot &&
        same_in(answer_.result, known()))
      return;
    bool any = false;
    for_each_lane(known(),
                  [&](int lane) { any = any || answer_.sources[index_of(lane)].any_lane(); });
    if (!any) return;
    out_ += wrapped(answer_.origin == Origin::bits ? "Bits that count (#), for each lane:"
                    : answer_.result.kind == Kind::ballot
                        ? "Bits that are set (#), for each lane:"
                        : "Lanes whose values (#) make the result, for each lane:",
                    look_.columns, "  ") +
            "\n";
    rows("", known(), [&](int lane) { return answer_.sources[index_of(lane)]; });
  }

  /// A row for each lane, or for all that have the same.
  template <class F>
  void rows(const std::string& name, LaneSet lanes, F&& lanes_of) {
    std::vector<std::pair<LaneSet, LaneSet>> groups;  // lanes, and what they have
    for_each_lane(lanes, [&](int lane) {
      const LaneSet have = lanes_of(lane);
      const auto found = std::ranges::find(groups, have, &std::pair<LaneSet, LaneSet>::second);
      if (found == groups.end())
        groups.emplace_back(LaneSet::lane(lane), have);
      else
        found->first = found->first | LaneSet::lane(lane);
    });
    const std::size_t all = groups.size();
    if (all > most_rows) groups.resize(most_rows);
    std::size_t label = static_cast<std::size_t>(label_width);
    for (const auto& group : groups) label = std::max(label, to_string(group.first).size() + 7);
    label = std::min<std::size_t>(label, 22);
    const int wide = answer_.size <= 24 ? 2 : 1;
    const int per_line = std::max(8, (look_.columns - static_cast<int>(label) - 4) / wide / 8 * 8);
    for (int from = 0; from < answer_.size; from += per_line) {
      const int to = std::min(answer_.size, from + per_line);
      const LaneSet shown = LaneSet::first_n(to).without(LaneSet::first_n(from));
      const auto is_set = [&](const auto& group) { return (group.second & shown).any_lane(); };
      // Rows without a bit say nothing, except in the first lines.
      if (from > 0 && std::ranges::none_of(groups, is_set)) continue;
      out_ += "  " + paint_(trace::padded(name, label), trace::grey) +
              paint_(ruler(from, to, wide), trace::grey) + "\n";
      for (const auto& group : groups) row(group.first, group.second, from, to, label, wide);
      if (all > groups.size())
        out_ += paint_(fmt::format("  ... and {} more rows\n", all - groups.size()), trace::grey);
      out_ += "\n";
    }
  }

  static std::string ruler(int from, int to, int wide) {
    std::string text(index_of((to - from) * wide), ' ');
    for (int lane = from; lane < to; lane += wide == 2 ? 1 : 8) {
      if (wide == 2 && lane >= 10 && lane % 2 != 0) continue;
      const std::string number = std::to_string(lane);
      const std::size_t at = index_of((lane - from) * wide);
      text.replace(at, std::min(number.size(), text.size() - at), number);
    }
    return trace::trimmed(text);
  }

  void row(LaneSet lanes, LaneSet have, int from, int to, std::size_t label, int wide) {
    const std::string name = trace::clipped(
        (lanes.count() == 1 ? "lane " : "lanes ") + to_string(lanes), label - 1, false);
    out_ += "  " + trace::padded(name, label);
    for (int lane = from; lane < to; ++lane) {
      out_ +=
          have.test(lane) ? paint_("#", light_blue, true) : paint_(".", trace::waiting_grey + 4);
      if (wide == 2 && lane + 1 < to) out_ += ' ';
    }
    out_ += "\n";
  }

  /// One result as a calculation.
  void example() {
    if (answer_.row->op.empty() || answer_.row->op == "none" || !known().any_lane()) return;
    int lane = known().last();
    for_each_lane(known(), [&](int other) {
      const int terms = answer_.sources[index_of(other)].count();
      if (terms >= 2 && terms <= 10) lane = other;
    });
    const LaneSet from = answer_.sources[index_of(lane)];
    if (from.count() > 10) return;
    const std::string_view op = answer_.row->op;
    const bool is_call = op == "min" || op == "max";
    const std::string_view between = op == "add"    ? " + "
                                     : op == "mul"  ? " * "
                                     : op == "band" ? " & "
                                     : op == "bor"  ? " | "
                                     : op == "bxor" ? " ^ "
                                                    : ", ";
    std::string terms;
    for_each_lane(from, [&](int other) {
      terms += (terms.empty() ? "" : std::string(between)) +
               to_text(answer_.arguments[0].kind, answer_.arguments[0].lanes[index_of(other)]);
    });
    if (from.count() == 0) terms = "no value: the identity";
    if (is_call && from.count() > 0) terms = fmt::format("{}({})", op, terms);
    out_ += wrapped(fmt::format("Lane {}: {} = {}", lane, terms,
                                to_text(answer_.result.kind, answer_.result.lanes[index_of(lane)])),
                    look_.columns, "  ") +
            "\n";
  }

  const Answer& answer_;
  trace::Look look_;
  Painter paint_;
  std::string out_;
};

/// A part with a title; each paragraph is wrapped.
std::string part(const Painter& paint, std::string_view title,
                 const std::vector<std::string>& lines, int columns) {
  std::string text =
      paint.on() ? fmt::format("\x1b[1m{}\x1b[0m\n", title) : fmt::format("{}\n", title);
  for (const std::string& line : lines) text += wrapped_item(line, columns, "  ");
  return text + "\n";
}

std::vector<std::string> spirv_of(const Row& row) {
  std::vector<std::string> lines;
  for (const spec::Opcode& opcode : row.built_in->opcodes) {
    if (opcode.name.empty()) continue;
    std::string line = fmt::format("{} ({})", opcode.name, opcode.number);
    if (!row.built_in->operand.text.empty())
      line += fmt::format(", {}", row.built_in->operand.text);
    lines.push_back(std::move(line));
  }
  const spec::Place& place = row.built_in->place;
  lines.push_back(
      fmt::format("capability {} ({})", place.capability.name, place.capability.number));
  return lines;
}

std::vector<std::string> languages_of(const Row& row) {
  const auto line = [](std::string_view language, std::string_view name) {
    return fmt::format("{:<7}{}", language, name.empty() ? "nothing like it" : name);
  };
  return {line("HLSL", row.names.hlsl), line("CUDA", row.names.cuda), line("WGSL", row.names.wgsl),
          line("Metal", row.names.metal)};
}

/// Where results are undefined, and which are here.
std::vector<std::string> undefined_in(const Row& row, const Answer* answer) {
  std::vector<std::string> lines{undefined_where(row)};
  if (answer == nullptr) return lines;
  for (const Reason& reason : answer->reasons)
    lines.push_back(fmt::format("Here in lane{} {}: {} [{}].", reason.lanes.count() == 1 ? "" : "s",
                                to_string(reason.lanes), reason.message, reason.rule));
  return lines;
}

}  // namespace

std::string wrapped(std::string_view text, int columns, std::string_view indent) {
  std::string out;
  const std::size_t width = static_cast<std::size_t>(std::max(columns, 20));
  while (true) {
    const std::size_t room = width - indent.size();
    if (text.size() <= room) return out + std::string(indent) + std::string(text) + "\n";
    std::size_t end = text.rfind(' ', room);
    // A list of lanes may be broken after a comma.
    if (end == std::string_view::npos || end < room / 2) {
      const std::size_t comma = text.rfind(',', room - 1);
      if (comma != std::string_view::npos && (end == std::string_view::npos || comma > end))
        end = comma + 1;
    }
    if (end == std::string_view::npos || end == 0) end = room;
    out += std::string(indent) + std::string(text.substr(0, end)) + "\n";
    text.remove_prefix(end);
    while (text.starts_with(' ')) text.remove_prefix(1);
  }
}

std::string wrapped_item(std::string_view text, int columns, std::string_view indent) {
  if (!text.starts_with("- ")) return wrapped(text, columns, indent);
  std::string lines = wrapped(text.substr(2), columns, std::string(indent) + "  ");
  lines[indent.size()] = '-';
  return lines;
}

std::string draw(const Answer& answer, const trace::Look& look) {
  return Picture(answer, look).take();
}

std::string describe_run(const Row& row, const Answer& answer, const trace::Look& look) {
  std::string text = draw(answer, look);
  if (!answer.reasons.empty())
    text += part(Painter(look.colour), "Undefined", undefined_in(row, &answer),
                 std::min(look.columns, 100));
  text.pop_back();
  return text;
}

std::string describe(const Row& row, const Answer* answer, const trace::Look& look) {
  const Painter paint(look.colour);
  const int columns = std::min(look.columns, 100);
  std::string head = wrapped(signature(row), columns, "");
  head.pop_back();
  std::string text = paint(head, light_blue, true) + "\n";
  if (const std::string types = types_of_value(row); !types.empty())
    text += wrapped("T: " + types, columns, "  ");
  text += wrapped(std::string(row.built_in->place.extension), columns, "  ") + "\n";
  text += wrapped(meaning(row), columns, "") + "\n";
  if (answer != nullptr) text += draw(*answer, look);
  if (row.kind == Row::Kind::function)
    text += part(paint, "Undefined", undefined_in(row, answer), columns);
  text += part(paint, "SPIR-V", spirv_of(row), columns);
  text += part(paint, "Other languages", languages_of(row), columns);
  std::vector<std::string> lines;
  for (const Mistake& mistake : mistakes(row))
    lines.push_back(fmt::format("- {}{}", mistake.what,
                                mistake.rule.empty() ? "" : fmt::format(" [{}]", mistake.rule)));
  if (!lines.empty()) text += part(paint, "Common mistakes", lines, columns);
  text.pop_back();
  return text;
}

std::string draw_index(const trace::Look& look,
                       std::span<const std::pair<std::string, std::string>> topics) {
  const Painter paint(look.colour);
  std::vector<std::pair<std::string_view, std::vector<std::string>>> categories;
  for (const Row& row : rows()) {
    const std::string_view category = row.kind == Row::Kind::variable ? "Variables"
                                      : row.kind == Row::Kind::barrier
                                          ? "Barriers"
                                          : row.built_in->place.extension;
    if (categories.empty() || categories.back().first != category)
      categories.push_back({category, {}});
    categories.back().second.emplace_back(row.name());
  }
  std::string text;
  for (const auto& [category, names] : categories) {
    std::size_t width = 0;
    for (const std::string& name : names) width = std::max(width, name.size() + 2);
    const std::size_t per_line = std::max<std::size_t>(
        1, (static_cast<std::size_t>(std::min(look.columns, 120)) - 2) / width);
    std::string body;
    for (std::size_t k = 0; k < names.size(); ++k) {
      body += (k % per_line == 0 ? "  " : "") + trace::padded(names[k], width);
      if (k % per_line == per_line - 1 || k + 1 == names.size()) body = trace::trimmed(body) + "\n";
    }
    text += part(paint, category, {}, look.columns);
    text.pop_back();
    text += body + "\n";
  }
  text += part(paint, "Topics", {}, look.columns);
  text.pop_back();
  for (const auto& [name, what] : topics)
    text += wrapped(fmt::format("{:<20}{}", name, what), look.columns, "  ");
  return text;
}

}  // namespace lockstep::explain
