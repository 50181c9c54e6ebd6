#include "report/summary.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "io/array_of.hpp"

using lockstep::report::summarise;

TEST_CASE("a summary has the extremes and the first elements") {
  const auto summary = summarise(array_of<std::int8_t>({3, -4, 100, 7, 0, 1, 2, 3, 4, -128}));
  CHECK(summary.elements == 10);
  CHECK(summary.smallest == "-128");
  CHECK(summary.largest == "100");
  CHECK(summary.first == std::vector<std::string>{"3", "-4", "100", "7", "0", "1", "2", "3"});
  CHECK(summary.nans == 0);
}

TEST_CASE("NaN is counted and is not an extreme") {
  const auto some = summarise(array_of<float>({NAN, 2.5F, -INFINITY, NAN}));
  CHECK(some.nans == 2);
  CHECK(some.smallest == "-inf");
  CHECK(some.largest == "2.5");
  const auto none = summarise(array_of<double>({NAN}));
  CHECK(none.nans == 1);
  CHECK(none.smallest.empty());
  CHECK(none.largest.empty());
}
