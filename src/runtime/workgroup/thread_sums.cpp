#include <lockstep/workgroup/detail/thread_sums.hpp>

#include <atomic>

namespace lockstep {
namespace {

template <class T>
void add_to(const SummedArray& to, const void* own) {
  for (std::size_t k = 0; k < to.bytes / sizeof(T); ++k) {
    const T value = static_cast<const T*>(own)[k];
    if (value != 0)
      std::atomic_ref<T>(static_cast<T*>(to.data)[k]).fetch_add(value, std::memory_order_relaxed);
  }
}

}  // namespace

ThreadSums::ThreadSums() = default;

ThreadSums::~ThreadSums() {
  for (const Sum& sum : sums_) {
    if (sum.to.bytes_each == 8)
      add_to<std::uint64_t>(sum.to, sum.own);
    else
      add_to<std::uint32_t>(sum.to, sum.own);
  }
}

void ThreadSums::start(std::span<const SummedArray> arrays) {
  for (const SummedArray& to : arrays) {
    if (to.bytes == 0 || to.bytes > most_bytes) continue;
    Sum& sum = sums_.emplace_back(Sum{to, nullptr, {}});
    sum.memory.resize((to.bytes + sizeof(Line) - 1) / sizeof(Line));
    sum.own = sum.memory.data();
  }
}

}  // namespace lockstep
