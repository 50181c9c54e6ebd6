#include "shader/run/thread_memory.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

namespace lockstep::spirv {

ThreadMemory::ThreadMemory(const DispatchArgs& args, bool only_thread)
    : program_(*args.program), bounds_(args.bounds), bound_(*args.bound), memory_(bound_.take()) {
  memory_.resize(program_.resources.size());
  for (const std::uint32_t r : program_.pushed) {
    // Never written: the shader cannot.
    memory_[r].data = const_cast<std::byte*>(args.push_constants.data());
    memory_[r].size = args.push_constants.size();
    memory_[r].writable = false;
  }
  for (const std::uint32_t r : program_.own) {
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

ThreadMemory::~ThreadMemory() {
  memory_.resize(bound_.memory.size());
  const auto restore = [&](std::size_t r) {
    if (r < memory_.size()) memory_[r] = bound_.memory[r];
  };
  for (const std::uint32_t r : program_.pushed) restore(r);
  for (const std::uint32_t r : program_.own) restore(r);
  for (const SummedResource& summed : program_.summed) restore(summed.resource);
  bound_.give_back(std::move(memory_));
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
  for (const std::uint32_t r : program_.own) {
    const Memory& m = memory_[r];
    const ResourceUse& use = program_.resources[r];
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
