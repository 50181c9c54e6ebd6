#include "shader/run/subgroup_contexts.hpp"

#include <cstring>

#include <lockstep/lanes/mask.hpp>

namespace lockstep::spirv {

namespace {

/// The empty address space, for dispatches without one.
const AddressSpace& no_addresses() {
  static const AddressSpace none;
  return none;
}

/// Whether other dispatches may use the memory meanwhile: it is that of a device with addresses of its own.
bool shares_memory(const DispatchArgs& args) {
  return args.addresses != nullptr && args.addresses != &AddressSpace::of_process();
}

}  // namespace

SubgroupContexts::SubgroupContexts(const DispatchArgs& args, const LaneMap& map,
                                   const ThreadParts& parts, std::size_t count)
    : args_(args), program_(*args.program), map_(map), built_ins_(args, map) {
  for (std::size_t k = 0; k < count; ++k) add(parts);
}

void SubgroupContexts::set(Context& c, const ThreadParts& parts) const {
  c.limits = parts.limits;
  c.memory = parts.memory->data();
  c.memory_count = static_cast<std::uint32_t>(parts.memory->size());
  c.addresses = args_.addresses != nullptr ? args_.addresses : &no_addresses();
  c.program = &program_;
  c.max_trips = parts.max_trips;
  c.only_thread = parts.only_thread && !shares_memory(args_);
  c.robust = args_.robust;
  c.size = program_.size;
  c.all_lanes = map_.all_lanes();
  c.last_lanes = map_.last_lanes();
  c.run = parts.run;
  c.divergences = parts.divergences;
  c.counts = parts.counts;
  c.runner = parts.runner;
  c.bounds = args_.bounds;
}

void SubgroupContexts::add(const ThreadParts& parts) {
  Subgroup& s = *all_.emplace_back(std::make_unique<Subgroup>());
  s.regs = allocate_aligned(program_.register_bytes);
  s.frames.resize(program_.constructs);
  Context& c = s.context;
  set(c, parts);
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
