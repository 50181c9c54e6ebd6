#include "spirv/analyse.hpp"

#include <algorithm>
#include <unordered_map>

#include "spirv/predicate.hpp"

namespace lockstep::spirv {
namespace {

using Index = std::uint32_t;

bool opens(Code code) {
  return code == Code::if_begin || code == Code::loop_begin || code == Code::switch_begin ||
         code == Code::call_begin;
}
bool closes(Code code) {
  return code == Code::if_end || code == Code::loop_end || code == Code::switch_end ||
         code == Code::call_end;
}
bool continues(Code code) { return code == Code::if_else || code == Code::switch_case; }

void replace_sources(std::vector<Op>& ops, const std::vector<Reg>& by) {
  for (Op& op : ops) {
    for (Reg& r : op.src) {
      if (r != no_reg) r = by[r];
    }
  }
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

/// Values that are copies of values need no register of their own.
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

/// A value made inside a loop and used behind it: each lane must find that of its own last trip, though
/// others go on and make it anew.
void keep_values_behind_loops(Ir& ir) {
  const Regions regions(ir.ops);
  const auto none = static_cast<Index>(ir.ops.size());
  std::vector<Index> end(ir.regs.size(), none);
  std::unordered_map<Reg, Reg> kept;
  for (Index k = 0; k < ir.ops.size(); ++k) {
    for (const Reg r : ir.ops[k].dst) {
      if (!ir.regs[r].variable) end[r] = regions.loop_end[k];
    }
  }
  for (Index k = 0; k < ir.ops.size(); ++k) {
    for (Reg& r : ir.ops[k].src) {
      if (r == no_reg || k <= end[r]) continue;
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
    }
  }
  if (kept.empty()) return;
  std::vector<Op> ops;
  ops.reserve(ir.ops.size() + kept.size());
  for (Op& op : ir.ops) {
    const std::vector<Reg> made = op.dst;
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

/// Where variables are written and used.
struct Accesses {
  std::vector<std::vector<Index>> writes, uses;

  Accesses(const Ir& ir) : writes(ir.regs.size()), uses(ir.regs.size()) {
    for (Index k = 0; k < ir.ops.size(); ++k) {
      for (const Reg r : ir.ops[k].dst) writes[r].push_back(k);
      for (const Reg r : ir.ops[k].src) {
        if (r != no_reg) uses[r].push_back(k);
      }
    }
  }
  static bool between(const std::vector<Index>& sorted, Index after, Index before) {
    const auto found = std::upper_bound(sorted.begin(), sorted.end(), after);
    return found != sorted.end() && *found < before;
  }
};

/// A variable that was read and stays as it is until the value's last use need not be copied.
void forward_copies_of_variables(Ir& ir, const std::vector<bool>& indexed) {
  const Accesses accesses(ir);
  std::vector<Reg> by(ir.regs.size());
  for (Reg r = 0; r < by.size(); ++r) by[r] = r;
  std::vector<bool> gone(ir.ops.size());
  for (Index k = 0; k < ir.ops.size(); ++k) {
    const Op& op = ir.ops[k];
    if (op.code != Code::copy || !ir.regs[op.src[0]].variable || ir.regs[op.dst[0]].variable)
      continue;
    const auto& uses = accesses.uses[op.dst[0]];
    if (uses.empty()) {
      gone[k] = true;
      continue;
    }
    // Stores through an index are writes, too, that the list does not have.
    if (indexed[op.src[0]] || Accesses::between(accesses.writes[op.src[0]], k, uses.back()))
      continue;
    by[op.dst[0]] = op.src[0];
    gone[k] = true;
  }
  replace_sources(ir.ops, by);
  drop(ir.ops, gone);
}

/// Whether all lanes that come to the uses of what is written at k have come by k on this trip.
bool reaches_all(const Ir& ir, const Regions& regions, Index k, const std::vector<Index>& uses) {
  Index until = static_cast<Index>(ir.ops.size());
  // Behind the end of a trip are lanes, too, that went there early.
  for (Index at = k; at < regions.loop_end[k] && regions.loop_end[k] < ir.ops.size(); ++at) {
    if (ir.ops[at].code == Code::trip_end && regions.loop_end[at] == regions.loop_end[k])
      until = at;
  }
  return std::all_of(uses.begin(), uses.end(), [&](Index use) {
    return use > k && use < until && regions.is_inside(regions.of[use], regions.of[k]);
  });
}

/// A variable that is written once, by all lanes that read it later, is the value that it is given.
bool forward_single_writes(Ir& ir, const std::vector<bool>& indexed) {
  const Accesses accesses(ir);
  const Regions regions(ir.ops);
  std::vector<Reg> by(ir.regs.size());
  for (Reg r = 0; r < by.size(); ++r) by[r] = r;
  std::vector<bool> gone(ir.ops.size());
  bool any = false;
  for (Index k = 0; k < ir.ops.size(); ++k) {
    const Op& op = ir.ops[k];
    if (op.code != Code::move || ir.regs[op.src[0]].variable) continue;
    const Reg to = op.dst[0];
    if (indexed[to] || accesses.writes[to].size() != 1) continue;
    if (!reaches_all(ir, regions, k, accesses.uses[to])) continue;
    by[to] = op.src[0];
    gone[k] = true;
    any = true;
  }
  replace_sources(ir.ops, by);
  drop(ir.ops, gone);
  return any;
}

/// What a whole dispatch has one value of: push constants and lengths, at places known now.
bool is_same_in_dispatch(const Ir& ir, const Op& op) {
  if (!op.src.empty() && op.src[0] != no_reg) return false;
  return op.code == Code::array_length ||
         (op.code == Code::load &&
          ir.resources[op.construct].kind == ResourceUse::Kind::push_constants);
}

/// Such values are taken before the loops that want them.
void take_before_loops(Ir& ir) {
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

/// They are taken before everything, for a subgroup to begin behind them. Returns how many there are.
std::uint32_t take_to_begin(Ir& ir) {
  std::vector<Op> ops;
  for (Op& op : ir.ops) {
    if (is_same_in_dispatch(ir, op)) ops.push_back(op);
  }
  const auto count = static_cast<std::uint32_t>(ops.size());
  for (Op& op : ir.ops) {
    if (!is_same_in_dispatch(ir, op)) ops.push_back(std::move(op));
  }
  ir.ops = std::move(ops);
  return count;
}

bool has_effects(const Op& op) {
  return !is_pure(op.code) && op.code != Code::load && op.code != Code::load_indexed &&
         op.code != Code::array_length;
}

/// Operations whose results nobody uses.
void drop_dead(Ir& ir) {
  std::vector<std::uint32_t> uses(ir.regs.size());
  for (const Op& op : ir.ops) {
    for (const Reg r : op.src) {
      if (r != no_reg) ++uses[r];
    }
  }
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
    // A variable that nobody reads at all; one in a loop may be read before.
    gone[k] = true;
    for (const Reg r : op.src) {
      if (r != no_reg) --uses[r];
    }
  }
  drop(ir.ops, gone);
}

/// Finds the registers that are the same in all active lanes: assumes it of all, and takes it back where
/// something differs, until nothing changes.
class Uniformity {
 public:
  Uniformity(Ir& ir, bool tangled)
      : ir_(ir), tangled_(tangled), regions_(ir.ops), apart_(regions_.list.size()) {}

  void run() {
    for (RegInfo& r : ir_.regs) r.uniform = !r.lanes;
    find_homes();
    do {
      changed_ = false;
      for (Index k = 0; k < ir_.ops.size(); ++k) visit(k);
    } while (changed_);
  }

  const Regions& regions() const { return regions_; }
  /// The region that a variable lives in.
  std::uint32_t home(Reg r) const { return home_[r]; }
  /// Whether some lanes of `home` may not be in the region.
  bool divergent(std::uint32_t region, std::uint32_t home) const {
    for (; region != home && region != 0; region = regions_.list[region].parent) {
      if (apart_[region]) return true;
    }
    if (region != home) return true;
    // Of a selection's side only who enters it differs; others lose lanes on the way.
    const Code kind = regions_.list[home].kind;
    return kind != Code::if_begin && kind != Code::if_else && apart_[home];
  }

 private:
  bool all_uniform(const Op& op) const {
    return std::all_of(op.src.begin(), op.src.end(),
                       [&](Reg r) { return r == no_reg || ir_.regs[r].uniform; });
  }
  void differs(Reg r) {
    if (!ir_.regs[r].uniform) return;
    ir_.regs[r].uniform = false;
    changed_ = true;
  }
  void part(std::uint32_t region) {
    if (apart_[region]) return;
    apart_[region] = true;
    changed_ = true;
  }
  std::uint32_t common(std::uint32_t a, std::uint32_t b) const {
    // Parents come before their children.
    while (a != b) (a > b ? a : b) = regions_.list[a > b ? a : b].parent;
    return a;
  }

  /// The region a variable lives in, as far as that can be told: that around all its accesses, if it
  /// is given a value there before it is read.
  void find_homes() {
    std::vector<std::uint32_t> around(ir_.regs.size(), ~0u), first(ir_.regs.size(), ~0u);
    std::vector<bool> starts_with_write(ir_.regs.size());
    const auto access = [&](Reg r, Index k, bool write) {
      if (r == no_reg || !ir_.regs[r].variable) return;
      if (first[r] == ~0u) {
        first[r] = k;
        starts_with_write[r] = write;
        around[r] = regions_.of[k];
      } else {
        around[r] = common(around[r], regions_.of[k]);
      }
    };
    for (Index k = 0; k < ir_.ops.size(); ++k) {
      for (const Reg r : ir_.ops[k].src) access(r, k, false);
      for (const Reg r : ir_.ops[k].dst) access(r, k, true);
    }
    home_.assign(ir_.regs.size(), 0);
    for (Reg r = 0; r < ir_.regs.size(); ++r) {
      if (first[r] != ~0u && starts_with_write[r] && regions_.of[first[r]] == around[r])
        home_[r] = around[r];
    }
  }

  /// A jump out of a construct parts its lanes unless all of them take it.
  void jump(Index k, Code from_kind_a, Code from_kind_b, std::uint32_t construct) {
    bool divergent = false;
    for (std::uint32_t r = regions_.of[k]; r != 0; r = regions_.list[r].parent) {
      const Region& region = regions_.list[r];
      const bool target = (region.kind == from_kind_a || region.kind == from_kind_b) &&
                          (construct == ~0u || region.construct == construct);
      if (target) {
        if (divergent) part_construct(region.construct);
        return;
      }
      divergent = divergent || apart_[r];
    }
  }
  void part_construct(std::uint32_t construct) {
    for (std::uint32_t r = 0; r < regions_.list.size(); ++r) {
      if (r != 0 && regions_.list[r].construct == construct) part(r);
    }
  }

  void visit(Index k) {
    const Op& op = ir_.ops[k];
    switch (op.code) {
      case Code::if_begin:
      case Code::switch_case:
        if (!all_uniform(op)) part_construct(op.construct);
        return;
      case Code::loop_test:
        if (!all_uniform(op) || inner_divergence(k, op.construct)) part_construct(op.construct);
        return;
      case Code::leave_loop:
      case Code::leave_loop_around:
      case Code::leave_trip:
        if (inner_divergence(k, op.construct)) part_construct(op.construct);
        return;
      case Code::retire:
        jump(k, Code::call_begin, Code::call_begin, ~0u);
        return;
      case Code::move:
        if (!all_uniform(op) || divergent(regions_.of[k], home_[op.dst[0]])) differs(op.dst[0]);
        return;
      default:
        break;
    }
    if (is_control(op.code)) return;
    if (!result_is_uniform(op)) {
      for (const Reg r : op.dst) differs(r);
    }
  }
  /// Whether lanes part between the construct and the operation inside it.
  bool inner_divergence(Index k, std::uint32_t construct) const {
    for (std::uint32_t r = regions_.of[k]; r != 0; r = regions_.list[r].parent) {
      if (regions_.list[r].construct == construct) return false;
      if (apart_[r]) return true;
    }
    return false;
  }

  bool result_is_uniform(const Op& op) const {
    if (is_pure(op.code)) return all_uniform(op);
    switch (op.code) {
      case Code::load:
      case Code::load_address:
      case Code::array_length:
      case Code::image_size:
        return all_uniform(op);
      case Code::all:
      case Code::any:
      case Code::all_equal:
      case Code::broadcast:
      case Code::broadcast_first:
      case Code::ballot:
      case Code::reduce:
        return !tangled_;
      case Code::ballot_bit_count:
      case Code::ballot_find_lsb:
      case Code::ballot_find_msb:
        return !tangled_ && all_uniform(op);
      default:
        return false;
    }
  }

  Ir& ir_;
  bool tangled_;
  Regions regions_;
  std::vector<bool> apart_;
  std::vector<std::uint32_t> home_;
  bool changed_ = false;
};

/// The operation whose value a move takes may write the variable itself: in the active lanes only, where
/// some may be missing.
void write_variables_directly(Ir& ir, const Uniformity& uniformity) {
  const Accesses accesses(ir);
  const Regions& regions = uniformity.regions();
  std::vector<bool> gone(ir.ops.size());
  // Whether the lanes that do not come to the write do not come to a use of what it writes either.
  const auto for_all = [&](Index k, Reg to) {
    return !uniformity.divergent(regions.of[k], uniformity.home(to));
  };
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
    // The operation may not overwrite what it still reads at another width.
    if (std::find(op.src.begin(), op.src.end(), to) != op.src.end() &&
        (ir.regs[to].uniform != ir.regs[from].uniform || op.code == Code::convert))
      continue;
    op.dst[0] = to;
    op.masked = !for_all(k, to) && !ir.regs[to].uniform;
    gone[k] = true;
  }
  // What is left may at least write all lanes where the others' are not needed.
  for (Index k = 0; k < ir.ops.size(); ++k) {
    Op& move = ir.ops[k];
    if (move.code == Code::move && !gone[k] && for_all(k, move.dst[0])) move.code = Code::copy;
  }
  drop(ir.ops, gone);
}

}  // namespace

bool Regions::is_inside(std::uint32_t region, std::uint32_t outer) const {
  // Parents come before their children.
  while (region > outer) region = list[region].parent;
  return region == outer;
}

Regions::Regions(const std::vector<Op>& ops)
    : of(ops.size()), loop_end(ops.size()), loop_begin(ops.size()) {
  list.push_back({});
  std::uint32_t current = 0;
  std::vector<std::uint32_t> loops;
  const auto none = static_cast<std::uint32_t>(ops.size());
  for (std::uint32_t k = 0; k < ops.size(); ++k) {
    const Op& op = ops[k];
    if (closes(op.code) || continues(op.code)) current = list[current].parent;
    if (op.code == Code::loop_end) loops.pop_back();
    of[k] = current;
    loop_begin[k] = loops.empty() ? 0 : loops.back();
    if (op.code == Code::loop_begin) loops.push_back(k);
    if (opens(op.code) || continues(op.code)) {
      list.push_back({current, op.construct, op.code});
      current = static_cast<std::uint32_t>(list.size() - 1);
    }
  }
  std::vector<std::uint32_t> ends;
  for (std::uint32_t k = none; k-- > 0;) {
    if (ops[k].code == Code::loop_begin) ends.pop_back();
    loop_end[k] = ends.empty() ? none : ends.back();
    if (ops[k].code == Code::loop_end) ends.push_back(k);
  }
}

bool is_uniform_branch(const Ir& ir, const Op& op) { return ir.regs[op.src[0]].uniform; }

std::uint64_t push_bytes_of(const Ir& ir) {
  std::uint64_t most = 0;
  for (const Op& op : ir.ops) {
    if (op.code != Code::load || !is_same_in_dispatch(ir, op) || op.dst.empty()) continue;
    most = std::max(most, op.imm + (op.dst.size() - 1) * op.limit + size_of(op.type));
  }
  return most;
}

std::uint32_t analyse(Ir& ir, const AssembleOptions& options) {
  const bool tangled = options.tangled;
  std::vector<bool> indexed(ir.regs.size());
  for (const IndexedVariable& v : ir.indexed) {
    for (const Reg r : v.regs) {
      ir.regs[r].lanes = true;
      indexed[r] = true;
    }
  }
  forward_copies_of_values(ir);
  keep_values_behind_loops(ir);
  indexed.resize(ir.regs.size());
  forward_copies_of_variables(ir, indexed);
  if (!tangled) {
    while (forward_single_writes(ir, indexed)) forward_copies_of_variables(ir, indexed);
    if (!options.all_push_bytes) take_before_loops(ir);
  }
  drop_dead(ir);
  const bool begins_behind = !tangled && options.all_push_bytes;
  const std::uint32_t once = begins_behind ? take_to_begin(ir) : 0;
  Uniformity(ir, tangled).run();
  if (tangled) return 0;
  predicate_selections(ir);
  Uniformity uniformity(ir, tangled);
  uniformity.run();
  write_variables_directly(ir, uniformity);
  return once;
}

}  // namespace lockstep::spirv
