#include <lockstep/exec/finding.hpp>

#include <catch2/catch.hpp>

#include <lockstep/exec/checks.hpp>

using namespace lockstep;
using Unit = LaneAccess::Unit;
using Kind = MemoryObject::Kind;

TEST_CASE("accesses are told in words") {
  LaneAccess access{AccessKind::read, {Kind::buffer, 0, 2, 0, ""}, Unit::element, 9, 8};
  CHECK(to_string(access) == "read of element 9 of buffer 2, which has 8");
  access.unit = Unit::inner_element;
  CHECK(to_string(access) == "read of element 9 of an array of 8 in buffer 2");
  access.kind = AccessKind::atomic;
  access.unit = Unit::byte;
  access.object.name = "Counter";
  CHECK(to_string(access) == "atomic on byte 9 of Counter, which has 8 bytes");
  access.kind = AccessKind::write;
  access.object = {Kind::image, 1, 3, 0, ""};
  access.unit = Unit::coordinate;
  CHECK(to_string(access) == "write to coordinate 9 of image 1.3, whose extent there is 8");
  access.unit = Unit::texel;
  CHECK(to_string(access) == "write to a texel outside of image 1.3, which has 8");
  access.object = {};
  CHECK(to_string(access) == "write to an address of no buffer");
}

TEST_CASE("findings are told in a line, without what they do not know") {
  Finding finding = finding_of(Check::out_of_bounds);
  finding.message = "it went wrong";
  CHECK(to_string(finding) ==
        "error: it went wrong [out-of-bounds], workgroup (0, 0, 0), subgroup 0");
  finding.where = {"a.comp", 0};
  finding.lanes = LaneSet::lane(3);
  CHECK(to_string(finding) ==
        "a.comp: error: it went wrong [out-of-bounds], workgroup (0, 0, 0), subgroup 0, lane 3");
  finding.severity = Severity::warning;
  finding.where = {"a.comp", 7};
  finding.origin = {"b.glsl", 5};
  finding.workgroup = {1, 2, 3};
  finding.subgroup = 4;
  finding.lanes = LaneSet::first_n(4) | LaneSet::lane(9);
  finding.count = 12;
  CHECK(to_string(finding) ==
        "a.comp:7: warning: it went wrong [out-of-bounds], from b.glsl:5, workgroup (1, 2, 3), "
        "subgroup 4, lanes 0-3,9, 12 times");
  CHECK(to_string(Severity::note) == "note");
}
