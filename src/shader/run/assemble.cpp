#include "shader/run/assemble.hpp"

#include <algorithm>
#include <utility>

#include <lockstep/exec/error.hpp>
#include <lockstep/exec/intern.hpp>

#include "shader/instruments/analyse.hpp"
#include "shader/ir/break_sides.hpp"
#include "shader/ir/early_jumps.hpp"
#include "shader/run/assembler.hpp"
#include "shader/run/forwarded_variables.hpp"
#include "shader/run/live_branches.hpp"
#include "shader/run/switch_selections.hpp"
#include "shader/run/unrolled_loops.hpp"

namespace lockstep::spirv {
namespace {

/// What events and findings call the resources. Shared variables have no binding, but a number.
std::vector<MemoryObject> objects_of(const std::vector<ResourceUse>& resources) {
  using Kind = MemoryObject::Kind;
  std::vector<MemoryObject> objects;
  std::uint32_t shared = 0;
  for (const ResourceUse& use : resources) {
    const bool is_shared = use.kind == ResourceUse::Kind::workgroup;
    MemoryObject object{Kind::buffer, use.set, is_shared ? shared++ : use.binding, use.element,
                        intern(use.name)};
    object.stride = use.stride;
    if (is_shared) object.kind = Kind::shared;
    if (use.kind == ResourceUse::Kind::push_constants) object.kind = Kind::push_constants;
    if (use.kind == ResourceUse::Kind::image) object.kind = Kind::image;
    if (use.kind == ResourceUse::Kind::sampler) object.kind = Kind::sampler;
    objects.push_back(object);
  }
  return objects;
}

/// Without what only others than the results would show.
Ir for_results_alone(const Ir& lowered, int size, const AssembleOptions& options) {
  Ir ir = with_live_branches(lowered);
  select_cases(ir);
  make_jumps_sides(ir);
  if (!options.keeps_loops && unroll_loops(ir, size)) {
    ir = with_live_branches(ir);
    forward_variables(ir);
  }
  return ir;
}

/// Of thousands of resources few are looked at for each workgroup.
void list_resources(Program& program) {
  for (std::size_t k = 0; k < program.resources.size(); ++k) {
    const ResourceUse::Kind kind = program.resources[k].kind;
    if (kind == ResourceUse::Kind::workgroup)
      program.own.push_back(static_cast<std::uint32_t>(k));
    else if (kind == ResourceUse::Kind::push_constants)
      program.pushed.push_back(static_cast<std::uint32_t>(k));
  }
}

}  // namespace

int register_width(int size) {
  return [size]<int... W>(std::integer_sequence<int, W...>) {
    return std::min({(size <= W ? W : 128)...});
  }
  (RegisterWidths());
}

std::unique_ptr<Program> assemble(const Ir& lowered, int size, const AssembleOptions& options) {
  Ir ir = options.shows_results_alone() ? for_results_alone(lowered, size, options) : lowered;
  const std::uint32_t once = analyse(ir, size, options);
  auto program = std::make_unique<Program>();
  program->size = size;
  program->width = register_width(size);
  program->chunks = static_cast<std::uint8_t>((size + chunk_lanes - 1) / chunk_lanes);
  program->tangled = options.tangled;
  program->one_tangle = options.one_tangle;
  program->any_order = options.any_order;
  if (options.any_order) program->break_sides = find_break_sides(ir);
  program->float_order = options.float_order;
  program->counted = ir.counted;
  program->has_barriers = ir.has_barriers;
  program->has_loops =
      std::ranges::any_of(ir.ops, [](const Op& op) { return op.code == Code::loop_begin; });
  program->constructs = ir.constructs;
  if (ir.constructs > 0xffff)
    throw Error(
        "the shader has more than 65535 selections, loops and calls after inlining: call functions "
        "that contain them from fewer places");
  std::copy(std::begin(ir.local_size), std::end(ir.local_size), program->local_size);
  if (!options.tangled) program->summed = find_summed_resources(ir);
  Assembler(ir, *program, once, options).run();
  program->objects = objects_of(ir.resources);
  program->resources = std::move(ir.resources);
  list_resources(*program);
  if (options.any_order) {
    program->no_native = "in another order than the code's";
  } else {
    NativeResult native = make_native(*program);
    program->native = std::move(native.code);
    program->target = native.target;
    program->no_native = std::move(native.reason);
  }
  program->ops = std::move(ir.ops);
  program->origins = std::move(ir.origins);
  program->bound_lines = std::move(ir.bound_lines);
  program->formats = std::move(ir.formats);
  program->counters = std::move(ir.counters);
  program->counted_branches = std::move(ir.counted_branches);
  program->counted_lines = std::move(ir.counted_lines);
  return program;
}

}  // namespace lockstep::spirv
