#include "shader/run/ops/find.hpp"

namespace lockstep::spirv {

std::uint64_t immediate_of(const Op& op) {
  if (const auto* chain = std::get_if<Chain>(&op.detail)) return chain->stride;
  if (const auto* piece = std::get_if<Piece>(&op.detail)) return piece->number;
  return 0;
}

Run find_pure(const Op& op) {
  const Code code = op.code;
  if (code == Code::convert) return find_convert(op.type, op.from);
  if (op.type == Scalar::boolean) return find_bool(code);
  if (const Run found = find_bits(code, op.type, op.from)) return found;
  if (const Run found = is_float(op.type) ? find_float(code, op.type) : find_integer(code, op.type))
    return found;
  return find_function(code, op.type);
}

}  // namespace lockstep::spirv
