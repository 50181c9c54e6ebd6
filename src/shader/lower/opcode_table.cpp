#include "shader/lower/opcode_table.hpp"

#include <string>

#include "shader/lower/plain.hpp"

namespace lockstep::spirv {

void OpcodeTable::add(spv::Op opcode, Handler handler) {
  const auto number = static_cast<std::uint32_t>(opcode);
  if (!handlers_.emplace(number, handler).second)
    throw std::logic_error("two families lower opcode " + std::to_string(number));
}

OpcodeTable::Handler OpcodeTable::find(spv::Op opcode) const {
  const auto found = handlers_.find(static_cast<std::uint32_t>(opcode));
  return found != handlers_.end() ? found->second : nullptr;
}

const OpcodeTable& opcode_table() {
  static const OpcodeTable table = [] {
    OpcodeTable all;
    add_plain(all);
    add_composites(all);
    add_arithmetic(all);
    add_assumptions(all);
    add_comparisons(all);
    add_conversions(all);
    add_matrices(all);
    add_cooperative_matrices(all);
    add_subgroup(all);
    add_extended(all);
    add_calls(all);
    add_memory(all);
    add_atomics(all);
    add_barriers(all);
    add_images(all);
    add_sampling(all);
    add_derivatives(all);
    return all;
  }();
  return table;
}

}  // namespace lockstep::spirv
