#include <algorithm>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include <lockstep/exec/error.hpp>
#include <lockstep/lanes/float16.hpp>
#include <lockstep/spirv/module.hpp>
#include <lockstep/spirv/pipeline.hpp>
#include <lockstep/spirv/shader.hpp>
#include <lockstep/testing/matchers.hpp>

// SPV_KHR_cooperative_matrix, which Debian's tools do not know.

using namespace lockstep;

namespace {

/// A module of one subgroup whose buffers 0 to 3 are arrays of %a, %b, %c and %c.
struct Program {
  int lanes = 32;
  std::uint32_t rows = 16, inner = 16, columns = 16;
  std::string input = "%float", result = "%float";  ///< components of A and B, and of C and D
  std::string in_memory = {};  ///< elements of their buffers, if not components
  std::string declarations = {};
  std::string locals = {};
  std::string body = {};
};

std::string buffer(const std::string& name, int binding, int bytes) {
  return fmt::format(
      "OpDecorate %{0}s ArrayStride {2}\nOpDecorate %{0}_block Block\nOpMemberDecorate %{0}_block "
      "0 "
      "Offset 0\nOpDecorate %{0}_buffer DescriptorSet 0\nOpDecorate %{0}_buffer Binding {1}\n",
      name, binding, bytes);
}
std::string variable(const std::string& name, const std::string& element) {
  return fmt::format(
      "%{0}s = OpTypeRuntimeArray {1}\n%{0}_block = OpTypeStruct %{0}s\n%to_{0}_block = "
      "OpTypePointer "
      "StorageBuffer %{0}_block\n%to_{0} = OpTypePointer StorageBuffer {1}\n%{0}_buffer = "
      "OpVariable "
      "%to_{0}_block StorageBuffer\n",
      name, element);
}
int bytes_of(const std::string& type) {
  if (type == "%uvec4") return 16;
  if (type == "%char" || type == "%uchar") return 1;
  return type == "%half" ? 2 : type == "%double" ? 8 : 4;
}

std::string assembly(const Program& p) {
  const std::string in = p.in_memory.empty() ? p.input : p.in_memory;
  return fmt::format(
      R"(OpCapability Shader
OpCapability Float16
OpCapability Float64
OpCapability Int8
OpCapability StorageBuffer16BitAccess
OpCapability StorageBuffer8BitAccess
OpCapability CooperativeMatrixKHR
OpExtension "SPV_KHR_cooperative_matrix"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %lane
OpExecutionMode %main LocalSize {lanes} 1 1
OpDecorate %lane BuiltIn LocalInvocationIndex
{buffers}%void = OpTypeVoid
%main_type = OpTypeFunction %void
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%int = OpTypeInt 32 1
%char = OpTypeInt 8 1
%uchar = OpTypeInt 8 0
%float = OpTypeFloat 32
%half = OpTypeFloat 16
%double = OpTypeFloat 64
%uvec4 = OpTypeVector %uint 4
%zero = OpConstant %uint 0
%one = OpConstant %uint 1
%subgroup = OpConstant %uint 3
%row_major = OpConstant %uint 0
%column_major = OpConstant %uint 1
%rows = OpConstant %uint {rows}
%inner = OpConstant %uint {inner}
%columns = OpConstant %uint {columns}
%use_b = OpConstant %uint 1
%use_c = OpConstant %uint 2
%matrix_a = OpTypeCooperativeMatrixKHR {input} %subgroup %rows %inner %zero
%matrix_b = OpTypeCooperativeMatrixKHR {input} %subgroup %inner %columns %use_b
%matrix_c = OpTypeCooperativeMatrixKHR {result} %subgroup %rows %columns %use_c
%to_input = OpTypePointer Input %uint
%lane = OpVariable %to_input Input
{variables}{declarations}%main = OpFunction %void None %main_type
%entry = OpLabel
{locals}%a = OpAccessChain %to_a %a_buffer %zero %zero
%b = OpAccessChain %to_b %b_buffer %zero %zero
%c = OpAccessChain %to_c %c_buffer %zero %zero
%d = OpAccessChain %to_d %d_buffer %zero %zero
{body}OpReturn
OpFunctionEnd
)",
      fmt::arg("lanes", p.lanes), fmt::arg("rows", p.rows), fmt::arg("inner", p.inner),
      fmt::arg("columns", p.columns), fmt::arg("input", p.input), fmt::arg("result", p.result),
      fmt::arg("buffers", buffer("a", 0, bytes_of(in)) + buffer("b", 1, bytes_of(in)) +
                              buffer("c", 2, bytes_of(p.result)) +
                              buffer("d", 3, bytes_of(p.result))),
      fmt::arg("variables", variable("a", in) + variable("b", in) + variable("c", p.result) +
                                variable("d", p.result)),
      fmt::arg("declarations", p.declarations), fmt::arg("locals", p.locals),
      fmt::arg("body", p.body));
}

/// Loads A, B and C row by row, packed, and stores D so; `between` makes %product, D.
std::string packed(const std::string& between) {
  return R"(%ma = OpCooperativeMatrixLoadKHR %matrix_a %a %row_major %inner
%mb = OpCooperativeMatrixLoadKHR %matrix_b %b %row_major %columns
%mc = OpCooperativeMatrixLoadKHR %matrix_c %c %row_major %columns
)" + between +
         "OpCooperativeMatrixStoreKHR %d %product %row_major %columns\n";
}

template <class T>
std::vector<T> numbers(std::size_t count, int seed) {
  std::vector<T> out(count);
  for (std::size_t k = 0; k < count; ++k)
    out[k] = static_cast<T>(static_cast<int>((k * 7 + static_cast<std::size_t>(seed)) % 11) - 5);
  return out;
}

/// D by a plain loop, of matrices that lie row by row.
template <class R, class T>
std::vector<R> product(const Program& p, const std::vector<T>& a, const std::vector<T>& b,
                       const std::vector<R>& c) {
  std::vector<R> d = c;
  for (std::uint32_t r = 0; r < p.rows; ++r)
    for (std::uint32_t k = 0; k < p.columns; ++k)
      for (std::uint32_t n = 0; n < p.inner; ++n)
        d[r * p.columns + k] =
            static_cast<R>(d[r * p.columns + k] + static_cast<R>(a[r * p.inner + n]) *
                                                      static_cast<R>(b[n * p.columns + k]));
  return d;
}

template <class R, class T>
void check_product(Program p) {
  p.body = packed("%product = OpCooperativeMatrixMulAddKHR %matrix_c %ma %mb %mc" +
                  std::string(std::is_signed_v<T> && std::is_integral_v<T>
                                  ? " MatrixASignedComponentsKHR|MatrixBSignedComponentsKHR\n"
                                  : "\n"));
  auto a = numbers<T>(std::size_t{p.rows} * p.inner, 3);
  auto b = numbers<T>(std::size_t{p.inner} * p.columns, 5);
  auto c = numbers<R>(std::size_t{p.rows} * p.columns, 1);
  std::vector<R> d(c.size());
  auto shader = Shader::from_assembly(assembly(p));
  shader.bind_bytes(0, 0, 0, std::as_writable_bytes(std::span(a)))
      .bind_bytes(0, 1, 0, std::as_writable_bytes(std::span(b)))
      .bind_bytes(0, 2, 0, std::as_writable_bytes(std::span(c)))
      .bind_bytes(0, 3, 0, std::as_writable_bytes(std::span(d)));
  shader.dispatch({1}, {.subgroup_size = p.lanes});
  CHECK(d == product(p, a, b, c));
}

}  // namespace

TEST_CASE("products of cooperative matrices at every size") {
  for (const int lanes : {1, 2, 3, 4, 5, 8, 16, 24, 31, 32, 33, 64, 100, 127, 128}) {
    CAPTURE(lanes);
    check_product<float, float>({.lanes = lanes, .rows = 16, .inner = 8, .columns = 16});
  }
}

TEST_CASE("products of cooperative matrices of every shape") {
  for (const std::uint32_t rows : {4u, 8u, 16u, 5u}) {
    for (const std::uint32_t columns : {8u, 16u, 32u, 7u}) {
      for (const std::uint32_t inner : {4u, 16u, 9u}) {
        for (const int lanes : {4, 24, 32}) {
          CAPTURE(rows, inner, columns, lanes);
          const std::uint32_t least = std::min({rows * columns, rows * inner, inner * columns});
          if (least < static_cast<std::uint32_t>(lanes)) continue;
          check_product<float, float>(
              {.lanes = lanes, .rows = rows, .inner = inner, .columns = columns});
        }
      }
    }
  }
}

TEST_CASE("products of cooperative matrices of each type") {
  check_product<double, double>({.input = "%double", .result = "%double"});
  check_product<std::int32_t, std::int8_t>({.input = "%char", .result = "%int"});
  check_product<std::uint32_t, std::uint8_t>({.input = "%uchar", .result = "%uint"});
  check_product<std::int32_t, std::int32_t>({.input = "%int", .result = "%int"});
}

namespace {

/// The same with an addition of C that saturates, where C is near the ends of the range of R.
template <class R, class T>
void check_saturation(Program p, const std::string& signs) {
  p.body = packed("%product = OpCooperativeMatrixMulAddKHR %matrix_c %ma %mb %mc " + signs +
                  "SaturatingAccumulationKHR\n");
  auto a = numbers<T>(std::size_t{p.rows} * p.inner, 3);
  auto b = numbers<T>(std::size_t{p.inner} * p.columns, 5);
  if (std::is_unsigned_v<T>) {
    for (T& x : a) x = static_cast<T>(x & 7);
    for (T& x : b) x = static_cast<T>(x & 3);
  }
  std::vector<R> c(std::size_t{p.rows} * p.columns), d(c.size()), expected(c.size());
  constexpr std::int64_t lowest = std::numeric_limits<R>::min(),
                         highest = std::numeric_limits<R>::max();
  int clamped = 0;
  for (std::size_t k = 0; k < c.size(); ++k) {
    c[k] = static_cast<R>(k % 2 == 0 ? highest - static_cast<int>(k % 37)
                                     : lowest + static_cast<int>(k % 31));
    std::int64_t sum = c[k];
    for (std::uint32_t n = 0; n < p.inner; ++n)
      sum += std::int64_t{a[k / p.columns * p.inner + n]} * b[n * p.columns + k % p.columns];
    expected[k] = static_cast<R>(std::clamp(sum, lowest, highest));
    if (sum != expected[k]) ++clamped;
  }
  CHECK(clamped > 10);
  auto shader = Shader::from_assembly(assembly(p));
  shader.bind_bytes(0, 0, 0, std::as_writable_bytes(std::span(a)))
      .bind_bytes(0, 1, 0, std::as_writable_bytes(std::span(b)))
      .bind_bytes(0, 2, 0, std::as_writable_bytes(std::span(c)))
      .bind_bytes(0, 3, 0, std::as_writable_bytes(std::span(d)));
  shader.dispatch({1}, {.subgroup_size = p.lanes});
  CHECK(d == expected);
}

}  // namespace

TEST_CASE("the addition of C saturates in its range") {
  const std::string all_signed =
      "MatrixASignedComponentsKHR|MatrixBSignedComponentsKHR|MatrixCSignedComponentsKHR|"
      "MatrixResultSignedComponentsKHR|";
  for (const int lanes : {1, 8, 24, 32, 128}) {
    CAPTURE(lanes);
    check_saturation<std::int32_t, std::int8_t>(
        {.lanes = lanes, .input = "%char", .result = "%int"}, all_signed);
    check_saturation<std::uint32_t, std::uint8_t>(
        {.lanes = lanes, .input = "%uchar", .result = "%uint"}, "");
    // Products of 3 numbers fit in 8 bits; 48 elements are enough for 32 lanes.
    if (lanes <= 32)
      check_saturation<std::int8_t, std::int8_t>(
          {.lanes = lanes, .inner = 3, .input = "%char", .result = "%char"}, all_signed);
    // The sign is the operand's, whatever the type says.
    check_saturation<std::int32_t, std::int32_t>(
        {.lanes = lanes, .input = "%uint", .result = "%uint"}, all_signed);
  }
}

TEST_CASE("cooperative matrices of float16 add in float16 or in float") {
  const Program halves{.input = "%half", .result = "%half"}, wide{.input = "%half"};
  check_product<float16_t, float16_t>(halves);
  check_product<float, float16_t>(wide);
}

namespace {

/// Runs a program whose A lies column by column from element 3 on, 5 apart, and whose D has rows of 40.
std::vector<float> run_strided(const std::string& kind, int lanes, const std::vector<float>& a) {
  const Program p{.lanes = lanes,
                  .declarations =
                      "%three = OpConstant %uint 3\n%apart = OpConstant %uint 21\n%wide = "
                      "OpConstant %uint 40\n",
                  .body =
                      "%from = OpAccessChain %to_a %a_buffer %zero %three\n%ma = "
                      "OpCooperativeMatrixLoadKHR %matrix_a %from " +
                      kind +
                      " %apart\n%twice = OpFAdd %matrix_a %ma %ma\n"
                      "OpCooperativeMatrixStoreKHR %d %twice %row_major %wide\n"};
  std::vector<float> in = a, none(1), d(16 * 40, -1);
  Shader::from_assembly(assembly(p))
      .bind(0, in)
      .bind(1, none)
      .bind(2, none)
      .bind(3, d)
      .dispatch({1}, {.subgroup_size = lanes});
  return d;
}

}  // namespace

TEST_CASE("cooperative matrices lie by rows or columns, at any distance") {
  const std::vector<float> a = numbers<float>(3 + 16 * 21, 2);
  for (const int lanes : {1, 7, 24, 32, 128}) {
    for (const bool by_rows : {true, false}) {
      CAPTURE(lanes, by_rows);
      std::vector<float> expected(16 * 40, -1);
      for (std::size_t row = 0; row < 16; ++row)
        for (std::size_t column = 0; column < 16; ++column)
          expected[row * 40 + column] =
              2 * a[3 + (by_rows ? row * 21 + column : column * 21 + row)];
      CHECK(run_strided(by_rows ? "%row_major" : "%column_major", lanes, a) == expected);
    }
  }
}

TEST_CASE("a cooperative matrix is loaded through pointers to larger elements") {
  // 16 bytes of 8-bit numbers in each element: the stride counts those.
  const Program p{.input = "%uchar",
                  .result = "%uint",
                  .in_memory = "%uvec4",
                  .body = R"(%ma = OpCooperativeMatrixLoadKHR %matrix_a %a %row_major %one
%mb = OpCooperativeMatrixLoadKHR %matrix_b %b %row_major %one Aligned 16
%mc = OpConstantNull %matrix_c
%product = OpCooperativeMatrixMulAddKHR %matrix_c %ma %mb %null
OpCooperativeMatrixStoreKHR %d %product %row_major %columns
)"};
  Program with_null = p;
  with_null.declarations = "%null = OpConstantNull %matrix_c\n";
  with_null.body.erase(with_null.body.find("%mc ="),
                       with_null.body.find("%product") - with_null.body.find("%mc ="));
  auto a = numbers<std::uint8_t>(256, 3), b = numbers<std::uint8_t>(256, 5);
  std::vector<std::uint32_t> c(256), d(256);
  auto shader = Shader::from_assembly(assembly(with_null));
  shader.bind_bytes(0, 0, 0, std::as_writable_bytes(std::span(a)))
      .bind_bytes(0, 1, 0, std::as_writable_bytes(std::span(b)))
      .bind(2, c)
      .bind(3, d)
      .dispatch({1});
  CHECK(d == product(p, a, b, c));
}

TEST_CASE("operations on cooperative matrices are by element") {
  const Program p{.declarations = R"(%two = OpConstant %float 2
%halves = OpTypeCooperativeMatrixKHR %half %subgroup %rows %columns %use_c
%twos = OpConstantComposite %matrix_c %two
%to_matrix = OpTypePointer Function %matrix_c
%to_component = OpTypePointer Function %float
)",
                  .locals = "%kept = OpVariable %to_matrix Function\n",
                  // (-(2 c) + 2) in float16, and 100 more in the last of each lane's components.
                  .body = R"(%mc = OpCooperativeMatrixLoadKHR %matrix_c %c %row_major %columns
%scaled = OpMatrixTimesScalar %matrix_c %mc %two
%negative = OpFNegate %matrix_c %scaled
%more = OpFAdd %matrix_c %negative %twos
%short = OpFConvert %halves %more
%long = OpFConvert %matrix_c %short
OpStore %kept %long
%length = OpCooperativeMatrixLengthKHR %uint %matrix_c
%last = OpISub %uint %length %one
%place = OpAccessChain %to_component %kept %last
%old = OpLoad %float %place
%lane_number = OpLoad %uint %lane
%number = OpConvertUToF %float %lane_number
%new = OpFAdd %float %old %number
OpStore %place %new
%product = OpLoad %matrix_c %kept
OpCooperativeMatrixStoreKHR %d %product %row_major %columns
)"};
  for (const int lanes : {1, 4, 32, 64, 128}) {
    CAPTURE(lanes);
    Program sized = p;
    sized.lanes = lanes;
    std::vector<float> none(1), c = numbers<float>(256, 4), d(256), expected(256);
    Shader::from_assembly(assembly(sized))
        .bind(0, none)
        .bind(1, none)
        .bind(2, c)
        .bind(3, d)
        .dispatch({1}, {.subgroup_size = lanes});
    // Which elements a lane holds is for the implementation: some `256 / lanes` of them, one of which is changed.
    std::vector<float> added;
    for (std::size_t k = 0; k < 256; ++k) {
      expected[k] = 2 - 2 * c[k];
      if (d[k] != expected[k]) added.push_back(d[k] - expected[k]);
    }
    std::ranges::sort(added);
    std::vector<float> lane_numbers;
    for (int k = 1; k < lanes; ++k) lane_numbers.push_back(static_cast<float>(k));
    CHECK(added == lane_numbers);
  }
}

TEST_CASE("the last component of some lanes has no element, and is not stored") {
  const Program p{.rows = 10,
                  .columns = 11,
                  .declarations = R"(%thousand = OpConstant %float 1000
%to_matrix = OpTypePointer Function %matrix_c
%to_component = OpTypePointer Function %float
)",
                  .locals = "%kept = OpVariable %to_matrix Function\n",
                  .body = R"(%mc = OpCooperativeMatrixLoadKHR %matrix_c %c %row_major %columns
OpStore %kept %mc
%place = OpAccessChain %to_component %kept %zero
%old = OpLoad %float %place
%new = OpFAdd %float %old %thousand
OpStore %place %new
%product = OpLoad %matrix_c %kept
OpCooperativeMatrixStoreKHR %d %product %row_major %columns
)"};
  for (const int lanes : {4, 24, 32, 64}) {
    CAPTURE(lanes);
    Program sized = p;
    sized.lanes = lanes;
    std::vector<float> none(1), c = numbers<float>(110, 4), d(110);
    Shader::from_assembly(assembly(sized))
        .bind(0, none)
        .bind(1, none)
        .bind(2, c)
        .bind(3, d)
        .dispatch({1}, {.subgroup_size = lanes});
    int changed = 0;
    for (std::size_t k = 0; k < 110; ++k) {
      if (d[k] != c[k]) {
        CHECK(d[k] == c[k] + 1000);
        ++changed;
      }
    }
    CHECK(changed == lanes);
  }
}

TEST_CASE("cooperative matrices in shared memory") {
  const Program p{.declarations = R"(%many = OpConstant %uint 256
%tile_type = OpTypeArray %float %many
%to_tile = OpTypePointer Workgroup %tile_type
%to_shared = OpTypePointer Workgroup %float
%tile = OpVariable %to_tile Workgroup
%acquire_release = OpConstant %uint 264
%workgroup = OpConstant %uint 2
)",
                  .body = R"(%at = OpAccessChain %to_shared %tile %zero
%ma = OpCooperativeMatrixLoadKHR %matrix_a %a %row_major %inner
OpCooperativeMatrixStoreKHR %at %ma %column_major %inner
OpControlBarrier %workgroup %workgroup %acquire_release
%turned = OpCooperativeMatrixLoadKHR %matrix_a %at %row_major %inner
OpCooperativeMatrixStoreKHR %d %turned %row_major %inner
)"};
  std::vector<float> none(1), a = numbers<float>(256, 4), d(256), expected(256);
  for (std::size_t row = 0; row < 16; ++row)
    for (std::size_t column = 0; column < 16; ++column)
      expected[row * 16 + column] = a[column * 16 + row];
  Shader::from_assembly(assembly(p))
      .bind(0, a)
      .bind(1, none)
      .bind(2, none)
      .bind(3, d)
      .dispatch({1});
  CHECK(d == expected);
}

TEST_CASE("one pipeline of cooperative matrices runs at other subgroup sizes") {
  const Program p{
      .lanes = 32,
      .body = packed("%product = OpCooperativeMatrixMulAddKHR %matrix_c %ma %mb %mc\n")};
  const Pipeline pipeline(Module::from_assembly(assembly(p)), {.subgroup_size = 32});
  for (const int size : {32, 16, 8}) {
    CAPTURE(size);
    auto a = numbers<float>(256, 3), b = numbers<float>(256, 5), c = numbers<float>(256, 1);
    std::vector<float> d(256);
    DescriptorTable table;
    table.bind(0, a).bind(1, b).bind(2, c).bind(3, d);
    // Each subgroup of the workgroup computes and stores the same.
    pipeline.at_subgroup_size(size).dispatch(table, {.workgroups = {1}});
    CHECK(d == product(p, a, b, c));
  }
}

TEST_CASE("a product in a part of the subgroup is undefined") {
  const Program p{.declarations = "%half_of_it = OpConstant %uint 16\n",
                  .body = R"(%lane_number = OpLoad %uint %lane
%is_low = OpULessThan %bool %lane_number %half_of_it
OpSelectionMerge %after None
OpBranchConditional %is_low %then %after
%then = OpLabel
)" + packed("%product = OpCooperativeMatrixMulAddKHR %matrix_c %ma %mb %mc\n") +
                          "OpBranch %after\n%after = OpLabel\n"};
  const Module module = Module::from_assembly(assembly(p));
  auto a = numbers<float>(256, 3), b = numbers<float>(256, 5), c = numbers<float>(256, 1);
  std::vector<float> d(256);
  DescriptorTable table;
  table.bind(0, a).bind(1, b).bind(2, c).bind(3, d);
  const ShaderRun run =
      Pipeline(module, {.subgroup_size = 32})
          .dispatch(table, {.workgroups = {1}, .checks = Checks{Check::undefined_shuffle}});
  REQUIRE(run.findings.count() > 0);
  const Finding& finding = run.findings.first();
  CHECK(finding.rule == "undefined-shuffle");
  CHECK_THAT(finding.origin_message,
             Catch::Contains("coopMatMulAdd reads a lane that is inactive here"));
}

TEST_CASE("cooperative matrices that do not fit are rejected") {
  const auto error_of = [](const Program& p) {
    try {
      Shader::from_assembly(assembly(p)).dispatch({1}, {.subgroup_size = p.lanes});
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  const std::string product =
      packed("%product = OpCooperativeMatrixMulAddKHR %matrix_c %ma %mb %mc\n");
  CHECK_THAT(error_of({.lanes = 128, .rows = 8, .inner = 8, .columns = 8, .body = product}),
             Catch::Contains("has 64 elements, fewer than the 128 lanes of a subgroup"));
  CHECK_THAT(error_of({.inner = 8,
                       .body = packed("%product = OpCooperativeMatrixMulAddKHR %matrix_c %mb %mb "
                                      "%mc\n")}),
             Catch::Contains("multiplies 8 x 16 by 8 x 16 and adds 16 x 16 to make 16 x 16"));
  CHECK_THAT(
      error_of({.body = packed("%product = OpCooperativeMatrixMulAddKHR %matrix_c %ma %mb %mc "
                               "SaturatingAccumulationKHR\n")}),
      Catch::Contains("saturates floats: SaturatingAccumulationKHR is for integers"));
  CHECK_THAT(error_of({.lanes = 4, .rows = 512, .inner = 64, .columns = 64, .body = product}),
             Catch::Contains("524288 multiplications in each lane"));
  CHECK_THAT(error_of({.lanes = 4, .rows = 1024, .inner = 16, .columns = 1024}),
             Catch::Contains("has 262144 components in each lane"));
  CHECK_THAT(error_of({.lanes = 4, .rows = 0, .body = product}),
             Catch::Contains("has 0 rows or columns; 1 to 1024 are supported"));
}
