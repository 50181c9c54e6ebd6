#include "shader/lower/builder.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <lockstep/exec/intern.hpp>

#include "shader/ir/operations.hpp"
#include "shader/ir/verify_op.hpp"
#include "shader/run/fold.hpp"

namespace lockstep::spirv {
namespace {

constexpr std::size_t most_ops = 1u << 20;

/// Whether devices may give several results: then it is not folded.
bool may_round(const Op& op) {
  const Precision precision = operation_of(op.code).precision;
  return is_float(op.type) && (precision == Precision::rounds || precision == Precision::of_bits);
}

bool is_denormal(Scalar type, std::uint64_t bits) {
  const int digits = type == Scalar::f16 ? 10 : type == Scalar::f32 ? 23 : 52;
  const std::uint64_t magnitude = bits & ~(std::uint64_t{1} << (8 * size_of(type) - 1));
  return magnitude != 0 && magnitude >> digits == 0;
}

bool is_composite(const Type& type) {
  return type.kind == Type::Kind::array || type.kind == Type::Kind::structure ||
         type.kind == Type::Kind::matrix;
}

}  // namespace

void Builder::unsupported(const Instruction& i, const std::string& why) {
  fail_at(i, why.empty() ? "is not supported" : fmt::format("is not supported: {}", why));
}

std::uint64_t Builder::constant_bits(Id id) {
  const Reg reg = scalar(id);
  if (!is_constant(reg)) fail_at(module_.definition(id), "is not a constant");
  return ir_.regs[reg].value;
}

std::vector<Reg> Builder::null_value(const Type& type) {
  std::vector<Reg> out;
  for (const Scalar s : types_.scalars(type)) out.push_back(constant(s, 0));
  return out;
}

std::vector<Reg> Builder::undefined_value(const Type& type) {
  std::vector<Reg> out;
  for (const Scalar s : types_.scalars(type)) out.push_back(undefined(s, 0));
  return out;
}

Reg Builder::new_reg(Scalar type) {
  if (ir_.regs.size() >= most_ops) fail_at(where_, "the shader is too large");
  ir_.regs.push_back({.type = type});
  return static_cast<Reg>(ir_.regs.size() - 1);
}

Reg Builder::constant(Scalar type, std::uint64_t value) {
  const auto [found, added] = constants_.try_emplace({type, value}, 0);
  if (added) {
    found->second = new_reg(type);
    ir_.regs[found->second].constant = true;
    ir_.regs[found->second].value = value;
  }
  return found->second;
}

Reg Builder::undefined(Scalar type, std::uint64_t value) {
  const auto [found, added] = undefined_.try_emplace({type, value}, 0);
  if (added) {
    found->second = new_reg(type);
    RegInfo& info = ir_.regs[found->second];
    info.constant = true;
    info.undefined = true;
    info.value = value;
  }
  return found->second;
}

Reg Builder::open_condition() {
  if (open_ == no_reg) {
    open_ = new_reg(Scalar::boolean);
    RegInfo& info = ir_.regs[open_];
    info.constant = info.open = true;
    info.value = 1;
  }
  return open_;
}

std::span<const Reg> Builder::regs(Id id) {
  if (id >= values_.size() || !values_[id].known)
    fail_at(where_, fmt::format("%{} is used before it is defined", id));
  const Value& value = values_[id];
  if (value.pointer >= 0)
    fail_at(where_, fmt::format("%{} is a pointer where a value is expected", id));
  return std::span(pool_).subspan(value.first, value.count);
}

Reg Builder::scalar(Id id) {
  const auto components = regs(id);
  if (components.size() != 1) fail_at(where_, fmt::format("%{} is not a scalar", id));
  return components[0];
}

void Builder::define(Id id, std::span<const Reg> components) {
  if (id == 0 || id >= values_.size()) fail_at(where_, "an id is not below the module's bound");
  Value value;
  value.known = true;
  value.first = static_cast<std::uint32_t>(pool_.size());
  value.count = static_cast<std::uint32_t>(components.size());
  // `components` may point into pool_ itself.
  const std::vector<Reg> copy(components.begin(), components.end());
  pool_.insert(pool_.end(), copy.begin(), copy.end());
  values_[id] = value;
}

void Builder::define_pointer(Id id, const Pointer& p) {
  Value value;
  value.known = true;
  value.pointer = static_cast<int>(pointers_.size());
  pointers_.push_back(p);
  values_[id] = value;
}

void Builder::name_variable(Id id, std::span<const Reg> components, const Type& type) {
  if (!module_.has_name(id) || components.empty()) return;
  ir_.named_variables.push_back({0,
                                 intern(module_.name(id)),
                                 id,
                                 {components.begin(), components.end()},
                                 is_composite(type)});
}

void Builder::name_result(Id id) {
  if (id == 0 || !module_.has_name(id) || !is_known(id) || is_pointer(id)) return;
  ir_.named_values.push_back(
      {ir_.ops.size(), intern(module_.name(id)), id, components(id), is_composite(type_of(id))});
}

const Type& Builder::type_of(Id id) { return types_[module_.definition(id).type]; }

void Builder::check(const Op& op, std::optional<Scalar> result) const {
  if (const char* wrong = wrong_with(op, ir_.regs, result)) fail_at(where_, wrong);
}

Op& Builder::emit(Code code, Scalar type, RegList dst, RegList src, Detail detail) {
  if (ir_.ops.size() >= most_ops)
    fail_at(where_, "the shader is too large once functions are inlined");
  Op& op = ir_.ops.emplace_back();
  op.code = code;
  op.type = type;
  op.dst = std::move(dst);
  op.src = std::move(src);
  op.detail = std::move(detail);
  stamp(op);
  check(op);
  return op;
}

void Builder::stamp(Op& op) const {
  op.where = where_;
  op.precise = precise_;
  op.relaxed = relaxed_;
  op.controls = obeyed_ & modes_.of(op.type);
  if (op.code != Code::convert) return;
  // How it rounds depends on the result alone.
  const FloatControls before = modes_.of(op.from);
  op.controls.keeps_denormals = op.controls.keeps_denormals && before.keeps_denormals;
  op.controls.keeps_specials = op.controls.keeps_specials && before.keeps_specials;
}

/// Whether an operation on constants has an undefined operand; of a select only the chosen side counts.
bool Builder::is_undefined(const Op& op) const {
  const auto undefined = [&](Reg r) { return ir_.regs[r].undefined; };
  if (op.code == Code::select && !undefined(op.src[0]))
    return undefined(op.src[ir_.regs[op.src[0]].value != 0 ? 1 : 2]);
  return std::any_of(op.src.begin(), op.src.end(), undefined);
}

bool Builder::flushes(Scalar type) const {
  return is_float(type) && obeyed_.flushes && modes_.of(type).flushes;
}

Reg Builder::flushed(Reg reg) {
  const Scalar type = scalar_type(reg);
  if (!flushes(type) || flushed_.contains(reg)) return reg;
  if (is_constant(reg) && !is_denormal(type, ir_.regs[reg].value)) return reg;
  const Reg number = plain(Code::flush, type, type, {reg}, Scalar::u32, {});
  flushed_.insert(number);
  return number;
}

Reg Builder::pure(Code code, Scalar type, Scalar result, std::initializer_list<Reg> src,
                  Scalar from, Detail detail) {
  std::vector<Reg> operands = src;
  if (operation_of(code).precision == Precision::passes_on || !obeyed_.flushes)
    return plain(code, type, result, std::move(operands), from, std::move(detail));
  for (Reg& r : operands) r = flushed(r);
  return flushed(plain(code, type, result, std::move(operands), from, std::move(detail)));
}

Reg Builder::plain(Code code, Scalar type, Scalar result, std::vector<Reg> src, Scalar from,
                   Detail detail) {
  bool constant_operands = true;
  for (const Reg r : src) constant_operands = constant_operands && is_constant(r);
  Op op;
  op.code = code;
  op.type = type;
  op.from = from;
  op.src = std::move(src);
  op.detail = std::move(detail);
  stamp(op);
  check(op, result);
  if (constant_operands && !may_round(op)) {
    std::vector<Constant> values;
    for (const Reg r : op.src) values.push_back({ir_.regs[r].type, ir_.regs[r].value});
    const std::uint64_t value = fold(op, values, result);
    return is_undefined(op) ? undefined(result, value) : constant(result, value);
  }
  const Reg dst = new_reg(result);
  op.dst = {dst};
  if (ir_.ops.size() >= most_ops)
    fail_at(where_, "the shader is too large once functions are inlined");
  ir_.ops.push_back(std::move(op));
  return dst;
}

Reg Builder::as_u32(Reg reg) {
  const Scalar type = ir_.regs[reg].type;
  if (size_of(type) == 4) return reg;
  if (size_of(type) == 8) {
    // An index beyond 32 bits must not wrap to a small one.
    const Reg top = constant(Scalar::u64, 0xffffffff);
    reg = pure(Code::min, Scalar::u64, Scalar::u64, {reg, top});
    return pure(Code::convert, Scalar::u32, Scalar::u32, {reg}, Scalar::u64);
  }
  return pure(Code::convert, Scalar::u32, Scalar::u32, {reg}, type);
}

void Builder::move(Reg variable, Reg value) {
  emit(Code::move, ir_.regs[variable].type, {variable}, {value});
}

void Builder::check_result(const Instruction& i) {
  if (i.result == 0 || i.type == 0 || i.result >= values_.size()) return;
  const Value& value = values_[i.result];
  if (!value.known || value.pointer >= 0) return;
  const Type& type = types_[i.type];
  if (type.kind != Type::Kind::nothing && value.count != type.components)
    fail_at(i, fmt::format("has a result of {} components, but its type has {}", value.count,
                           type.components));
  if (!are_of(std::span(pool_).subspan(value.first, value.count), type))
    fail_at(i, "has a result whose type differs from its own");
}

bool Builder::are_of(std::span<const Reg> components, const Type& type) const {
  const auto has = [&](Reg r, Scalar scalar) { return same_contents(ir_.regs[r].type, scalar); };
  switch (type.kind) {
    case Type::Kind::nothing:
      return true;
    case Type::Kind::scalar:
    case Type::Kind::vector:
    case Type::Kind::matrix:
    case Type::Kind::pointer:
      return std::all_of(components.begin(), components.end(),
                         [&](Reg r) { return has(r, type.scalar); });
    default: {
      const std::vector<Scalar> scalars = types_.scalars(type, most_of_variable);
      return std::equal(components.begin(), components.end(), scalars.begin(), scalars.end(), has);
    }
  }
}

std::vector<Reg> Builder::select_components(Reg condition, std::span<const Reg> a,
                                            std::span<const Reg> b) {
  if (a.size() != b.size()) fail_at(where_, "the operands of a selection have different types");
  const std::vector<Reg> left(a.begin(), a.end()), right(b.begin(), b.end());
  std::vector<Reg> out;
  for (std::size_t k = 0; k < left.size(); ++k) {
    const Scalar type = ir_.regs[left[k]].type;
    out.push_back(pure(Code::select, type, type, {condition, left[k], right[k]}));
  }
  return out;
}

void Builder::define_same(Id id, Id other) {
  if (!is_known(other)) fail_at(where_, fmt::format("%{} is used before it is defined", other));
  if (id == 0 || id >= values_.size()) fail_at(where_, "an id is not below the module's bound");
  values_[id] = values_[other];
}

}  // namespace lockstep::spirv
