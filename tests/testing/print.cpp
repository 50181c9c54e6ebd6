#include <lockstep/testing/print.hpp>

#include <sstream>

#include <catch2/catch.hpp>

#include <lockstep/glsl/mat.hpp>
#include <lockstep/lockstep.hpp>

// After all other headers: the macros rename ordinary words.
#include <lockstep/glsl/keywords.hpp>

namespace {

using namespace lockstep;

template <class V>
std::string printed(const V& value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

TEST_CASE("few lanes are a list") {
  CHECK(printed(Lanes<std::uint32_t, 4>::iota()) == "{0, 1, 2, 3}");
  CHECK(printed(Lanes<std::int8_t, 3>::generate([](int i) { return -i; })) == "{0, -1, -2}");
  CHECK(printed(Lanes<float, 2>(0.1f)) == "{0.1, 0.1}");
  CHECK(printed(Lanes<float16_t, 2>(float16_t(0.5f))) == "{0.5, 0.5}");
  CHECK(printed(Lanes<bool, 2>(Mask<2>::lane(1))) == "{false, true}");
  CHECK(printed(Lanes<std::uint64_t, 1>(~std::uint64_t{0})) == "{18446744073709551615}");
}

TEST_CASE("many lanes with few values are groups of lanes") {
  const auto halves = Lanes<std::uint32_t, 33>::generate([](int i) { return i / 16; });
  CHECK(printed(halves) == "{0-15: 0; 16-31: 1; 32: 2}");
  CHECK(printed(in_active(Mask<33>::first_n(20), halves)) ==
        "{0-15: 0; 16-19: 1; inactive: 20-32}");
  CHECK(printed(in_active(Mask<33>::none(), halves)) == "{inactive: 0-32}");
}

TEST_CASE("other lanes are rows that start with the number of a lane") {
  CHECK(printed(Lanes<std::uint32_t, 20>::iota()) ==
        "\n   0:  0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15"
        "\n  16: 16 17 18 19");
  const auto wide = Lanes<std::int32_t, 5>::generate([](int i) { return -1'000'000'000 - i; });
  CHECK(printed(wide) == "{-1000000000, -1000000001, -1000000002, -1000000003, -1000000004}");
  const auto active = Mask<128>::from_bits(0b1011);
  const std::string rows = to_string(Lanes<double, 128>::generate([](int i) { return i / 8.0; }),
                                     {.active = LaneSet{0b1011, ~std::uint64_t{0}}});
  CHECK(rows.starts_with("\n    0:      0  0.125      .  0.375"));
  for (std::size_t at = 0; at < rows.size();) {
    const std::size_t end = std::min(rows.find('\n', at), rows.size());
    CHECK(end - at <= 72);
    at = end + 1;
  }
  CHECK(active.count() == 3);
}

TEST_CASE("inactive lanes are dots") {
  const auto lanes = Lanes<std::uint32_t, 4>::iota();
  CHECK(printed(in_active(Mask<4>::from_bits(0b0110), lanes)) == "{., 1, 2, .}");
}

TEST_CASE("vectors and matrices are in parentheses") {
  const auto lanes = Lanes<float, 2>::iota();
  CHECK(printed(Vec<float, 2, 2>(lanes, 0.5f)) == "{(0, 0.5), (1, 0.5)}");
  CHECK(printed(Mat<float, 2, 3, 2>(1.0f, 2.0f, 3.0f, 4.0f, 5.0f, lanes)) ==
        "{((1, 2, 3), (4, 5, 0)), ((1, 2, 3), (4, 5, 1))}");
}

TEST_CASE("numbers take a format specification") {
  CHECK(to_string(Lanes<std::uint32_t, 2>(255u), {.number = "#x"}) == "{0xff, 0xff}");
  CHECK(to_string(Vec<float, 2, 1>(1.0f, 0.25f), {.number = ".1f"}) == "{(1.0, 0.2)}");
}

TEST_CASE("masks and ballots name their lanes") {
  CHECK(printed(Mask<32>::from_bits(0x8f)) == "{0-3,7} of 32");
  CHECK(printed(Mask<128>::none()) == "{} of 128");
  CHECK(printed(Ballot(Mask<32>::from_bits(0x8f))) == "0x8f {0-3,7}");
  CHECK(printed(Ballot(0, 0, 1, 0)) == "0x10000000000000000 {64}");
  CHECK(printed(BallotLanes<2>(Ballot(5, 0, 0, 0))) == "{0x5, 0x5}");
}

std::string in_kernel;

template <class S>
struct PrintsValues : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{4};
  Buffer<uint> data;

  void main() {
    std::ostringstream text;
    const Uint i = gl_GlobalInvocationID.x;
    auto x = var(i * 2u);
    If (i > 1u) {
      x += 10u;
      text << x << ' ' << in_active(active_lanes(), x) << ' ' << active_lanes();
    }
    text << ' ' << data[i] << ' ' << subgroupAdd(x);
    in_kernel = text.str();
  }
};

TEST_CASE("kernels print variables, elements and their active lanes") {
  std::vector<std::uint32_t> data{7, 8, 9, 10};
  const Device device{.subgroup_size = 4};
  device.dispatch<PrintsValues, 4>({1}, data);
  CHECK(in_kernel == "{0, 2, 14, 16} {., ., 14, 16} {2-3} of 4 {7, 8, 9, 10} 32");
  device.dispatch<PrintsValues, 4>(Convergence{}, {1}, data);
  CHECK(in_kernel == "{0, 2, 14, 16} {., ., 14, 16} {2-3} of 4 {7, 8, 9, 10} {32, 32, 32, 32}");
}

}  // namespace
