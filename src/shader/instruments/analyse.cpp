#include "shader/instruments/analyse.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <unordered_map>

#include "shader/instruments/bounds/bounded_values.hpp"
#include "shader/instruments/bounds/swap_loops.hpp"
#include "shader/instruments/events/tell_variables.hpp"
#include "shader/instruments/folded_operations.hpp"
#include "shader/instruments/undefined/undefined_values.hpp"
#include "shader/instruments/work/count_work.hpp"
#include "shader/ir/chosen_extremes.hpp"
#include "shader/ir/discarded_loads.hpp"
#include "shader/ir/early_jumps.hpp"
#include "shader/ir/expectations.hpp"
#include "shader/ir/predicate.hpp"
#include "shader/ir/regions.hpp"
#include "shader/ir/repeated_values.hpp"
#include "shader/ir/steps.hpp"
#include "shader/ir/uniformity.hpp"

namespace lockstep::spirv {
namespace {

using Index = std::uint32_t;

void replace_sources(std::vector<Op>& ops, const std::vector<Reg>& by) {
  steps_of_passes += ops.size();
  for (Op& op : ops) visit_sources(op, [&](Reg& r) { r = by[r]; });
}

void drop(std::vector<Op>& ops, const std::vector<bool>& gone) {
  std::size_t kept = 0;
  for (std::size_t k = 0; k < ops.size(); ++k) {
    if (gone[k]) continue;
    if (kept != k) ops[kept] = std::move(ops[k]);
    ++kept;
  }
  ops.resize(kept);
}

/// Copies of values need no register of their own.
void forward_copies_of_values(Ir& ir) {
  std::vector<Reg> by(ir.regs.size());
  for (Reg r = 0; r < by.size(); ++r) by[r] = r;
  std::vector<bool> gone(ir.ops.size());
  for (std::size_t k = 0; k < ir.ops.size(); ++k) {
    const Op& op = ir.ops[k];
    if (op.code != Code::copy || ir.regs[op.src[0]].variable || ir.regs[op.dst[0]].variable)
      continue;
    by[op.dst[0]] = by[op.src[0]];
    gone[k] = true;
  }
  replace_sources(ir.ops, by);
  drop(ir.ops, gone);
}

/// A value computed in a loop and used after it: each lane needs the value of its own last iteration, although
/// other lanes go on and compute it again.
void keep_values_after_loops(Ir& ir) {
  const Regions regions(ir.ops);
  const auto none = static_cast<Index>(ir.ops.size());
  std::vector<Index> end(ir.regs.size(), none);
  std::unordered_map<Reg, Reg> kept;
  for (Index k = 0; k < ir.ops.size(); ++k) {
    visit_results(ir.ops[k], [&](Reg r) {
      if (!ir.regs[r].variable) end[r] = regions.loop_end[k];
    });
  }
  for (Index k = 0; k < ir.ops.size(); ++k) {
    visit_sources(ir.ops[k], [&](Reg& r) {
      if (k <= end[r]) return;
      auto found = kept.find(r);
      if (found == kept.end()) {
        RegInfo info;
        info.type = ir.regs[r].type;
        info.variable = true;
        ir.regs.push_back(info);
        found = kept.emplace(r, static_cast<Reg>(ir.regs.size() - 1)).first;
        end.push_back(none);
      }
      r = found->second;
    });
  }
  if (kept.empty()) return;
  std::vector<Op> ops;
  ops.reserve(ir.ops.size() + kept.size());
  for (Op& op : ir.ops) {
    const RegList made = op.dst;
    const SourceLocation where = op.where;
    ops.push_back(std::move(op));
    for (const Reg r : made) {
      const auto found = kept.find(r);
      if (found == kept.end()) continue;
      Op& move = ops.emplace_back();
      move.code = Code::move;
      move.type = ir.regs[r].type;
      move.dst = {found->second};
      move.src = {r};
      move.where = where;
    }
  }
  ir.ops = std::move(ops);
}

/// The operations that access each register, in order.
class Positions {
 public:
  /// visit calls a function with each register that an operation accesses.
  template <class Visit>
  Positions(const Ir& ir, Visit visit) : begin_(ir.regs.size() + 1) {
    for (const Op& op : ir.ops) visit(op, [&](Reg r) { ++begin_[r + 1]; });
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    at_.resize(begin_.back());
    std::vector<Index> next(begin_.begin(), begin_.end() - 1);
    for (Index k = 0; k < ir.ops.size(); ++k) visit(ir.ops[k], [&](Reg r) { at_[next[r]++] = k; });
  }
  std::span<const Index> operator[](Reg r) const {
    return std::span(at_).subspan(begin_[r], begin_[r + 1] - begin_[r]);
  }

 private:
  std::vector<Index> begin_, at_;
};

/// Where variables are written and used.
struct Accesses {
  Positions writes, uses;

  Accesses(const Ir& ir)
      : writes(ir, [](const Op& op, auto f) { visit_results(op, f); }),
        uses(ir, [](const Op& op, auto f) { visit_sources(op, f); }) {}
  static bool between(std::span<const Index> sorted, Index after, Index before) {
    const auto found = std::upper_bound(sorted.begin(), sorted.end(), after);
    return found != sorted.end() && *found < before;
  }
};

/// Where the last use of a value that is made at k ends: a loop that begins after k uses it again in each iteration.
Index end_of_uses(const Regions& regions, Index k, std::span<const Index> uses) {
  Index until = k;
  for (const Index use : uses) {
    until = std::max(until, use);
    for (Index at = use; regions.loop_end[at] < regions.loop_end.size();) {
      ++steps_of_passes;
      const Index begin = regions.loop_begin[at];
      if (begin <= k) break;
      until = std::max(until, regions.loop_end[at]);
      at = begin;
    }
  }
  return until;
}

/// A variable that does not change between a read and the value's last use need not be copied.
void forward_copies_of_variables(Ir& ir, const std::vector<bool>& indexed) {
  const Accesses accesses(ir);
  const Regions regions(ir.ops);
  std::vector<Reg> by(ir.regs.size());
  for (Reg r = 0; r < by.size(); ++r) by[r] = r;
  std::vector<bool> gone(ir.ops.size());
  for (Index k = 0; k < ir.ops.size(); ++k) {
    const Op& op = ir.ops[k];
    if (op.code != Code::copy || !ir.regs[op.src[0]].variable || ir.regs[op.dst[0]].variable)
      continue;
    const auto uses = accesses.uses[op.dst[0]];
    if (uses.empty()) {
      gone[k] = true;
      continue;
    }
    // The list lacks stores through an index.
    if (indexed[op.src[0]] ||
        Accesses::between(accesses.writes[op.src[0]], k, end_of_uses(regions, k, uses)))
      continue;
    by[op.dst[0]] = op.src[0];
    gone[k] = true;
  }
  replace_sources(ir.ops, by);
  drop(ir.ops, gone);
}

/// By the end of each loop the end of its iterations, where lanes that continued early rejoin; elsewhere 0.
std::vector<Index> ends_of_iterations(const Ir& ir, const Regions& regions) {
  std::vector<Index> ends(ir.ops.size() + 1);
  for (Index k = 0; k < ir.ops.size(); ++k) {
    if (ir.ops[k].code == Code::trip_end) ends[regions.loop_end[k]] = k;
  }
  ends.back() = 0;
  return ends;
}

/// Whether all lanes that reach the uses of the variable written at k executed k in the same iteration.
bool reaches_all(const Ir& ir, const Regions& regions, const std::vector<Index>& iteration_ends,
                 Index k, std::span<const Index> uses) {
  const Index end = iteration_ends[regions.loop_end[k]];
  const Index until = end >= k && end != 0 ? end : static_cast<Index>(ir.ops.size());
  return std::all_of(uses.begin(), uses.end(), [&](Index use) {
    return use > k && use < until && regions.is_inside(regions.of[use], regions.of[k]);
  });
}

/// A variable that is written once, by all lanes that read it later, is replaced by the value written, or by the variable
/// that it is a copy of, as a parameter is of its argument, if that does not change while the copy is used.
bool forward_single_writes(Ir& ir, const std::vector<bool>& indexed) {
  const Accesses accesses(ir);
  const Regions regions(ir.ops);
  const std::vector<Index> iteration_ends = ends_of_iterations(ir, regions);
  std::vector<Reg> by(ir.regs.size());
  for (Reg r = 0; r < by.size(); ++r) by[r] = r;
  std::vector<bool> gone(ir.ops.size());
  bool any = false;
  for (Index k = 0; k < ir.ops.size(); ++k) {
    const Op& op = ir.ops[k];
    if (op.code != Code::move) continue;
    // Of a variable that was just replaced, its value.
    const Reg from = by[op.src[0]], to = op.dst[0];
    if (indexed[to] || accesses.writes[to].size() != 1) continue;
    const auto uses = accesses.uses[to];
    if (!reaches_all(ir, regions, iteration_ends, k, uses)) continue;
    if (ir.regs[from].variable &&
        (indexed[from] ||
         Accesses::between(accesses.writes[from], k, end_of_uses(regions, k, uses))))
      continue;
    by[to] = from;
    gone[k] = true;
    any = true;
  }
  replace_sources(ir.ops, by);
  drop(ir.ops, gone);
  return any;
}

/// Values that are constant per dispatch: push constants and array lengths at constant offsets.
bool is_same_in_dispatch(const Ir& ir, const Op& op) {
  if (!op.src.empty() && op.src[0] != no_reg) return false;
  return op.code == Code::array_length ||
         (op.code == Code::load &&
          ir.resources[place_of(op).resource].kind == ResourceUse::Kind::push_constants);
}

/// Hoists these values out of the loops that use them.
void hoist_out_of_loops(Ir& ir) {
  const Regions regions(ir.ops);
  const auto none = static_cast<Index>(ir.ops.size());
  std::unordered_map<Index, std::vector<Index>> before;
  std::vector<bool> moved(ir.ops.size());
  for (Index k = 0; k < none; ++k) {
    if (regions.loop_end[k] == none || !is_same_in_dispatch(ir, ir.ops[k])) continue;
    Index begin = k;
    while (regions.loop_end[begin] != none) begin = regions.loop_begin[begin];
    before[begin].push_back(k);
    moved[k] = true;
  }
  if (before.empty()) return;
  std::vector<Op> ops;
  ops.reserve(ir.ops.size());
  for (Index k = 0; k < none; ++k) {
    if (const auto found = before.find(k); found != before.end()) {
      for (const Index from : found->second) ops.push_back(ir.ops[from]);
    }
    if (!moved[k]) ops.push_back(std::move(ir.ops[k]));
  }
  ir.ops = std::move(ops);
}

/// Hoists them to the start of the program: subgroups start after them. Returns how many there are.
std::uint32_t hoist_to_start(Ir& ir) {
  std::vector<Op> ops;
  for (Op& op : ir.ops) {
    if (is_same_in_dispatch(ir, op)) ops.push_back(op);
  }
  const auto count = static_cast<std::uint32_t>(ops.size());
  if (count == 0) return 0;
  ops.reserve(ir.ops.size());
  for (Op& op : ir.ops) {
    if (!is_same_in_dispatch(ir, op)) ops.push_back(std::move(op));
  }
  ir.ops = std::move(ops);
  return count;
}

/// Leaves the first of two values where an implementation chooses.
void choose_first(Ir& ir) {
  for (Op& op : ir.ops) {
    if (op.code != Code::select || !ir.regs[op.src[0]].open) continue;
    op.code = Code::copy;
    op.src = {op.src[1]};
  }
}

bool has_effects(const Op& op) {
  if (op.silent && (is_subgroup(op.code) || op.code == Code::undefined_lanes)) return false;
  return !is_pure(op.code) && op.code != Code::load && op.code != Code::load_indexed &&
         op.code != Code::array_length;
}

/// Removes operations without effects whose results have no uses.
void drop_dead(Ir& ir) {
  std::vector<std::uint32_t> uses(ir.regs.size());
  for (const Op& op : ir.ops) visit_sources(op, [&](Reg r) { ++uses[r]; });
  std::vector<bool> read(ir.regs.size());
  for (const IndexedVariable& v : ir.indexed) {
    for (const Reg r : v.regs) read[r] = true;
  }
  std::vector<bool> gone(ir.ops.size());
  for (std::size_t k = ir.ops.size(); k-- > 0;) {
    const Op& op = ir.ops[k];
    const bool wanted =
        std::any_of(op.dst.begin(), op.dst.end(), [&](Reg r) { return uses[r] > 0 || read[r]; });
    if (wanted || op.dst.empty() || (has_effects(op) && op.code != Code::move)) continue;
    // A variable without any read; in a loop, an earlier operation may read it.
    gone[k] = true;
    visit_sources(op, [&](Reg r) { --uses[r]; });
  }
  drop(ir.ops, gone);
}

/// Where lanes that leave a loop, switch or call continue: they skip the operations in between.
class Departures {
 public:
  Departures(const Ir& ir, const Uniformity& uniformity)
      : ir_(ir), uniformity_(uniformity), goes_on_(ir.ops.size()) {
    std::vector<Index> end(ir.constructs, 0), trip_end(ir.constructs, 0);
    std::vector<Index> calls{static_cast<Index>(ir.ops.size())};
    for (Index k = static_cast<Index>(ir.ops.size()); k-- > 0;) {
      const Op& op = ir.ops[k];
      switch (op.code) {
        case Code::call_end:
          calls.push_back(k);
          break;
        case Code::call_begin:
          calls.pop_back();
          break;
        case Code::loop_end:
        case Code::switch_end:
          end[construct_of(op)] = k;
          break;
        case Code::trip_end:
          trip_end[construct_of(op)] = k;
          break;
        case Code::loop_test:
        case Code::leave_loop:
        case Code::leave_loop_around:
          goes_on_[k] = end[construct_of(op)];
          leaves_.push_back(k);
          break;
        case Code::leave_trip:
          goes_on_[k] = trip_end[construct_of(op)];
          leaves_.push_back(k);
          break;
        case Code::retire:
          goes_on_[k] = calls.back();
          leaves_.push_back(k);
          break;
        default:
          break;
      }
    }
    std::reverse(leaves_.begin(), leaves_.end());
  }

  /// Whether lanes may leave between two operations, skip the second, and read the variable later.
  bool read_after_leaving(Reg variable, std::span<const Index> uses, Index after,
                          Index before) const {
    for (auto at = std::upper_bound(leaves_.begin(), leaves_.end(), after);
         at != leaves_.end() && *at < before; ++at) {
      const Index next = goes_on_[*at];
      if (next > before && next < ir_.ops.size() && reads_from(next, variable, uses)) return true;
    }
    return false;
  }

 private:
  /// Whether lanes that continue at an operation may read the variable: after it, or before it in another
  /// iteration of a loop inside the region that starts with a write of the variable.
  bool reads_from(Index next, Reg variable, std::span<const Index> uses) const {
    if (!uses.empty() && uses.back() >= next) return true;
    const Regions& regions = uniformity_.regions();
    const std::uint32_t home = uniformity_.home(variable);
    for (Index at = next; regions.loop_end[at] < ir_.ops.size(); at = regions.loop_begin[at]) {
      const Index begin = regions.loop_begin[at];
      if (!regions.is_inside(regions.of[begin], home)) break;
      const auto found = std::lower_bound(uses.begin(), uses.end(), begin);
      if (found != uses.end() && *found <= regions.loop_end[at]) return true;
    }
    return false;
  }

  const Ir& ir_;
  const Uniformity& uniformity_;
  std::vector<Index> leaves_;   ///< the operations at which lanes leave
  std::vector<Index> goes_on_;  ///< by operation: where its lanes continue
};

/// Lets the operation whose result a move copies write the variable itself: under the mask, unless all lanes that
/// read the variable later are active.
void write_variables_directly(Ir& ir, const Uniformity& uniformity,
                              const std::vector<bool>& indexed) {
  const Accesses accesses(ir);
  const Departures departures(ir, uniformity);
  const Regions& regions = uniformity.regions();
  std::vector<bool> gone(ir.ops.size());
  // Whether lanes that do not execute the write do not execute a use of it either.
  const auto for_all = [&](Index k, Reg to) {
    return !uniformity.divergent(regions.of[k], uniformity.home(to));
  };
  const auto is_indexed = [&](Reg r) { return r < indexed.size() && indexed[r]; };
  for (Index k = 0; k < ir.ops.size(); ++k) {
    const Op& move = ir.ops[k];
    if (move.code != Code::move) continue;
    const Reg from = move.src[0], to = move.dst[0];
    if (ir.regs[from].variable || ir.regs[from].constant) continue;
    if (accesses.writes[from].size() != 1 || accesses.uses[from].size() != 1) continue;
    const Index made = accesses.writes[from][0];
    Op& op = ir.ops[made];
    if (made >= k || regions.of[made] != regions.of[k]) continue;
    if (!is_pure(op.code) || op.dst.size() != 1 || op.masked) continue;
    if (ir.regs[to].type == Scalar::boolean && !for_all(k, to)) continue;
    if (Accesses::between(accesses.writes[to], made, k) ||
        Accesses::between(accesses.uses[to], made, k))
      continue;
    // An access through an index may be to the variable.
    if (is_indexed(to) && made + 1 != k) continue;
    // Lanes that leave before the move keep the variable's old value.
    if (departures.read_after_leaving(to, accesses.uses[to], made, k)) continue;
    // The operation may not overwrite an operand that it reads at another width.
    if (std::find(op.src.begin(), op.src.end(), to) != op.src.end() &&
        (ir.regs[to].uniform != ir.regs[from].uniform || op.code == Code::convert))
      continue;
    op.dst[0] = to;
    op.masked = !for_all(k, to) && !ir.regs[to].uniform;
    gone[k] = true;
  }
  // A move that is left writes all lanes where no other lane needs the old value.
  for (Index k = 0; k < ir.ops.size(); ++k) {
    Op& move = ir.ops[k];
    if (move.code == Code::move && !gone[k] && for_all(k, move.dst[0])) move.code = Code::copy;
  }
  drop(ir.ops, gone);
}

/// Words of ballots beyond the subgroup size are zero.
void drop_words(Ir& ir, int size) {
  const auto words = static_cast<std::size_t>(size + 31) / 32;
  std::vector<bool> is_zero(ir.regs.size());
  for (const Op& op : ir.ops) {
    if (op.code != Code::ballot) continue;
    for (std::size_t k = words; k < op.dst.size(); ++k) is_zero[op.dst[k]] = true;
  }
  RegInfo info;
  info.constant = true;
  info.uniform = true;
  const auto zero = static_cast<Reg>(ir.regs.size());
  ir.regs.push_back(info);
  for (Op& op : ir.ops) {
    visit_sources(op, [&](Reg& r) {
      if (is_zero[r]) r = zero;
    });
  }
}

/// Registers of variables with an index, which hold a value for each lane.
std::vector<bool> indexed_registers(Ir& ir) {
  std::vector<bool> indexed(ir.regs.size());
  for (const IndexedVariable& v : ir.indexed) {
    for (const Reg r : v.regs) {
      ir.regs[r].lanes = true;
      indexed[r] = true;
    }
  }
  return indexed;
}

/// Adds what counts work, bounds results and finds undefined values.
void add_instruments(Ir& ir, const AssembleOptions& options) {
  if (options.counted) {
    drop_dead(ir);
    count_work(ir);
  }
  const Checks undefined = options.checks & undefined_checks();
  if (!undefined.any() && !options.bounds) return;
  drop_dead(ir);
  // With choices of convergence the loop's own count, too.
  if (options.bounds && !options.tangled) replace_swap_loops(ir);
  if (options.bounds) track_bounds(ir, options.only_float_order);
  if (undefined.any())
    track_undefined(ir, undefined | (options.checks & Checks{Check::broadcast_not_uniform}));
}

}  // namespace

std::uint64_t push_bytes_of(const Ir& ir) {
  std::uint64_t most = 0;
  for (const Op& op : ir.ops) {
    if (op.code != Code::load || !is_same_in_dispatch(ir, op) || op.dst.empty()) continue;
    const MemoryPlace& place = place_of(op);
    most = std::max(most, place.offset + (op.dst.size() - 1) * place.step + size_of(op.type));
  }
  return most;
}

std::uint32_t analyse(Ir& ir, int size, const AssembleOptions& options) {
  const bool tangled = options.tangled, on_stack = tangled && !options.one_tangle;
  // First: named values have places among the operations as lowered.
  if (tangled && options.variables.any()) tell_variables(ir, options.variables);
  choose_expectations(ir, options.checks);
  if (!options.bounds) choose_first(ir);
  if (ir.discards_loads) restrict_discarded_loads(ir);
  mark_built_ins(ir);
  // Counted lines are those of the functions as they are.
  if (!tangled && !options.any_order && !options.counted) make_jumps_sides(ir);
  std::vector<bool> indexed = indexed_registers(ir);
  forward_copies_of_values(ir);
  keep_values_after_loops(ir);
  indexed.resize(ir.regs.size());
  forward_copies_of_variables(ir, indexed);
  add_instruments(ir, options);
  indexed = indexed_registers(ir);
  if (!on_stack) {
    while (forward_single_writes(ir, indexed)) forward_copies_of_variables(ir, indexed);
    if (!tangled) {
      drop_dead(ir);
      fold_operations(ir);
    }
    if (options.shows_results_alone()) {
      drop_repeated_values(ir, indexed);
      hoist_invariant_values(ir, indexed);
    }
    if (!tangled && !options.all_push_bytes) hoist_out_of_loops(ir);
  }
  drop_dead(ir);
  const bool starts_after = !tangled && options.all_push_bytes;
  const std::uint32_t once = starts_after ? hoist_to_start(ir) : 0;
  if (options.any_order) {
    // Code that uses their values may run for lanes of several iterations together.
    for (RegInfo& reg : ir.regs) reg.uniform = reg.constant;
    return 0;
  }
  [[maybe_unused]] const Uniformity of_registers(ir, on_stack);  // marks the uniform ones
  if (on_stack) return 0;
  predicate_selections(ir);
  if (options.shows_results_alone()) find_extremes(ir, indexed);
  write_variables_directly(ir, Uniformity(ir, false), indexed);
  drop_words(ir, size);
  return once;
}

}  // namespace lockstep::spirv
