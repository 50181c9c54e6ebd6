#include "shader/ir/chosen_extremes.hpp"

#include <algorithm>
#include <utility>

namespace lockstep::spirv {
namespace {

using Index = std::uint32_t;

/// How far behind its comparison a choice may be.
constexpr Index most_between = 8;

class ExtremeFinder {
 public:
  ExtremeFinder(Ir& ir, const std::vector<bool>& indexed)
      : ir_(ir),
        indexed_(indexed),
        made_(ir.regs.size()),
        uses_(ir.regs.size()),
        gone_(ir.ops.size()) {
    for (const Op& op : ir.ops) visit_sources(op, [&](Reg r) { ++uses_[r]; });
  }

  void run() {
    for (Index k = 0; k < ir_.ops.size(); ++k) {
      Op& op = ir_.ops[k];
      if (op.code == Code::select && op.src.size() == 3) choose(op, k);
      visit_results(op, [&](Reg r) { made_[r] = k; });
    }
    std::size_t kept = 0;
    for (std::size_t k = 0; k < ir_.ops.size(); ++k) {
      if (!gone_[k] && kept++ != k) ir_.ops[kept - 1] = std::move(ir_.ops[k]);
    }
    ir_.ops.resize(kept);
  }

 private:
  void choose(Op& choice, Index k) {
    const Reg condition = choice.src[0];
    if (condition == no_reg || ir_.regs[condition].variable || ir_.regs[condition].constant) return;
    const Index at = made_[condition];
    const Op& comparison = ir_.ops[at];
    if (k - at > most_between || !compares_integers(comparison, choice.type)) return;
    const Reg low = comparison.src[0], high = comparison.src[1];
    const bool is_least = choice.src[1] == low && choice.src[2] == high;
    const bool is_most = choice.src[1] == high && choice.src[2] == low;
    if ((!is_least && !is_most) || changes(low, at, k) || changes(high, at, k)) return;
    choice.code = is_least ? Code::min : Code::max;
    choice.type = comparison.type;
    choice.src = {low, high};
    gone_[at] = --uses_[condition] == 0;
  }
  static bool compares_integers(const Op& op, Scalar chosen) {
    if (op.code != Code::less && op.code != Code::less_equal) return false;
    const auto is_integer = [](Scalar type) { return type != Scalar::boolean && !is_float(type); };
    return op.src.size() == 2 && is_integer(op.type) && is_integer(chosen) &&
           size_of(op.type) == size_of(chosen);
  }
  /// Whether a variable is written between two operations.
  bool changes(Reg r, Index after, Index before) const {
    if (!ir_.regs[r].variable) return false;
    return (r < indexed_.size() && indexed_[r]) ||
           std::any_of(ir_.ops.begin() + after + 1, ir_.ops.begin() + before,
                       [&](const Op& op) { return std::ranges::find(op.dst, r) != op.dst.end(); });
  }

  Ir& ir_;
  const std::vector<bool>& indexed_;
  std::vector<Index> made_;  ///< by register: the last operation that wrote it
  std::vector<std::uint32_t> uses_;
  std::vector<bool> gone_;
};

}  // namespace

void find_extremes(Ir& ir, const std::vector<bool>& indexed) { ExtremeFinder(ir, indexed).run(); }

}  // namespace lockstep::spirv
