#include <lockstep/exec/tell.hpp>

#include <vector>

#include <catch2/catch.hpp>

namespace {

using namespace lockstep;
using Kind = Event::Kind;

struct Log : Observer {
  std::vector<Event> events;
  void on(const Event& event) override { events.push_back(event); }
};

ReconvergenceStack stack_of(const Convergence& convergence) {
  ReconvergenceStack stack(LaneSet::first_n(4), convergence);
  stack.workgroup = {1, 2, 3};
  stack.subgroup = 4;
  enter(stack, LaneSet::first_n(3), {"kernel.hpp", 7});
  return stack;
}

TEST_CASE("events say where in the run they are, and what is active") {
  Log log;
  const Convergence convergence{.observer = &log};
  const ReconvergenceStack stack = stack_of(convergence);
  log.events.clear();

  tell(stack, Kind::line, {"kernel.hpp", 8}, LaneSet::lane(1));
  const Tangle tangle{LaneSet::first_n(2)};
  tell_built_in(stack, {"kernel.hpp", 9}, tangle, "subgroupAll",
                {{LaneValues::Type::boolean, 1, {1, 1, 0, 0}}},
                {LaneValues::Type::boolean, 1, {1, 1, 1, 1}});
  Access access;
  access.object = {.kind = MemoryObject::Kind::buffer, .binding = 2};
  access.byte = {0, 4, 8, 12};
  access.bytes = 4;
  tell_access(stack, AccessKind::write, {"kernel.hpp", 10}, LaneSet::first_n(2), access,
              {.operands = {{LaneValues::Type::uint32, 1, {5, 6, 7, 8}}}});
  tell_sync(stack, {"kernel.hpp", 11}, {Scope::workgroup, {}});
  tell_sync(stack, {"kernel.hpp", 12}, {Scope::subgroup, {}});
  tell_sync(stack, {"kernel.hpp", 13}, {std::nullopt, {Scope::device}});

  const Kind kinds[] = {Kind::line,    Kind::built_in, Kind::write,
                        Kind::barrier, Kind::sync,     Kind::sync};
  REQUIRE(log.events.size() == 6);
  for (std::size_t k = 0; k < 6; ++k) {
    const Event& event = log.events[k];
    INFO("event " << k);
    CHECK(event.kind == kinds[k]);
    CHECK(event.where.line == static_cast<int>(k) + 8);
    CHECK(event.workgroup == std::array<std::uint32_t, 3>{1, 2, 3});
    CHECK(event.subgroup == 4);
    CHECK(event.depth == 1);
    CHECK(event.tangles == (k == 1 ? Tangles{tangle} : Tangles{{LaneSet::first_n(3)}}));
  }
  CHECK(log.events[0].others == LaneSet::lane(1));
  CHECK(log.events[1].name == "subgroupAll");
  CHECK(log.events[1].operands.size() == 1);
  CHECK(log.events[1].result.bits.size() == 4);
  CHECK(log.events[2].others == LaneSet::first_n(2));
  CHECK(log.events[2].access == access);
  CHECK(to_string(log.events[2].operands.at(0), 1) == "6");
  CHECK(log.events[3].sync == Sync{Scope::workgroup, {}});
  CHECK(log.events[5].sync == Sync{std::nullopt, {Scope::device}});
}

TEST_CASE("observers are told what they ask for") {
  struct Asking : Log {
    explicit Asking(Interest asked) : wanted(asked) {}
    Interest interest() const override { return wanted; }
    Interest wanted;
  };
  Asking lines({{Kind::line}, false}), accesses({{Kind::write, Kind::atomic}, false}),
      nothing({{}, false});
  const Convergence convergence{.observer = &lines, .observers = {&accesses, &nothing}};
  CHECK(convergence.interest() == Interest{{Kind::line, Kind::write, Kind::atomic}, false});
  const ReconvergenceStack stack = stack_of(convergence);
  tell(stack, Kind::line, {"kernel.hpp", 8});
  tell_access(stack, AccessKind::write, {"kernel.hpp", 9}, LaneSet::lane(0), {}, {});
  tell_access(stack, AccessKind::read, {"kernel.hpp", 10}, LaneSet::lane(0), {}, {});
  tell_sync(stack, {"kernel.hpp", 11}, {Scope::workgroup, {}});
  REQUIRE(lines.events.size() == 1);
  CHECK(lines.events[0].kind == Kind::line);
  REQUIRE(accesses.events.size() == 1);
  CHECK(accesses.events[0].kind == Kind::write);
  CHECK(nothing.events.empty());
  CHECK(stack.asks(Kind::line));
  CHECK_FALSE(stack.asks(Kind::read));
  CHECK(stack.asks_values(AccessKind::atomic));
  CHECK_FALSE(stack.asks_values(AccessKind::write));

  Log all;
  const Convergence both{.observer = &lines, .observers = {&all}};
  CHECK(both.interest() == Interest{});
  CHECK(stack_of(both).asks_values(AccessKind::write));
  CHECK_FALSE(ReconvergenceStack(LaneSet::lane(0), Convergence{}).asks(Kind::start));
}

TEST_CASE("an event has nothing of the one before it") {
  Log log;
  const Convergence convergence{.observer = &log};
  ReconvergenceStack stack = stack_of(convergence);
  leave(stack, {"kernel.hpp", 9});
  tell(stack, Kind::line, {"kernel.hpp", 10});
  REQUIRE(log.events.size() == 3);
  CHECK(log.events[1].arrivals.size() == 2);
  CHECK(log.events[1].reason == Event::Reason::promised);
  CHECK(log.events[2].arrivals.empty());
  CHECK(log.events[2].reason == Event::Reason::together);
  CHECK_FALSE(log.events[2].others.any_lane());
}

TEST_CASE("an access of no lanes is no event") {
  Log log;
  const Convergence convergence{.observer = &log};
  const ReconvergenceStack stack = stack_of(convergence);
  log.events.clear();
  tell_access(stack, AccessKind::read, {"kernel.hpp", 8}, {}, {}, {});
  CHECK(log.events.empty());
  tell_access(stack, AccessKind::read, {"kernel.hpp", 8}, LaneSet::lane(0), {}, {});
  CHECK(log.events.size() == 1);
}

TEST_CASE("any number of observers get the same events in the same order") {
  Log first, second, third;
  const Convergence all{.observer = &first, .observers = {&second, &third}};
  const Convergence listed{.observers = {&second}};
  const Convergence none;
  tell(stack_of(all), Kind::line, {"kernel.hpp", 8});
  REQUIRE(first.events.size() == 2);
  CHECK(second.events == first.events);
  CHECK(third.events == first.events);

  tell(stack_of(listed), Kind::line, {"kernel.hpp", 8});
  CHECK(first.events.size() == 2);
  CHECK(second.events.size() == 4);
  tell(stack_of(none), Kind::line, {"kernel.hpp", 8});
  CHECK(second.events.size() == 4);
}

TEST_CASE("accesses differ by object, bytes and order, not by where this process keeps them") {
  Access a;
  a.object = {.kind = MemoryObject::Kind::buffer, .binding = 2};
  a.byte = {0, 4};
  Access b = a;
  const std::byte elsewhere{};
  b.data = &elsewhere;
  CHECK(a == b);
  b.byte = {0, 8};
  CHECK_FALSE(a == b);
  b = a;
  b.order.scope = Scope::device;
  CHECK_FALSE(a == b);
  b = a;
  b.object.binding = 3;
  CHECK_FALSE(a == b);
}

}  // namespace
