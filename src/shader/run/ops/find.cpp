#include "shader/run/ops/find.hpp"

namespace lockstep::spirv {

std::uint64_t immediate_of(const Op& op) {
  if (const auto* chain = std::get_if<Chain>(&op.detail)) return chain->stride;
  if (const auto* piece = std::get_if<Piece>(&op.detail)) return piece->number;
  return 0;
}

Run find_pure(const Op& op) {
  const Code code = op.code;
  const bool cuts_off = op.controls.cuts_off && is_float(op.type);
  if (code == Code::convert)
    return cuts_off ? find_convert_to_zero(op.type, op.from) : find_convert(op.type, op.from);
  if (const Run found = cuts_off ? find_to_zero(code, op.type) : nullptr) return found;
  if (op.type == Scalar::boolean) return find_bool(code);
  if (const Run found = find_bits(code, op.type, op.from)) return found;
  if (const Run found = is_float(op.type) ? find_float(code, op.type) : find_integer(code, op.type))
    return found;
  return find_function(code, op.type);
}

}  // namespace lockstep::spirv
