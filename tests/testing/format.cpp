#include <lockstep/testing/format.hpp>

#include <catch2/catch.hpp>

#include <lockstep/glsl/vec.hpp>

namespace {

using namespace lockstep;

TEST_CASE("{fmt} prints lanes, masks and ballots as streams do") {
  const auto lanes = Lanes<std::uint32_t, 4>::iota();
  CHECK(fmt::format("{} and {}", lanes, lanes + 1u) == "{0, 1, 2, 3} and {1, 2, 3, 4}");
  CHECK(fmt::format("{}", in_active(Mask<4>::first_n(2), lanes)) == "{0, 1, ., .}");
  CHECK(fmt::format("{}", Mask<4>::first_n(2)) == "{0-1} of 4");
  CHECK(fmt::format("{}", Ballot(5, 0, 0, 0)) == "0x5 {0,2}");
}

TEST_CASE("{fmt} passes on the format of each number") {
  CHECK(fmt::format("{::.2f}|", Vec<float, 2, 2>(1.0f, 0.125f)) == "{(1.00, 0.12), (1.00, 0.12)}|");
  CHECK(fmt::format("{::02x}", in_active(Mask<2>::first_n(1), Lanes<std::uint32_t, 2>(10u))) ==
        "{0a, .}");
  const auto format = [](const char* how) {
    return fmt::format(fmt::runtime(how), Lanes<std::uint32_t, 2>(10u));
  };
  CHECK_THROWS_AS(format("{:x}"), fmt::format_error);
  CHECK_THROWS_AS(format("{::.2f}"), fmt::format_error);
}

}  // namespace
