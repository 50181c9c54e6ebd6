#include "shader/run/subgroup_contexts.hpp"

#include <cstring>

#include <lockstep/lanes/mask.hpp>

namespace lockstep::spirv {

SubgroupContexts::SubgroupContexts(const DispatchArgs& args, const LaneMap& map,
                                   const Context& common, std::size_t count)
    : args_(args), program_(*args.program), map_(map), built_ins_(args, map) {
  for (std::size_t k = 0; k < count; ++k) add(common);
}

void SubgroupContexts::add(const Context& common) {
  Subgroup& s = *all_.emplace_back(std::make_unique<Subgroup>(common));
  s.regs = allocate_aligned(program_.register_bytes);
  s.frames.resize(program_.constructs);
  Context& c = s.context;
  c.regs = s.regs.get();
  c.frames = s.frames.data();
  for (const ConstantSlot& constant : program_.constants) {
    std::byte* at = c.regs + constant.at;
    if (constant.type == Scalar::boolean) {
      put_bool(at, constant.value != 0);
      continue;
    }
    const std::size_t bytes = size_of(constant.type);
    for (std::size_t lane = 0; lane < chunk_lanes; ++lane)
      std::memcpy(at + lane * bytes, &constant.value, bytes);
  }
  built_ins_.set(c, Changes::never);
  c.state.active = Mask<128>::lane(0);
  for (std::size_t k = 0; k < program_.first; ++k) program_.insts[k].run(&program_.insts[k], c);
}

}  // namespace lockstep::spirv
