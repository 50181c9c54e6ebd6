#include "shader/lower/derivative.hpp"

#include <fmt/format.h>

#include "shader/lower/lower.hpp"
#include "shader/lower/opcode_table.hpp"
#include "shader/lower/variables.hpp"

namespace lockstep::spirv {
namespace {

// SPV_KHR_compute_shader_derivatives gave SPV_NV_compute_shader_derivatives's modes new names.
constexpr auto mode_quads = spv::ExecutionMode::DerivativeGroupQuadsNV,
               mode_linear = spv::ExecutionMode::DerivativeGroupLinearNV;

/// Fine: of the invocation's own row or column. Coarse: of one that the whole quad shares, but implementations choose.
/// Open: either.
enum class Grain { open, fine, coarse };

struct Rule {
  spv::Op opcode;
  bool along_x = false, along_y = false;  ///< both: a width
  Grain grain = Grain::open;
};
constexpr Rule rules[] = {
    {.opcode = spv::Op::OpDPdx, .along_x = true},
    {.opcode = spv::Op::OpDPdy, .along_y = true},
    {.opcode = spv::Op::OpFwidth, .along_x = true, .along_y = true},
    {.opcode = spv::Op::OpDPdxFine, .along_x = true, .grain = Grain::fine},
    {.opcode = spv::Op::OpDPdyFine, .along_y = true, .grain = Grain::fine},
    {.opcode = spv::Op::OpFwidthFine, .along_x = true, .along_y = true, .grain = Grain::fine},
    {.opcode = spv::Op::OpDPdxCoarse, .along_x = true, .grain = Grain::coarse},
    {.opcode = spv::Op::OpDPdyCoarse, .along_y = true, .grain = Grain::coarse},
    {.opcode = spv::Op::OpFwidthCoarse, .along_x = true, .along_y = true, .grain = Grain::coarse},
};

void check_arranged(Lowering& l, const Instruction& i) {
  if (l.ir().derivative_group == DerivativeGroup::none)
    fail_at(i,
            "needs quads: the entry point declares neither DerivativeGroupQuadsKHR nor "
            "DerivativeGroupLinearKHR");
}

Reg difference(Lowering& l, Reg upper, Reg lower) {
  const Scalar type = l.scalar_type(upper);
  return l.pure(Code::sub, type, type, {upper, lower});
}

/// Our value, or that which another implementation may choose.
Reg either(Lowering& l, Reg ours, Reg other) {
  const Scalar type = l.scalar_type(ours);
  return l.pure(Code::select, type, type, {l.open_condition(), ours, other});
}

/// One value of a quad, as all of it sees it.
Reg from_lane_of_quad(Lowering& l, Reg value, std::uint32_t lane, bool silent) {
  const Reg out = l.new_reg(l.scalar_type(value));
  l.emit(Code::quad_broadcast, l.scalar_type(value), {out}, {value, l.constant(Scalar::u32, lane)})
      .silent = silent;
  return out;
}

Reg coarse_derivative(Lowering& l, Reg value, Axis axis) {
  const std::uint32_t next = axis == Axis::x ? 1 : 2;
  const auto between = [&](std::uint32_t upper, std::uint32_t lower, bool silent) {
    return difference(l, from_lane_of_quad(l, value, upper, silent),
                      from_lane_of_quad(l, value, lower, silent));
  };
  return either(l, between(next, 0, false), between(3, 3 - next, true));
}

Op& swap_in_quad(Lowering& l, Reg to, Reg value, Axis axis) {
  return l.emit(Code::quad_swap, l.scalar_type(value), {to}, {value},
                Quad{static_cast<std::uint32_t>(axis)});
}

Reg fine_derivative(Lowering& l, Reg value, Axis axis) {
  const Scalar type = l.scalar_type(value);
  const Reg other = l.new_reg(type);
  swap_in_quad(l, other, value, axis);
  const Reg bit = l.constant(Scalar::u32, axis == Axis::x ? 1 : 2);
  const Reg own_bit = l.pure(Code::band, Scalar::u32, Scalar::u32, {lane_number(l), bit});
  const Reg is_upper = l.pure(Code::equal, Scalar::u32, Scalar::boolean, {own_bit, bit});
  return difference(l, l.pure(Code::select, type, type, {is_upper, value, other}),
                    l.pure(Code::select, type, type, {is_upper, other, value}));
}

Reg derivative(Lowering& l, Reg value, Axis axis, Grain grain) {
  if (grain == Grain::coarse) return coarse_derivative(l, value, axis);
  const Reg fine = fine_derivative(l, value, axis);
  if (grain == Grain::fine) return fine;
  const Reg neighbour = l.new_reg(l.scalar_type(value));
  swap_in_quad(l, neighbour, fine, axis == Axis::x ? Axis::y : Axis::x).silent = true;
  return either(l, fine, neighbour);
}

void lower_derivative(Lowering& l, const Instruction& i) {
  check_arranged(l, i);
  const Rule& rule = rule_of(rules, i.opcode);
  const auto along = [&](Reg value, Axis axis) { return derivative(l, value, axis, rule.grain); };
  std::vector<Reg> out;
  for (const Reg value : l.components(i[0])) {
    const Scalar type = l.scalar_type(value);
    const auto magnitude = [&](Reg r) { return l.pure(Code::abs, type, type, {r}); };
    if (rule.along_x && rule.along_y)
      out.push_back(l.pure(Code::add, type, type,
                           {magnitude(along(value, Axis::x)), magnitude(along(value, Axis::y))}));
    else
      out.push_back(along(value, rule.along_x ? Axis::x : Axis::y));
  }
  l.define(i.result, out);
}

}  // namespace

void find_derivative_group(Lowering& l, Id entry) {
  const Module& module = l.module();
  const auto& size = l.ir().local_size;
  if (const Instruction* quads = module.execution_mode(entry, mode_quads)) {
    if (size[0] % 2 != 0 || size[1] % 2 != 0)
      fail_at(*quads,
              fmt::format("the local size is {} x {}: blocks of 2 x 2 invocations need even "
                          "numbers",
                          size[0], size[1]));
    l.ir().derivative_group = DerivativeGroup::quads;
  } else if (const Instruction* linear = module.execution_mode(entry, mode_linear)) {
    if (std::uint64_t{size[0]} * size[1] * size[2] % 4 != 0)
      fail_at(*linear, fmt::format("the local size is {} x {} x {}: quads need a multiple of four "
                                   "invocations",
                                   size[0], size[1], size[2]));
    l.ir().derivative_group = DerivativeGroup::linear;
  }
}

std::vector<Reg> derivatives(Lowering& l, std::span<const Reg> values, Axis axis,
                             const Instruction& i) {
  check_arranged(l, i);
  std::vector<Reg> out;
  for (const Reg value : std::vector<Reg>(values.begin(), values.end()))
    out.push_back(fine_derivative(l, value, axis));
  return out;
}

void add_derivatives(OpcodeTable& table) {
  for (const Rule& rule : rules) table.add(rule.opcode, lower_derivative);
}

}  // namespace lockstep::spirv
