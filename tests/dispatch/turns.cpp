#include <lockstep/dispatch/turns.hpp>

#include <exception>
#include <functional>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/exec/endless_loop.hpp>
#include <lockstep/exec/error.hpp>

namespace {

using namespace lockstep;

constexpr SourceLocation here{"kernel.hpp", 7}, there{"kernel.hpp", 8};

/// A subgroup that comes to a barrier with all of its lanes.
BarrierArrival at(SourceLocation where) {
  BarrierArrival arrival;
  arrival.barrier = {where};
  return arrival;
}

/// Subgroups that run a function, and a diary of whose turn it was.
struct Job : Turns::Work {
  Job(std::uint32_t subgroups, std::function<void(Turns&, std::uint32_t)> f)
      : turns(subgroups, Size3{1, 2, 3}), body(std::move(f)) {}

  void run() { turns.run(*this); }
  void run(std::uint32_t subgroup) override { body(turns, subgroup); }
  void switch_in(std::uint32_t subgroup) override { diary += "<" + std::to_string(subgroup); }
  void switch_out(std::uint32_t subgroup) override { diary += std::to_string(subgroup) + ">"; }

  Turns turns;
  std::function<void(Turns&, std::uint32_t)> body;
  std::string diary;
};

TEST_CASE("subgroups that ask nothing run one after another") {
  Job job(3, [](Turns&, std::uint32_t) {});
  job.run();
  CHECK(job.diary == "<00><11><22>");
}

TEST_CASE("all meet at one place and hear all votes") {
  std::vector<std::uint32_t> heard;
  Job job(3, [&](Turns& turns, std::uint32_t s) {
    heard.push_back(turns.meet(here, 1, s == 1 ? 2 : 1));
    heard.push_back(turns.meet(there, 2, 1));
  });
  job.run();
  CHECK(heard == std::vector<std::uint32_t>{3, 3, 3, 1, 1, 1});
  CHECK(job.diary == "<00><11><22><00><11><22><00><11><22>");
}

TEST_CASE("whoever meets at different places, or after others have ended, is told so") {
  std::vector<std::uint32_t> heard;
  Job places(2, [&](Turns& turns, std::uint32_t s) {
    heard.push_back(turns.meet(s == 0 ? here : there, 1, 1));
  });
  places.run();
  Job instances(2, [&](Turns& turns, std::uint32_t s) { heard.push_back(turns.meet(here, s, 1)); });
  instances.run();
  Job ended(2, [&](Turns& turns, std::uint32_t s) {
    if (s == 1) heard.push_back(turns.meet(here, 1, 1));
  });
  ended.run();
  CHECK(heard == std::vector<std::uint32_t>(5, 0xffffffff));
}

TEST_CASE("a barrier waits for all, also for those that meet first") {
  std::vector<std::uint32_t> order;
  Job job(3, [&](Turns& turns, std::uint32_t s) {
    if (s == 0) CHECK(turns.meet(there, 1, 1) == 0xffffffff);
    order.push_back(s);
    CHECK(turns.barrier(at(here), 1u << s) == 7);
    order.push_back(10 + s);
  });
  job.run();
  CHECK(order == std::vector<std::uint32_t>{1, 2, 0, 10, 11, 12});
}

TEST_CASE("a barrier that an ended subgroup never reaches is an error, not a hang") {
  int unwound = 0;
  struct Guard {
    int& count;
    ~Guard() { ++count; }
  };
  Job job(3, [&](Turns& turns, std::uint32_t s) {
    const Guard guard{unwound};
    if (s != 1) turns.barrier(at(here), 1);
  });
  CHECK_THROWS_WITH(job.run(),
                    Catch::Contains("kernel.hpp:7: barrier() is not reached by all of "
                                    "workgroup (1, 2, 3): subgroups 0, 2 wait for subgroup 1"));
  CHECK(unwound == 3);
}

TEST_CASE("a lenient barrier opens without those that have ended, and says so") {
  struct Forgiving : Turns::Work {
    void run(std::uint32_t s) override {
      if (s != 1) heard.push_back(turns.barrier(at(here), 1));
    }
    void switch_in(std::uint32_t) override {}
    void switch_out(std::uint32_t) override {}
    Turns turns{3, Size3{1, 2, 3}, {.barriers = true}};
    std::vector<std::uint32_t> heard;
  } job;
  job.turns.run(job);
  CHECK(job.heard == std::vector<std::uint32_t>(2, 0xffffffff));
  CHECK(job.turns.notes().count == 1);
  CHECK_THAT(job.turns.notes().first,
             Catch::StartsWith("kernel.hpp:7: ") &&
                 Catch::Contains("subgroups 0, 2 wait for subgroup 1, which has ended") &&
                 Catch::EndsWith("; they are counted as arrived"));
}

TEST_CASE("a barrier brings the lanes of a stack together for the rule core") {
  Convergence core{.rule = Rule::core};
  struct Stacks : Turns::Work {
    explicit Stacks(const Convergence& c) : convergence(c) {}
    void run(std::uint32_t s) override {
      ReconvergenceStack stack(LaneSet::first_n(4), convergence);
      stack.tangles = {{LaneSet::first_n(4)}};
      if (s == 1 && apart) stack.tangles = {{LaneSet::first_n(2)}, {LaneSet{0xc}}};
      turns.pass_barrier(stack, {here});
      together.push_back(stack.tangles[0].whole_workgroup);
    }
    void switch_in(std::uint32_t) override {}
    void switch_out(std::uint32_t) override {}
    const Convergence& convergence;
    bool apart = false;
    Turns turns{2, Size3{}};
    std::vector<bool> together;
  };
  Stacks whole(core);
  whole.turns.run(whole);
  CHECK(whole.together == std::vector{true, true});
  Stacks apart(core);
  apart.apart = true;
  apart.turns.run(apart);
  CHECK(apart.together == std::vector{false, false});
}

TEST_CASE("what one subgroup throws ends all and reaches the caller") {
  int begun = 0, finished = 0;
  Job job(4, [&](Turns& turns, std::uint32_t s) {
    ++begun;
    turns.meet(here, 1, 1);
    if (s == 2) throw Error("two is wrong");
    turns.meet(here, 2, 1);
    ++finished;
  });
  CHECK_THROWS_WITH(job.run(), "two is wrong");
  CHECK(begun == 4);
  CHECK(finished == 0);
}

TEST_CASE("subgroups that have not begun when another fails never begin") {
  std::string order;
  Job job(4, [&](Turns& turns, std::uint32_t s) {
    struct Guard {
      std::string& order;
      char mark;
      ~Guard() { order += mark; }
    };
    const Guard guard{order, static_cast<char>('a' + s)};
    if (s == 0) turns.meet(here, 1, 1);
    throw Error("early");
  });
  CHECK_THROWS_WITH(job.run(), "early");
  CHECK(order == "ba");
  CHECK(job.diary == "<00><11><00>");
}

TEST_CASE("of several subgroups that fail, the first one's error is thrown") {
  Job job(3, [&](Turns& turns, std::uint32_t s) {
    if (s == 1) throw Error("first");
    try {
      turns.meet(here, 1, 1);
    } catch (...) {
      throw Error("later");
    }
  });
  CHECK_THROWS_WITH(job.run(), "first");
}

TEST_CASE("an endless loop of one subgroup says where the others wait") {
  Job job(3, [&](Turns& turns, std::uint32_t s) {
    if (s < 2) turns.barrier(at(there), 1);
    fail::endless_loop(here, {LaneSet::first_n(4), {}, {}}, 100);
  });
  CHECK_THROWS_WITH(job.run(), Catch::Contains("kernel.hpp:7") &&
                                   Catch::Contains("subgroups 0-1 wait") &&
                                   Catch::Contains("kernel.hpp:8"));
}

TEST_CASE("subgroups run to a depth that only a stack of their own has") {
  const auto deep = [](const auto& self, int depth, Turns& turns) -> int {
    volatile char room[1024] = {1};
    if (depth == 0) turns.meet(here, 1, 1);
    return depth == 0 ? 0 : self(self, depth - 1, turns) + room[0];
  };
  std::vector<int> depths;
  Job job(3, [&](Turns& turns, std::uint32_t s) {
    depths.push_back(deep(deep, 2000 + static_cast<int>(s), turns));
  });
  job.run();
  CHECK(depths == std::vector{2000, 2001, 2002});
}

TEST_CASE("a workgroup runs in a destructor while an exception passes") {
  std::vector<int> passing;
  struct RunsJob {
    Job& job;
    ~RunsJob() { job.run(); }
  };
  Job job(2, [&](Turns& turns, std::uint32_t) {
    turns.meet(here, 1, 1);
    passing.push_back(std::uncaught_exceptions());
  });
  const auto fails = [&] {
    const RunsJob runs{job};
    throw Error("outer");
  };
  CHECK_THROWS_WITH(fails(), "outer");
  CHECK(passing == std::vector{0, 0});
}

TEST_CASE("one subgroup, or none, needs nobody") {
  Job one(1, [](Turns& turns, std::uint32_t) {
    CHECK(turns.meet(here, 1, 2) == 2);
    CHECK(turns.barrier(at(here), 1) == 1);
  });
  one.run();
  Job none(0, [](Turns&, std::uint32_t) {});
  none.run();
  CHECK(none.diary.empty());
}

}  // namespace
