#if LOCKSTEP_SPIRV_NATIVE

#include "shader/native/loops.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "shader/ir/steps.hpp"
#include "shader/native/emitter.hpp"

namespace lockstep::spirv {
namespace {

using Kind = EmitRule::Kind;
using Held = RegisterCache::Held;

class LoopFinder {
 public:
  LoopFinder(const Program& program, const std::vector<bool>& is_target, const VectorAssembler& as)
      : program_(program), is_target_(is_target), as_(as) {}

  bool is_simple(std::size_t head, std::size_t back) const {
    for (std::size_t k = head; k < back; ++k) {
      const Inst& i = program_.insts[k];
      const EmitRule& rule = program_.rules[k];
      if (!is_short(i, rule)) return false;
      if (k > head && is_target_[k] && !is_end_of_iteration(rule)) return false;
      if (rule.kind == Kind::jump_if && !leaves(i, head, back)) return false;
      // Lanes that enter a selection come back, and whether they are active matters until then.
      if (rule.kind == Kind::test && rule.test == Test::enter) return false;
      if (rule.kind == Kind::arithmetic && i.masked() && !i.varying_result()) return false;
    }
    return true;
  }

  bool shuffles(const SimpleLoop& loop) const {
    return std::any_of(program_.rules.begin() + static_cast<std::ptrdiff_t>(loop.head),
                       program_.rules.begin() + static_cast<std::ptrdiff_t>(loop.back),
                       [](const EmitRule& rule) { return rule.kind == Kind::shuffle; });
  }

  /// Whether it has operations that need more registers than arithmetic.
  bool combines_lanes(const SimpleLoop& loop) const {
    return std::any_of(program_.rules.begin() + static_cast<std::ptrdiff_t>(loop.head),
                       program_.rules.begin() + static_cast<std::ptrdiff_t>(loop.back),
                       [](const EmitRule& rule) {
                         return rule.kind == Kind::shuffle || rule.kind == Kind::reduction;
                       });
  }

  /// Whether bools take registers of numbers, which are few.
  bool takes_registers(const SimpleLoop& loop) const {
    if (as_.masks() != 0) return false;
    const auto begin = program_.rules.begin();
    return std::any_of(begin + static_cast<std::ptrdiff_t>(loop.head),
                       begin + static_cast<std::ptrdiff_t>(loop.back), [](const EmitRule& rule) {
                         return rule.kind == Kind::arithmetic && is_comparison(rule.code);
                       });
  }

  /// Variables that active lanes change.
  void find_own(SimpleLoop& loop, std::uint32_t own_begin) const {
    for (std::size_t k = loop.head; k < loop.back; ++k) {
      const Inst& i = program_.insts[k];
      if (program_.rules[k].kind != Kind::arithmetic || !i.masked() || is_indexed(i.dst) ||
          loop.owns(i.dst))
        continue;
      const std::uint32_t size = size_of_numbers(program_.rules[k]);
      const std::uint32_t bytes = program_.chunks * std::uint32_t{chunk_lanes} * size;
      loop.places.own.push_back({i.dst, own_begin, bytes, as_.shape(size)});
      own_begin += (bytes + 63) / 64 * 64;
    }
    const auto& locals = program_.loop_locals;
    auto local = std::ranges::lower_bound(locals, loop.back, {}, &LoopLocal::inst);
    for (; local != locals.end() && local->inst == loop.back; ++local) {
      ++steps_of_passes;
      if (loop.owns(local->at)) loop.locals.push_back(local->at);
    }
  }

  /// Runs the loop in slices if each lane's part of it is independent of the others.
  void find_slices(SimpleLoop& loop) const {
    if (program_.chunks < 2) return;
    // Two vectors where possible, so that an instruction need not wait for the one before it.
    const std::uint32_t slice =
        program_.chunks * register_chunk_bytes / as_.vector_bytes() % 2 == 0 ? 2 : 1;
    std::set<std::uint32_t> uniform;
    for (std::size_t k = loop.head; k <= loop.back; ++k) {
      const Inst& i = program_.insts[k];
      const EmitRule& rule = program_.rules[k];
      if (rule.kind == Kind::run || is_indexed(rule) || rule.kind == Kind::ballot ||
          rule.kind == Kind::shuffle || rule.kind == Kind::reduction || rule.kind == Kind::count ||
          rule.kind == Kind::vote || rule.kind == Kind::jump_if)
        return;
      if (rule.kind != Kind::arithmetic && rule.kind != Kind::test) continue;
      if (rule.type == Scalar::boolean && rule.kind == Kind::arithmetic) return;
      if (!has_sizes(rule, 4)) return;
      const auto [first, last] = number_operands(rule);
      for (int operand = first; operand < last; ++operand) {
        if (!i.varying(operand)) uniform.insert(operand_place(i, operand));
      }
      if (rule.kind != Kind::arithmetic) continue;
      if (!i.varying_result()) {
        // The next slice needs the values that this one began with, and none needs those that it leaves.
        if (rule.variable || !ends_inside(i.dst, k, loop.back)) return;
        uniform.insert(i.dst);
      } else if (i.masked() && !loop.owns(i.dst)) {
        return;
      }
    }
    loop.places.slice = slice;
    loop.places.uniform = std::move(uniform);
  }

  /// The vectors that the loop uses most, those that it changes first.
  void find_pins(SimpleLoop& loop, std::size_t most) const {
    const std::map<std::uint32_t, Use> uses = uses_in(loop);
    std::vector<std::pair<Use, std::uint32_t>> order;
    for (const auto& [at, use] : uses) {
      // A value that is used once may as well be loaded there.
      if (use.count > 1 && !use.made && !is_indexed(at)) order.emplace_back(use, at);
    }
    std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
      return std::tuple(b.first.changed, b.first.count, a.second) <
             std::tuple(a.first.changed, a.first.count, b.second);
    });
    if (order.size() > most) order.resize(most);
    for (const auto& [use, at] : order)
      loop.pins.push_back(
          {at, use.changed, false, use.changed ? use.copies : std::uint8_t{1}, use.shape});
  }

 private:
  /// How a loop uses a vector.
  struct Use {
    std::uint32_t count = 0;
    bool changed = false, made = false;  ///< made: a value of one iteration
    std::uint8_t copies = 1;
    Shape shape = {};
  };
  /// By the place of the vector.
  std::map<std::uint32_t, Use> uses_in(const SimpleLoop& loop) const {
    std::map<std::uint32_t, Use> uses;
    const std::uint32_t slice = loop.places.slice;
    const std::uint32_t lanes = program_.chunks * std::uint32_t{chunk_lanes};
    const auto make = [&](std::uint32_t at, const Shape& shape) {
      for (std::uint32_t v = 0; v < (slice != 0 ? slice : shape.vectors(lanes)); ++v)
        uses[at + v * shape.bytes].made = true;
    };
    for (std::size_t k = loop.head; k < loop.back; ++k) {
      const Inst& i = program_.insts[k];
      const EmitRule& rule = program_.rules[k];
      if (rule.kind == Kind::run && rule.code == Code::load)
        make(static_cast<const MemoryArgs*>(i.args)->value[0].at, as_.shape(size_of(rule.type)));
      if (is_indexed(rule) && rule.code == Code::load_indexed)
        make(i.dst, as_.shape(size_of(rule.type)));
      const bool between_lanes =
          rule.kind == Kind::ballot || rule.kind == Kind::shuffle || rule.kind == Kind::reduction;
      if (between_lanes && rule.type != Scalar::boolean)
        make(i.dst, as_.shape(size_of_numbers(rule)));
      if (rule.type == Scalar::boolean || rule.kind == Kind::run || is_indexed(rule) ||
          between_lanes)
        continue;
      const auto vectors = [&](const Shape& shape) {
        return slice != 0 ? slice : shape.vectors(i.chunks * std::uint32_t{chunk_lanes});
      };
      const auto [first, last] = number_operands(rule);
      for (int operand = first; operand < last; ++operand) {
        const Shape taken = as_.shape(size_of_operand(rule, operand));
        for (std::uint32_t v = 0; v < (i.varying(operand) ? vectors(taken) : 1u); ++v) {
          Use& use = uses[operand_place(i, operand) + v * taken.bytes];
          ++use.count;
          use.shape = taken;
        }
      }
      if (rule.kind != Kind::arithmetic || is_comparison(rule.code)) continue;
      const Shape given = as_.shape(size_of_numbers(rule));
      for (std::uint32_t v = 0; v < (i.varying_result() ? vectors(given) : 1u); ++v) {
        Use& use = uses[i.dst + v * given.bytes];
        ++use.count;
        use.shape = given;
        if (!i.varying_result()) use.copies = static_cast<std::uint8_t>(given.vectors(chunk_lanes));
        (rule.variable ? use.changed : use.made) = true;
      }
    }
    return uses;
  }

  bool leaves(const Inst& jump, std::size_t head, std::size_t back) const {
    const auto to = static_cast<std::size_t>(jump.target - program_.insts.data());
    return to < head || to > back;
  }
  /// Whether the instruction normally calls nothing.
  static bool is_short(const Inst& i, const EmitRule& rule) {
    switch (rule.kind) {
      case Kind::indexed_by_lane:
        return is_chosen_by_comparing(i);
      case Kind::arithmetic:
      case Kind::test:
      case Kind::run:
      case Kind::indexed:
      case Kind::ballot:
      case Kind::count:
      case Kind::jump_if:
      case Kind::iterate:
      case Kind::shuffle:
      case Kind::reduction:
        return true;
      case Kind::rejoin:
        return rule.code == Code::trip_end;
      default:
        return false;
    }
  }
  /// Whether the value is dead after the loop.
  bool ends_inside(std::uint32_t at, std::size_t made, std::size_t back) const {
    const auto& uses = program_.last_uses;
    const auto first = std::ranges::lower_bound(uses, made, {}, &LastUse::inst);
    const auto end = std::ranges::upper_bound(uses, back, {}, &LastUse::inst);
    steps_of_passes += static_cast<std::uint64_t>(end - first);
    return std::any_of(first, end, [&](const LastUse& last) { return last.at == at; });
  }
  static bool is_indexed(const EmitRule& rule) {
    return rule.kind == Kind::indexed || rule.kind == Kind::indexed_by_lane;
  }
  /// Whether the vector belongs to a variable that is also accessed by an index.
  bool is_indexed(std::uint32_t at) const {
    const std::uint32_t most = program_.chunks * std::uint32_t{chunk_lanes} * 8;
    for (const auto& args : program_.indexed_args) {
      const auto& slots = args->slots;
      // Components lie side by side.
      const std::uint32_t bytes = slots.size() > 1 ? std::min(slots[1] - slots[0], most) : most;
      for (const std::uint32_t slot : slots) {
        if (at - slot < bytes) return true;
      }
    }
    return false;
  }

  const Program& program_;
  const std::vector<bool>& is_target_;
  const VectorAssembler& as_;
};

}  // namespace

bool SimpleLoop::owns(std::uint32_t at) const {
  return std::any_of(places.own.begin(), places.own.end(),
                     [&](const OwnPlace& place) { return place.from == at; });
}

std::uint32_t size_of_numbers(const EmitRule& rule) {
  return rule.type == Scalar::boolean ? 4 : size_of(rule.type);
}
std::uint32_t size_of_operands(const EmitRule& rule) { return size_of_operand(rule, 0); }
std::uint32_t size_of_operand(const EmitRule& rule, int number) {
  const bool is_other = Emitter::takes_other(rule.code, number);
  return is_other ? size_of(rule.from) : size_of_numbers(rule);
}
bool has_sizes(const EmitRule& rule, std::uint32_t bytes) {
  return size_of_numbers(rule) == bytes && size_of_operand(rule, 0) == bytes &&
         size_of_operand(rule, 1) == bytes;
}
bool is_chosen_by_comparing(const Inst& inst) {
  constexpr std::size_t most_compared = 16;
  return static_cast<const IndexedArgs*>(inst.args)->slots.size() <= most_compared;
}
int spare_registers(const Program& program) {
  int most = 0;
  for (const EmitRule& rule : program.rules) {
    if (rule.kind == Kind::indexed_by_lane) most = std::max(most, few_spares);
    if (rule.kind != Kind::arithmetic || rule.type == Scalar::boolean) continue;
    if (!has_sizes(rule, 4)) most = std::max(most, few_spares);
    if (is_comparison(rule.code)) continue;
    const int spares = Emitter::inline_code(rule.code).spares;
    // Floats are divided by one instruction.
    if (spares != most_spares || !is_float(rule.type)) most = std::max(most, spares);
  }
  return most;
}

bool is_end_of_iteration(const EmitRule& rule) {
  return (rule.kind == Kind::rejoin || rule.kind == Kind::iterate) && rule.code == Code::trip_end;
}

std::pair<int, int> number_operands(const EmitRule& rule) {
  if (is_control(rule.code)) return {0, 0};
  if (!is_pure(rule.code)) return {0, 2};
  const InlineCode& code = Emitter::inline_code(rule.code);
  return {code.first, code.last};
}

std::deque<SimpleLoop> find_simple_loops(const Program& program, const std::vector<bool>& is_target,
                                         const VectorAssembler& as, std::size_t most_pins,
                                         std::uint32_t own_begin) {
  const LoopFinder finder(program, is_target, as);
  const auto number = [&](const Inst* i) {
    return static_cast<std::size_t>(i - program.insts.data());
  };
  std::deque<SimpleLoop> loops;
  for (std::size_t k = 0; k < program.insts.size(); ++k) {
    if (program.rules[k].kind != Kind::iterate) continue;
    const std::size_t head = number(program.insts[k].target);
    if (!finder.is_simple(head, k)) continue;
    SimpleLoop& loop = loops.emplace_back();
    loop.head = head;
    loop.back = k;
    finder.find_own(loop, own_begin);
    // Shuffles read lanes that have left the loop, too.
    if (!loop.places.own.empty() && finder.shuffles(loop)) {
      loops.pop_back();
      continue;
    }
    const auto* after = static_cast<const Inst*>(program.insts[k].args);
    for (std::size_t end = head; end < k && after == nullptr; ++end) {
      if (is_end_of_iteration(program.rules[end])) after = program.insts[end].target;
    }
    if (after != nullptr) {
      loop.out = number(after);
      finder.find_slices(loop);
    }
    const std::size_t vectors = loop.is_sliced()
                                    ? loop.places.slice
                                    : program.chunks * register_chunk_bytes / as.vector_bytes();
    const bool needs_more =
        (finder.takes_registers(loop) || finder.combines_lanes(loop)) && !loop.is_sliced();
    const std::size_t reserved = vectors + (needs_more ? std::size_t{most_series_masks} : 0);
    finder.find_pins(loop, most_pins > reserved ? most_pins - reserved : 0);
    loop.frame = loop.places;
    loop.frame.own.clear();
  }
  return loops;
}

}  // namespace lockstep::spirv

#endif
