#include "shader/ir/consecutive.hpp"

namespace lockstep::spirv {

std::vector<bool> find_consecutive(const Ir& ir, bool linear) {
  std::vector<bool> consecutive(ir.regs.size());
  const bool one_row = ir.local_size[1] == 1 && ir.local_size[2] == 1;
  for (const BuiltInUse& use : ir.built_ins) {
    const bool id = use.built_in == spv::BuiltIn::LocalInvocationId ||
                    use.built_in == spv::BuiltIn::GlobalInvocationId;
    const bool index = use.built_in == spv::BuiltIn::LocalInvocationIndex;
    const bool lane = use.built_in == spv::BuiltIn::SubgroupLocalInvocationId;
    const bool invocation = (id && one_row && ir.local_size[0] > 1) || index;
    if (lane || (linear && invocation)) consecutive[use.regs[0]] = true;
  }
  for (const Op& op : ir.ops) {
    if (op.dst.size() != 1 || op.masked || ir.regs[op.dst[0]].variable) continue;
    if (op.type != Scalar::u32 && op.type != Scalar::i32) continue;
    const auto lanes = [&](std::size_t k) { return static_cast<bool>(consecutive[op.src[k]]); };
    const auto one = [&](std::size_t k) { return ir.regs[op.src[k]].uniform; };
    bool found = false;
    if (op.code == Code::copy) found = lanes(0);
    if (op.code == Code::add) found = (lanes(0) && one(1)) || (one(0) && lanes(1));
    if (op.code == Code::sub) found = lanes(0) && one(1);
    if (found) consecutive[op.dst[0]] = true;
  }
  return consecutive;
}

}  // namespace lockstep::spirv
