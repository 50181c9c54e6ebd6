#include "shader/run/fold.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <lockstep/exec/error.hpp>

#include "runtime/dispatch/kept_denormals.hpp"
#include "shader/ir/names.hpp"
#include "shader/run/ops/functions.hpp"

namespace lockstep::spirv {

std::uint64_t fold(const Op& op, std::span<const Constant> values, Scalar result) {
  // The program of one operation, for registers of one chunk.
  alignas(64) std::byte regs[6][chunk_lanes * 8] = {};
  if (values.size() > 4) throw Error("an operation on constants has too many operands");
  Inst inst;
  inst.imm = functions().immediate_of(op);
  if (const auto* chain = std::get_if<Chain>(&op.detail)) inst.args = &chain->limit;
  const auto at = [&](std::size_t k) { return static_cast<std::uint32_t>(k * sizeof regs[0]); };
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (values[k].type == Scalar::boolean) {
      std::fill_n(regs[k], bool_bytes, values[k].bits != 0 ? std::byte{0xff} : std::byte{0});
      continue;
    }
    const std::size_t bytes = size_of(values[k].type);
    for (std::size_t lane = 0; lane < chunk_lanes; ++lane)
      std::copy_n(reinterpret_cast<const std::byte*>(&values[k].bits), bytes,
                  regs[k] + lane * bytes);
  }
  inst.a = at(0);
  inst.b = at(1);
  inst.c = at(2);
  if (values.size() > 3) inst.imm = at(3);
  inst.dst = at(4);
  const Run run = functions().find_pure(op);
  if (run == nullptr)
    throw Error(fmt::format("{}:{}: an operation on {} is not supported", op.where.file,
                            op.where.line, name_of(op.type)));
  Context context;
  context.regs = regs[0];
  const KeptDenormals mode;
  run(&inst, context);
  std::uint64_t bits = 0;
  if (result == Scalar::boolean) return static_cast<std::uint64_t>(regs[4][0] & std::byte{1});
  std::copy_n(regs[4], size_of(result), reinterpret_cast<std::byte*>(&bits));
  return bits;
}

std::uint64_t fold_convert(Scalar to, Scalar from, std::uint64_t value) {
  Op op;
  op.code = Code::convert;
  op.type = to;
  op.from = from;
  const Constant constant{from, value};
  return fold(op, std::span(&constant, 1), to);
}

}  // namespace lockstep::spirv
