#include "shader/run/thread_memory.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace lockstep::spirv {

ThreadMemory::ThreadMemory(const DispatchArgs& args, bool only_thread)
    : program_(*args.program), bounds_(args.bounds), memory_(args.memory) {
  memory_.resize(program_.resources.size());
  for (std::size_t r = 0; r < program_.resources.size(); ++r) {
    if (program_.resources[r].kind != ResourceUse::Kind::workgroup) continue;
    shared_.push_back(allocate_aligned(program_.resources[r].bytes));
    Memory& shared = memory_[r];
    shared.data = shared_.back().get();
    shared.size = program_.resources[r].bytes;
    shared.local = true;
    shared.null = program_.resources[r].silent;
  }
  if (!only_thread) sums_.emplace(program_, memory_);
  find_limits();
}

void ThreadMemory::find_limits() {
  for (const MemoryArgs* m : program_.limited) {
    const Memory& memory = memory_[m->resource];
    const std::uint64_t needed =
        m->offset + (m->components - 1) * std::uint64_t{m->step} + m->bytes;
    const std::uint64_t stride = std::max<std::uint64_t>(m->stride, 1);
    limits_.push_back(
        memory.data == nullptr || memory.size < needed ? 0 : (memory.size - needed) / stride + 1);
  }
}

void ThreadMemory::clear() {
  for (std::size_t r = 0; r < memory_.size(); ++r) {
    const Memory& m = memory_[r];
    const ResourceUse& use = program_.resources[r];
    if (use.kind != ResourceUse::Kind::workgroup) continue;
    if (bounds_ != nullptr) start_bounds(m, use.zeroed);
    std::memset(m.data, 0, use.fill == 0 ? m.size : use.zeroed);
    if (use.fill == 0) continue;
    auto* const words = reinterpret_cast<std::uint32_t*>(m.data);
    std::fill(words + use.zeroed / 4, words + m.size / 4, use.fill);
  }
}

/// What workgroup memory holds before it is written: anything, but for its first bytes, which are zero.
void ThreadMemory::start_bounds(const Memory& memory, std::uint64_t zeroed) const {
  bounds_->clear(memory.data, memory.size, {});
  if (zeroed == memory.size) return;
  bounds_->clear(memory.data + zeroed, memory.size - zeroed,
                 oracle::any(oracle::Allowed::Kind::undefined, oracle::Why::uninitialised, 0));
}

}  // namespace lockstep::spirv
