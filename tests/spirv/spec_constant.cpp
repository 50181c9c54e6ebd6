#include <lockstep/spirv/spec_constant.hpp>

#include <bit>
#include <catch2/catch.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <lockstep/spirv/shader.hpp>

using namespace lockstep;

namespace {

/// What one invocation stores when constant 0 is given: the constant as the expression turns it to bits.
std::uint64_t stored(const std::string& declaration, const std::string& bits, SpecConstant value) {
  ShaderOptions options;
  options.spec = {{0, value}};
  auto shader = Shader::from_glsl(R"(#version 460
#extension GL_ARB_gpu_shader_int64 : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(constant_id = 0) const )" + declaration +
                                      R"(;
layout(set = 0, binding = 0) buffer Out { uint64_t o[]; };
void main() { o[0] = )" + bits + "; }",
                                  options);
  std::vector<std::uint64_t> out(1);
  shader.bind(0, out).dispatch({1});
  return out[0];
}

}  // namespace

TEST_CASE("64-bit integers as specialization constants are exact") {
  for (const std::int64_t value :
       {std::int64_t{0}, std::int64_t{-1}, std::int64_t{0x7ffffffffffffff1},
        (std::int64_t{1} << 53) + 1, std::numeric_limits<std::int64_t>::min(),
        std::numeric_limits<std::int64_t>::min() + 1}) {
    CAPTURE(value);
    CHECK(stored("int64_t c = 7l", "uint64_t(c)", value) == static_cast<std::uint64_t>(value));
  }
  for (const std::uint64_t value :
       {std::uint64_t{0}, (std::uint64_t{1} << 53) + 1, ~std::uint64_t{0}, ~std::uint64_t{0} - 1}) {
    CAPTURE(value);
    CHECK(stored("uint64_t c = 7ul", "c", value) == value);
    CHECK(stored("double c = 7.0lf",
                 "packDouble2x32(unpackUint2x32(0ul)) == 0.0lf ? doubleBitsToUint64(c) : 0ul",
                 SpecConstant::from_bits(value)) == value);
  }
}

TEST_CASE("numbers are converted to the type of the specialization constant") {
  CHECK(stored("uint c = 7u", "c", 3.75) == 3);
  CHECK(stored("uint c = 7u", "c", 0x1'0000'0005u) == 5);
  CHECK(stored("int c = 7", "uint64_t(uint(c))", -2.5) == 0xfffffffe);
  CHECK(stored("int c = 7", "uint64_t(uint(c))", -2) == 0xfffffffe);
  CHECK(stored("float c = 7.0", "floatBitsToUint(c)", 2) == std::bit_cast<std::uint32_t>(2.0f));
  CHECK(stored("float c = 7.0", "floatBitsToUint(c)", -2) == std::bit_cast<std::uint32_t>(-2.0f));
  // Rounded once: by way of double it would be one less.
  constexpr std::uint64_t between = (std::uint64_t{1} << 62) + (std::uint64_t{1} << 38) + 1;
  CHECK(stored("float c = 7.0", "floatBitsToUint(c)", between) ==
        std::bit_cast<std::uint32_t>(static_cast<float>(between)));
  CHECK(stored("float c = 7.0", "floatBitsToUint(c)", SpecConstant::from_bits(0x7fc12345)) ==
        0x7fc12345);
  CHECK(stored("float16_t c = 7.0hf", "uint64_t(float16BitsToUint16(c))", 0.5) == 0x3800);
  CHECK(stored("int8_t c = int8_t(7)", "uint64_t(uint8_t(c))", -3) == 0xfd);
  CHECK(stored("bool c = false", "c ? 1ul : 0ul", true) == 1);
  CHECK(stored("bool c = false", "c ? 1ul : 0ul", 0.5) == 1);
  CHECK(stored("bool c = true", "c ? 1ul : 0ul", 0) == 0);
}

TEST_CASE("floats out of the range of integers become the nearest integer") {
  CHECK(SpecConstant(1e30).integer() == ~std::uint64_t{0});
  CHECK(SpecConstant(-1e30).integer() == std::uint64_t{1} << 63);
  CHECK(SpecConstant(1e19).integer() == 10'000'000'000'000'000'000u);
  CHECK(SpecConstant(std::numeric_limits<double>::quiet_NaN()).integer() == 0);
}

TEST_CASE("specialization values are equal if their numbers are") {
  CHECK(SpecConstant(64) == SpecConstant(64.0));
  CHECK(SpecConstant(64u) == SpecConstant(64));
  CHECK_FALSE(SpecConstant(64) == SpecConstant(64.5));
  CHECK_FALSE(SpecConstant(-1) == SpecConstant(~std::uint64_t{0}));
  CHECK_FALSE(SpecConstant(1) == SpecConstant::from_bits(1));
  CHECK(SpecConstant::from_bits(1) == SpecConstant::from_bits(1));
}

TEST_CASE("bytes of a specialization constant are the bits of a type of that size") {
  const std::uint64_t large = 0x8123456789abcdef;
  const auto bytes = std::as_bytes(std::span(&large, 1));
  for (const std::uint32_t count : {1u, 2u, 4u, 8u}) {
    const SpecConstant value = SpecConstant::from_bytes(bytes.first(count));
    CHECK(value.is_bits());
    CHECK(value.bytes() == count);
    CHECK(value.integer() == (large & ~std::uint64_t{0} >> (64 - 8 * count)));
  }
  CHECK(SpecConstant::from_bits(5).bytes() == 0);
  CHECK(SpecConstant(0.5).bytes() == 0);
  CHECK_THROWS_WITH(SpecConstant::from_bytes(bytes.first(3)),
                    "a specialization constant has 1, 2, 4 or 8 bytes, not 3");
  CHECK_THROWS_AS(SpecConstant::from_bytes({}), Error);
}
