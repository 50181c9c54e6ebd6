// The README's examples for Catch2.
#include <catch2/catch.hpp>

#include <vector>

#include <lockstep/spirv/pipeline.hpp>
#include <lockstep/spirv/shader.hpp>

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
