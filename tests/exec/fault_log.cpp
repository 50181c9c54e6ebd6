#include <lockstep/exec/fault_log.hpp>

#include <algorithm>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/exec/checks.hpp>

using namespace lockstep;

namespace {

/// A fault in a line, of a lane of a workgroup.
Finding fault(int line, std::uint32_t workgroup = 0, int lane = 0) {
  Finding finding = finding_of(Check::out_of_bounds);
  finding.where = {"kernel.hpp", line};
  finding.workgroup = {workgroup, 0, 0};
  finding.lanes = LaneSet::lane(lane);
  finding.access = {AccessKind::write,
                    {MemoryObject::Kind::buffer, 0, 2, 0, ""},
                    LaneAccess::Unit::element,
                    9,
                    8};
  return finding;
}

std::vector<int> lines_of(const FaultLog& log) {
  std::vector<int> lines;
  for (const Finding& f : log.findings()) lines.push_back(f.where.line);
  return lines;
}

}  // namespace

TEST_CASE("FaultLog: counts all, keeps the first of each place and unites its lanes") {
  FaultLog log;
  CHECK(log.count() == 0);
  CHECK(log.findings().empty());
  log.record(fault(7, 1, 3));
  log.record(fault(8, 1, 4));
  log.record(fault(7, 2, 5));
  CHECK(log.count() == 3);
  REQUIRE(lines_of(log) == std::vector{7, 8});
  CHECK(log.first().workgroup == Size3{1, 0, 0});
  CHECK(log.first().count == 2);
  CHECK(log.first().lanes == (LaneSet::lane(3) | LaneSet::lane(5)));
  CHECK(log.first().message == "write to element 9 of buffer 2, which has 8");
}

TEST_CASE("FaultLog: rule, object, kind of access and file tell places of one line apart") {
  FaultLog log;
  const Finding base = fault(7);
  Finding other = base;
  log.record(base);
  other.rule = "another-rule";
  log.record(other);
  other = base;
  other.access.object.binding = 3;
  log.record(other);
  other = base;
  other.access.kind = AccessKind::read;
  log.record(other);
  other = base;
  other.where.file = "other.hpp";
  log.record(other);
  const std::string same_file = "kernel.hpp";
  other = base;
  other.where.file = same_file.c_str();
  log.record(other);
  CHECK(log.findings().size() == 5);
  CHECK(log.first().count == 2);
  CHECK(log.count() == 6);
}

TEST_CASE("FaultLog: keeps so many places and counts the others") {
  constexpr int most = static_cast<int>(FaultLog::most_kept);
  FaultLog log;
  for (int line = 1; line <= most + 4; ++line) log.record(fault(line));
  log.record(fault(most + 4));
  log.record(fault(1));
  CHECK(log.count() == most + 6);
  CHECK(log.findings().size() == FaultLog::most_kept);
  CHECK(log.first().count == 2);
}

TEST_CASE("FaultLog: merging adds what came later") {
  FaultLog a, b, none;
  a.record(fault(1, 5));
  b.record(fault(2, 0));
  b.record(fault(1, 0));
  none.merge(b);
  CHECK(none.count() == 2);
  CHECK(lines_of(none) == std::vector{2, 1});
  a.merge(b);
  CHECK(a.count() == 3);
  CHECK(lines_of(a) == std::vector{1, 2});
  CHECK(a.first().workgroup == Size3{5, 0, 0});
  CHECK(a.first().count == 2);
  // What the other log no longer knows still counts.
  FaultLog full;
  constexpr int lines = static_cast<int>(FaultLog::most_kept) + 14;
  for (int line = 1; line <= lines; ++line) full.record(fault(line));
  a.merge(full);
  CHECK(a.count() == lines + 3);
}

TEST_CASE("FaultLog: workgroups that ran in whatever order give the same log") {
  std::mt19937 random(3);
  for (int round = 0; round < 50; ++round) {
    CAPTURE(round);
    // Each log is that of a workgroup; the expected one is recorded in their order.
    FaultLog expected;
    std::vector<FaultLog> logs(6);
    for (std::uint32_t g = 0; g < logs.size(); ++g) {
      for (auto k = random() % 5; k > 0; --k) {
        const Finding f = fault(static_cast<int>(random() % 8), g, static_cast<int>(random() % 8));
        expected.record(f);
        logs[g].record(f);
      }
    }
    std::shuffle(logs.begin(), logs.end(), random);
    FaultLog got;
    for (const FaultLog& log : logs) got.merge_by_workgroup(log);
    CHECK(got.count() == expected.count());
    REQUIRE(lines_of(got) == lines_of(expected));
    for (std::size_t k = 0; k < got.findings().size(); ++k) {
      CHECK(got.findings()[k].count == expected.findings()[k].count);
      CHECK(got.findings()[k].lanes == expected.findings()[k].lanes);
      CHECK(got.findings()[k].workgroup == expected.findings()[k].workgroup);
    }
  }
}

TEST_CASE("FaultLog: rows of workgroups come before those of the next slice") {
  FaultLog got, later;
  Finding f = fault(1);
  f.workgroup = {9, 9, 0};
  got.record(fault(2, 0));
  later.record(f);
  f = fault(3);
  f.workgroup = {0, 0, 1};
  FaultLog last;
  last.record(f);
  last.merge_by_workgroup(later);
  last.merge_by_workgroup(got);
  CHECK(lines_of(last) == std::vector{2, 1, 3});
}

TEST_CASE("FaultLog: printed, a line for each place and the number of others") {
  FaultLog log;
  CHECK(to_string(log) == "no findings");
  log.record(fault(7, 1, 3));
  log.record(fault(7, 1, 4));
  log.record(fault(8, 2, 5));
  const std::string first =
      "kernel.hpp:7: error: write to element 9 of buffer 2, which has 8 [out-of-bounds], workgroup "
      "(1, 0, 0), subgroup 0, lanes 3-4, 2 times\n";
  const std::string second =
      "kernel.hpp:8: error: write to element 9 of buffer 2, which has 8 [out-of-bounds], workgroup "
      "(2, 0, 0), subgroup 0, lane 5";
  CHECK(to_string(log) == first + second);
  std::ostringstream printed;
  printed << log;
  CHECK(printed.str() == first + second);
  constexpr int most = static_cast<int>(FaultLog::most_kept);
  for (int line = 100; line < 100 + most + 4; ++line) log.record(fault(line));
  const std::string all = to_string(log);
  CHECK(all.ends_with("\nand 6 more"));
  CHECK(std::ranges::count(all, '\n') == most);
}
