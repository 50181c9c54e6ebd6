#include "shader/instruments/bounds/known_index.hpp"

#include <algorithm>

#include "shader/ir/regions.hpp"

namespace lockstep::spirv {
namespace {

/// Whether the operation has the same result again, and the same on every device.
bool repeats(const Op& op) {
  if (op.code == Code::move || op.code == Code::image_texel) return true;
  return is_pure(op.code) && !is_float(op.type) && (op.code != Code::convert || !is_float(op.from));
}

/// Longer computations are not repeated.
constexpr std::size_t most_operations = 32;

}  // namespace

KnownIndex::KnownIndex(const Ir& ir, const std::vector<Op>& ops)
    : ir_(ir),
      ops_(ops),
      ranges_(ir.constructs),
      writers_(ir.regs.size()),
      indexed_(ir.regs.size()) {
  for (std::uint32_t k = 0; k < ops.size(); ++k) note(k);
  for (const IndexedVariable& v : ir.indexed) {
    for (const Reg r : v.regs) indexed_[r] = true;
  }
}

void KnownIndex::note(std::uint32_t k) {
  const Op& op = ops_[k];
  std::uint32_t innermost = innermost_.empty() ? no_construct : innermost_.back();
  if (opens_construct(op.code)) {
    Range& range = ranges_[construct_of(op)];
    range.begin = k;
    range.loop = op.code == Code::loop_begin;
    range.parent = innermost;
    innermost = construct_of(op);
  } else if (closes_construct(op.code)) {
    ranges_[construct_of(op)].end = k;
    innermost = ranges_[construct_of(op)].parent;
  } else if (op.code == Code::if_else || op.code == Code::switch_case ||
             op.code == Code::trip_end) {
    ranges_[construct_of(op)].parts.push_back(k);
  }
  innermost_.push_back(innermost);
  visit_results(op, [&](Reg r) {
    if (r != no_reg) writers_[r].push_back(k);
  });
}

/// Whether a lane that is at `use` was at the operation before, in the same iteration of all loops around it.
bool KnownIndex::dominates(std::uint32_t op, std::uint32_t use) const {
  if (op >= use) return false;
  const std::uint32_t inside = innermost_[op];
  if (inside == no_construct) return true;
  if (!ranges_[inside].has(use)) return false;
  const auto& parts = ranges_[inside].parts;
  return std::none_of(parts.begin(), parts.end(),
                      [&](std::uint32_t part) { return op < part && part <= use; });
}

bool KnownIndex::may_follow(std::uint32_t op, std::uint32_t from, std::uint32_t reach) const {
  const bool all = reach == leaves_all;
  if (!all && !ranges_[reach].has(op)) return false;
  if (op > from) return true;
  return std::any_of(ranges_.begin(), ranges_.end(), [&](const Range& loop) {
    return loop.loop && loop.has(from) && loop.has(op) &&
           (all || (ranges_[reach].has(loop.begin) && ranges_[reach].has(loop.end)));
  });
}

bool KnownIndex::add(Reg r, std::uint32_t use, std::uint32_t from, std::uint32_t reach,
                     Computation& all) const {
  if (indexed_[r]) return false;
  const auto& writers = writers_[r];
  const bool changes = std::any_of(writers.begin(), writers.end(), [&](std::uint32_t k) {
    return may_follow(k, from, reach) || (k >= from && !ir_.regs[r].variable);
  });
  if (!changes) {
    all.roots.push_back(r);
    return true;
  }
  if (writers.size() != 1 || !dominates(writers[0], use)) return false;
  const Op& op = ops_[writers[0]];
  if (!repeats(op) || all.ops.size() >= most_operations) return false;
  if (std::find(all.ops.begin(), all.ops.end(), writers[0]) != all.ops.end()) return true;
  for (const Reg source : op.src) {
    if (source != no_reg && !add(source, writers[0], from, reach, all)) return false;
  }
  all.ops.push_back(writers[0]);
  return true;
}

const Op* KnownIndex::source_of(Reg r, std::uint32_t use) const {
  while (r != no_reg && !indexed_[r] && writers_[r].size() == 1 && dominates(writers_[r][0], use)) {
    use = writers_[r][0];
    if (ops_[use].code != Code::move) return &ops_[use];
    r = ops_[use].src[0];
  }
  return nullptr;
}

std::optional<KnownIndex::Computation> KnownIndex::computed_by(Reg r, std::uint32_t use,
                                                               std::uint32_t from,
                                                               std::uint32_t reach) const {
  Computation all;
  if (r != no_reg && !add(r, use, from, reach, all)) return {};
  return all;
}

}  // namespace lockstep::spirv
