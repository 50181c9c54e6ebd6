#include <lockstep/exec/checks.hpp>

#include <cctype>
#include <set>
#include <string>

#include <catch2/catch.hpp>

#include <lockstep/exec/error.hpp>

using namespace lockstep;

TEST_CASE("Checks: rules are named") {
  std::set<std::string_view> names;
  for (const CheckInfo& info : all_checks()) {
    INFO(info.name);
    CHECK(names.insert(info.name).second);
    CHECK(to_string(info.check) == info.name);
    CHECK(&info_of(info.check) == &info);
    for (const char c : info.name) CHECK((std::islower(c) != 0 || c == '-'));
    CHECK(info.meaning.ends_with("."));
    CHECK(!info.wrong.empty());
    CHECK(!info.right.empty());
    CHECK(finding_of(info.check).rule == info.name);
    CHECK(finding_of(info.check).severity == info.severity);
  }
}

TEST_CASE("Checks: sets") {
  const Checks none, two{Check::out_of_bounds, Check::no_progress};
  CHECK_FALSE(none.any());
  CHECK(two.any());
  CHECK(two.has(Check::out_of_bounds));
  CHECK_FALSE(two.has(Check::barrier_mismatch));
  CHECK(two.without(Check::no_progress) == Checks{Check::out_of_bounds});
  CHECK(none.with(Check::no_progress) == Checks{Check::no_progress});
  CHECK(two.any_of({Check::no_progress, Check::barrier_mismatch}));
  CHECK_FALSE(two.any_of({Check::barrier_mismatch}));
  for (const CheckInfo& info : all_checks()) {
    CHECK(Checks::all().has(info.check) != info.explored);
    CHECK(explored_checks().has(info.check) == info.explored);
  }
  CHECK_THROWS_WITH(Checks::parse("data-race,hidden-size"),
                    Catch::Matchers::Contains("lockstep explore"));
  CHECK(Checks::parse("-hidden-size") == Checks::all());
}

TEST_CASE("Checks: are read from left to right") {
  const Checks all = Checks::all();
  CHECK(Checks::parse("") == all);
  CHECK(Checks::parse("all") == all);
  CHECK(Checks::parse("no-progress") == Checks{Check::no_progress});
  CHECK(Checks::parse("no-progress,out-of-bounds") ==
        Checks{Check::out_of_bounds, Check::no_progress});
  CHECK(Checks::parse("-no-progress") == all.without(Check::no_progress));
  CHECK(Checks::parse("all,-no-progress") == all.without(Check::no_progress));
  CHECK(Checks::parse("no-progress,-no-progress,out-of-bounds") == Checks{Check::out_of_bounds});
  CHECK(Checks::parse(to_string(all)) == all);
  CHECK(to_string(Checks{Check::out_of_bounds, Check::no_progress}) == "out-of-bounds,no-progress");
  CHECK_THROWS_WITH(
      Checks::parse("no-progres"),
      Catch::StartsWith("there is no rule 'no-progres'; the rules are all, out-of-bounds"));
  CHECK_THROWS_AS(Checks::parse("all,"), Error);
  CHECK_THROWS_AS(Checks::parse("no-progress,,all"), Error);
}

TEST_CASE("Checks: the page has a section for each rule") {
  const std::string page = checks_to_markdown();
  for (const CheckInfo& info : all_checks()) {
    INFO(info.name);
    CHECK(page.find("\n## " + std::string(info.name) + "\n") != std::string::npos);
    CHECK(page.find(std::string(info.wrong)) != std::string::npos);
    CHECK(page.find(std::string(info.right)) != std::string::npos);
  }
}
