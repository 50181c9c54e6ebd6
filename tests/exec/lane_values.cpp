#include <lockstep/exec/lane_values.hpp>

#include <catch2/catch.hpp>

#include <lockstep/glsl/vec.hpp>
#include <lockstep/lanes/float16.hpp>

namespace {

using namespace lockstep;
using Type = LaneValues::Type;
using Bits = std::vector<std::uint64_t>;

template <class T>
LaneValues three_of(T a, T b, T c) {
  const T values[] = {a, b, c, T()};
  return exec::to_lane_values<3>(Lanes<T, 3>::generate([&](int i) { return values[i % 4]; }));
}

TEST_CASE("events carry the type and bits of each lane") {
  CHECK(three_of<std::int8_t>(1, -1, 0) == LaneValues{Type::int8, 1, {1, 0xff, 0}});
  CHECK(three_of<std::int16_t>(1, -1, 0) == LaneValues{Type::int16, 1, {1, 0xffff, 0}});
  CHECK(three_of<std::int32_t>(1, -1, 0) == LaneValues{Type::int32, 1, {1, 0xffffffff, 0}});
  CHECK(three_of<std::int64_t>(1, -1, 0) == LaneValues{Type::int64, 1, {1, ~0ull, 0}});
  CHECK(three_of<std::uint8_t>(1, 255, 0) == LaneValues{Type::uint8, 1, {1, 0xff, 0}});
  CHECK(three_of<std::uint16_t>(1, 2, 0) == LaneValues{Type::uint16, 1, {1, 2, 0}});
  CHECK(three_of<std::uint32_t>(1, 2, 0) == LaneValues{Type::uint32, 1, {1, 2, 0}});
  CHECK(three_of<std::uint64_t>(1, 2, 0) == LaneValues{Type::uint64, 1, {1, 2, 0}});
  CHECK(three_of<float>(1, -2, 0) == LaneValues{Type::float32, 1, {0x3f800000, 0xc0000000, 0}});
  CHECK(three_of<double>(1, 0, 0) == LaneValues{Type::float64, 1, {0x3ff0000000000000, 0, 0}});
  CHECK(three_of<lockstep::float16_t>(lockstep::float16_t(1.0f), lockstep::float16_t(0.0f),
                                      lockstep::float16_t(-2.0f)) ==
        LaneValues{Type::float16, 1, {0x3c00, 0, 0xc000}});
  CHECK(exec::to_lane_values<3>(Lanes<bool, 3>(Mask<3>::from_bits(0b101))) ==
        LaneValues{Type::boolean, 1, {1, 0, 1}});
}

TEST_CASE("vectors, ballots and uniform values have their components in each lane") {
  const Vec<std::uint32_t, 2, 2> v(Lanes<std::uint32_t, 2>::iota(), 7u);
  CHECK(exec::to_lane_values<2>(v) == LaneValues{Type::uint32, 2, {0, 7, 1, 7}});
  CHECK(exec::to_lane_values<2>(Ballot(1, 2, 3, 4)) ==
        LaneValues{Type::uint32, 4, {1, 2, 3, 4, 1, 2, 3, 4}});
  CHECK(exec::to_lane_values<2>(5u) == LaneValues{Type::uint32, 1, {5, 5}});
  CHECK(exec::to_lane_values<2>(true) == LaneValues{Type::boolean, 1, {1, 1}});
}

}  // namespace
