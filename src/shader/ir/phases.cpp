#include "shader/ir/phases.hpp"

#include <algorithm>
#include <cstddef>

#include "shader/ir/regions.hpp"

namespace lockstep::spirv {
namespace {

bool is_of_workgroup(const Sync& sync) { return sync.execution == Scope::workgroup; }

/// Whether what invocations of a workgroup did in shared memory happens before what they do next.
bool orders_shared(const Sync& sync) {
  namespace bits = memory_semantics;
  return is_of_workgroup(sync) && sync.memory.scope != Scope::invocation &&
         sync.memory.scope != Scope::subgroup && (sync.memory.semantics & bits::shared) != 0 &&
         (sync.memory.semantics & (bits::acquire_release | bits::sequentially_consistent)) != 0;
}

class Phases {
 public:
  explicit Phases(const Ir& ir) : ir_(ir), regions_(ir.ops) {
    // From the end on: whether a barrier may come after an invocation's end.
    bool barrier_after = false;
    for (std::size_t k = ir.ops.size(); k-- > 0;) {
      barrier_after = barrier_after || ir.ops[k].code == Code::barrier;
      const bool in_loop = regions_.loop_end[k] != ir.ops.size();
      if (ir.ops[k].code == Code::retire) ends_early_ = ends_early_ || barrier_after || in_loop;
    }
  }

  std::vector<std::uint32_t> take() {
    std::vector<std::uint32_t> of;
    for (std::uint32_t k = 0; k < ir_.ops.size(); ++k) {
      pass(k);
      of.push_back(current_);
    }
    for (std::uint32_t& phase : of) phase = first_of(phase);
    return of;
  }

 private:
  void pass(std::uint32_t k) {
    switch (ir_.ops[k].code) {
      case Code::barrier:
        if (separates(k)) {
          current_ = static_cast<std::uint32_t>(same_.size());
          same_.push_back(current_);
        }
        return;
      case Code::loop_begin:
        loops_.push_back(current_);
        return;
      case Code::leave_loop:
      case Code::leave_loop_around:
      case Code::leave_trip:
      case Code::loop_test:
      case Code::trip_end:
      case Code::loop_back:
        // From here to the next iteration, or behind the loop.
        for (const std::uint32_t begin : loops_) join(begin);
        return;
      case Code::loop_end:
        join(loops_.back());
        current_ = loops_.back();
        loops_.pop_back();
        return;
      default:
        return;
    }
  }
  /// Whether all invocations come to the barrier or leave the loops around it.
  bool separates(std::uint32_t k) const {
    if (ends_early_ || !orders_shared(ir_.ops[k].as<BarrierOp>().sync)) return false;
    for (std::uint32_t r = regions_.of[k]; r != 0; r = regions_.list[r].parent)
      if (regions_.list[r].kind != Code::loop_begin && regions_.list[r].kind != Code::call_begin)
        return false;
    return true;
  }

  std::uint32_t first_of(std::uint32_t phase) const {
    while (same_[phase] != phase) phase = same_[phase];
    return phase;
  }
  void join(std::uint32_t other) {
    const std::uint32_t a = first_of(current_), b = first_of(other);
    same_[std::max(a, b)] = std::min(a, b);
  }

  const Ir& ir_;
  Regions regions_;
  bool ends_early_ = false;
  std::uint32_t current_ = 0;
  std::vector<std::uint32_t> same_{0};  ///< by phase: itself, or one before it that is the same
  std::vector<std::uint32_t> loops_;    ///< the phases in which those around began
};

}  // namespace

std::vector<std::uint32_t> find_phases(const Ir& ir) { return Phases(ir).take(); }

bool are_atomics_unordered(const Ir& ir) {
  namespace bits = memory_semantics;
  constexpr std::uint32_t orders =
      bits::acquire | bits::release | bits::acquire_release | bits::sequentially_consistent;
  return std::ranges::all_of(ir.ops, [](const Op& op) {
    switch (op.code) {
      case Code::memory_barrier:
        return false;
      case Code::barrier: {
        const Sync& sync = op.as<BarrierOp>().sync;
        return is_of_workgroup(sync) && sync.memory.scope == Scope::workgroup;
      }
      case Code::atomic:
      case Code::atomic_address: {
        const auto& atomic = op.as<AtomicOp>();
        return ((atomic.order.semantics | atomic.unequal) & orders) == 0;
      }
      default:
        return true;
    }
  });
}

}  // namespace lockstep::spirv
