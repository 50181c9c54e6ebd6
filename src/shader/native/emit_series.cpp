#if LOCKSTEP_SPIRV_NATIVE

#include "shader/native/emitter.hpp"

#include <algorithm>
#include <unordered_map>

#include "shader/ir/steps.hpp"

/// \file
/// Series of arithmetic, one vector of lanes after the other: all operations on one of them need fewer registers than each
/// operation on all of them.

namespace lockstep::spirv {
namespace {

/// Of more, the processor would not see where the next vector begins.
constexpr std::size_t longest = 32;

}  // namespace

template <class F>
void Emitter::visit_operands(const Inst& i, const EmitRule& rule, F f) const {
  if (const Fusion* fusion = fusion_of(i)) {
    for (const Fusion::Operand& operand : fusion->operands) f(operand.at, operand.varying);
    return;
  }
  if (rule.type == Scalar::boolean) return;
  const auto [first, last] = number_operands(rule);
  for (int operand = first; operand < last; ++operand)
    f(operand_place(i, operand), i.varying(operand));
}

/// Whether it makes a bool, of numbers of 32 bits or of other bools, that differs between lanes.
bool Emitter::makes_mask(std::size_t k) const {
  const EmitRule& rule = program_.rules[k];
  const Inst& i = program_.insts[k];
  if (i.masked() || !i.varying_result()) return false;
  if (is_comparison(rule.code)) return size_of_operands(rule) == 4;
  return rule.type == Scalar::boolean && i.varying(0) && (takes_one_bool(rule) || i.varying(1));
}
/// Whether each vector of its result depends on one vector of each operand.
bool Emitter::is_by_vector(std::size_t k) const {
  const EmitRule rule = this->rule(k);
  const Inst& i = program_.insts[k];
  if (rule.kind != Kind::arithmetic) return false;
  if (rule.type == Scalar::boolean || is_comparison(rule.code)) return makes_mask(k);
  return inline_code(rule.code).other < 0 && (i.varying_result() || !i.masked());
}

/// The operation after which the bool that one makes is dead.
std::size_t Emitter::last_use(std::size_t made) const {
  const auto& ends = program_.last_uses;
  const std::uint32_t at = program_.insts[made].dst;
  for (auto end = std::ranges::lower_bound(ends, made, {}, &LastUse::inst); end != ends.end();
       ++end) {
    ++steps_of_passes;
    if (end->inst > made + longest) break;
    if (end->at == at) return end->inst;
  }
  return program_.insts.size();
}

/// The end of the series that begins at k. Operations on the second vector must not find what later ones on the first
/// have made, of values that are the same for all lanes or have a place for all of them, as the bools of a select. Bools
/// that the series makes end in it: only a few masks stay in registers, and memory never has them.
std::size_t Emitter::end_of_series(std::size_t k) const {
  if (is_sliced()) return k;
  // Operations need some registers besides.
  const int spares = spare_registers(program_);
  const int free = cache_.free_for_masks() - (as_.masks() != 0 ? 3 : spares > 0 ? 5 + spares : 6);
  const auto most_masks = static_cast<std::size_t>(std::clamp(free, 0, int{most_series_masks}));
  std::set<std::uint32_t> uniform, touched;
  std::map<std::uint32_t, std::size_t> masks;  // by place: after which operation it is dead
  std::vector<std::pair<std::size_t, std::size_t>> made;  // masks: by which operation, and the same
  std::size_t end = k;
  const auto uses_bool = [&](std::uint32_t at) {
    if (masks.count(at) != 0) return;
    uniform.insert(at);
    touched.insert(at);
  };
  for (; end < program_.insts.size() && end - k < longest; ++end) {
    if ((end > k && is_target_[end]) || !is_by_vector(end)) break;
    const Inst& i = program_.insts[end];
    const EmitRule& rule = program_.rules[end];
    const bool is_of_bools = rule.type == Scalar::boolean;
    const std::uint32_t size = is_of_bools || is_comparison(rule.code) ? 4 : size_of_numbers(rule);
    if (size != size_of_numbers(program_.rules[k])) break;
    if ((i.varying_result() ? uniform : touched).count(i.dst) != 0) break;
    if (is_of_bools) {
      uses_bool(i.a);
      if (!takes_one_bool(rule)) uses_bool(i.b);
    } else {
      visit_operands(i, rule, [&](std::uint32_t at, bool varying) {
        if (!varying) uniform.insert(at);
        touched.insert(at);
      });
      if (number_operands(rule).first > 0)
        uses_bool(i.a);  // the operand before the numbers is a bool
    }
    std::erase_if(masks, [&](const auto& mask) { return mask.second <= end; });
    touched.insert(i.dst);
    if (!makes_mask(end)) continue;
    const std::size_t dead = last_use(end);
    if (masks.size() == most_masks || dead - k >= longest) break;
    masks[i.dst] = dead;
    made.emplace_back(end, dead);
  }
  for (bool changed = true; changed;) {
    const auto lives_on = std::ranges::find_if(
        made, [&](const auto& mask) { return mask.first < end && mask.second >= end; });
    changed = lives_on != made.end();
    if (changed) end = lives_on->first;
  }
  return end;
}

/// For each operation of a series, which ones use its operands and its result next.
std::vector<Emitter::NextUses> Emitter::next_uses(std::size_t begin, std::size_t end) const {
  std::vector<NextUses> next(end - begin);
  std::unordered_map<std::uint32_t, std::uint32_t> uses;
  const auto find = [&](std::uint32_t at) {
    const auto found = uses.find(at);
    return found == uses.end() ? RegisterCache::far : found->second;
  };
  for (std::size_t k = end; k-- > begin;) {
    if (is_part(k)) continue;
    const Inst& i = program_.insts[k];
    const auto now = static_cast<std::uint32_t>(k - begin);
    NextUses& of = next[now];
    of.result = find(i.dst);
    uses.erase(i.dst);
    std::size_t number = 0;
    visit_operands(i, program_.rules[k],
                   [&](std::uint32_t at, bool) { of.operands[number++] = find(at); });
    visit_operands(i, program_.rules[k], [&](std::uint32_t at, bool) { uses[at] = now; });
  }
  return next;
}

void Emitter::emit_series(std::size_t begin, std::size_t end) {
  shape_ = as_.shape(makes_mask(begin) ? 4 : size_of_numbers(program_.rules[begin]));
  bool any_mask = false;
  for (std::size_t k = begin; k < end; ++k) any_mask = any_mask || makes_mask(k);
  if (any_mask) cache_.save_masks();
  const std::vector<NextUses> next = next_uses(begin, end);
  const Shape shape = shape_;
  for (std::uint32_t v = 0; v < vectors(shape); ++v) {
    cache_.forget_next();
    for (std::size_t k = begin; k < end; ++k) {
      const Inst& i = program_.insts[k];
      if (is_part(k) || (v > 0 && !i.varying_result())) continue;
      makes_mask(k) ? make_mask(i, program_.rules[k], v) : arithmetic(i, program_.rules[k], v);
      const NextUses& of = next[k - begin];
      std::size_t number = 0;
      visit_operands(i, program_.rules[k], [&](std::uint32_t at, bool varying) {
        cache_.set_next(at + (varying ? v * shape.bytes : 0), of.operands[number++]);
      });
      cache_.set_next(i.dst + (i.varying_result() ? v * shape.bytes : 0), of.result);
      end_live_vectors(begin, k, v);
    }
  }
  cache_.forget_next();
  end_live_ranges_of_series(end);
}

/// Vector v of a bool, which no other register or memory needs.
void Emitter::make_mask(const Inst& i, const EmitRule& rule, std::uint32_t v) {
  const auto place = [&](std::uint32_t at) { return at + v * as_.mask_bytes(); };
  cache_.begin_operation();
  MaskRegister to;
  if (rule.type != Scalar::boolean) {
    to = compare_vector(i, rule, v);
  } else {
    const MaskRegister a = cache_.mask(place(i.a));
    const MaskRegister b = takes_one_bool(rule) ? a : cache_.mask(place(i.b));
    to = cache_.fresh_mask();
    find_inline_bool_code(rule.code)->masks(as_, to, a, b);
  }
  cache_.drop_mask(place(i.dst));
  cache_.lock(to);
  cache_.keep_mask(to, place(i.dst));
}

/// The last of the operations that makes what is there, or the end.
std::size_t Emitter::maker(std::size_t begin, std::size_t end, std::uint32_t at) const {
  for (std::size_t k = end; k-- > begin;)
    if (program_.insts[k].dst == at) return k;
  return end;
}

/// The vectors of values that the series makes, whose last use is in it: by the operation, or by a part of it.
void Emitter::end_live_vectors(std::size_t begin, std::size_t k, std::uint32_t v) {
  const auto& ends = program_.last_uses;
  for (std::size_t at = last_uses_; at < ends.size() && ends[at].inst <= k; ++at) {
    const std::size_t user = fusions_ ? fusions_->whole_of(ends[at].inst) : ends[at].inst;
    if (user != k || is_made_again(ends[at], k)) continue;
    const std::size_t made = maker(begin, ends[at].inst, ends[at].at);
    if (made == ends[at].inst || !program_.insts[made].varying_result()) continue;
    if (makes_mask(made))
      cache_.drop_mask(ends[at].at + v * as_.mask_bytes());
    else
      cache_.overwritten(ends[at].at + v * shape_.bytes, shape_.bytes);
  }
}

/// All others; a later operation of the series may have put another value in the same place.
void Emitter::end_live_ranges_of_series(std::size_t end) {
  const auto& ends = program_.last_uses;
  const auto finish = [&](const LastUse& last) {
    if (!is_made_again(last, end - 1)) cache_.overwritten(last.at, last.bytes);
  };
  for (; last_uses_ < ends.size() && ends[last_uses_].inst < end; ++last_uses_) {
    const LastUse& last = ends[last_uses_];
    if (is_part(last.inst))
      later_[fusions_->whole_of(last.inst)].push_back(last);
    else
      finish(last);
  }
  while (!later_.empty() && later_.begin()->first < end) {
    for (const LastUse& last : later_.begin()->second) finish(last);
    later_.erase(later_.begin());
  }
}

}  // namespace lockstep::spirv

#endif
