#include <lockstep/exec/error.hpp>

#include <catch2/catch.hpp>

TEST_CASE("an error is caught as a std::runtime_error and keeps its text") {
  CHECK_THROWS_WITH(throw lockstep::Error("what, where, what to do"), "what, where, what to do");
  CHECK_THROWS_AS(throw lockstep::Error(""), std::runtime_error);
}
