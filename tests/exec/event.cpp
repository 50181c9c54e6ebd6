#include <lockstep/exec/event.hpp>

#include <algorithm>

#include <catch2/catch.hpp>

namespace {

using namespace lockstep;
using Type = LaneValues::Type;

TEST_CASE("sets of lanes are printed as ranges") {
  CHECK(to_string(LaneSet{}) == "none");
  CHECK(to_string(LaneSet{0b1, 0}) == "0");
  CHECK(to_string(LaneSet{0b1011'1001, 0}) == "0,3-5,7");
  CHECK(to_string(LaneSet{~0ull, ~0ull}) == "0-127");
  CHECK(to_string(LaneSet{1ull << 63, 0b11}) == "63-65");
}

TEST_CASE("values are printed by their type") {
  const auto one = [](Type type, std::uint64_t bits) {
    return to_string(LaneValues{type, 1, {bits}}, 0);
  };
  CHECK(one(Type::boolean, 1) == "true");
  CHECK(one(Type::boolean, 0) == "false");
  CHECK(one(Type::int8, 0xff) == "-1");
  CHECK(one(Type::int16, 0x8000) == "-32768");
  CHECK(one(Type::int32, 0xfffffffe) == "-2");
  CHECK(one(Type::int64, ~0ull) == "-1");
  CHECK(one(Type::uint8, 0xff) == "255");
  CHECK(one(Type::uint64, ~0ull) == "18446744073709551615");
  CHECK(one(Type::float32, 0x3fc00000) == "1.5");
  CHECK(one(Type::float64, 0xbff8000000000000) == "-1.5");
  CHECK(one(Type::float16, 0x3e00) == "1.5");
  CHECK(one(Type::float16, 0xfc00) == "-inf");
  CHECK(one(Type::float16, 0x0001) == "5.9604645e-08");
  CHECK(to_string(LaneValues{Type::uint32, 2, {1, 2, 3, 4}}, 1) == "(3, 4)");
}

TEST_CASE("an event tells in one line what happened") {
  Event leave;
  leave.kind = Event::Kind::leave;
  leave.where = {"kernel.hpp", 12};
  leave.tangles = {{LaneSet{0b0001, 0}}, {LaneSet{0b1110, 0}}};
  leave.arrivals = {LaneSet{0b0001, 0}, LaneSet{0b1110, 0}};
  leave.reason = Event::Reason::chosen;
  CHECK(to_string(leave) == "kernel.hpp:12: leave -> {0} {1-3}, arrived {0} {1-3}, chosen");

  Event built_in;
  built_in.kind = Event::Kind::built_in;
  built_in.where = {"kernel.hpp", 13};
  built_in.name = "subgroupAdd";
  built_in.tangles = {{LaneSet{0b11, 0}}};
  built_in.operands = {{Type::uint32, 1, {3, 4}}};
  built_in.result = {Type::uint32, 1, {7, 7}};
  CHECK(to_string(built_in) ==
        "kernel.hpp:13: built-in subgroupAdd -> {0-1}, (0: 3, 1: 4) = (0-1: 7)");
}

TEST_CASE("an access tells in one line where it went") {
  Event atomic;
  atomic.kind = Event::Kind::atomic;
  atomic.where = {"kernel.hpp", 14};
  atomic.name = "atomicAdd";
  atomic.tangles = {{LaneSet::first_n(3)}};
  atomic.others = LaneSet::first_n(2);
  atomic.access.object = {.kind = MemoryObject::Kind::buffer, .binding = 2};
  atomic.access.byte = {8, Access::outside, 0};
  atomic.access.order = {Scope::device, memory_semantics::relaxed};
  atomic.operands = {{Type::uint32, 1, {3, 4, 5}}};
  atomic.result = {Type::uint32, 1, {7, 0, 0}};
  CHECK(to_string(atomic) ==
        "kernel.hpp:14: atomic atomicAdd buffer 2 -> {0-2}, others {0-1}, bytes (0: 8, 1: outside) "
        "[device, relaxed], (0: 3, 1: 4) = (0: 7, 1: 0)");

  Event barrier;
  barrier.kind = Event::Kind::barrier;
  barrier.where = {"kernel.hpp", 15};
  barrier.tangles = {{LaneSet::first_n(3)}};
  barrier.sync = {Scope::workgroup, {Scope::workgroup, memory_semantics::acquire_release}};
  CHECK(to_string(barrier) ==
        "kernel.hpp:15: barrier -> {0-2} [execution workgroup, memory workgroup, acquire-release]");
}

TEST_CASE("events are equal when all they say is") {
  Event a;
  a.where = {"kernel.hpp", 1};
  Event b = a;
  CHECK(a == b);
  b.trip = 1;
  CHECK_FALSE(a == b);
  b = a;
  b.where.line = 2;
  CHECK_FALSE(a == b);
}

TEST_CASE("each kind of event has a name of its own") {
  std::vector<std::string_view> names;
  for (int kind = 0; kind <= static_cast<int>(Event::Kind::end); ++kind) {
    const std::string_view name = to_string(static_cast<Event::Kind>(kind));
    CHECK(name != "?");
    CHECK(std::find(names.begin(), names.end(), name) == names.end());
    names.push_back(name);
  }
}

}  // namespace
