#include <lockstep/exec/chooser.hpp>

#include <algorithm>
#include <array>

#include <catch2/catch.hpp>

#include <lockstep/exec/error.hpp>

namespace {

using namespace lockstep;
using Answers = std::vector<std::uint32_t>;

/// What a chooser answers to questions of these many options.
Answers ask(Chooser& chooser, const Answers& options) {
  Answers answers;
  for (const std::uint32_t n : options) answers.push_back(chooser.choose(n, {"kernel.hpp", 7}));
  return answers;
}

TEST_CASE("rejoin_all always takes the first, rejoin_none the last") {
  Chooser all = Chooser::rejoin_all();
  Chooser none = Chooser::rejoin_none();
  CHECK(ask(all, {2, 3, 4, 1}) == Answers{0, 0, 0, 0});
  CHECK(ask(none, {2, 3, 4, 1}) == Answers{1, 2, 3, 0});
}

TEST_CASE("random takes every option, depends on its seed, and stays in range") {
  Chooser a = Chooser::random(1), again = Chooser::random(1), b = Chooser::random(2);
  const Answers options(200, 3);
  const Answers first = ask(a, options);
  CHECK(first == ask(again, options));
  CHECK(first != ask(b, options));
  for (std::uint32_t option = 0; option < 3; ++option) {
    CHECK(std::count(first.begin(), first.end(), option) > 30);
  }
  CHECK(*std::max_element(first.begin(), first.end()) == 2);
}

TEST_CASE("the list of choices replays, also through text") {
  Chooser random = Chooser::random(5);
  const Answers options = {2, 3, 4, 5, 2, 2};
  const Answers answers = ask(random, options);
  CHECK(random.made() == answers);
  Chooser replay = Chooser::replay(random.made());
  CHECK(ask(replay, options) == answers);
  Chooser parsed = Chooser::parse("replay:" + random.made_as_text());
  CHECK(ask(parsed, options) == answers);
}

TEST_CASE("equal answers in a row are written once, with their number") {
  const Answers answers = {0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1};
  CHECK(Chooser::to_text(answers) == "0x9,3,3,1x8");
  Chooser replay = Chooser::parse("replay:0x9,3,3,1x8");
  CHECK(ask(replay, Answers(answers.size(), 4)) == answers);
}

TEST_CASE("a list that does not fit is an error that says where") {
  Chooser too_short = Chooser::replay({0});
  too_short.choose(2, {"kernel.hpp", 7});
  CHECK_THROWS_WITH(too_short.choose(2, {"kernel.hpp", 9}),
                    Catch::StartsWith("kernel.hpp:9: the list of choices does not fit this run"));
  Chooser out_of_range = Chooser::replay({5});
  CHECK_THROWS_AS(out_of_range.choose(2, {"kernel.hpp", 7}), Error);
}

TEST_CASE("a choice for a place is made once") {
  Chooser random = Chooser::random(3);
  const SourceLocation here{"kernel.hpp", 7}, there{"kernel.hpp", 8};
  const std::uint32_t answer = random.choose_for_place(1000, here, Choice::switch_grouping);
  for (int n = 0; n < 5; ++n)
    CHECK(random.choose_for_place(1000, here, Choice::switch_grouping) == answer);
  random.choose_for_place(1000, there, Choice::switch_grouping);
  random.choose_for_place(1000, here, Choice::fallthrough);
  CHECK(random.made().size() == 3);
}

TEST_CASE("a chooser that is asked only some kinds of choice gives the default to all others") {
  constexpr std::array kinds = {Choice::fallthrough};
  for (const Chooser& free : {Chooser::rejoin_none(), Chooser::random(9), Chooser::replay({2})}) {
    Chooser chooser = free.only(kinds);
    CHECK(chooser.asks(Choice::fallthrough));
    CHECK_FALSE(chooser.asks(Choice::rejoin));
    CHECK(chooser.choose(3, {"kernel.hpp", 7}) == 0);
    CHECK(chooser.choose_for_place(3, {"kernel.hpp", 7}, Choice::switch_grouping) == 0);
    CHECK(chooser.made().empty());
    // It answers the rest as it would if nothing else had been asked.
    Chooser same = free;
    CHECK(chooser.choose(3, {"kernel.hpp", 8}, Choice::fallthrough) ==
          same.choose(3, {"kernel.hpp", 8}, Choice::fallthrough));
    CHECK(chooser.asked().size() == 1);
  }
}

TEST_CASE("the kinds of choice stand before the chooser's name") {
  Chooser chooser = Chooser::parse("fallthrough,switch-grouping=rejoin-none");
  CHECK(chooser.choose(3, {"kernel.hpp", 7}) == 0);
  CHECK(chooser.choose(3, {"kernel.hpp", 7}, Choice::fallthrough) == 2);
  CHECK(chooser.choose(3, {"kernel.hpp", 7}, Choice::switch_grouping) == 2);
  for (const Choice choice : all_choices) {
    const Chooser named = Chooser::parse(std::string(to_string(choice)) + "=random:1");
    for (const Choice other : all_choices) CHECK(named.asks(other) == (other == choice));
  }
  CHECK_THROWS_WITH(Chooser::parse("colour=rejoin-all"),
                    Catch::StartsWith("'colour' is not a kind of choice: those are convergence, "));
  CHECK_THROWS_WITH(Chooser::parse("convergence="), Catch::Contains("is not a chooser"));
}

TEST_CASE("choosers have names on the command line, and anything else is refused") {
  Chooser all = Chooser::parse("rejoin-all");
  Chooser none = Chooser::parse("rejoin-none");
  Chooser random = Chooser::parse("random:18446744073709551615");
  CHECK(ask(all, {2}) == Answers{0});
  CHECK(ask(none, {2}) == Answers{1});
  CHECK(random.choose(1, {}) == 0);
  CHECK(Chooser::parse("replay:").made().empty());
  for (const char* wrong :
       {"", "all", "random", "random:", "random:x", "random:-1", "replay", "replay:1,", "replay:,1",
        "replay:1x", "replay:x2", "replay:1x99999999", "replay:1 2", "replay:99999999999"}) {
    INFO(wrong);
    CHECK_THROWS_WITH(Chooser::parse(wrong), Catch::Contains("is not a chooser: write rejoin-all"));
  }
}

}  // namespace
