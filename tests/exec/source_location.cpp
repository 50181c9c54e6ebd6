#include <lockstep/exec/source_location.hpp>

#include <string>

#include <catch2/catch.hpp>

namespace {

using lockstep::SourceLocation;

SourceLocation caller(SourceLocation where = SourceLocation::current()) { return where; }

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

TEST_CASE("current() is the place it stands at") {
  const SourceLocation here = SourceLocation::current();
  CHECK(here.line == __LINE__ - 1);
  CHECK(ends_with(here.file, "exec/source_location.cpp"));
}

TEST_CASE("as a default argument, current() is the place of the call") {
  const SourceLocation first = caller();
  const SourceLocation second = caller();
  CHECK(first.line == __LINE__ - 2);
  CHECK(second.line == __LINE__ - 2);
  CHECK(ends_with(first.file, "exec/source_location.cpp"));
}

TEST_CASE("a place that nobody set is empty") {
  constexpr SourceLocation nowhere;
  CHECK(nowhere.line == 0);
  CHECK(std::string(nowhere.file).empty());
}

}  // namespace
