#include "shader/ir/ballot_words.hpp"

#include <cstddef>

namespace lockstep::spirv {
namespace {

constexpr std::uint8_t each_word = 4;  ///< zero, which is within each component
constexpr std::uint8_t no_word = 5;

/// Of a value that is one of two.
std::uint8_t both(std::uint8_t a, std::uint8_t b) {
  if (a == each_word) return b;
  return b == each_word || a == b ? a : no_word;
}
/// Of a value that has the bits that two have in common.
std::uint8_t common(std::uint8_t a, std::uint8_t b) {
  if (a == each_word || b == each_word) return each_word;
  return a == no_word ? b : a;
}

/// What the k-th result of an operation is, by what its operands are.
std::uint8_t result_of(const Op& op, std::size_t k, const std::vector<std::uint8_t>& word) {
  const auto operand = [&](std::size_t at) { return word[op.src[at]]; };
  switch (op.code) {
    case Code::ballot:
      return static_cast<std::uint8_t>(k);
    case Code::copy:
    case Code::move:
      return operand(0);
    case Code::select:
      return both(operand(1), operand(2));
    case Code::band:
      return common(operand(0), operand(1));
    case Code::bor:
    case Code::bxor:
      return both(operand(0), operand(1));
    default:
      return no_word;
  }
}

}  // namespace

BallotWords::BallotWords(const Ir& ir) : word_(ir.regs.size(), no_word) {
  // Variables start as zero. What is written to them, and what is computed of that, only takes words away.
  for (std::size_t r = 0; r < ir.regs.size(); ++r)
    if (ir.regs[r].variable || (ir.regs[r].constant && ir.regs[r].value == 0)) word_[r] = each_word;
  for (const Op& op : ir.ops)
    for (const Reg r : op.dst) word_[r] = each_word;
  for (const IndexedVariable& variable : ir.indexed)
    for (const Reg r : variable.regs) word_[r] = no_word;
  for (const BuiltInUse& built_in : ir.built_ins)
    for (const Reg r : built_in.regs) word_[r] = no_word;
  for (bool changed = true; changed;) {
    changed = false;
    for (const Op& op : ir.ops)
      for (std::size_t k = 0; k < op.dst.size(); ++k) {
        std::uint8_t& word = word_[op.dst[k]];
        const std::uint8_t now = both(word, result_of(op, k, word_));
        changed = changed || now != word;
        word = now;
      }
  }
}

bool BallotWords::is_ballot(std::span<const Reg> words) const {
  for (std::size_t k = 0; k < words.size(); ++k)
    if (word_[words[k]] != each_word && word_[words[k]] != k) return false;
  return true;
}

}  // namespace lockstep::spirv
