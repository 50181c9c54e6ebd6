#pragma once

#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/lockstep.hpp>

/// \file
/// Misuse that ends in an Error at run time. The name of a test case is the misuse, " => " and a part of the
/// error's text; docs/reference/misuse.md lists them.

namespace lockstep::test {

/// What the running test case's name promises of the error's text.
inline std::string promised_error() {
  const std::string name = Catch::getResultCapture().getCurrentTestName();
  for (const std::string sign : {" => Error: ", " => "}) {
    const auto end = name.find(sign);
    if (end != std::string::npos) return name.substr(end + sign.size());
  }
  FAIL("the test case's name promises nothing");
  return {};
}

/// Runs K, whose line `wrong_line` is wrong, on the fast machine and on the tangled one. Both throw Error with
/// that line and the text that the test case's name promises.
template <template <class> class K, class... A>
void expect_error(const Device& device, int wrong_line, A&&... arguments) {
  const std::string promised = promised_error();
  const std::string place = ".cpp:" + std::to_string(wrong_line) + ":";
  using Catch::Matchers::Contains;
  CHECK_THROWS_WITH((device.dispatch<K, 8>({1}, arguments...)),
                    Contains(promised) && Contains(place));
  CHECK_THROWS_WITH((device.dispatch<K, 8>(Convergence{}, {1}, arguments...)),
                    Contains(promised) && Contains(place));
}

/// As above, on a device of eight lanes.
template <template <class> class K, class... A>
void expect_error(int wrong_line, A&&... arguments) {
  expect_error<K>(Device{.subgroup_size = 8, .max_trips = 100}, wrong_line, arguments...);
}

}  // namespace lockstep::test
