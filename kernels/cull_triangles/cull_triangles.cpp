#include "cull_triangles/cull_triangles.hpp"

#include <array>

#include "registry/inputs.hpp"
#include "registry/passes.hpp"
#include "registry/verify.hpp"

namespace lockstep::kernels {
namespace {
namespace cull_triangles_case {

using Uint = std::uint32_t;
using Triangle = std::array<float, 15>;

// Small integers: a triangle's orientation is exact.
std::vector<Argument> make_input(std::size_t n, std::uint64_t seed) {
  return {input("in_triangles", random_below<float>(15 * n, seed, 64))};
}

KernelCase make_case(std::vector<Argument> inputs, int subgroup_size) {
  require_multiple(inputs[0], 15, "triangle");
  const std::size_t n = size(inputs[0]) / 15;
  inputs.push_back(output<Uint>("out_triangles_size", 1));
  inputs.push_back(output<float>("out_triangles", 15 * n));
  return {.subgroup_size = subgroup_size,
          .arguments = std::move(inputs),
          .passes = {pass<CullTriangles, CullVertex, Uint, CullVertex>(
              "cull_triangles/cull_triangles.comp", workgroups_for<CullTriangles>(n), {0, 1, 2})}};
}

std::vector<Triangle> sorted_triangles(std::span<const float> floats) {
  std::vector<Triangle> triangles(floats.size() / 15);
  for (std::size_t i = 0; i < 15 * triangles.size(); ++i) triangles[i / 15][i % 15] = floats[i];
  std::ranges::sort(triangles);
  return triangles;
}

bool faces_viewer(const Triangle& t) {
  const float ax = t[0], ay = t[1], bx = t[5], by = t[6], cx = t[10], cy = t[11];
  return (bx - ax) * (cy - ay) - (cx - ax) * (by - ay) > 0;
}

std::string verify(const KernelCase& before, const KernelCase& after) {
  std::vector<Triangle> want = sorted_triangles(values<float>(before.arguments[0]));
  std::erase_if(want, [](const Triangle& t) { return !faces_viewer(t); });
  const std::vector<Uint> vertices = {static_cast<Uint>(3 * want.size())};
  std::string wrong = difference("out_triangles_size", vertices, values<Uint>(after.arguments[1]));
  if (!wrong.empty()) return wrong;
  const auto out = values<float>(after.arguments[2]);
  const std::vector<Triangle> got = sorted_triangles(out.first(15 * want.size()));
  const auto [w, g] = std::ranges::mismatch(want, got);
  if (w == want.end()) return {};
  return fmt::format("the triangle {} is not in out_triangles as often as it should be",
                     fmt::join(*w, " "));
}

}  // namespace cull_triangles_case
}  // namespace

Entry cull_triangles_entry() {
  using namespace cull_triangles_case;
  return {.name = "cull_triangles",
          .summary = "triangles that face the viewer, stored without gaps",
          .source = source::tutorial,
          .undefined_at = defined_everywhere,
          .make_input = make_input,
          .make_case = make_case,
          .verify = verify};
}

}  // namespace lockstep::kernels
