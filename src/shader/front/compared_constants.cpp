#include "shader/front/compared_constants.hpp"

#include <bit>
#include <map>

#include "shader/front/encoded.hpp"

namespace lockstep::spirv {
namespace {

constexpr std::int64_t small = 4096;

bool is_comparison(spv::Op op) {
  return op >= spv::Op::OpIEqual && op <= spv::Op::OpFUnordGreaterThanEqual;
}

/// A scalar type of numbers.
struct Number {
  bool is_float = false, is_signed = false;
  std::uint32_t width = 0;
};

class Finder {
 public:
  ComparedConstants find(std::span<const std::uint32_t> words) {
    for (const Encoded i : EncodedInstructions(words)) {
      const auto& w = i.words;
      if (i.opcode() == spv::Op::OpTypeInt && w.size() == 4)
        types_[w[1]] = {false, w[3] != 0, w[2]};
      if (i.opcode() == spv::Op::OpTypeFloat && w.size() >= 3) types_[w[1]] = {true, true, w[2]};
      if (i.opcode() == spv::Op::OpConstant && w.size() >= 4) note(w);
      if (is_comparison(i.opcode()) && w.size() == 5) {
        take(w[3]);
        take(w[4]);
      }
      // Labels of 64 bits are two words; as pairs of 32 bits they give some numbers that are none.
      for (std::size_t k = 3; i.opcode() == spv::Op::OpSwitch && k + 1 < w.size(); k += 2)
        found_.integers.insert(static_cast<std::int32_t>(w[k]));
    }
    return std::move(found_);
  }

 private:
  void note(std::span<const std::uint32_t> w) {
    const auto type = types_.find(w[1]);
    if (type == types_.end()) return;
    const std::uint64_t bits = w[3] | (w.size() > 4 ? std::uint64_t{w[4]} << 32 : 0);
    const Number& number = type->second;
    if (number.is_float) {
      if (number.width == 32) floats_[w[2]] = static_cast<double>(std::bit_cast<float>(w[3]));
      if (number.width == 64) floats_[w[2]] = std::bit_cast<double>(bits);
      return;
    }
    const auto value = number.width == 64 || !number.is_signed
                           ? static_cast<std::int64_t>(bits)
                           : std::int64_t{static_cast<std::int32_t>(w[3])};
    integers_[w[2]] = value;
    if (value >= -small && value <= small) found_.other_integers.insert(value);
  }

  void take(std::uint32_t id) {
    if (const auto found = integers_.find(id); found != integers_.end())
      found_.integers.insert(found->second);
    if (const auto found = floats_.find(id); found != floats_.end())
      found_.floats.insert(found->second);
  }

  std::map<std::uint32_t, Number> types_;
  std::map<std::uint32_t, std::int64_t> integers_;
  std::map<std::uint32_t, double> floats_;
  ComparedConstants found_;
};

}  // namespace

ComparedConstants compared_constants(std::span<const std::uint32_t> words) {
  return Finder().find(words);
}

}  // namespace lockstep::spirv
