#include "shader/ir/value_ranges.hpp"

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <utility>

namespace lockstep::spirv {
namespace {

constexpr std::int64_t lowest = std::numeric_limits<std::int32_t>::min();
constexpr std::int64_t highest = std::numeric_limits<std::int32_t>::max();
constexpr ValueRange any{lowest, highest};

bool is_word(Scalar type) { return type == Scalar::u32 || type == Scalar::i32; }

/// Numbers outside of 32 bits wrap.
ValueRange within(std::int64_t low, std::int64_t high) {
  return low >= lowest && high <= highest ? ValueRange{low, high} : any;
}
ValueRange around(std::initializer_list<std::int64_t> numbers) {
  return within(std::min(numbers), std::max(numbers));
}
/// What a narrower integer may be.
ValueRange range_of(Scalar type) {
  const std::uint32_t bits = 8 * size_of(type);
  if (type == Scalar::boolean || is_float(type) || bits >= 32) return any;
  const std::int64_t numbers = std::int64_t{1} << bits;
  return is_signed(type) ? ValueRange{-numbers / 2, numbers / 2 - 1} : ValueRange{0, numbers - 1};
}

class Ranges {
 public:
  explicit Ranges(const Ir& ir) : ranges_(ir.regs.size(), any) {
    std::vector<bool> written(ir.regs.size());
    for (Reg r = 0; r < ir.regs.size(); ++r) {
      const RegInfo& info = ir.regs[r];
      if (info.constant && is_word(info.type)) {
        const std::int64_t value = static_cast<std::int32_t>(info.value);
        ranges_[r] = {value, value};
      }
    }
    for (const Op& op : ir.ops) {
      for (const Reg r : op.dst) {
        const bool once = !written[r] && !ir.regs[r].variable && !ir.regs[r].constant;
        ranges_[r] = once && is_pure(op.code) ? result(op) : any;
        written[r] = true;
      }
    }
  }
  std::vector<ValueRange> take() { return std::move(ranges_); }

 private:
  const ValueRange& operand(const Op& op, std::size_t k) const { return ranges_[op.src[k]]; }

  struct Rule {
    Code code;
    ValueRange (*range)(const Op& op, const ValueRange& a, const ValueRange& b);
  };

  ValueRange result(const Op& op) const {
    if (!is_word(op.type)) return any;
    static constexpr Rule rules[] = {
        {Code::convert, converted}, {Code::copy, copied}, {Code::add, sum},
        {Code::sub, difference},    {Code::mul, product}, {Code::band, in_mask},
        {Code::shr, moved_down},
    };
    const auto* const rule = std::ranges::find(rules, op.code, &Rule::code);
    if (rule == std::end(rules)) return any;
    return rule->range(op, operand(op, 0), operand(op, op.src.size() - 1));
  }
  static ValueRange converted(const Op& op, const ValueRange&, const ValueRange&) {
    return range_of(op.from);
  }
  static ValueRange copied(const Op& op, const ValueRange& a, const ValueRange&) {
    return is_word(op.from) ? a : any;
  }
  static ValueRange sum(const Op&, const ValueRange& a, const ValueRange& b) {
    return within(a.low + b.low, a.high + b.high);
  }
  static ValueRange difference(const Op&, const ValueRange& a, const ValueRange& b) {
    return within(a.low - b.high, a.high - b.low);
  }
  static ValueRange product(const Op&, const ValueRange& a, const ValueRange& b) {
    return around({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
  }
  static ValueRange in_mask(const Op&, const ValueRange& a, const ValueRange& b) {
    if (a.low < 0 && b.low < 0) return any;
    if (a.low < 0) return {0, b.high};
    return {0, b.low < 0 ? a.high : std::min(a.high, b.high)};
  }
  static ValueRange moved_down(const Op& op, const ValueRange& a, const ValueRange& b) {
    return b.low == b.high ? shifted(op.type, a, b.low & 31) : any;
  }
  static ValueRange shifted(Scalar type, const ValueRange& a, std::int64_t count) {
    if (type == Scalar::i32 || a.low >= 0) return {a.low >> count, a.high >> count};
    return count == 0 ? any : ValueRange{0, std::int64_t{0xffffffff} >> count};
  }

  std::vector<ValueRange> ranges_;
};

}  // namespace

std::vector<ValueRange> find_value_ranges(const Ir& ir) { return Ranges(ir).take(); }

}  // namespace lockstep::spirv
