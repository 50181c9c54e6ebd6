#include "explain/scene.hpp"

#include <fmt/format.h>

#include <lockstep/exec/chooser.hpp>
#include <lockstep/exec/finding_error.hpp>
#include <lockstep/spirv/descriptor_table.hpp>
#include <lockstep/spirv/pipeline.hpp>

namespace lockstep::explain {

Result run(const Scene& scene, const Setting& setting) {
  const std::string text = fmt::format(
      "#version 460\n"
      "#extension GL_KHR_shader_subgroup_arithmetic : require\n"
      "#extension GL_KHR_shader_subgroup_ballot : require\n"
      "#extension GL_KHR_shader_subgroup_clustered : require\n"
      "#extension GL_KHR_shader_subgroup_quad : require\n"
      "{}\n{}\n",
      scene.declarations, scene.main);
  const Pipeline pipeline(Module::from_glsl(text, {}, "explain.comp"),
                          {.subgroup_size = setting.subgroup_size});
  Result result{std::vector<std::uint32_t>(scene.words), {}};
  DescriptorTable table;
  table.bind(0, result.out);
  Chooser chooser = Chooser::rejoin_none();
  const Convergence convergence{.rule = setting.rule, .chooser = &chooser};
  Dispatch dispatch;
  dispatch.threads = 1;
  dispatch.deterministic = true;
  dispatch.checks = setting.checks;
  dispatch.float_order = setting.float_order;
  // Checked runs and orders of sums have no need of a rule.
  if (!setting.checks.any() && setting.float_order == FloatOrder::tree)
    dispatch.convergence = &convergence;
  try {
    result.findings = pipeline.dispatch(table, dispatch).findings;
  } catch (const FindingError& error) {
    result.findings = error.earlier();
    result.findings.record(error.finding());
  }
  return result;
}

}  // namespace lockstep::explain
