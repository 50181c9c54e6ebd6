#include <lockstep/trace/expect.hpp>

#include <algorithm>

#include <fmt/format.h>

#include "runtime/trace/names.hpp"

namespace lockstep::trace {
namespace {

bool is_jump(Event::Kind kind) {
  return kind == Event::Kind::jump_break || kind == Event::Kind::jump_loop ||
         kind == Event::Kind::jump_continue || kind == Event::Kind::jump_return;
}

/// What an expectation compares: for a jump, the lanes that leave.
std::vector<LaneSet> tangles_of(const Event& event) {
  if (is_jump(event.kind)) return {event.others};
  std::vector<LaneSet> sets;
  for (const Tangle& t : event.tangles) sets.push_back(t.lanes);
  return sets;
}

bool fits(const ExpectedEvent& want, const Event& got) {
  return want.kind == got.kind && want.tangles == tangles_of(got) &&
         (!want.name || *want.name == got.name) && (!want.line || *want.line == got.where.line) &&
         (!want.arrivals || *want.arrivals == got.arrivals) &&
         (!want.reason || *want.reason == got.reason) &&
         (!want.others || *want.others == got.others);
}

std::string text_of(const std::vector<LaneSet>& sets) {
  std::string text;
  for (const LaneSet s : sets) text += fmt::format(" {{{}}}", to_string(s));
  return text.empty() ? " none" : text;
}

std::string text_of(const ExpectedEvent& e) {
  std::string text(to_string(e.kind));
  if (e.name) text += " " + *e.name;
  text += text_of(e.tangles);
  if (e.line) text += fmt::format(", line {}", *e.line);
  if (e.others) text += fmt::format(", others {{{}}}", to_string(*e.others));
  if (e.arrivals) text += ", arrived" + text_of(*e.arrivals);
  if (e.reason) text += fmt::format(", {}", name_of(*e.reason));
  return text;
}

/// The event, reduced to what the expectation specifies.
std::string text_of(const Event& got, const ExpectedEvent& like) {
  ExpectedEvent e = like;
  e.kind = got.kind;
  e.tangles = tangles_of(got);
  e.name.reset();
  if (!got.name.empty()) e.name = got.name;
  if (e.line) e.line = got.where.line;
  if (e.arrivals) e.arrivals = got.arrivals;
  if (e.reason) e.reason = got.reason;
  if (e.others) e.others = got.others;
  return text_of(e);
}

struct Line {
  char mark;
  std::string text;
};

/// A longest common subsequence, as rows of a diff.
class Alignment {
 public:
  Alignment(const std::vector<ExpectedEvent>& want, const std::vector<Event>& got)
      : want_(want), got_(got) {
    while (begin_ < want.size() && begin_ < got.size() && fits(want[begin_], got[begin_])) ++begin_;
    while (want_end() > begin_ && got_end() > begin_ &&
           fits(want[want_end() - 1], got[got_end() - 1]))
      ++tail_;
    rows_ = want_end() - begin_ + 1;
    columns_ = got_end() - begin_ + 1;
    common_.assign(rows_ * columns_, 0);
    for (std::size_t i = rows_ - 1; i-- > 0;) {
      for (std::size_t k = columns_ - 1; k-- > 0;) {
        at(i, k) = fits(want[begin_ + i], got[begin_ + k]) ? at(i + 1, k + 1) + 1
                                                           : std::max(at(i + 1, k), at(i, k + 1));
      }
    }
  }

  std::vector<Line> lines() {
    std::vector<Line> result;
    for (std::size_t i = 0; i < begin_; ++i) result.push_back({' ', text_of(want_[i])});
    std::size_t i = 0, k = 0;
    while (i + 1 < rows_ || k + 1 < columns_) {
      if (i + 1 < rows_ && k + 1 < columns_ && fits(want_[begin_ + i], got_[begin_ + k])) {
        result.push_back({' ', text_of(want_[begin_ + i])});
        ++i, ++k;
      } else if (k + 1 == columns_ || (i + 1 < rows_ && at(i + 1, k) >= at(i, k + 1))) {
        result.push_back({'-', text_of(want_[begin_ + i++])});
      } else {
        result.push_back({'+', text_of(got_[begin_ + k], like(i)) +
                                   fmt::format("   {}:{}", got_[begin_ + k].where.file,
                                               got_[begin_ + k].where.line)});
        ++k;
      }
    }
    for (i = want_end(); i < want_.size(); ++i) result.push_back({' ', text_of(want_[i])});
    return result;
  }

 private:
  std::size_t want_end() const { return want_.size() - tail_; }
  std::size_t got_end() const { return got_.size() - tail_; }
  std::size_t& at(std::size_t i, std::size_t k) { return common_[i * columns_ + k]; }
  /// The expectation next to an unexpected event: the one just missed.
  ExpectedEvent like(std::size_t i) const {
    const std::size_t near = begin_ + (i > 0 ? i - 1 : 0);
    return near < want_.size() ? want_[near] : ExpectedEvent{};
  }

  const std::vector<ExpectedEvent>& want_;
  const std::vector<Event>& got_;
  std::size_t begin_ = 0, tail_ = 0, rows_ = 1, columns_ = 1;
  std::vector<std::size_t> common_;
};

/// All lines, without long equal parts.
std::string with_context(const std::vector<Line>& lines) {
  constexpr std::size_t context = 4;
  std::string text;
  for (std::size_t i = 0; i < lines.size();) {
    std::size_t end = i;
    while (end < lines.size() && lines[end].mark == ' ') ++end;
    const std::size_t shown_before = i == 0 ? 0 : context;
    const std::size_t shown_behind = end == lines.size() ? 0 : context;
    const std::size_t count = end - i;
    const bool leaves_out = count > shown_before + shown_behind + 1;
    for (std::size_t k = i; k < end; ++k) {
      if (leaves_out && k - i == shown_before) {
        text += fmt::format("  ... {} as expected\n", count - shown_before - shown_behind);
        k = end - shown_behind;
        if (k == end) break;
      }
      text += fmt::format("  {}\n", lines[k].text);
    }
    for (i = end; i < lines.size() && lines[i].mark != ' '; ++i)
      text += fmt::format("{} {}\n", lines[i].mark, lines[i].text);
  }
  return text;
}

}  // namespace

std::string difference(const ExpectedTrace& expected, const std::vector<Event>& recorded) {
  std::vector<Event> compared;
  std::ranges::copy_if(recorded, std::back_inserter(compared),
                       [&](const Event& e) { return !expected.ignored().contains(e.kind); });
  const std::vector<ExpectedEvent>& want = expected.events();
  if (std::ranges::equal(want, compared, fits)) return "";
  return "the trace differs (- expected, + got):\n" +
         with_context(Alignment(want, compared).lines());
}

}  // namespace lockstep::trace
