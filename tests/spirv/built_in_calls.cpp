#include "shader/run/built_in_calls.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <span>
#include <vector>

#include <lockstep/exec/error.hpp>

namespace {

using namespace lockstep;
using spec::Name;
using spirv::BuiltInCalls;
using spirv::Scalar;

constexpr std::size_t rows = 3;

template <class T>
spirv::CallOperand by_lane(const std::vector<T>& array, std::size_t lanes) {
  return {std::as_bytes(std::span(array)).data(), lanes * sizeof(T), true};
}

std::vector<float> values(std::size_t lanes) {
  std::vector<float> made;
  for (std::size_t k = 0; k < rows * lanes; ++k) made.push_back(static_cast<float>(k % 13) - 4);
  return made;
}
std::vector<std::uint8_t> two_of_three(std::size_t lanes) {
  std::vector<std::uint8_t> made;
  for (std::size_t k = 0; k < rows * lanes; ++k) made.push_back(k % 3 != 1 ? 1 : 0);
  return made;
}

}  // namespace

TEST_CASE("rows of lanes are scanned one by one") {
  const int size = GENERATE(1, 3, 8, 32, 33, 100, 128);
  const auto lanes = static_cast<std::size_t>(size);
  const auto value = values(lanes);
  const auto active = two_of_three(lanes);
  std::vector<float> expected(rows * lanes, 0.0f), result(rows * lanes, 99.0f);
  for (std::size_t row = 0; row < rows; ++row) {
    float sum = 0;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      if (active[row * lanes + lane] == 0) continue;
      sum += value[row * lanes + lane];
      expected[row * lanes + lane] = sum;
    }
  }
  BuiltInCalls scan({Name::subgroupInclusiveAdd, Scalar::f32, size});
  BuiltInCalls::Operands operands;
  operands.value = by_lane(value, lanes);
  operands.active = by_lane(active, lanes);
  scan.run(operands, rows, std::as_writable_bytes(std::span(result)).data());
  CHECK(result == expected);  // small integers: exact in every order
}

TEST_CASE("the undefined lanes of a shuffle are those without an active source") {
  const int size = GENERATE(3, 8, 64, 128);
  const auto lanes = static_cast<std::size_t>(size);
  const auto value = values(lanes);
  const auto active = two_of_three(lanes);
  const std::uint32_t delta = 2;
  std::vector<std::uint8_t> expected(rows * lanes), result(rows * lanes, 7);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      if (active[row * lanes + lane] == 0) continue;
      expected[row * lanes + lane] = lane < delta || active[row * lanes + lane - delta] == 0;
    }
  }
  BuiltInCalls shuffle({Name::subgroupShuffleUp, Scalar::f32, size});
  BuiltInCalls::Operands operands;
  operands.value = by_lane(value, lanes);
  operands.active = by_lane(active, lanes);
  operands.second = {std::as_bytes(std::span(&delta, 1)).data(), 0, false};
  shuffle.undefined(operands, rows, std::as_writable_bytes(std::span(result)).data());
  CHECK(result == expected);
}

TEST_CASE("a type that a built-in does not take is an error") {
  CHECK_THROWS_AS(BuiltInCalls({Name::subgroupAnd, Scalar::f32, 8}), Error);
  CHECK_THROWS_AS(BuiltInCalls({Name::subgroupAdd, Scalar::boolean, 8}), Error);
}
