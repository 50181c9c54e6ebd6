#include <lockstep/spirv/address_space.hpp>

#include <fmt/format.h>

#include <lockstep/exec/error.hpp>

namespace lockstep {
namespace {

/// Numbers that are used before one of removed memory is reused.
constexpr std::uint32_t fresh_numbers = 1u << 20;

}  // namespace

AddressSpace::AddressSpace() : chunks_(std::make_unique<std::atomic<Entry*>[]>(chunk_count)) {}

AddressSpace::~AddressSpace() {
  for (std::uint32_t k = 0; k < chunk_count; ++k) delete[] chunks_[k].load();
}

AddressSpace& AddressSpace::of_process() {
  // Never destroyed: shaders with static storage may release their memory after main().
  static AddressSpace& space = *new AddressSpace;
  return space;
}

std::uint64_t AddressSpace::add(std::span<std::byte> memory) {
  if (memory.size() > pointers::pointer_byte_mask)
    throw Error(fmt::format(
        "memory of {} bytes is too large for an address space: an object has less than 1 TiB",
        memory.size()));
  const std::lock_guard lock(changing_);
  const std::uint32_t number = take_number();
  Entry& e = entry(number);
  // A shader may follow an invalid address at any time: a size of 0 says that there is no memory.
  static std::byte nothing{};
  e.data.store(memory.empty() ? &nothing : memory.data(), std::memory_order_relaxed);
  e.size.store(memory.size(), std::memory_order_release);
  return pointers::device_address(number);
}

void AddressSpace::remove(std::uint64_t address) {
  const std::lock_guard lock(changing_);
  if (pointers::pointer_byte(address) != 0 || find(address).data == nullptr)
    throw Error(fmt::format("{:#x} is not the address of memory's first byte: nothing is removed",
                            address));
  const std::uint32_t number = pointers::pointer_number(address);
  entry(number).size.store(0, std::memory_order_relaxed);
  entry(number).data.store(nullptr, std::memory_order_relaxed);
  removed_.push_back(number);
}

std::uint32_t AddressSpace::take_number() {
  const bool again = !removed_.empty() && next_ >= fresh_numbers;
  if (!again && next_ > pointers::pointer_number_mask)
    throw Error(fmt::format("the address space has {} objects, as many as it can have: remove some",
                            pointers::pointer_number_mask));
  if (!again) return next_++;
  const std::uint32_t number = removed_.front();
  removed_.pop_front();
  return number;
}

AddressSpace::Entry& AddressSpace::entry(std::uint32_t number) {
  std::atomic<Entry*>& chunk = chunks_[number / chunk_entries];
  if (chunk.load(std::memory_order_relaxed) == nullptr)
    chunk.store(new Entry[chunk_entries], std::memory_order_release);
  return chunk.load(std::memory_order_relaxed)[number % chunk_entries];
}

}  // namespace lockstep
