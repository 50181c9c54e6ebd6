#include <lockstep/spirv/float_order.hpp>

#include <catch2/catch.hpp>
#include <cstring>
#include <string>
#include <vector>

#include <lockstep/spirv/descriptor_table.hpp>
#include <lockstep/spirv/pipeline.hpp>

/// \file
/// Sums of floats between lanes in each order, against loops over the lanes.

namespace {

using namespace lockstep;

constexpr std::size_t size = 24, results = 5;

const char* const shader =
    "#version 450\n#extension GL_KHR_shader_subgroup_arithmetic : enable\n"
    "#extension GL_KHR_shader_subgroup_clustered : enable\n"
    "#extension GL_NV_shader_subgroup_partitioned : enable\n"
    "layout(local_size_x = 24) in;\n"
    "layout(binding = 0) readonly buffer A { float a[]; };\n"
    "layout(binding = 1) buffer B { float b[]; };\n"
    "void main() {\n  uint i = gl_LocalInvocationIndex;\n  if (i % 5u == 2u) return;\n"
    "  b[i * 5u] = subgroupAdd(a[i]);\n  b[i * 5u + 1u] = subgroupInclusiveAdd(a[i]);\n"
    "  b[i * 5u + 2u] = subgroupExclusiveMul(a[i]);\n  b[i * 5u + 3u] = subgroupClusteredAdd(a[i], "
    "8u);\n"
    "  b[i * 5u + 4u] = subgroupPartitionedInclusiveAddNV(a[i], subgroupPartitionNV(i % 2u));\n}\n";

bool is_active(std::size_t lane) { return lane % 5 != 2; }

float join(float a, float b, bool multiplies) { return multiplies ? a * b : a + b; }

/// The prefixes of values in an order.
std::vector<float> prefixes(std::vector<float> v, FloatOrder order, bool multiplies) {
  if (order == FloatOrder::hillis_steele) {
    for (std::size_t stride = 1; stride < v.size(); stride *= 2) {
      const std::vector<float> before = v;
      for (std::size_t k = stride; k < v.size(); ++k)
        v[k] = join(before[k - stride], before[k], multiplies);
    }
    return v;
  }
  for (std::size_t k = 1; k < v.size(); ++k) v[k] = join(v[k - 1], v[k], multiplies);
  return v;
}

/// The sum of lanes [first, first + count), halves by halves.
float butterfly(const std::vector<float>& a, std::size_t first, std::size_t count, bool& any) {
  if (count == 1) {
    any = first < size && is_active(first);
    return any ? a[first] : 0.f;
  }
  bool left = false, right = false;
  const float x = butterfly(a, first, count / 2, left);
  const float y = butterfly(a, first + count / 2, count / 2, right);
  any = left || right;
  return left && right ? x + y : left ? x : y;
}

std::vector<float> expected(const std::vector<float>& a, FloatOrder order) {
  std::vector<float> out(size * results);
  // The lanes that take part with `lane`.
  const auto group = [&](auto&& takes_part) {
    std::vector<std::size_t> lanes;
    for (std::size_t lane = 0; lane < size; ++lane) {
      if (is_active(lane) && takes_part(lane)) lanes.push_back(lane);
    }
    return lanes;
  };
  const auto values = [&](const std::vector<std::size_t>& lanes) {
    std::vector<float> v;
    for (const std::size_t lane : lanes) v.push_back(a[lane]);
    return v;
  };
  for (std::size_t lane = 0; lane < size; ++lane) {
    if (!is_active(lane)) continue;
    const auto all = group([](std::size_t) { return true; });
    const auto cluster = group([&](std::size_t n) { return n / 8 == lane / 8; });
    const auto subset = group([&](std::size_t n) { return n % 2 == lane % 2; });
    const auto rank = [&](const std::vector<std::size_t>& lanes) {
      return static_cast<std::size_t>(std::find(lanes.begin(), lanes.end(), lane) - lanes.begin());
    };
    bool any = false;
    const bool pairs = order == FloatOrder::butterfly;
    float* const to = &out[lane * results];
    to[0] = pairs ? butterfly(a, 0, 128, any) : prefixes(values(all), order, false).back();
    to[1] = prefixes(values(all), order, false)[rank(all)];
    to[2] = rank(all) == 0 ? 1 : prefixes(values(all), order, true)[rank(all) - 1];
    to[3] =
        pairs ? butterfly(a, lane / 8 * 8, 8, any) : prefixes(values(cluster), order, false).back();
    to[4] = prefixes(values(subset), order, false)[rank(subset)];
  }
  return out;
}

TEST_CASE("sums of floats have the order that the dispatch asks for") {
  std::vector<float> a(size);
  for (std::size_t k = 0; k < size; ++k) a[k] = 7 / (static_cast<float>(k) + 1.9f);
  const Pipeline pipeline(Module::from_glsl(shader), {.subgroup_size = size});
  std::vector<std::vector<float>> all;
  for (const FloatOrder order :
       {FloatOrder::left_fold, FloatOrder::hillis_steele, FloatOrder::butterfly}) {
    INFO(to_string(order));
    std::vector<float> b(size * results);
    DescriptorTable table;
    table.bind(0, a).bind(1, b);
    pipeline.dispatch(table, {.float_order = order});
    CHECK(b == expected(a, order));
    all.push_back(b);
  }
  // They differ in some bits.
  CHECK(all[0] != all[1]);
  CHECK(all[0] != all[2]);
}

}  // namespace
