#include "shader/instruments/work/count_work.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "shader/ir/built_ins.hpp"
#include "shader/ir/operations.hpp"

namespace lockstep::spirv {
namespace {

using Index = std::uint32_t;
using Line = std::pair<std::string_view, int>;

constexpr Line no_line{"", 0};
constexpr Index nowhere = ~Index{0};

Line line_of(const SourceLocation& where) { return {where.file, where.line}; }

/// A place at which lanes come to a line, or forget the line that they were at.
struct Arrival {
  Index op = 0;
  Line line = no_line;
  enum class Kind {
    before,
    after,
    start,
    anew
  } kind = Kind::before;  ///< the operation, or of what

  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 objects to the 0 in what the compiler generates
  friend auto operator<=>(const Arrival&, const Arrival&) = default;
};
/// The arrivals that lanes come from; empty where no lane comes.
using Arrivals = std::set<Arrival>;

void add(Arrivals& to, const Arrivals& from) { to.insert(from.begin(), from.end()); }

bool all_at(const Arrivals& arrivals, const Line& line) {
  return std::ranges::all_of(arrivals, [&](const Arrival& a) { return a.line == line; });
}
bool any_at(const Arrivals& arrivals, const Line& line) {
  return std::ranges::any_of(arrivals, [&](const Arrival& a) { return a.line == line; });
}

/// What is to be inserted before an operation.
struct Insertion {
  std::map<Line, std::int64_t> counted;  ///< by one counter of the active lanes
  std::vector<std::pair<Line, Reg>>
      started;  ///< by lanes that were not at the line: those that the variable lacks
  std::vector<std::pair<Reg, bool>>
      known;            ///< variables that learn whether lanes are at their line
  bool branch = false;  ///< the operation is one whose sides are counted
};

/// Follows lanes through the operations and decides where to count which line. Long, as each operation of control flow moves
/// the same sets of lanes.
class Plan {
 public:
  explicit Plan(Ir& ir) : ir_(ir), insertions_(ir.ops.size() + 1) { find_tested_last(); }

  /// Whether everything can be counted.
  bool make() {
    // Lanes come back to the heads of loops.
    do {
      changed_ = false;
      follow();
    } while (changed_ && possible_);
    if (!possible_) return false;
    final_ = true;
    follow();
    return possible_;
  }

  void insert() {
    note_lines();
    std::vector<Op> ops;
    for (Index k = 0; k <= ir_.ops.size(); ++k) {
      const Index next = std::min(k, static_cast<Index>(ir_.ops.size()) - 1);
      append(insertions_[k], ir_.ops[next].where, ops);
      if (insertions_[k].branch) append_sides(ir_.ops[k], ops);
      if (k < ir_.ops.size()) ops.push_back(ir_.ops[k]);
    }
    ir_.ops = std::move(ops);
  }

 private:
  /// A construct, and the lanes in it that are not active.
  struct Level {
    std::uint32_t construct = no_construct;
    Arrivals waiting, arrived, continuing;
    Arrivals entered;       ///< of a loop: the lanes that came to it
    Index entry = nowhere;  ///< of a loop: where lines are counted before it
  };

  void follow() {
    now_ = {Arrival{0, no_line, Arrival::Kind::start}};
    open_ = no_line;
    told_ = {"", 0};
    block_ = nowhere;
    levels_.clear();
    callers_.clear();
    for (Index k = 0; k < ir_.ops.size() && possible_; ++k) {
      const Op& op = ir_.ops[k];
      if (is_control(op.code))
        control(k, op);
      else
        straight(k, op);
    }
    // Without events of lines a timeline does not know where lanes were.
    possible_ = possible_ && any_line_;
  }

  // ---- Events ----

  /// Operations whose events the tangled machine makes besides those of lines.
  static bool is_told(Code code) { return operation_of(code).event == Notice::told; }

  void straight(Index k, const Op& op) {
    if (op.code == Code::declare) return;  // does nothing
    const bool is_new = told_.file != op.where.file || told_.line != op.where.line;
    if (op.where.line != 0 && is_new) {
      told_ = op.where;
      any_line_ = true;
      reach(k, op);
    }
    if (!is_told(op.code)) return;
    if (is_subgroup(op.code) && op.part + 1 == op.parts)
      return reach(k, op, static_cast<int>(name_of(op)));
    reach(k, op);
  }

  /// The active lanes are at the operation's line. A built-in that they called in this row already starts another row.
  void reach(Index k, const Op& op, int built_in = -1) {
    if (now_.empty()) return;
    const Line line = line_of(op.where);
    if (line.second == 0) possible_ = false;
    const bool again = built_in >= 0 && built_ins_.contains(built_in);
    if (open_ != line || again) {
      if (again || !any_at(now_, line))
        count(k, line);
      else if (!all_at(now_, line))
        count_some(k, line);
      built_ins_.clear();
      open_ = line;
      now_ = {Arrival{k, line}};
    }
    if (built_in >= 0) built_ins_.insert(built_in);
  }

  /// Where active lanes change.
  void change() {
    open_ = no_line;
    block_ = nowhere;
    fresh_head_ = false;
  }

  // ---- Counting ----

  void count(Index k, const Line& line, std::int64_t times = 1) {
    if (block_ == nowhere) block_ = k;
    if (final_) insertions_[block_].counted[line] += times;
  }

  /// Only some of the lanes start the line.
  void count_some(Index k, const Line& line) {
    if (fresh_head_) {
      const Level& loop = levels_.back();
      const Arrivals& back = back_[loop.construct];
      const bool first = any_at(loop.entered, line), later = any_at(back, line);
      // The first iteration has the lanes that came to the loop.
      if (first && !later && all_at(loop.entered, line)) {
        count(k, line);
        if (final_) --insertions_[loop.entry].counted[line];
        return;
      }
      if (!first && later && all_at(back, line)) {
        if (final_) ++insertions_[loop.entry].counted[line];
        return;
      }
    }
    for (const Arrival& from : now_) {
      if (from.kind == Arrival::Kind::anew) possible_ = false;
    }
    if (!final_ || !possible_) return;
    RegInfo info;
    info.type = Scalar::boolean;
    info.variable = true;
    info.lanes = true;
    ir_.regs.push_back(info);
    const auto known = static_cast<Reg>(ir_.regs.size() - 1);
    insertions_[k].started.emplace_back(line, known);
    for (const Arrival& from : now_) {
      // Variables are false at the start.
      if (from.kind == Arrival::Kind::start) continue;
      const Index at = from.kind == Arrival::Kind::after ? from.op + 1 : from.op;
      insertions_[at].known.emplace_back(known, from.line == line);
    }
  }

  // ---- Control flow ----

  /// Long, as it has a case for each operation of control flow.
  void control(Index k, const Op& op) {
    told_ = {"", 0};
    switch (op.code) {
      case Code::if_begin:
        reach(k, op);
        insertions_[k].branch = op.where.line != 0 && !now_.empty();
        open(op).waiting = now_;
        return change();
      case Code::if_else:
        if (is_empty_else(k)) return;
        add(levels_.back().arrived, now_);
        now_ = std::exchange(levels_.back().waiting, {});
        return change();
      case Code::if_end:
      case Code::switch_end:
        return close();
      case Code::switch_begin:
        reach(k, op);
        open(op).waiting = std::exchange(now_, {});
        return change();
      case Code::switch_case:
        return enter_case(k, op);
      case Code::loop_begin:
        return enter_loop(k, op);
      case Code::loop_head:
        add(now_, back_[construct_of(op)]);
        change();
        fresh_head_ = true;
        return;
      case Code::loop_test:
        return test_loop(k, op);
      case Code::trip_end:
        add(now_, std::exchange(levels_.back().continuing, {}));
        if (!tested_last_.contains(construct_of(op))) begin_anew(k);
        return change();
      case Code::loop_back:
        come_back(construct_of(op));
        return;
      case Code::loop_end:
        return close();
      case Code::call_begin:
        reach(k, op);
        callers_.push_back(std::exchange(now_, {Arrival{k, no_line, Arrival::Kind::after}}));
        return;
      case Code::call_end:
        now_ = std::move(callers_.back());
        callers_.pop_back();
        return change();
      case Code::leave_loop:
      case Code::leave_loop_around:
        reach(k, op);
        return leave_to(&Level::arrived, construct_of(op));
      case Code::leave_trip:
        reach(k, op);
        return leave_to(&Level::continuing, construct_of(op));
      case Code::retire:
        if (ir_.ops[k + 1].code != Code::end) reach(k, op);
        now_.clear();
        return change();
      case Code::barrier:
        reach(k, op);
        open_ = no_line;
        return;
      case Code::memory_barrier:
        return reach(k, op);
      default:
        return;
    }
  }

  Level& open(const Op& op) {
    levels_.emplace_back().construct = construct_of(op);
    return levels_.back();
  }
  void close() {
    add(now_, levels_.back().waiting);
    add(now_, levels_.back().arrived);
    levels_.pop_back();
    change();
  }
  void leave_to(Arrivals Level::*place, std::uint32_t construct) {
    const auto to = std::ranges::find(levels_, construct, &Level::construct);
    add((*to).*place, now_);
    now_.clear();
    change();
  }

  bool is_empty_else(Index k) const {
    return ir_.ops[k + 1].code == Code::if_end &&
           construct_of(ir_.ops[k + 1]) == construct_of(ir_.ops[k]);
  }

  /// The line ran when the switch was entered: nothing starts here.
  void enter_case(Index k, const Op& op) {
    change();
    add(now_, levels_.back().waiting);
    if (now_.empty()) return;
    open_ = line_of(op.where);
    built_ins_.clear();
    if (open_.second == 0) possible_ = false;
    now_ = {Arrival{k, open_, Arrival::Kind::after}};
  }

  void enter_loop(Index k, const Op& op) {
    const Line line = line_of(op.where);
    if (open_ == line || stays(k, line)) {
      reach(k, op);
    } else {
      open_ = no_line;
    }
    if (block_ == nowhere) block_ = k;
    const Index entry = block_;
    Level& loop = open(op);
    loop.entry = entry;
    loop.entered = now_;
  }
  /// Whether the row of a loop that starts stays: its test is next, or what is next is on the same line.
  bool stays(Index k, const Line& line) const {
    for (Index at = k + 1; at < ir_.ops.size(); ++at) {
      const Op& op = ir_.ops[at];
      if (op.code == Code::loop_head || op.code == Code::loop_back) continue;
      if (op.code == Code::loop_test) {
        if (op.as<LoopTest>().kind == LoopTest::Kind::precedes) continue;
        return true;
      }
      if (!is_control(op.code) && op.where.line == 0 && !is_told(op.code)) continue;
      return line_of(op.where) == line;
    }
    return false;
  }

  void test_loop(Index k, const Op& op) {
    const auto& test = op.as<LoopTest>();
    if (test.kind == LoopTest::Kind::precedes) return;
    reach(k, op);
    if (test.kind == LoopTest::Kind::asks) add(levels_.back().arrived, now_);
    if (tested_last_.contains(test.construct)) begin_anew(k);
    change();
  }
  void begin_anew(Index k) {
    if (!now_.empty()) now_ = {Arrival{k, no_line, Arrival::Kind::anew}};
  }
  void come_back(std::uint32_t construct) {
    Arrivals& back = back_[construct];
    const std::size_t before = back.size();
    add(back, now_);
    changed_ = changed_ || back.size() != before;
    now_.clear();
    change();
  }

  void find_tested_last() {
    std::set<std::uint32_t> ended, tested;
    for (const Op& op : ir_.ops) {
      if (op.code == Code::trip_end) ended.insert(construct_of(op));
      if (op.code != Code::loop_test || op.as<LoopTest>().kind == LoopTest::Kind::precedes)
        continue;
      const std::uint32_t loop = construct_of(op);
      if (tested.insert(loop).second && ended.contains(loop)) tested_last_.insert(loop);
    }
  }

  // ---- Insertion ----

  static Op counting(Code code, const SourceLocation& where) {
    Op op;
    op.code = code;
    op.type = Scalar::boolean;
    op.where = where;
    return op;
  }
  std::uint32_t add_counter(std::vector<CountedLine> lines) {
    ir_.counters.push_back(std::move(lines));
    return static_cast<std::uint32_t>(ir_.counters.size() - 1);
  }
  Reg constant(bool value) {
    std::optional<Reg>& known = constants_[value ? 1 : 0];
    if (!known) {
      RegInfo info;
      info.type = Scalar::boolean;
      info.constant = true;
      info.value = value ? 1 : 0;
      ir_.regs.push_back(info);
      known = static_cast<Reg>(ir_.regs.size() - 1);
    }
    return *known;
  }

  void append(const Insertion& insertion, const SourceLocation& where, std::vector<Op>& ops) {
    std::vector<CountedLine> lines;
    for (const auto& [line, times] : insertion.counted) {
      if (times != 0) lines.push_back({{line.first.data(), line.second}, times});
    }
    if (!lines.empty()) {
      Op& op = ops.emplace_back(counting(Code::count, where));
      op.detail = Counting{add_counter(std::move(lines))};
    }
    for (const auto& [line, known] : insertion.started) {
      Op& op = ops.emplace_back(counting(Code::count, where));
      op.detail = Counting{add_counter({{{line.first.data(), line.second}, 1}})};
      op.src = {known};
    }
    for (const auto& [known, value] : insertion.known) {
      Op& op = ops.emplace_back(counting(Code::move, where));
      op.dst = {known};
      op.src = {constant(value)};
    }
  }

  void append_sides(const Op& branch, std::vector<Op>& ops) {
    const auto add = [&](bool holds) {
      const std::uint32_t counter = add_counter({});
      Op& op = ops.emplace_back(counting(Code::count, branch.where));
      op.detail = Counting{counter, holds};
      op.src = {branch.src[0]};
      return counter;
    };
    const std::uint32_t holding = add(true), failing = add(false);
    ir_.counted_branches.push_back({branch.where, holding, failing});
  }
  void note_lines() {
    std::set<Line> lines;
    for (const Op& op : ir_.ops) {
      const bool is_code = !is_control(op.code) && op.code != Code::declare && op.where.line != 0;
      if (is_code && lines.insert(line_of(op.where)).second) ir_.counted_lines.push_back(op.where);
    }
  }

  Ir& ir_;
  std::vector<Insertion> insertions_;       ///< by the operation before which they are
  std::set<std::uint32_t> tested_last_;     ///< loops
  std::map<std::uint32_t, Arrivals> back_;  ///< by loop: the lanes that come back
  std::array<std::optional<Reg>, 2> constants_;
  bool changed_ = false, final_ = false, possible_ = true, any_line_ = false;

  // While following:
  Arrivals now_;
  Line open_ = no_line;      ///< the line of the row that the timeline would add to
  std::set<int> built_ins_;  ///< called in that row
  SourceLocation told_;  ///< the last line that observers would receive from the assembled program
  Index block_ = nowhere;    ///< where lines are counted for the lanes that are active
  bool fresh_head_ = false;  ///< since a loop's head the active lanes have not changed
  std::vector<Level> levels_;
  std::vector<Arrivals> callers_;
};

}  // namespace

bool count_work(Ir& ir) {
  Plan plan(ir);
  if (!plan.make()) return false;
  plan.insert();
  ir.counted = true;
  return true;
}

}  // namespace lockstep::spirv
