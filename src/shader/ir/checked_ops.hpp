#pragma once

#include <utility>
#include <vector>

#include "shader/ir/comparisons.hpp"
#include "shader/ir/ir.hpp"

namespace lockstep::spirv {

/// The operations of a shader in their order, and between them those that a pass adds: observers do not hear of these.
class CheckedOps {
 public:
  explicit CheckedOps(Ir& ir) : ir_(ir) {}

  /// What is added from here on belongs to this place in the source.
  void move_to(const SourceLocation& where) { where_ = where; }
  const SourceLocation& where() const { return where_; }

  /// An operation as it is.
  void keep(Op&& op) { ops_.push_back(std::move(op)); }
  Op& add(Code code, Scalar type, RegList dst, RegList src) {
    Op& op = ops_.emplace_back();
    op.code = code;
    op.type = type;
    op.dst = std::move(dst);
    op.src = std::move(src);
    op.where = where_;
    op.silent = true;
    return op;
  }
  /// The result, in a new register: a bool for comparisons, else of the operation's type.
  Reg emit(Code code, Scalar type, RegList src) {
    const Reg dst = add_register(ir_, {.type = is_comparison(code) ? Scalar::boolean : type});
    add(code, type, {dst}, std::move(src));
    return dst;
  }

  std::vector<Op> take() { return std::move(ops_); }

 private:
  Ir& ir_;
  std::vector<Op> ops_;
  SourceLocation where_;
};

}  // namespace lockstep::spirv
