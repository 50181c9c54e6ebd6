#include <lockstep/exec/undefined.hpp>

#include <cmath>
#include <cstdint>

#include <catch2/catch.hpp>

#include <lockstep/lanes/float16.hpp>

using namespace lockstep;

TEST_CASE("poison is a number that no one expects") {
  CHECK(exec::poison<std::uint8_t>() == 0xef);
  CHECK(exec::poison<std::uint16_t>() == 0xbeef);
  CHECK(exec::poison<std::uint32_t>() == 0xdeadbeef);
  CHECK(exec::poison<std::uint64_t>() == 0xdeadbeefdeadbeef);
  CHECK(exec::poison<std::int32_t>() == -0x21524111);
  CHECK(std::isnan(exec::poison<float>()));
  CHECK(std::isnan(exec::poison<double>()));
  CHECK(std::isnan(static_cast<float>(exec::poison<lockstep::float16_t>())));
}
