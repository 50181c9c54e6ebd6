#include <lockstep/testing/lane_table.hpp>

#include <array>
#include <bit>

#include <catch2/catch.hpp>

#include <lockstep/glsl/mat.hpp>
#include <lockstep/glsl/var.hpp>
#include <lockstep/glsl/vec_var.hpp>

namespace {

using namespace lockstep;
using Bits = std::vector<std::uint64_t>;

TEST_CASE("a table of lanes has each lane's bits, zero-extended") {
  const auto lanes = Lanes<std::int32_t, 5>::generate([](int i) { return 1 - i; });
  const LaneTable table = to_lane_table(lanes);
  CHECK(table.count == 5);
  CHECK(table.values.type == LaneValues::Type::int32);
  CHECK(table.values.bits == Bits{1, 0, 0xffffffff, 0xfffffffe, 0xfffffffd});
  CHECK(table.spelling == LaneTable::Spelling::number);

  Mask<5> active = Mask<5>::all();
  const Var<std::int32_t, 5> variable(active, lanes);
  CHECK(to_lane_table(variable).values.bits == table.values.bits);
}

TEST_CASE("a table of vectors has the components of lane 0 first") {
  const auto lanes = Lanes<std::uint32_t, 2>::iota();
  const Vec<std::uint32_t, 3, 2> vector(lanes, lanes + 10u, 7u);
  const LaneTable table = to_lane_table(vector);
  CHECK(table.count == 2);
  CHECK(table.values.components == 3);
  CHECK(table.values.bits == Bits{0, 10, 7, 1, 11, 7});
  CHECK(table.spelling == LaneTable::Spelling::vector);

  Mask<2> active = Mask<2>::all();
  const CompoundVar<Vec<std::uint32_t, 3, 2>> variable(active, vector);
  CHECK(to_lane_table(variable).values.bits == table.values.bits);
}

TEST_CASE("a table of matrices goes column by column") {
  const auto lanes = Lanes<float, 2>::iota();
  const Mat<float, 2, 3, 2> matrix(1.0f, 2.0f, 3.0f, 4.0f, 5.0f, lanes);
  const LaneTable table = to_lane_table(matrix);
  CHECK(table.rows == 3);
  Bits bits;
  for (const float value : {1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 0.0f, 1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 1.0f})
    bits.push_back(std::bit_cast<std::uint32_t>(value));
  CHECK(table.values.bits == bits);
  CHECK(table.spelling == LaneTable::Spelling::matrix);
}

TEST_CASE("a table of ballots has four words a lane") {
  const LaneTable table = to_lane_table(BallotLanes<2>(Ballot(1, 2, 3, 4)));
  CHECK(table.count == 2);
  CHECK(table.values.bits == Bits{1, 2, 3, 4, 1, 2, 3, 4});
  CHECK(table.spelling == LaneTable::Spelling::ballot);
}

TEST_CASE("a table of an array has its elements") {
  const LaneTable table = to_element_table(std::array<std::int8_t, 3>{1, -1, 2});
  CHECK(table.elements);
  CHECK(table.count == 3);
  CHECK(table.values.bits == Bits{1, 0xff, 2});
}

}  // namespace
