#include "explore/explorer.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <lockstep/exec/endless_loop.hpp>
#include <lockstep/exec/error.hpp>

#include "explore/advice.hpp"

/// \file
/// The explorer on subjects whose dependences are known, because they are a few lines of arithmetic.

using namespace lockstep;
using namespace lockstep::explore;

namespace {

constexpr SourceLocation first_place{"subject.comp", 10}, second_place{"subject.comp", 20};

Result words(std::vector<std::uint32_t> values) {
  const auto* bytes = reinterpret_cast<const std::byte*>(values.data());
  return {{std::vector<std::byte>(bytes, bytes + values.size() * 4)}, {}};
}

Request request_for(Dimensions vary) {
  Request request;
  request.vary = vary;
  request.sizes = {4, 8, 16, 32, 64};
  request.threads = 1;
  return request;
}
Dimensions only(Dimension dimension) {
  Dimensions one;
  one.add(dimension);
  return one;
}

}  // namespace

TEST_CASE("explore: every sequence of answers is tried once, whatever they lead to") {
  // The second question is asked only after the answer 1.
  std::multiset<std::vector<std::uint32_t>> seen;
  const Subject subject = [&](const Setting&, Chooser& chooser, Observer*) {
    if (chooser.choose(3, first_place) == 1) chooser.choose(2, second_place);
    if (chooser.asks(Choice::rejoin)) seen.insert(chooser.made());
    return words({7});
  };
  const Verdict verdict = explore::explore(subject, request_for(only(Dimension::convergence)));
  CHECK(verdict.independent());
  CHECK(verdict.exhausted == only(Dimension::convergence));
  for (const std::vector<std::uint32_t>& answers :
       {std::vector<std::uint32_t>{0}, {1, 0}, {1, 1}, {2}}) {
    CHECK(seen.count(answers) > 0);
  }
  CHECK(std::set(seen.begin(), seen.end()).size() == 4);
}

TEST_CASE("explore: the counterexample has only the answers that matter") {
  // Of 12 questions the fourth and the tenth decide together.
  const Subject subject = [](const Setting&, Chooser& chooser, Observer*) {
    std::uint32_t fourth = 0, tenth = 0;
    for (int k = 0; k < 12; ++k) {
      const std::uint32_t answer = chooser.choose(3, k < 6 ? first_place : second_place);
      if (k == 3) fourth = answer;
      if (k == 9) tenth = answer;
    }
    return words({1, fourth != 0 && tenth != 0 ? 5u : 2u});
  };
  const Verdict verdict = explore::explore(subject, request_for(only(Dimension::convergence)));
  REQUIRE(verdict.smallest);
  CHECK(verdict.on == only(Dimension::convergence));
  const Counterexample& found = *verdict.smallest;
  CHECK(found.setting.answers.size() == 12);
  for (std::size_t k = 0; k < 12; ++k) CHECK((found.setting.answers[k] != 0) == (k == 3 || k == 9));
  CHECK(found.difference.buffer == 0);
  CHECK(found.difference.byte == 4);
  const Advice advice = advise(subject, request_for({}), found);
  REQUIRE(advice.where.size() == 2);
  CHECK(advice.where[0].where.line == 10);
  CHECK(advice.where[1].where.line == 20);
}

TEST_CASE("explore: when an endless loop is given up, and by which lanes, is not a difference") {
  // The first run may take more iterations than those after it, and each size has other lanes.
  const auto looping = [](int line_at_16) {
    return [=](const Setting& setting, Chooser&, Observer*) -> Result {
      const EndlessLoop::Subgroup subgroup{{1, 0, 0}, 0};
      fail::endless_loop({"subject.comp", setting.subgroup_size == 16 ? line_at_16 : 10},
                         {.spinning = {static_cast<std::uint64_t>(setting.subgroup_size)}},
                         setting.max_steps == 0 ? 4'000'000 : setting.max_steps, &subgroup);
    };
  };
  const Verdict always = explore::explore(looping(10), request_for(Dimensions::all()));
  CHECK(always.independent());
  CHECK(always.runs > 5);
  CHECK_THAT(always.first.error, Catch::Contains("after 4000000 iterations"));
  // Another loop is another result.
  const Verdict elsewhere = explore::explore(looping(12), request_for(Dimensions::all()));
  REQUIRE(elsewhere.smallest);
  CHECK(elsewhere.on == only(Dimension::subgroup_size));
  CHECK_THAT(elsewhere.smallest->difference.error, Catch::StartsWith("subject.comp:12: "));
}

TEST_CASE("explore: once it is stopped, no run begins any more") {
  int runs = 0;
  const Subject subject = [&](const Setting&, Chooser& chooser, Observer*) {
    ++runs;
    chooser.choose(3, first_place);
    return words({7});
  };
  Request request = request_for(Dimensions::all());
  request.is_stopped = [&] { return runs >= 4; };
  request.progress = [&](std::uint64_t) { return runs < 4; };
  const Verdict verdict = explore::explore(subject, request);
  CHECK(runs == 4);
  CHECK(verdict.runs == 4);
  CHECK(verdict.independent());
}

TEST_CASE("explore: each dimension is found by itself") {
  struct Case {
    Dimension dimension;
    bool (*differs)(const Setting&);
  };
  const Case cases[] = {
      {Dimension::subgroup_size, [](const Setting& s) { return s.subgroup_size == 16; }},
      {Dimension::mapping,
       [](const Setting& s) { return s.mapping.kind == Mapping::Kind::shuffled; }},
      {Dimension::workgroup_order,
       [](const Setting& s) { return s.order.kind == WorkgroupOrder::Kind::reversed; }},
  };
  for (const Case& c : cases) {
    const Subject subject = [&](const Setting& setting, Chooser&, Observer*) {
      return words({c.differs(setting) ? 1u : 0u});
    };
    const Verdict verdict = explore::explore(subject, request_for(Dimensions::all()));
    INFO(to_string(c.dimension));
    REQUIRE(verdict.smallest);
    CHECK(verdict.on == only(c.dimension));
    CHECK(verdict.smallest->on == only(c.dimension));
    CHECK(c.differs(verdict.smallest->setting));
    // What stays the same is not found.
    Dimensions others = Dimensions::all();
    others.remove(c.dimension);
    CHECK(explore::explore(subject, request_for(others)).independent());
  }
}

TEST_CASE("explore: choices of the compiler are dimensions of their own") {
  const Subject subject = [](const Setting&, Chooser& chooser, Observer*) {
    chooser.choose(2, first_place);
    return words({chooser.choose_for_place(2, second_place, Choice::fallthrough)});
  };
  const Verdict verdict = explore::explore(subject, request_for(Dimensions::all()));
  CHECK(verdict.on == only(Dimension::fallthrough));
  CHECK(verdict.exhausted.has(Dimension::convergence));
  CHECK(explore::explore(subject, request_for(only(Dimension::convergence))).independent());
}

TEST_CASE("explore: what differs in two dimensions together is found, and nothing more is kept") {
  const Subject subject = [](const Setting& setting, Chooser& chooser, Observer*) {
    const bool apart = chooser.choose(2, first_place) == 1;
    return words({apart && setting.subgroup_size == 8 ? 1u : 0u});
  };
  const Verdict verdict = explore::explore(subject, request_for(Dimensions::all()));
  REQUIRE(verdict.smallest);
  CHECK_FALSE(verdict.on.any());
  Dimensions both;
  both.add(Dimension::convergence);
  both.add(Dimension::subgroup_size);
  CHECK(verdict.smallest->on == both);
  CHECK(to_options(verdict.smallest->setting) ==
        std::vector<std::string>{"--subgroup-size", "8", "--convergence", "core", "--choose",
                                 "convergence=replay:1"});
}

TEST_CASE("explore: another order of words is told apart from other words") {
  const Subject order = [](const Setting&, Chooser& chooser, Observer*) {
    return chooser.choose(2, first_place) == 0 ? words({1, 2, 3}) : words({3, 1, 2});
  };
  Request request = request_for(only(Dimension::convergence));
  Verdict verdict = explore::explore(order, request);
  REQUIRE(verdict.smallest);
  CHECK(verdict.smallest->difference.only_order);
  CHECK(verdict.only_order == std::vector<bool>{true});
  request.unordered = {true};
  CHECK(explore::explore(order, request).independent());

  // Where both happen, the other words are what is kept.
  const Subject both = [](const Setting&, Chooser& chooser, Observer*) {
    const std::uint32_t answer = chooser.choose(3, first_place);
    return answer == 0 ? words({1, 2, 3}) : answer == 1 ? words({3, 1, 2}) : words({1, 2, 4});
  };
  request.unordered = {};
  verdict = explore::explore(both, request);
  REQUIRE(verdict.smallest);
  CHECK_FALSE(verdict.smallest->difference.only_order);
  CHECK(verdict.smallest->setting.answers == std::vector<std::uint32_t>{2});
}

TEST_CASE("explore: a run that ends early is a result") {
  const Subject subject = [](const Setting& setting, Chooser&, Observer*) {
    if (setting.subgroup_size == 64) throw Error("no such luck");
    return words({0});
  };
  const Verdict verdict = explore::explore(subject, request_for(Dimensions::all()));
  REQUIRE(verdict.smallest);
  CHECK(verdict.on == only(Dimension::subgroup_size));
  CHECK(verdict.smallest->difference.error == "no such luck");
}

TEST_CASE("explore: the budget holds, and the verdict does not depend on threads") {
  const Subject subject = [](const Setting& setting, Chooser& chooser, Observer*) {
    std::uint32_t sum = static_cast<std::uint32_t>(setting.mapping.seed % 2);
    for (int k = 0; k < 40; ++k) sum += chooser.choose(4, first_place);
    return words({sum == 1000 ? 1u : 0u});  // never
  };
  Request request = request_for(Dimensions::all());
  request.most_runs = 300;
  const Verdict one = explore::explore(subject, request);
  request.threads = 2;
  const Verdict two = explore::explore(subject, request);
  CHECK(one.independent());
  CHECK_FALSE(one.exhausted.has(Dimension::convergence));
  CHECK(one.runs <= 300);
  CHECK(one.runs == two.runs);
  CHECK(one.exhausted == two.exhausted);
  std::uint64_t told = 0;
  request.progress = [&](std::uint64_t runs) {
    told = runs;
    return runs < 100;
  };
  CHECK(explore::explore(subject, request).runs < 200);
  CHECK(told >= 100);
}

TEST_CASE("explore: dimensions are named") {
  for (const Dimension d : all_dimensions)
    CHECK(Dimensions::parse(to_string(d)).list() == std::vector{d});
  CHECK(Dimensions::parse("mapping,convergence").list() ==
        std::vector{Dimension::convergence, Dimension::mapping});
  CHECK_THROWS_WITH(Dimensions::parse("mapping,colour"),
                    Catch::StartsWith("'colour' is not a dimension: use one of convergence, "));
  CHECK_THROWS_AS(Dimensions::parse("mapping,"), Error);
}
