#include "shader/run/unrolled_loops.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "shader/ir/regions.hpp"
#include "shader/ir/steps.hpp"
#include "shader/run/known_registers.hpp"

namespace lockstep::spirv {
namespace {

using Index = std::uint32_t;

/// What one loop may become, and all together: code that runs once takes longer to make than it saves.
constexpr std::size_t most_of_one = 10000, most_of_all = 32000;

/// How much code the operation becomes. Nearly all copies vanish, and an index that is not known makes much.
std::size_t cost(const Op& op, bool knows_index) {
  if (op.code == Code::load_indexed || op.code == Code::store_indexed) return knows_index ? 8 : 256;
  const bool vanishes = op.code == Code::copy || op.code == Code::move || op.code == Code::expect ||
                        op.code == Code::declare || is_control(op.code);
  return vanishes ? 1 : 8;
}
/// Whether it computes on numbers of 64 bits. There are few registers for those, which a loop uses best.
bool is_wide(const Op& op) {
  const auto is_of_two = [](Scalar type) { return type != Scalar::boolean && size_of(type) > 4; };
  return is_pure(op.code) && op.code != Code::copy && (is_of_two(op.type) || is_of_two(op.from));
}

/// A loop that can be unrolled if its number of iterations is known: its test is one operation, which all lanes reach.
struct ShortLoop {
  Index begin = 0, test = 0, end = 0;
};

/// Whether lanes that are in the loop may leave it there, or wait for other subgroups.
bool keeps_apart(const Op& op, std::uint32_t loop, bool in_call) {
  if (op.code == Code::barrier) return true;
  if (op.code == Code::retire) return !in_call;
  if (op.code == Code::loop_test) return op.as<LoopTest>().kind == LoopTest::Kind::passes;
  // Of a switch in it, not.
  return leaves_construct(op.code) && (op.code != Code::leave_loop || construct_of(op) == loop);
}

/// Looks whether an innermost loop is a short loop.
std::optional<ShortLoop> find_short_loop(const std::vector<Op>& ops, Index begin, Index end) {
  ShortLoop loop{begin, 0, end};
  std::size_t size = 0;
  int depth = 0, calls = 0;
  for (Index k = begin + 1; k < end; ++k) {
    const Op& op = ops[k];
    size += cost(op, true);
    if (size > most_of_one || is_wide(op)) return {};
    depth += opens_construct(op.code) ? 1 : closes_construct(op.code) ? -1 : 0;
    calls += op.code == Code::call_begin ? 1 : op.code == Code::call_end ? -1 : 0;
    if (keeps_apart(op, construct_of(ops[begin]), calls > 0)) return {};
    if (op.code != Code::loop_test || op.as<LoopTest>().kind != LoopTest::Kind::asks) continue;
    if (depth != 0 || loop.test != 0) return {};
    loop.test = k;
  }
  if (loop.test == 0) return {};
  return loop;
}

/// How many iterations there are, and how much code they become.
struct Trips {
  std::size_t count = 0, size = 0;
};

/// Sides of selections that no lane enters, while operations are followed.
class DeadSides {
 public:
  /// Whether the operation is in one.
  bool contains(const Op& op, const KnownRegisters& known) {
    const std::uint32_t construct = construct_of(op);
    if (dead_ != no_construct) {
      if (construct != dead_ || (op.code != Code::if_else && op.code != Code::if_end)) return true;
      dead_ = no_construct;
    } else if (op.code == Code::if_begin) {
      const std::optional<std::uint64_t> condition = known.find(op.src[0]);
      if (condition) (*condition == 0 ? dead_ : entered_.emplace_back()) = construct;
    } else if (op.code == Code::if_else && std::ranges::count(entered_, construct) != 0) {
      dead_ = construct;
    }
    return false;
  }

 private:
  std::uint32_t dead_ = no_construct;
  std::vector<std::uint32_t> entered_;  ///< by all lanes
};

/// Whether it is part of a loop, and of no iteration.
bool is_frame(Code code) {
  return code == Code::loop_head || code == Code::loop_test || code == Code::trip_end ||
         code == Code::loop_back;
}

class LoopUnroller {
 public:
  LoopUnroller(Ir& ir, int size, std::size_t most) : ir_(ir), known_(ir), left_(most) {
    for (const BuiltInUse& use : ir.built_ins) {
      if (use.built_in == spv::BuiltIn::SubgroupSize && !use.regs.empty())
        known_.learn(use.regs[0], static_cast<std::uint64_t>(size));
    }
  }

  /// How many of the operations that it may add are left; none if there is no loop to unroll.
  std::optional<std::size_t> run() {
    find_loops();
    if (short_.empty()) return {};
    ops_.swap(ir_.ops);
    ir_.ops.reserve(ops_.size());
    bool any = false;
    auto next = short_.begin();
    for (Index k = 0; k < ops_.size(); ++k) {
      if (next != short_.end() && next->begin == k) {
        const ShortLoop& loop = *next++;
        if (const std::optional<Trips> trips = trips_of(loop)) {
          left_ -= trips->size;
          append_trips(loop, trips->count);
          k = loop.end;
          any = true;
          continue;
        }
      }
      if (ops_[k].code == Code::loop_begin) forget_writes(k, end_[construct_of(ops_[k])]);
      append(std::move(ops_[k]));
    }
    if (!any) return {};
    return left_;
  }

 private:
  void find_loops() {
    end_.resize(ir_.constructs);
    std::vector<Index> begins;
    std::vector<bool> innermost;
    for (Index k = 0; k < ir_.ops.size(); ++k) {
      const Op& op = ir_.ops[k];
      if (op.code == Code::loop_begin) {
        if (!innermost.empty()) innermost.back() = false;
        begins.push_back(k);
        innermost.push_back(true);
      } else if (op.code == Code::loop_end) {
        end_[construct_of(op)] = k;
        const std::optional<ShortLoop> loop =
            innermost.back() ? find_short_loop(ir_.ops, begins.back(), k) : std::nullopt;
        if (loop) short_.push_back(*loop);
        begins.pop_back();
        innermost.pop_back();
      }
    }
  }

  /// What iterations write is not known before any of them.
  void forget_writes(Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      ++steps_of_passes;
      visit_results(ops_[k], [&](Reg r) { known_.forget(r); });
    }
  }

  /// The number of iterations, if it is known and the loop is short enough.
  std::optional<Trips> trips_of(const ShortLoop& loop) const {
    KnownRegisters known(&known_);
    std::size_t size = 0;
    for (std::size_t trips = 0; trips <= most_unrolled_trips; ++trips) {
      DeadSides dead;
      for (Index k = loop.begin + 1; k < loop.end; ++k) {
        ++steps_of_passes;
        const Op& op = ops_[k];
        if (k == loop.test) {
          const std::optional<std::uint64_t> stays = known.find(op.src[0]);
          if (!stays) return {};
          if (*stays == 0) return Trips{trips, size};
        }
        if (is_frame(op.code) || dead.contains(op, known)) continue;
        const bool knows_index = !op.src.empty() && known.find(op.src[0]);
        known.follow(op);
        const bool vanishes = is_pure(op.code) && op.dst.size() == 1 && known.find(op.dst[0]);
        size += vanishes ? 1 : cost(op, knows_index);
        if (size > most_of_one || size > left_) return {};
      }
    }
    return {};
  }

  void append_trips(const ShortLoop& loop, std::size_t trips) {
    // The last time that an operation is executed it keeps its results, which may be used after the loop.
    for (std::size_t trip = 0; trip <= trips; ++trip) {
      names_.clear();
      constructs_.clear();
      const Index end = trip == trips ? loop.test : loop.end;
      for (Index k = loop.begin + 1; k < end; ++k) {
        const bool is_last = trip + (k > loop.test ? 1 : 0) == trips;
        if (!is_frame(ops_[k].code)) append(of_iteration(ops_[k], is_last));
      }
    }
  }

  Op of_iteration(Op op, bool keeps_results) {
    visit_sources(op, [&](Reg& r) {
      if (const auto found = names_.find(r); found != names_.end()) r = found->second;
    });
    if (keeps_results) return op;
    visit_results(op, [&](Reg& r) {
      if (ir_.regs[r].variable && !ir_.regs[r].result) return;
      const auto [found, added] = names_.try_emplace(r, no_reg);
      if (added) found->second = add_register(ir_, ir_.regs[r]);
      r = found->second;
    });
    if (construct_of(op) == no_construct) return op;
    std::visit(
        [&](auto& detail) {
          if constexpr (requires { detail.construct; }) {
            const auto [found, added] = constructs_.try_emplace(detail.construct, 0u);
            if (added) found->second = ir_.constructs++;
            detail.construct = found->second;
          }
        },
        op.detail);
    return op;
  }

  /// Appends the operation, or what it is with what is known.
  void append(Op op) {
    if (op.code == Code::load_indexed || op.code == Code::store_indexed) make_plain(op);
    known_.follow(op);
    if (is_pure(op.code) && op.dst.size() == 1 && !ir_.regs[op.dst[0]].variable) {
      if (const auto value = known_.find(op.dst[0])) {
        ir_.regs[op.dst[0]].constant = true;
        ir_.regs[op.dst[0]].value = *value;
        return;
      }
    }
    ir_.ops.push_back(std::move(op));
  }
  void make_plain(Op& op) const {
    const std::optional<std::uint64_t> index = known_.find(op.src[0]);
    if (!index) return;
    const auto& place = op.as<IndexedPlace>();
    const std::vector<Reg>& regs = ir_.indexed[place.variable].regs;
    if (*index >= regs.size() || place.component >= regs.size() - *index) return;
    const Reg component = regs[place.component + *index];
    if (op.code == Code::load_indexed) {
      op.code = Code::copy;
      op.src = {component};
    } else {
      op.code = Code::move;
      op.dst = {component};
      op.src = {op.src[1]};
    }
    op.detail = {};
  }

  Ir& ir_;
  KnownRegisters known_;
  std::size_t left_;
  std::vector<Op> ops_;     ///< as they were
  std::vector<Index> end_;  ///< by loop
  std::vector<ShortLoop> short_;
  std::unordered_map<Reg, Reg> names_;                           ///< of an iteration's values
  std::unordered_map<std::uint32_t, std::uint32_t> constructs_;  ///< of an iteration
};

}  // namespace

bool unroll_loops(Ir& ir, int size) {
  bool any = false;
  std::size_t left = most_of_all;
  while (const std::optional<std::size_t> rest = LoopUnroller(ir, size, left).run()) {
    left = *rest;
    any = true;
  }
  return any;
}

}  // namespace lockstep::spirv
