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
  CHECK_THROWS_WITH(
      Chooser::parse("colour=rejoin-all"),
      Catch::StartsWith("'colour' is not a kind of choice: use one of convergence, "));
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
  Chooser some = Chooser::parse("rejoin-none:7,12");
  for (int line = 6; line < 14; ++line)
    CHECK(some.choose(3, {"kernel.hpp", line}) == (line == 7 || line == 12 ? 2u : 0u));
  for (const char* wrong :
       {"", "all", "rejoin-none:", "rejoin-none:0", "rejoin-none:1,x", "random",
        "random:", "random:x", "random:-1", "replay", "replay:1,", "replay:,1", "replay:1x",
        "replay:x2", "replay:1x99999999", "replay:1 2", "replay:99999999999"}) {
    INFO(wrong);
    CHECK_THROWS_WITH(Chooser::parse(wrong), Catch::Contains("is not a chooser: write rejoin-all"));
  }
}

TEST_CASE("random answers are remainders of SplitMix64's numbers, so a seed stays the same run") {
  // The first numbers of the generator from 1234567.
  constexpr std::uint64_t numbers[] = {6457827717110365317ull, 3203168211198807973ull,
                                       9817491932198370423ull, 4593380528125082431ull,
                                       16408922859458223821ull};
  for (const std::uint32_t options : {1u, 2u, 3u, 4u, 7u, 64u, 100u, 1u << 31, 0xffffffffu}) {
    Chooser chooser = Chooser::random(1234567);
    for (const std::uint64_t number : numbers)
      CHECK(chooser.choose(options, {}) == number % options);
  }
}

TEST_CASE("a chooser tells each question, also of many places and of places asked again") {
  Chooser chooser = Chooser::rejoin_none().only(all_choices);
  std::vector<Chooser::Question> asked;
  const auto ask = [&](std::uint32_t options, const char* file, int line, int column,
                       Choice choice) {
    asked.push_back({options, choice, {file, line, column}});
    chooser.choose(options, asked.back().where, choice);
  };
  for (int round = 0; round < 3; ++round)
    for (int line = 1; line < 300; ++line) ask(2, "a.comp", line, 0, Choice::rejoin);
  for (int round = 0; round < 2; ++round) {  // all differ in one thing
    ask(2, "a.comp", 1, 1, Choice::rejoin);
    ask(3, "a.comp", 1, 1, Choice::rejoin);
    ask(66, "a.comp", 1, 1, Choice::rejoin);
    ask(2, "b.comp", 1, 1, Choice::rejoin);
    ask(2, "a.comp", 65, 1, Choice::rejoin);
    ask(2, "a.comp", 1, 65, Choice::rejoin);
    ask(2, "a.comp", 1, 1, Choice::side_order);
  }
  const std::vector<Chooser::Question> told = chooser.asked();
  REQUIRE(told.size() == asked.size());
  bool same = true;
  for (std::size_t k = 0; k < asked.size(); ++k)
    same = same && told[k].options == asked[k].options && told[k].choice == asked[k].choice &&
           std::string(told[k].where.file) == asked[k].where.file &&
           told[k].where.line == asked[k].where.line &&
           told[k].where.column == asked[k].where.column;
  CHECK(same);
  REQUIRE(chooser.made().size() == asked.size());
  CHECK(chooser.made()[3 * 299 + 1] == 2);  // of three options the last
}

}  // namespace
