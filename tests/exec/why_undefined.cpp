#include <lockstep/exec/why_undefined.hpp>

#include <catch2/catch.hpp>

using namespace lockstep;

TEST_CASE("what makes an undefined value visible names the memory") {
  const MemoryObject buffer{.kind = MemoryObject::Kind::buffer, .binding = 3};
  CHECK(to_string(UseKind::stored, buffer) == "an undefined value is stored to buffer 3");
  CHECK(to_string(UseKind::stored, {}) == "an undefined value is stored to memory");
  CHECK(to_string(UseKind::atomic_memory, buffer) ==
        "an atomic uses an undefined value in buffer 3");
  CHECK(to_string(UseKind::condition, buffer) == "an undefined value decides a branch");
}

TEST_CASE("where an undefined value comes from names the function") {
  CHECK(why_undefined(Check::undefined_shuffle, "subgroupShuffle") ==
        "subgroupShuffle reads a lane that is inactive here");
  CHECK(why_undefined(Check::shift_too_wide, "shift", 64) ==
        "a shift of a number of 64 bits by 64 or more");
  CHECK(why_undefined(Check::shift_too_wide, "bitfieldInsert", 64) ==
        "a bit field that ends beyond the number");
  CHECK(why_undefined(Check::division_by_zero, "unsigned") == "a division by 0");
  CHECK(why_undefined(Check::division_by_zero, "signed") ==
        "a division by 0, or of the least number by -1");
  CHECK(why_undefined(Check::math_domain, "atan") == "atan of 0 and 0");
}

TEST_CASE("where a value came from is in the message if it has no line") {
  Finding finding;
  describe_undefined(finding, UseKind::condition, {}, {"a.comp", 7}, "a division by 0");
  CHECK(finding.message == "an undefined value decides a branch");
  CHECK(finding.origin.line == 7);
  CHECK(finding.origin_message == "a division by 0");
  describe_undefined(finding, UseKind::condition, {}, {}, "a division by 0");
  CHECK(finding.message == "an undefined value decides a branch: a division by 0");
}
