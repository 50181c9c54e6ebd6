#if LOCKSTEP_SPIRV_NATIVE

#include "shader/native/loops.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "shader/native/emitter.hpp"

namespace lockstep::spirv {
namespace {

using Kind = EmitRule::Kind;
using Held = RegisterCache::Held;

class LoopFinder {
 public:
  LoopFinder(const Program& program, const std::vector<bool>& is_target, std::uint32_t vector_bytes)
      : program_(program), is_target_(is_target), vector_bytes_(vector_bytes) {}

  bool is_simple(std::size_t head, std::size_t back) const {
    for (std::size_t k = head; k < back; ++k) {
      const Inst& i = program_.insts[k];
      const EmitRule& rule = program_.rules[k];
      if (!is_short(rule)) return false;
      if (k > head && is_target_[k] && !is_end_of_iteration(rule)) return false;
      if (rule.kind == Kind::jump_if && !leaves(i, head, back)) return false;
      // Lanes that enter a selection come back, and whether they are active matters until then.
      if (rule.kind == Kind::test && rule.test == Test::enter) return false;
      if (rule.kind == Kind::arithmetic && i.masked() && !i.varying_result()) return false;
    }
    return true;
  }

  /// Variables that active lanes change.
  void find_own(SimpleLoop& loop, std::uint32_t own_begin) const {
    for (std::size_t k = loop.head; k < loop.back; ++k) {
      const Inst& i = program_.insts[k];
      if (program_.rules[k].kind != Kind::arithmetic || !i.masked() || is_indexed(i.dst) ||
          loop.owns(i.dst))
        continue;
      loop.places.own.emplace_back(i.dst, own_begin);
      own_begin += program_.chunks * register_chunk_bytes;
    }
    for (const LoopLocal& local : program_.loop_locals) {
      if (local.inst == loop.back && loop.owns(local.at)) loop.locals.push_back(local.at);
    }
  }

  /// Runs the loop in slices if each lane's part of it is independent of the others.
  void find_slices(SimpleLoop& loop) const {
    if (program_.chunks < 2) return;
    // Two vectors where possible, so that an instruction need not wait for the one before it.
    const std::uint32_t slice =
        program_.chunks * register_chunk_bytes / vector_bytes_ % 2 == 0 ? 2 : 1;
    std::set<std::uint32_t> uniform;
    for (std::size_t k = loop.head; k <= loop.back; ++k) {
      const Inst& i = program_.insts[k];
      const EmitRule& rule = program_.rules[k];
      if (rule.kind == Kind::run || rule.kind == Kind::indexed || rule.kind == Kind::ballot ||
          rule.kind == Kind::count || rule.kind == Kind::jump_if)
        return;
      if (rule.kind != Kind::arithmetic && rule.kind != Kind::test) continue;
      if (rule.type == Scalar::boolean && rule.kind == Kind::arithmetic) return;
      const std::uint32_t operands[] = {i.a, i.b, i.c};
      const auto [first, last] = number_operands(rule);
      for (int operand = first; operand < last; ++operand) {
        if (!i.varying(operand)) uniform.insert(operands[operand]);
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
    struct Use {
      std::uint32_t count = 0;
      bool changed = false, made = false, twice = false;  ///< made: a value of one iteration
    };
    std::map<std::uint32_t, Use> uses;
    const std::uint32_t slice = loop.places.slice;
    const std::uint32_t vectors =
        slice != 0 ? slice : program_.chunks * register_chunk_bytes / vector_bytes_;
    const auto make = [&](std::uint32_t at) {
      for (std::uint32_t v = 0; v < vectors; ++v) uses[at + v * vector_bytes_].made = true;
    };
    for (std::size_t k = loop.head; k < loop.back; ++k) {
      const Inst& i = program_.insts[k];
      const EmitRule& rule = program_.rules[k];
      if (rule.kind == Kind::run && rule.code == Code::load)
        make(static_cast<const MemoryArgs*>(i.args)->value[0].at);
      if (rule.kind == Kind::indexed && rule.code == Code::load_indexed) make(i.dst);
      if (rule.kind == Kind::ballot) make(i.dst);
      if (rule.type == Scalar::boolean || rule.kind == Kind::run || rule.kind == Kind::indexed ||
          rule.kind == Kind::ballot)
        continue;
      const std::uint32_t all =
          slice != 0 ? slice : i.chunks * register_chunk_bytes / vector_bytes_;
      const std::uint32_t places[] = {i.a, i.b, i.c};
      const auto [first, last] = number_operands(rule);
      for (int operand = first; operand < last; ++operand) {
        for (std::uint32_t v = 0; v < (i.varying(operand) ? all : 1u); ++v)
          ++uses[places[operand] + v * vector_bytes_].count;
      }
      if (rule.kind != Kind::arithmetic || is_comparison(rule.code)) continue;
      for (std::uint32_t v = 0; v < (i.varying_result() ? all : 1u); ++v) {
        Use& use = uses[i.dst + v * vector_bytes_];
        ++use.count;
        use.twice = !i.varying_result() && vector_bytes_ < register_chunk_bytes;
        (rule.variable ? use.changed : use.made) = true;
      }
    }
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
      loop.pins.push_back({at, use.changed, false, use.changed && use.twice});
  }

 private:
  bool leaves(const Inst& jump, std::size_t head, std::size_t back) const {
    const auto to = static_cast<std::size_t>(jump.target - program_.insts.data());
    return to < head || to > back;
  }
  /// Whether the instruction normally calls nothing.
  static bool is_short(const EmitRule& rule) {
    switch (rule.kind) {
      case Kind::arithmetic:
      case Kind::test:
      case Kind::run:
      case Kind::indexed:
      case Kind::ballot:
      case Kind::count:
      case Kind::jump_if:
      case Kind::iterate:
        return true;
      case Kind::rejoin:
        return rule.code == Code::trip_end;
      default:
        return false;
    }
  }
  /// Whether the value is dead after the loop.
  bool ends_inside(std::uint32_t at, std::size_t made, std::size_t back) const {
    return std::any_of(program_.last_uses.begin(), program_.last_uses.end(),
                       [&](const LastUse& last) {
                         return last.at == at && last.inst >= made && last.inst <= back;
                       });
  }
  /// Whether the vector belongs to a variable that is also accessed by an index.
  bool is_indexed(std::uint32_t at) const {
    for (const auto& args : program_.indexed_args) {
      for (const std::uint32_t slot : args->slots) {
        if (at - slot < program_.chunks * register_chunk_bytes) return true;
      }
    }
    return false;
  }

  const Program& program_;
  const std::vector<bool>& is_target_;
  std::uint32_t vector_bytes_;
};

}  // namespace

bool SimpleLoop::owns(std::uint32_t at) const {
  return std::any_of(places.own.begin(), places.own.end(),
                     [&](const auto& place) { return place.first == at; });
}

bool is_end_of_iteration(const EmitRule& rule) {
  return (rule.kind == Kind::rejoin || rule.kind == Kind::iterate) && rule.code == Code::trip_end;
}

std::pair<int, int> number_operands(const EmitRule& rule) {
  if (is_control(rule.code)) return {0, 0};
  if (!is_pure(rule.code)) return {0, 2};
  // Integers are divided by a constant.
  if (rule.code == Code::div && rule.type != Scalar::f32) return {0, 1};
  const InlineCode& code = Emitter::inline_code(rule.code);
  return {code.first, code.last};
}

std::deque<SimpleLoop> find_simple_loops(const Program& program, const std::vector<bool>& is_target,
                                         std::uint32_t vector_bytes, std::size_t most_pins,
                                         std::uint32_t own_begin) {
  const LoopFinder finder(program, is_target, vector_bytes);
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
    const auto* after = static_cast<const Inst*>(program.insts[k].args);
    for (std::size_t end = head; end < k && after == nullptr; ++end) {
      if (is_end_of_iteration(program.rules[end])) after = program.insts[end].target;
    }
    if (after != nullptr) {
      loop.out = number(after);
      finder.find_slices(loop);
    }
    const std::size_t vectors =
        loop.is_sliced() ? loop.places.slice : program.chunks * register_chunk_bytes / vector_bytes;
    finder.find_pins(loop, most_pins > vectors ? most_pins - vectors : 0);
    loop.frame = loop.places;
    loop.frame.own.clear();
  }
  return loops;
}

}  // namespace lockstep::spirv

#endif
