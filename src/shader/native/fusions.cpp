#if LOCKSTEP_SPIRV_NATIVE

#include "shader/native/fusions.hpp"

#include <algorithm>

#include "shader/native/loops.hpp"

namespace lockstep::spirv {
namespace {

/// How far back parts are searched.
constexpr std::size_t most_between = 16;

bool is_integer(Scalar type) {
  return type != Scalar::boolean && !is_float(type) && size_of(type) >= 4;
}
/// An operation on each bit: its result where the operands' bits are 0 0, 0 1, 1 0 and 1 1, from the lowest bit up.
struct Logical {
  Code code;
  unsigned results;
};
constexpr unsigned either = 0b1110, opposite = 0b0011;
constexpr Logical logical[] = {
    {Code::band, 0b1000}, {Code::bor, either}, {Code::bxor, 0b0110}, {Code::bnot, opposite}};

/// 0: of no such operation.
unsigned results_of(Code code) {
  for (const Logical& row : logical)
    if (row.code == code) return row.results;
  return 0;
}

}  // namespace

Fusions::Fusions(const Program& program, const std::vector<bool>& is_target,
                 const Constants& constants)
    : program_(program),
      is_target_(is_target),
      constants_(constants),
      whole_(program.insts.size()),
      at_(program.insts.size()) {
  for (std::size_t k = 0; k < program.insts.size(); ++k) {
    const unsigned results = is_plain(k) ? results_of(program.rules[k].code) : 0;
    if (results == 0 || results == opposite) continue;
    find_rotation(k);
    if (!at_[k]) find_combination(k);
  }
}

bool Fusions::is_plain(std::size_t k) const {
  const EmitRule& rule = program_.rules[k];
  return rule.kind == EmitRule::Kind::arithmetic && is_integer(rule.type) &&
         program_.insts[k].varying_result();
}

std::size_t Fusions::whole_of(std::size_t k) const {
  while (is_part(k)) k = whole_[k];
  return k;
}

bool Fusions::ends(std::size_t k, std::uint32_t at) const {
  const auto& all = program_.last_uses;
  const auto first =
      std::lower_bound(all.begin(), all.end(), k,
                       [](const LastUse& last, std::size_t inst) { return last.inst < inst; });
  for (auto last = first; last != all.end() && last->inst == k; ++last)
    if (last->at == at) return true;
  return false;
}

/// The operation that makes an operand for nothing but k, and whose own operands are the same at k.
std::optional<std::size_t> Fusions::find_part(std::size_t k, int operand) const {
  const Inst& i = program_.insts[k];
  const std::uint32_t at = operand == 0 ? i.a : i.b;
  if (!i.varying(operand) || i.a == i.b || !ends(k, at)) return std::nullopt;
  for (std::size_t j = k; j-- > 0 && k - j <= most_between && !is_target_[j + 1];) {
    const Inst& made = program_.insts[j];
    if (program_.rules[j].kind != EmitRule::Kind::arithmetic) return std::nullopt;
    if (made.dst != at) {
      for (int number = 0; number < 4; ++number)
        if (operand_place(made, number) == at) return std::nullopt;
      continue;
    }
    if (!is_plain(j) || made.masked() || is_part(j) || made.chunks != i.chunks ||
        size_of(program_.rules[j].type) != size_of(program_.rules[k].type) || !keeps_operands(j, k))
      return std::nullopt;
    return j;
  }
  return std::nullopt;
}
/// Whether the operands of j are the same at k.
bool Fusions::keeps_operands(std::size_t j, std::size_t k) const {
  for (const Fusion::Operand& operand : operands_of(j)) {
    for (std::size_t between = j + 1; between < k; ++between)
      if (program_.insts[between].dst == operand.at) return false;
    // What is the same for all lanes is read again after the first vector of the result is written.
    if (program_.insts[k].dst == operand.at && !operand.varying) return false;
  }
  return true;
}

/// Whether the parts' operands are still there at k: what uses one of them last is k, a part of it, or comes later.
bool Fusions::are_live(std::size_t k, const Parts& parts) const {
  const auto is_in = [&](std::size_t j) { return j == parts[0] || j == parts[1]; };
  for (const auto& part : parts) {
    if (!part) continue;
    for (const Fusion::Operand& operand : operands_of(*part)) {
      for (std::size_t between = *part + 1; between < k; ++between)
        if (!is_in(whole_of(between)) && ends(between, operand.at)) return false;
    }
  }
  return true;
}

const std::uint64_t* Fusions::count_of(const Inst& shift) const {
  if (shift.varying(1)) return nullptr;
  const auto found = constants_.find(shift.b);
  return found == constants_.end() ? nullptr : &found->second;
}

void Fusions::find_rotation(std::size_t k) {
  const EmitRule& rule = program_.rules[k];
  if (results_of(rule.code) != either) return;
  const auto first = find_part(k, 0), second = find_part(k, 1);
  if (!first || !second) return;
  const auto is = [&](std::size_t j, Code code) { return program_.rules[j].code == code; };
  const bool is_right_first = is(*first, Code::shr);
  const std::size_t right = is_right_first ? *first : *second,
                    left = is_right_first ? *second : *first;
  if (!are_live(k, {first, second})) return;
  const Inst& down = program_.insts[right];
  const Inst& up = program_.insts[left];
  if (!is(right, Code::shr) || !is(left, Code::shl)) return;
  if (is_signed(program_.rules[right].type) || down.a != up.a || !down.varying(0)) return;
  const std::uint64_t bits = 8 * size_of(rule.type);
  const std::uint64_t *by = count_of(down), *back = count_of(up);
  if (by == nullptr || back == nullptr || *by == 0 || *by >= bits || *by + *back != bits) return;
  at_[k] = Fusion{Fusion::Kind::rotate, static_cast<std::uint8_t>(*by), {{down.a, true}}};
  whole_[right] = whole_[left] = k;
}

Fusion::Operand Fusions::operand(std::size_t k, std::size_t number) const {
  const Inst& i = program_.insts[k];
  return {number == 0 ? i.a : i.b, i.varying(static_cast<int>(number))};
}
/// What the operation reads once its parts are computed with it.
std::vector<Fusion::Operand> Fusions::operands_of(std::size_t k) const {
  if (at_[k]) return at_[k]->operands;
  if (results_of(program_.rules[k].code) == opposite) return {operand(k, 0)};
  return {operand(k, 0), operand(k, 1)};
}
/// The operation's result where bit(operand) is a bit of an operand.
template <class Bit>
unsigned Fusions::result_of(std::size_t k, const Bit& bit) const {
  unsigned number = 0;
  for (const Fusion::Operand& each : operands_of(k)) number = number << 1 | bit(each);
  if (at_[k]) return at_[k]->number >> number & 1u;
  const unsigned results = results_of(program_.rules[k].code);
  return results == opposite ? 1u - number : results >> number & 1u;
}

/// The operation together with parts of it, if they have no more than three operands.
std::optional<Fusion> Fusions::combined(std::size_t k, const Parts& parts) const {
  std::vector<Fusion::Operand> operands;
  const auto add = [&](const Fusion::Operand& each) {
    if (std::ranges::find(operands, each) == operands.end()) operands.push_back(each);
  };
  for (std::size_t number = 0; number < parts.size(); ++number) {
    if (!parts[number]) {
      add(operand(k, number));
      continue;
    }
    for (const Fusion::Operand& each : operands_of(*parts[number])) add(each);
  }
  if (operands.size() > 3) return std::nullopt;
  Fusion fusion{Fusion::Kind::combine, 0, operands};
  fusion.operands.resize(3, operands.back());
  for (unsigned bits = 0; bits < 8; ++bits) {
    const auto bit = [&](const Fusion::Operand& each) {
      const auto place = std::ranges::find(fusion.operands, each) - fusion.operands.begin();
      return bits >> (2 - place) & 1u;
    };
    unsigned number = 0;
    for (std::size_t of = 0; of < parts.size(); ++of)
      number = number << 1 | (parts[of] ? result_of(*parts[of], bit) : bit(operand(k, of)));
    const unsigned result = results_of(program_.rules[k].code) >> number & 1u;
    fusion.number = static_cast<std::uint8_t>(fusion.number | result << bits);
  }
  return fusion;
}

void Fusions::find_combination(std::size_t k) {
  Parts parts;
  for (std::size_t number = 0; number < parts.size(); ++number) {
    const auto part = find_part(k, static_cast<int>(number));
    if (!part || results_of(program_.rules[*part].code) == 0) continue;
    if (at_[*part] && at_[*part]->kind == Fusion::Kind::rotate) continue;
    parts[number] = part;
  }
  const Parts first{parts[0], std::nullopt}, second{std::nullopt, parts[1]};
  for (const Parts& tried : {parts, first, second}) {
    if ((!tried[0] && !tried[1]) || !are_live(k, tried)) continue;
    std::optional<Fusion> fusion = combined(k, tried);
    if (!fusion) continue;
    at_[k] = std::move(fusion);
    for (const auto& part : tried) {
      if (!part) continue;
      at_[*part].reset();
      whole_[*part] = k;
    }
    return;
  }
}

}  // namespace lockstep::spirv

#endif
