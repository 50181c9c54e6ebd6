#include <lockstep/exec/lenient.hpp>

#include <catch2/catch.hpp>

#include <lockstep/exec/fault_log.hpp>

using namespace lockstep;

TEST_CASE("nothing is tolerated unless a run says so") { CHECK(!Lenient{}.barriers); }

TEST_CASE("notes are counted, and the first one's text is kept") {
  LenientNotes notes;
  notes.merge({});
  CHECK(notes.first.empty());
  notes.merge({2, "first"});
  notes.merge({3, "second"});
  CHECK(notes.count == 5);
  CHECK(notes.first == "first");
  CHECK(to_string(notes) == "first (and 4 more times)");
  CHECK(to_string(LenientNotes{1, "one"}) == "one");
  CHECK(to_string(LenientNotes{2, "two"}) == "two (and 1 more time)");
  CHECK(to_string(LenientNotes{}) == "");
}

TEST_CASE(
    "of several workgroups' notes the lowest one's text is kept, in whatever order they come") {
  const LenientNotes parts[] = {
      {2, "x", {3, 0, 0}}, {1, "y", {0, 1, 0}}, {0, "", {}}, {4, "z", {0, 0, 1}}};
  for (int first = 0; first < 4; ++first) {
    LenientNotes notes;
    for (int k = 0; k < 4; ++k) notes.merge_by_workgroup(parts[(first + k) % 4]);
    CHECK(notes.count == 7);
    CHECK(notes.first == "x");
    CHECK(notes.workgroup == Size3{3, 0, 0});
  }
}

TEST_CASE("a log keeps the notes of all its parts, and they are no findings") {
  FaultLog log, later, other;
  log.note({1, "first"});
  later.note({2, "second"});
  other.note({3, "third"});
  log.merge(later);
  log.merge_by_workgroup(other);
  CHECK(log.count() == 0);
  CHECK(log.notes().count == 6);
  CHECK(log.notes().first == "first");
}
