#include "shader/native/code_memory.hpp"

#include <algorithm>
#include <memory>
#include <random>
#include <vector>

#include <catch2/catch.hpp>

using namespace lockstep::spirv;

namespace {

void near() {}

bool holds(const CodeMemory& memory, std::uint8_t value) {
  return std::all_of(memory.data(), memory.data() + memory.size(),
                     [&](std::uint8_t byte) { return byte == value; });
}

}  // namespace

TEST_CASE("pieces of code memory are near, whole pages, apart from each other, and used again") {
  const void* const anchor = reinterpret_cast<const void*>(&near);
  std::mt19937 random(1);
  std::vector<std::unique_ptr<CodeMemory>> all(200);
  std::uint8_t *lowest = nullptr, *highest = nullptr;
  // Ten times as much as there ever is at once.
  for (int round = 0; round < 2000; ++round) {
    const std::size_t k = random() % all.size();
    const auto value = static_cast<std::uint8_t>(k + 1);
    if (all[k] != nullptr) REQUIRE(holds(*all[k], value));
    all[k].reset();
    const std::size_t bytes = 1 + random() % (6 * page);
    all[k] = std::make_unique<CodeMemory>(bytes, anchor);
    CodeMemory& made = *all[k];
    REQUIRE(made.data() != nullptr);
    REQUIRE(made.size() % page == 0);
    REQUIRE(made.size() >= bytes);
    REQUIRE(made.size() < bytes + page);
    const auto distance =
        reinterpret_cast<std::intptr_t>(made.data()) - reinterpret_cast<std::intptr_t>(anchor);
    REQUIRE(std::abs(distance) < std::intptr_t{1} << 30);
    if (round % 3 == 0) {
      made.shrink(bytes / 2);
      REQUIRE(made.size() == (bytes / 2 + page - 1) / page * page);
    }
    std::fill_n(made.data(), made.size(), value);
    lowest = lowest == nullptr ? made.data() : std::min(lowest, made.data());
    highest = std::max(highest, made.data() + made.size());
  }
  for (std::size_t k = 0; k < all.size(); ++k)
    if (all[k] != nullptr) CHECK(holds(*all[k], static_cast<std::uint8_t>(k + 1)));
  CHECK(highest - lowest <= std::ptrdiff_t{1} << 26);
}
