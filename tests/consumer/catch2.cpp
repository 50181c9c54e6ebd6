// The README's examples for Catch2.
#include <catch2/catch.hpp>

#include <vector>

#include <lockstep/checked.hpp>
#include <lockstep/spirv/pipeline.hpp>
#include <lockstep/spirv/shader.hpp>
#include <lockstep/testing/catch.hpp>
#include <lockstep/trace.hpp>

#include "consumer.hpp"

TEST_CASE("even numbers are doubled at every subgroup size") {
  lockstep::for_each_size([](int size) {
    std::vector<std::uint32_t> data(256), expected(256);
    for (std::uint32_t i = 0; i < 256; ++i) {
      data[i] = i;
      expected[i] = i % 2 == 0 ? 2 * i : i;
    }
    lockstep::Device{.subgroup_size = size}.dispatch_checked<DoubleEven, 128>({4}, data);
    CHECK(lockstep::compare(data, expected));
  });
}

TEST_CASE("active lanes are added up") {
  using namespace lockstep;
  const auto active = Mask<8>::first_n(5);
  const auto lane = Lanes<std::uint32_t, 8>::iota();
  const auto sums = subgroupInclusiveAdd(active, lane);
  const auto expected = Lanes<std::uint32_t, 8>::generate([](int i) { return i * (i + 1) / 2; });
  CHECK_THAT(sums, EqualInActive(active, expected));
  CHECK(lane + lane == lane * 2u);
}

TEST_CASE("a kernel is traced by one line") {
  std::vector<std::uint32_t> data(256);
  lockstep::trace::dispatch<DoubleEven>({4}, data).print();
  const auto traced = lockstep::trace::dispatch<DoubleEven>(
      lockstep::Device{.subgroup_size = 16},
      {.subgroup = 1, .rule = lockstep::Rule::core, .choose = "rejoin-none"}, {4}, data);
  CHECK(traced.events().front().subgroup == 1);
}

TEST_CASE("a shader is traced, too") {
  std::vector<std::uint32_t> in(1024, 1), out(1024);
  auto shader = lockstep::Shader::load("scan.comp");
  shader.bind(0, in).bind(1, out);
  const auto traced =
      lockstep::trace::record("scan.comp", 8, {}, [&](const lockstep::Convergence& convergence) {
        shader.dispatch({4}, {.subgroup_size = 8, .convergence = &convergence});
      });
  CHECK(traced.events().size() > 10);
  CHECK(out[1023] == 256);
}

TEST_CASE("scan.comp adds up") {
  std::vector<std::uint32_t> in(1024, 1), out(1024);
  auto shader = lockstep::Shader::load("scan.comp");
  shader.bind(0, in).bind(1, out).dispatch({4}, {.subgroup_size = 24});
  CHECK(out[1023] == 256);
}

TEST_CASE("a pipeline of scan.comp adds up") {
  const auto module = lockstep::Module::load("scan.comp");
  const lockstep::Pipeline pipeline(module, {.subgroup_size = 24});
  std::vector<std::uint32_t> in(1024, 1), out(1024);
  lockstep::DescriptorTable table;
  table.bind(0, in).bind(1, out);
  CHECK(pipeline.dispatch(table, {.workgroups = {4}}).faults == 0);
  CHECK(out[1023] == 256);
}
