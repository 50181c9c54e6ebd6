#include "shader/ir/break_sides.hpp"

#include <algorithm>
#include <utility>

namespace lockstep::spirv {
namespace {

/// A construct around an operation, or one side of it.
struct Around {
  Code kind;
  std::uint32_t construct;
  std::uint32_t begin;  ///< of a side: its first operation
  BreakSides side = first_side_breaks;
};

class BreakSideFinder {
 public:
  explicit BreakSideFinder(const Ir& ir) : ir_(ir), sides_(ir.constructs + 1) {}

  std::vector<std::uint8_t> find() {
    for (std::uint32_t k = 0; k < ir_.ops.size(); ++k) visit(k);
    return std::move(sides_);
  }

 private:
  void visit(std::uint32_t k) {
    const Op& op = ir_.ops[k];
    switch (op.code) {
      case Code::if_begin:
      case Code::loop_begin:
      case Code::switch_begin:
      case Code::call_begin:
        around_.push_back({op.code, construct_of(op), k + 1});
        break;
      case Code::if_else:
        end_side(k);
        around_.back() = {op.code, construct_of(op), k + 1, other_side_breaks};
        break;
      case Code::if_end:
        end_side(k);
        around_.pop_back();
        break;
      case Code::loop_end:
      case Code::switch_end:
      case Code::call_end:
        around_.pop_back();
        break;
      default:
        break;
    }
  }

  /// The side of the innermost selection that ends before the operation k.
  void end_side(std::uint32_t k) {
    const Around& selection = around_.back();
    const bool breaks = k > selection.begin + 1 && ir_.ops[k - 1].code == Code::leave_loop;
    if (breaks && is_directly_in_loop() && !has_barrier(selection.begin, k))
      sides_[selection.construct] =
          static_cast<std::uint8_t>(sides_[selection.construct] | selection.side);
  }
  /// Whether only selections are between the innermost loop and the side.
  bool is_directly_in_loop() const {
    const auto around = std::find_if(around_.rbegin(), around_.rend(), [](const Around& a) {
      return a.kind != Code::if_begin && a.kind != Code::if_else;
    });
    return around != around_.rend() && around->kind == Code::loop_begin;
  }
  bool has_barrier(std::uint32_t begin, std::uint32_t end) const {
    return std::any_of(ir_.ops.begin() + begin, ir_.ops.begin() + end,
                       [](const Op& op) { return op.code == Code::barrier; });
  }

  const Ir& ir_;
  std::vector<std::uint8_t> sides_;
  std::vector<Around> around_;
};

}  // namespace

std::vector<std::uint8_t> find_break_sides(const Ir& ir) { return BreakSideFinder(ir).find(); }

}  // namespace lockstep::spirv
