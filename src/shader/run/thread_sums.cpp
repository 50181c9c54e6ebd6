#include "shader/run/thread_sums.hpp"

#include <atomic>
#include <cstring>
#include <utility>

namespace lockstep::spirv {
namespace {

/// Clearing and adding more takes longer than workgroups wait for each other.
constexpr std::uint64_t most_bytes = 1 << 14;
/// So does comparing the memory with that of more resources.
constexpr std::size_t most_resources = 1024;

bool is_shared(const std::vector<Memory>& memory, std::size_t r) {
  const auto begin = [](const Memory& m) { return reinterpret_cast<std::uintptr_t>(m.data); };
  for (std::size_t k = 0; k < memory.size(); ++k) {
    if (k != r && memory[k].data != nullptr &&
        begin(memory[k]) < begin(memory[r]) + memory[r].size &&
        begin(memory[r]) < begin(memory[k]) + memory[k].size)
      return true;
  }
  return false;
}

template <class T>
void add_to(std::byte* to, const std::byte* own, std::uint64_t size) {
  for (std::uint64_t at = 0; at + sizeof(T) <= size; at += sizeof(T)) {
    T value;
    std::memcpy(&value, own + at, sizeof value);
    if (value != 0)
      std::atomic_ref<T>(*reinterpret_cast<T*>(to + at))
          .fetch_add(value, std::memory_order_relaxed);
  }
}

}  // namespace

ThreadSums::ThreadSums(const Program& program, std::vector<Memory>& memory) {
  if (memory.size() > most_resources) return;
  for (const SummedResource& summed : program.summed) {
    const Memory& to = memory[summed.resource];
    const bool aligned = reinterpret_cast<std::uintptr_t>(to.data) % summed.bytes == 0;
    if (to.data == nullptr || !to.writable || to.null || to.size > most_bytes || !aligned ||
        is_shared(memory, summed.resource))
      continue;
    sums_.push_back({to.data, to.size, summed.bytes, std::make_unique<std::byte[]>(to.size)});
  }
  std::size_t next = 0;
  for (const SummedResource& summed : program.summed) {
    Memory& mine = memory[summed.resource];
    if (next == sums_.size() || mine.data != sums_[next].to) continue;
    mine.data = sums_[next++].own.get();
    mine.local = true;
  }
}

ThreadSums::~ThreadSums() {
  for (const Sum& sum : sums_) {
    if (sum.bytes == 8)
      add_to<std::uint64_t>(sum.to, sum.own.get(), sum.size);
    else
      add_to<std::uint32_t>(sum.to, sum.own.get(), sum.size);
  }
}

}  // namespace lockstep::spirv
