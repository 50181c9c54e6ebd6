#include "shader/instruments/folded_operations.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "shader/run/fold.hpp"

namespace lockstep::spirv {
namespace {

/// Operands of integers with which a result does not depend on the operation.
struct SpecialOperands {
  Code code;
  std::uint64_t keeps;  ///< with it as the second one the result is the first
  bool commutes = true;
  bool zero_makes_zero = false;
};
constexpr SpecialOperands special_operands[] = {
    {Code::add, 0},        {Code::sub, 0, false}, {Code::mul, 1, true, true},
    {Code::bor, 0},        {Code::bxor, 0},       {Code::band, ~std::uint64_t{0}, true, true},
    {Code::shl, 0, false}, {Code::shr, 0, false},
};

class OperationFolder {
 public:
  explicit OperationFolder(Ir& ir) : ir_(ir), by_(ir.regs.size()) {
    for (Reg r = 0; r < by_.size(); ++r) by_[r] = r;
  }

  void run() {
    std::size_t kept = 0;
    for (std::size_t k = 0; k < ir_.ops.size(); ++k) {
      Op& op = ir_.ops[k];
      visit_sources(op, [&](Reg& r) { r = by_[r]; });
      if (folds(op)) continue;
      if (kept++ != k) ir_.ops[kept - 1] = std::move(op);
    }
    ir_.ops.resize(kept);
  }

 private:
  std::optional<std::uint64_t> value_of(Reg r) const {
    const RegInfo& reg = ir_.regs[r];
    if (!reg.constant || reg.open) return {};
    return reg.value;
  }

  /// Whether the operation is not needed; it may have become another one.
  bool folds(Op& op) {
    if (const auto value = fold_known(ir_, op, [&](Reg r) { return value_of(r); })) {
      become(op.dst[0], *value);
      return true;
    }
    return is_integer(op) && is_simple(op);
  }
  void become(Reg r, std::uint64_t value) {
    ir_.regs[r].constant = true;
    ir_.regs[r].value = value;
  }

  /// Of two integers, in all lanes.
  bool is_integer(const Op& op) const {
    if (!is_pure(op.code) || op.masked || op.dst.size() != 1 || op.src.size() != 2) return false;
    const RegInfo& result = ir_.regs[op.dst[0]];
    if (result.variable || result.lanes || result.allowed) return false;
    return op.type != Scalar::boolean && !is_float(op.type) && op.detail.index() == 0;
  }
  bool is_simple(Op& op) {
    const auto row = std::ranges::find(special_operands, op.code, &SpecialOperands::code);
    if (row == std::end(special_operands)) return false;
    if (row->commutes && value_of(op.src[0])) std::swap(op.src[0], op.src[1]);
    const std::optional<std::uint64_t> constant = value_of(op.src[1]);
    if (!constant) return false;
    const std::uint64_t all = ~std::uint64_t{0} >> (64 - 8 * size_of(op.type));
    const std::uint64_t value = *constant & all;
    if (value == 0 && row->zero_makes_zero) {
      become(op.dst[0], 0);
      return true;
    }
    return value == (row->keeps & all) && is(op, op.src[0]);
  }
  /// The result is that register, which is copied if it may change.
  bool is(Op& op, Reg r) {
    if (!ir_.regs[r].variable) {
      by_[op.dst[0]] = r;
      return true;
    }
    op.code = Code::copy;
    op.src = {r};
    return false;
  }

  Ir& ir_;
  std::vector<Reg> by_;  ///< the register that stands for each
};

}  // namespace

void fold_operations(Ir& ir) { OperationFolder(ir).run(); }

}  // namespace lockstep::spirv
