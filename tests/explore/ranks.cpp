#include "explore/ranks.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "explore/explorer.hpp"
#include "explore/run.hpp"

/// \file
/// Ranks that explore together, as threads of one process.

using namespace lockstep;
using namespace lockstep::explore;

namespace {

constexpr SourceLocation place{"subject.comp", 10};

Result words(std::vector<std::uint32_t> values) {
  const auto* bytes = reinterpret_cast<const std::byte*>(values.data());
  return {{std::vector<std::byte>(bytes, bytes + values.size() * 4)}, {}};
}

/// Where the ranks leave their bytes for one another.
class Exchange {
 public:
  explicit Exchange(std::size_t count) : given_(count) {}

  std::vector<std::string> exchange(std::size_t rank, const std::string& mine) {
    std::unique_lock lock(mutex_);
    given_[rank] = mine;
    if (++arrived_ == given_.size()) {
      taken_ = given_;
      arrived_ = 0;
      ++round_;
      all_.notify_all();
      return taken_;
    }
    all_.wait(lock, [this, round = round_] { return round_ != round; });
    return taken_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable all_;
  std::vector<std::string> given_, taken_;
  std::size_t arrived_ = 0;
  std::uint64_t round_ = 0;
};

class ThreadRank : public Ranks {
 public:
  ThreadRank(Exchange& meeting, int rank, int count)
      : exchange_(meeting), rank_(rank), count_(count) {}
  int rank() const override { return rank_; }
  int count() const override { return count_; }
  std::vector<std::string> exchange(const std::string& mine) override {
    return exchange_.exchange(static_cast<std::size_t>(rank_), mine);
  }

 private:
  Exchange& exchange_;
  int rank_, count_;
};

/// Depends on the third and the fifth of eight answers together, and on the size.
Result subject_of(const Setting& setting, Chooser& chooser) {
  std::uint32_t third = 0, fifth = 0;
  for (int k = 0; k < 8; ++k) {
    const std::uint32_t answer = chooser.choose(3, place);
    if (k == 2) third = answer;
    if (k == 4) fifth = answer;
  }
  return words({third != 0 && fifth == 2 ? 1u : 0u, setting.subgroup_size == 64 ? 7u : 8u});
}

Request request_of() {
  Request request;
  request.sizes = {8, 16, 32, 64};
  request.threads = 1;
  request.most_runs = 1000;
  return request;
}

std::string text_of(const Verdict& verdict) {
  std::string text = std::to_string(verdict.runs) + " " + std::to_string(verdict.seeds);
  for (const Dimension d : verdict.on.list()) text += " on " + std::string(to_string(d));
  for (const Dimension d : verdict.exhausted.list()) text += " all " + std::string(to_string(d));
  if (!verdict.smallest) return text;
  for (const std::string& option : to_options(verdict.smallest->setting)) text += " " + option;
  text += " at " + std::to_string(verdict.smallest->difference.byte);
  for (const Chooser::Question& q : verdict.smallest->questions)
    text += " " + std::string(q.where.file) + std::to_string(q.where.line);
  return text;
}

}  // namespace

TEST_CASE("ranks divide the runs and come to the same verdict as one process") {
  std::atomic<int> runs{0};
  const Subject subject = [&](const Setting& setting, Chooser& chooser, Observer*) {
    ++runs;
    return subject_of(setting, chooser);
  };
  const Verdict alone = explore::explore(subject, request_of());
  const int alone_runs = runs.exchange(0);
  REQUIRE(alone.smallest);
  for (const int count : {1, 2, 3, 4}) {
    INFO(count << " ranks");
    Exchange meeting(static_cast<std::size_t>(count));
    std::vector<Verdict> verdicts(static_cast<std::size_t>(count));
    std::vector<std::thread> threads;
    for (int rank = 0; rank < count; ++rank) {
      threads.emplace_back([&, rank] {
        ThreadRank mine(meeting, rank, count);
        Request request = request_of();
        request.ranks = &mine;
        verdicts[static_cast<std::size_t>(rank)] = explore::explore(subject, request);
      });
    }
    for (std::thread& thread : threads) thread.join();
    for (const Verdict& verdict : verdicts) CHECK(text_of(verdict) == text_of(alone));
    // All make the first run, and shrink; the rest is done once.
    CHECK(runs.exchange(0) < alone_runs + count * 64);
  }
}

TEST_CASE("a rank that loses the others keeps what it knows") {
  struct Lost : Ranks {
    int rank() const override { return 1; }
    int count() const override { return 2; }
    std::vector<std::string> exchange(const std::string&) override { return {}; }
  } lost;
  Request request = request_of();
  request.sizes = {64, 32, 64};
  request.ranks = &lost;
  int found = 0;
  request.found = [&](const Counterexample& example) {
    ++found;
    CHECK(example.setting.subgroup_size == 64);
  };
  const Subject subject = [](const Setting& setting, Chooser& chooser, Observer*) {
    return subject_of(setting, chooser);
  };
  const Verdict verdict = explore::explore(subject, request);
  REQUIRE(verdict.smallest);
  CHECK(verdict.smallest->setting.subgroup_size == 64);
  CHECK(found == 1);
  CHECK_FALSE(verdict.exhausted.any());
}

TEST_CASE("what ranks tell of their runs arrives as it was") {
  Run same;
  same.setting.answers = {0, 1, 2};
  same.questions = {{2, Choice::atomic_order, place}, {3, Choice::rejoin, {"other.comp", 2, 3}}};
  Run other = same;
  other.difference = Difference{1, 12, "error", true};
  other.only_order = {false, true};
  other.result = words({1, 2, 3});
  other.result.error = "error";
  for (const bool stop : {false, true}) {
    const Told told = from_bytes(to_bytes({same, other}, stop));
    CHECK(told.stop == stop);
    REQUIRE(told.runs.size() == 2);
    for (const Run& run : told.runs) {
      CHECK(run.setting.answers == same.setting.answers);
      REQUIRE(run.questions.size() == 2);
      CHECK(run.questions[0].options == 2);
      CHECK(run.questions[0].choice == Choice::atomic_order);
      CHECK(std::string(run.questions[1].where.file) == "other.comp");
      CHECK(run.questions[1].where.column == 3);
    }
    CHECK_FALSE(told.runs[0].difference);
    REQUIRE(told.runs[1].difference);
    CHECK(told.runs[1].difference->byte == 12);
    CHECK(told.runs[1].difference->only_order);
    CHECK(told.runs[1].only_order == std::vector<bool>{false, true});
    CHECK(told.runs[1].result.buffers == other.result.buffers);
    CHECK(told.runs[1].result.error == "error");
  }
}
