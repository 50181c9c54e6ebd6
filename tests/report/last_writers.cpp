#include "report/last_writers.hpp"

#include <array>
#include <catch2/catch.hpp>

using namespace lockstep;
using lockstep::report::LastWriters;

namespace {

/// Lanes 0, 1 and 3 of four access numbers of four bytes at these bytes.
Event access(Event::Kind kind, const std::byte* data, std::array<std::uint64_t, 4> bytes,
             std::uint32_t workgroup = 0) {
  Event event;
  event.kind = kind;
  event.workgroup = {workgroup, 0, 0};
  event.subgroup = 5;
  event.where = {"kernel.comp", 7};
  event.others = {0b1011, 0};
  event.access.data = data;
  event.access.bytes = 4;
  event.access.byte.set(bytes.data(), bytes.size());
  return event;
}

constexpr std::uint64_t no_byte = Access::outside;

}  // namespace

TEST_CASE("the last of several writers counts, readers do not") {
  std::array<std::byte, 64> memory{};
  LastWriters writers(std::chrono::hours(1));
  writers.watch(&memory[4], 4);
  writers.watch(&memory[32], 4);
  CHECK_FALSE(writers.writer(0));
  writers.on(access(Event::Kind::write, memory.data(), {4, 8, 32, no_byte}, 1));
  REQUIRE(writers.writer(0));
  CHECK(writers.writer(0)->workgroup == Size3{1, 0, 0});
  CHECK(writers.writer(0)->subgroup == 5);
  CHECK(writers.writer(0)->lane == 0);
  CHECK(writers.writer(0)->where.line == 7);
  CHECK_FALSE(writers.writer(1));  // lane 2 does not take part
  writers.on(access(Event::Kind::write, memory.data(), {0, 12, 0, 4}, 2));
  CHECK(writers.writer(0)->workgroup.x == 2);
  CHECK(writers.writer(0)->lane == 3);
  writers.on(access(Event::Kind::read, memory.data(), {4, 4, 4, 4}, 3));
  CHECK(writers.writer(0)->workgroup.x == 2);
}

TEST_CASE("objects may overlap, and an access may have several numbers") {
  std::array<std::byte, 64> memory{};
  LastWriters writers(std::chrono::hours(1));
  writers.watch(&memory[26], 2);
  Event event = access(Event::Kind::write, &memory[16], {no_byte, 0, no_byte, no_byte});
  event.access.count = 3;
  event.access.step = 8;
  writers.on(event);  // bytes 16-19, 24-27, 32-35
  REQUIRE(writers.writer(0));
  CHECK(writers.writer(0)->lane == 1);
  LastWriters beside(std::chrono::hours(1));
  beside.watch(&memory[28], 4);
  beside.on(event);
  CHECK_FALSE(beside.writer(0));
}

TEST_CASE("an atomic that leaves memory as it is wrote nothing") {
  std::array<std::byte, 16> memory{};
  LastWriters writers(std::chrono::hours(1));
  writers.watch(memory.data(), 4);
  Event load = access(Event::Kind::atomic, memory.data(), {0, 0, 0, 0});
  load.name = "atomicLoad";
  writers.on(load);
  CHECK_FALSE(writers.writer(0));
  Event swap = access(Event::Kind::atomic, memory.data(), {0, 0, 0, 0});
  swap.name = "atomicCompSwap";
  const auto values = [](std::vector<std::uint64_t> bits) {
    return LaneValues{LaneValues::Type::uint32, 1, std::move(bits)};
  };
  swap.operands = {values({9, 4, 0, 9}), values({1, 1, 1, 1})};
  swap.result = values({4, 4, 0, 1});  // only lane 1 finds what it compares with
  writers.on(swap);
  REQUIRE(writers.writer(0));
  CHECK(writers.writer(0)->lane == 1);
  Event add = access(Event::Kind::atomic, memory.data(), {0, 0, 0, 0});
  add.name = "atomicAdd";
  writers.on(add);
  CHECK(writers.writer(0)->lane == 3);
}

TEST_CASE("a run that takes too long is ended") {
  LastWriters writers(std::chrono::seconds(0));
  const Event event = access(Event::Kind::read, nullptr, {0, 0, 0, 0});
  const auto run = [&] {
    for (int k = 0; k < 100000; ++k) writers.on(event);
  };
  CHECK_THROWS_AS(run(), LastWriters::TooLong);
}
