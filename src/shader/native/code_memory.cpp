#include "shader/native/code_memory.hpp"

#include <algorithm>
#include <iterator>
#include <list>
#include <mutex>

namespace lockstep::spirv {
namespace {

constexpr std::intptr_t reach = std::intptr_t{1} << 30;
constexpr std::size_t usual_bytes = std::size_t{1} << 26;

std::size_t whole_pages(std::size_t bytes) { return (bytes + page - 1) / page * page; }

std::mutex changing;
/// Never destroyed, since pipelines may be destroyed at the end of the process.
std::list<CodeArena>& arenas() {
  static auto& all = *new std::list<CodeArena>;
  return all;
}

}  // namespace

CodeArena::CodeArena(std::size_t bytes, const void* near) : bytes_(bytes) {
  // Far apart first; where other programs' code is, closer together.
  for (const std::intptr_t step :
       {std::intptr_t{1} << 26, std::intptr_t{1} << 23, std::intptr_t{1} << 20})
    if (find(reinterpret_cast<std::intptr_t>(near), step)) break;
  if (data_ == nullptr) return;
  free_.emplace(0, bytes_);
  unwind_.emplace(data_, bytes_);
}

CodeArena::~CodeArena() {
  unwind_.reset();
  if (data_ != nullptr) munmap(data_, bytes_);
}

/// Takes the first free place at a multiple of the step.
bool CodeArena::find(std::intptr_t anchor, std::intptr_t step) {
  for (std::intptr_t away = step; away < reach; away += step)
    for (const std::intptr_t hint : {anchor - away, anchor + away})
      if (reserve(anchor, hint)) return true;
  return false;
}

bool CodeArena::reserve(std::intptr_t anchor, std::intptr_t hint) {
  void* const at = mmap(reinterpret_cast<void*>(hint / std::intptr_t{page} * std::intptr_t{page}),
                        bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) return false;
  const std::intptr_t first = reinterpret_cast<std::intptr_t>(at) - anchor;
  const std::intptr_t last = first + static_cast<std::intptr_t>(bytes_);
  if (-first < reach && last < reach) {
    data_ = static_cast<std::uint8_t*>(at);
    return true;
  }
  munmap(at, bytes_);
  return false;
}

std::uint8_t* CodeArena::take(std::size_t bytes) {
  const auto gap =
      std::ranges::find_if(free_, [&](const auto& one) { return one.second >= bytes; });
  if (gap == free_.end()) return nullptr;
  const auto [begin, size] = *gap;
  if (mprotect(data_ + begin, bytes, PROT_READ | PROT_WRITE) != 0) return nullptr;
  free_.erase(gap);
  if (size > bytes) free_.emplace(begin + bytes, size - bytes);
  return data_ + begin;
}

void CodeArena::give_back(std::uint8_t* at, std::size_t bytes) {
  if (bytes == 0) return;
  madvise(at, bytes, MADV_DONTNEED);
  mprotect(at, bytes, PROT_NONE);
  auto gap = free_.emplace(static_cast<std::size_t>(at - data_), bytes).first;
  if (const auto next = std::next(gap);
      next != free_.end() && gap->first + gap->second == next->first) {
    gap->second += next->second;
    free_.erase(next);
  }
  if (gap == free_.begin()) return;
  if (const auto before = std::prev(gap); before->first + before->second == gap->first) {
    before->second += gap->second;
    free_.erase(gap);
  }
}

CodeMemory::CodeMemory(std::size_t bytes, const void* near) : bytes_(whole_pages(bytes)) {
  const std::lock_guard lock(changing);
  for (CodeArena& arena : arenas()) {
    data_ = arena.take(bytes_);
    if (data_ == nullptr) continue;
    arena_ = &arena;
    return;
  }
  CodeArena& made = arenas().emplace_back(std::max(bytes_, usual_bytes), near);
  if (made.data() != nullptr) data_ = made.take(bytes_);
  if (data_ != nullptr)
    arena_ = &made;
  else
    arenas().pop_back();
}

CodeMemory::~CodeMemory() {
  if (data_ == nullptr) return;
  const std::lock_guard lock(changing);
  arena_->give_back(data_, bytes_);
}

void CodeMemory::shrink(std::size_t bytes) {
  const std::size_t kept = whole_pages(bytes);
  if (kept >= bytes_) return;
  const std::lock_guard lock(changing);
  arena_->give_back(data_ + kept, bytes_ - kept);
  bytes_ = kept;
}

}  // namespace lockstep::spirv
