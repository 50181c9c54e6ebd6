#if LOCKSTEP_SPIRV_NATIVE

#include "shader/native/emitter.hpp"

#include <algorithm>

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
  const std::uint32_t places[] = {i.a, i.b, i.c};
  const auto [first, last] = number_operands(rule);
  for (int operand = first; operand < last; ++operand) f(places[operand], i.varying(operand));
}

/// Whether each vector of its result depends on one vector of each operand.
bool Emitter::is_by_vector(std::size_t k) const {
  const EmitRule rule = this->rule(k);
  const Inst& i = program_.insts[k];
  return rule.kind == Kind::arithmetic && rule.type != Scalar::boolean &&
         !is_comparison(rule.code) && rule.code != Code::convert &&
         (i.varying_result() || !i.masked());
}

/// The end of the series that begins at k. Operations on the second vector must not find what later ones on the first
/// have made, of values that are the same for all lanes or have a place for all of them, as the bools of a select.
std::size_t Emitter::end_of_series(std::size_t k) const {
  if (is_sliced()) return k;
  std::set<std::uint32_t> uniform, touched;
  std::size_t end = k;
  for (; end < program_.insts.size() && end - k < longest; ++end) {
    if ((end > k && is_target_[end]) || !is_by_vector(end)) break;
    const Inst& i = program_.insts[end];
    const EmitRule& rule = program_.rules[end];
    if (size_of_numbers(rule) != size_of_numbers(program_.rules[k])) break;
    if ((i.varying_result() ? uniform : touched).count(i.dst) != 0) break;
    visit_operands(i, rule, [&](std::uint32_t at, bool varying) {
      if (!varying) uniform.insert(at);
      touched.insert(at);
    });
    if (number_operands(rule).first > 0) {  // the operand before the numbers is a bool
      uniform.insert(i.a);
      touched.insert(i.a);
    }
    touched.insert(i.dst);
  }
  return end;
}

void Emitter::emit_series(std::size_t begin, std::size_t end) {
  const Shape shape = as_.shape(size_of_numbers(program_.rules[begin]));
  shape_ = shape;
  for (std::uint32_t v = 0; v < vectors(shape); ++v) {
    for (std::size_t k = begin; k < end; ++k) {
      const Inst& i = program_.insts[k];
      const bool is_part = fusions_ && fusions_->is_part(k);
      if (is_part || (v > 0 && !i.varying_result())) continue;
      arithmetic(i, program_.rules[k], v);
      end_live_vectors(begin, k, v);
    }
  }
  end_live_ranges_of_series(end);
}

/// Whether the operations make a value there that differs between lanes.
bool Emitter::is_made(std::size_t begin, std::size_t end, std::uint32_t at) const {
  for (std::size_t k = begin; k < end; ++k)
    if (program_.insts[k].dst == at && program_.insts[k].varying_result()) return true;
  return false;
}

/// The vectors of values that the series makes, whose last use is in it: by the operation, or by a part of it.
void Emitter::end_live_vectors(std::size_t begin, std::size_t k, std::uint32_t v) {
  const auto& ends = program_.last_uses;
  for (std::size_t at = last_uses_; at < ends.size() && ends[at].inst <= k; ++at) {
    const std::size_t user = fusions_ ? fusions_->whole_of(ends[at].inst) : ends[at].inst;
    if (user != k || is_made_again(ends[at], k)) continue;
    if (is_made(begin, ends[at].inst, ends[at].at))
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
    if (fusions_ && fusions_->is_part(last.inst))
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
