#include "shader/lower/needs.hpp"

#include <set>

#include <lockstep/dispatch/detail/needs.hpp>

#include "shader/front/newer_operations.hpp"
#include "shader/ir/built_ins.hpp"

namespace lockstep::spirv {
namespace {

/// Besides those of subgroup built-ins, which their table has.
struct Need {
  spv::Capability capability;
  Feature feature;
};
constexpr Need needs_of_capabilities[] = {
    {spv::Capability::Float16, Feature::shader_float16},
    {spv::Capability::Float64, Feature::shader_float64},
    {spv::Capability::Int8, Feature::shader_int8},
    {spv::Capability::Int16, Feature::shader_int16},
    {spv::Capability::Int64, Feature::shader_int64},
    {spv::Capability::ComputeDerivativeGroupQuadsNV, Feature::compute_derivative_group_quads},
    {spv::Capability::ComputeDerivativeGroupLinearNV, Feature::compute_derivative_group_linear},
    {spv::Capability::VulkanMemoryModel, Feature::vulkan_memory_model},
    {spv::Capability::VulkanMemoryModelDeviceScope, Feature::vulkan_memory_model_device_scope},
    {spv::Capability::WorkgroupMemoryExplicitLayoutKHR, Feature::workgroup_memory_explicit_layout},
    {spv::Capability::WorkgroupMemoryExplicitLayout8BitAccessKHR,
     Feature::workgroup_memory_explicit_layout_8_bit_access},
    {spv::Capability::WorkgroupMemoryExplicitLayout16BitAccessKHR,
     Feature::workgroup_memory_explicit_layout_16_bit_access},
    {capability_long_vector, Feature::long_vector},
    {capability_replicated_composites, Feature::shader_replicated_composites},
    {capability_cooperative_matrix, Feature::cooperative_matrix},
};

bool is_extended_type(Scalar s) {
  return s == Scalar::f16 || (!is_float(s) && s != Scalar::boolean && size_of(s) != 4);
}

/// The memory of an atomic, in the terms of Vulkan's structures.
enum class Place { buffer, shared, image };

Features float_atomic(Operator op, Place place, const Feature (&features)[3][3]) {
  const int kind = op == Operator::add ? 1 : op == Operator::min || op == Operator::max ? 2 : 0;
  return features[static_cast<int>(place)][kind];
}

Features of_atomic(const Op& op, Place place) {
  using enum Feature;
  // No image holds one float of 16 or 64 bits for atomics: their last rows are never used.
  static constexpr Feature float16[3][3] = {
      {shader_buffer_float16_atomics, shader_buffer_float16_atomic_add,
       shader_buffer_float16_atomic_min_max},
      {shader_shared_float16_atomics, shader_shared_float16_atomic_add,
       shader_shared_float16_atomic_min_max},
      {shader_buffer_float16_atomics, shader_buffer_float16_atomic_add,
       shader_buffer_float16_atomic_min_max}};
  static constexpr Feature float32[3][3] = {
      {shader_buffer_float32_atomics, shader_buffer_float32_atomic_add,
       shader_buffer_float32_atomic_min_max},
      {shader_shared_float32_atomics, shader_shared_float32_atomic_add,
       shader_shared_float32_atomic_min_max},
      {shader_image_float32_atomics, shader_image_float32_atomic_add,
       shader_image_float32_atomic_min_max}};
  static constexpr Feature float64[3][3] = {
      {shader_buffer_float64_atomics, shader_buffer_float64_atomic_add,
       shader_buffer_float64_atomic_min_max},
      {shader_shared_float64_atomics, shader_shared_float64_atomic_add,
       shader_shared_float64_atomic_min_max},
      {shader_buffer_float64_atomics, shader_buffer_float64_atomic_add,
       shader_buffer_float64_atomic_min_max}};
  const Operator operation = op.as<AtomicOp>().op;
  if (op.type == Scalar::f16) return float_atomic(operation, place, float16);
  if (op.type == Scalar::f32) return float_atomic(operation, place, float32);
  if (op.type == Scalar::f64) return float_atomic(operation, place, float64);
  if (size_of(op.type) < 8) return {};
  return place == Place::image    ? shader_image_int64_atomics
         : place == Place::shared ? shader_shared_int64_atomics
                                  : shader_buffer_int64_atomics;
}

Features of_operation(const Ir& ir, const Op& op) {
  if (is_subgroup(op.code)) {
    if (op.written_as != nullptr) return {};
    Features needs = lockstep::detail::features_of_built_in(name_of(op));
    if (is_extended_type(op.type)) needs = needs | Feature::shader_subgroup_extended_types;
    const bool by_index = (op.code == Code::broadcast && !op.as<Broadcast>().any_index) ||
                          op.code == Code::quad_broadcast;
    if (by_index && !ir.regs[op.src[1]].constant)
      needs = needs | Feature::subgroup_broadcast_dynamic_id;
    return needs;
  }
  if (op.code == Code::atomic_address) return of_atomic(op, Place::buffer);
  if (op.code != Code::atomic) return {};
  switch (ir.resources[place_of(op).resource].kind) {
    case ResourceUse::Kind::workgroup:
      return of_atomic(op, Place::shared);
    case ResourceUse::Kind::image:
      return of_atomic(op, Place::image);
    default:
      return of_atomic(op, Place::buffer);
  }
}

/// Those of the subgroup capabilities. Families with the same capability need different features: the capability
/// alone needs those of the first family, operations of the others need more.
Features of_capabilities(const Module& module) {
  Features needs;
  std::set<int> seen;
  for (std::size_t k = 0; k < spec::families().size(); ++k) {
    const int capability = spec::families()[k].capability.number;
    if (!seen.insert(capability).second ||
        !module.has_capability(static_cast<spv::Capability>(capability)))
      continue;
    needs = needs | lockstep::detail::features_of_family(static_cast<spec::Family>(k));
  }
  return needs;
}

}  // namespace

Features needs_of(const Module& module, const Ir& ir) {
  Features needs = of_capabilities(module);
  for (const Need& need : needs_of_capabilities) {
    if (module.has_capability(need.capability)) needs = needs | need.feature;
  }
  for (const Op& op : ir.ops) needs = needs | of_operation(ir, op);
  return needs;
}

}  // namespace lockstep::spirv
