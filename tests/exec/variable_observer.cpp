#include <lockstep/exec/variable_observer.hpp>

#include <catch2/catch.hpp>

using namespace lockstep;

TEST_CASE("variables are wanted by name, all or none") {
  const VariableNames none, all{.all = true}, some{.names = {"n", "list[2]"}};
  CHECK(!none.any());
  CHECK(all.any());
  CHECK(some.any());
  for (const char* name : {"n", "list[2]", "list", "N", ""}) {
    INFO(name);
    CHECK(!none.has(name));
    CHECK(all.has(name));
    CHECK(some.has(name) == (std::string(name) == "n" || std::string(name) == "list[2]"));
  }
}

TEST_CASE("only writes with their name are assignments") {
  Event event;
  event.kind = Event::Kind::write;
  CHECK(!is_assignment(event));
  event.name = assignment;
  CHECK(is_assignment(event));
  event.kind = Event::Kind::atomic;
  CHECK(!is_assignment(event));
}
