#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/dispatch/image.hpp>
#include <lockstep/dispatch/sampler.hpp>
#include <lockstep/exec/lane_set.hpp>
#include <lockstep/exec/memory_object.hpp>
#include <lockstep/exec/reconvergence_stack.hpp>
#include <lockstep/exec/scopes.hpp>
#include <lockstep/exec/transitions.hpp>
#include <lockstep/spirv/address_space.hpp>
#include <lockstep/spirv/float_order.hpp>
#include <lockstep/spirv/shader_run.hpp>
#include <lockstep/workgroup/size3.hpp>

#include "oracle/memory.hpp"
#include "oracle/provenance.hpp"
#include "shader/ir/ir.hpp"
#include "shader/ir/summed_resources.hpp"
#include "shader/native/native.hpp"

/// \file
/// The program of a shader for one subgroup size, and the state of a subgroup that runs it.
///
/// A register holds one component: its lanes in consecutive chunks of 16. A uniform value has one
/// chunk. A bool is 16 bytes, one bit per lane, whatever the size.

namespace lockstep::spirv {

inline constexpr int chunk_lanes = 16;
inline constexpr std::uint32_t bool_bytes = 16;

/// The place of a dead component.
inline constexpr std::uint32_t nowhere = ~0u;

struct Context;
struct Inst;
struct BoundArgs;

/// Runs one instruction; returns the next, or null to stop.
using Run = const Inst* (*)(const Inst*, Context&);

struct Inst {
  Run run = nullptr;
  std::uint32_t dst = 0, a = 0, b = 0, c = 0;  ///< bytes into the registers
  std::uint8_t chunks = 1;
  std::uint8_t steps =
      0;  ///< bit k: operand k differs between lanes; bit 7: the result does; bit 6: only
          ///< the active lanes get it
  std::uint16_t number = 0;  ///< of the construct; of an access maybe follows_expectations
  std::uint32_t line = 0;    ///< in Program::lines
  std::uint64_t imm = 0;     ///< a constant, or the fourth operand
  const void* args = nullptr;
  const Inst* target = nullptr;  ///< control flow: the target if no lane is left

  bool varying(int operand) const { return (steps >> operand & 1) != 0; }
  bool masked() const { return (steps & 0x40) != 0; }
  bool varying_result() const { return (steps & 0x80) != 0; }
};

/// Inst::number of an access that is reported already in the lanes Context::reported.
inline constexpr std::uint16_t follows_expectations = 1;

/// A register as an operand in a list.
struct Slot {
  std::uint32_t at = 0;
  bool varying = false;
};

/// What memory instructions need besides an Inst.
struct MemoryArgs {
  std::uint32_t resource = 0;
  std::uint32_t stride = 1;
  std::uint64_t offset = 0;
  std::uint32_t components = 1;
  std::uint32_t step = 0;   ///< bytes between components
  std::uint32_t bytes = 4;  ///< of a component
  std::uint32_t limit = 0;  ///< position in Context::limits
  bool has_index = false;
  bool has_pointer = false;  ///< the index is a pointer, and the resource means nothing
  PointerKind pointer = PointerKind::resource;
  Slot index;
  std::array<Slot, 4> value{};
  Operator op = Operator::add;
};

/// A variable with a run-time index: the places of its components.
struct IndexedArgs {
  std::vector<std::uint32_t> slots;
};

struct CaseArgs {
  std::vector<std::uint64_t> labels;
  bool other = false;
  Scalar type = Scalar::u32;
  Slot selector;
};

/// Operations between lanes: operands and results as the registers that hold them.
struct ListArgs {
  std::vector<Slot> slots;
  std::vector<Scalar> types;
  std::vector<std::uint64_t> counts;  ///< components of each operand
  std::array<Slot, 4> result{};
  int results = 0;
  Scalar result_type = Scalar::u32;
  Run inner = nullptr;               ///< partitions: runs once per subset
  Run each = nullptr;                ///< tangled machine: runs once per tangle
  const void* inner_args = nullptr;  ///< its args
  const char* name = "";             ///< the name in events
  bool silent = false;               ///< there is none
};

/// How an instruction reads an image through a sampler.
struct SampleArgs {
  std::uint32_t image = 0, sampler = 0;  ///< resources
  std::uint64_t image_choices = 0, sampler_choices = 0;
  std::size_t axes = 2, coordinate_count = 2;  ///< coordinates without the layer
  bool arrayed = false, compares = false, gathers = false, has_lod = false, queries_level = false;
  std::size_t component = 0, gradients = 0, offset_count = 0, results = 0;
  std::array<Slot, 4> coordinates{};
  Slot reference, lod;
  std::array<Slot, 6> gradient{};
  std::array<Slot, 8> offset{};
  Slot image_element, sampler_element;
  std::array<Slot, 4> result{};
};

/// An access to an indexed variable that is reported to observers.
struct IndexedAccessArgs {
  bool reads = false;
  Scalar type = Scalar::u32;
  MemoryObject object;
  const IndexedArgs* variable = nullptr;
  std::vector<std::uint64_t> bytes;  ///< where each component starts, one after another
  Run run = nullptr;                 ///< the accessing function
  Slot value;                        ///< read or written
};

/// A named variable that is reported to observers.
struct VariableArgs {
  std::vector<Slot> slots;
  Scalar type = Scalar::u32;
  MemoryObject object;
};

/// An access that is reported to observers.
struct AccessArgs {
  AccessKind kind = AccessKind::read;
  bool has_result = false;
  bool ordered = false;  ///< of an atomic: what it does depends on which lane is first
  Scalar type = Scalar::u32;
  const MemoryArgs* memory = nullptr;
  Run run = nullptr;  ///< the accessing function
  Slot result;        ///< of an atomic
  const char* name = "";
};

struct Memory {
  std::byte* data = nullptr;
  std::uint64_t size = 0;
  bool writable = true;
  ImageFormat format = ImageFormat::r32f;  ///< of an image
  Size3 extent{0, 0, 0};                   ///< of an image
  const Sampler* sampler = nullptr;        ///< of a sampler, which has nothing else
  bool local = false;                      ///< of one thread: no other one sees it
  bool null = false;                       ///< none, on purpose: accesses are not faults
  std::uint8_t axes = 2;                   ///< of an image: extents that levels halve
  std::uint32_t levels = 1;                ///< of an image
  std::uint32_t samples = 1;               ///< of an image: slices of each layer
};

struct BuiltInSlots {
  spv::BuiltIn built_in{};
  std::vector<Slot> slots;
};

struct ConstantSlot {
  std::uint32_t at;
  Scalar type;
  std::uint64_t value;
};

struct ClearedSlot {
  std::uint32_t at, bytes;
};

/// A register with a value for each lane.
struct LaneSlot {
  std::uint32_t at;
  Scalar type;
};

/// One construct's part of the exec state, on the fast machine.
struct FastFrame {
  exec::Entered<128> entered{};
  exec::OuterLoop<128> outer{};
  exec::Switching<128> switching{};
  Mask<128> returned{};
  std::uint64_t outer_start = 0, steps_before = 0;  ///< of a loop: Context::loop_start and steps
};

// The numbers of lanes that registers have room for. Fewer compile faster and still run every
// subgroup size, as long as 128 is the last.
#ifndef LOCKSTEP_SHADER_WIDTHS
#define LOCKSTEP_SHADER_WIDTHS 32, 64, 128
#endif
using RegisterWidths = std::integer_sequence<int, LOCKSTEP_SHADER_WIDTHS>;

struct Program {
  int size = 32;            ///< of subgroups
  int width = 32;           ///< lanes that a register has room for: one of RegisterWidths
  std::uint8_t chunks = 2;  ///< chunks that hold lanes
  bool tangled = false;
  bool one_tangle =
      false;               ///< with tangled: masks are the machine, the stack is for observers only
  bool any_order = false;  ///< sides of branches and code before breaks need not run in their order
  bool tells = false;      ///< observers of accesses or of built-ins
  bool has_barriers = false;
  bool has_loops = false;
  FloatOrder float_order = FloatOrder::tree;
  std::uint32_t register_bytes = 0;
  std::uint32_t constructs = 0;
  std::uint32_t local_size[3] = {1, 1, 1};
  std::vector<Inst> insts;
  std::size_t first =
      0;  ///< where subgroups begin, preceded by values that are constant per dispatch
  std::vector<EmitRule> rules;           ///< of each instruction
  std::shared_ptr<const Native> native;  ///< the same as machine code, or null
  std::vector<SourceLocation> lines;
  std::vector<ResourceUse> resources;
  std::vector<std::uint32_t> own;     ///< resources that each thread has of its own: shared memory
  std::vector<std::uint32_t> pushed;  ///< those that are push constants
  std::vector<MemoryObject> objects;  ///< what events and findings call each resource
  std::vector<UndefinedOrigin> origins;
  std::vector<BuiltInSlots> built_ins;
  std::vector<ConstantSlot> constants;
  std::vector<ClearedSlot> cleared;
  std::vector<LaneSlot> lane_slots;       ///< all values of lanes; with any_order
  std::vector<std::uint8_t> break_sides;  ///< by construct, see ir/break_sides.hpp; with any_order
  std::vector<LastUse> last_uses;         ///< in the order of instructions
  std::vector<std::string> formats;
  std::vector<std::vector<CountedLine>> counters;
  std::vector<CountedBranch> counted_branches;
  std::vector<SourceLocation> counted_lines;
  bool counted = false;                    ///< counts its work
  std::vector<const MemoryArgs*> limited;  ///< the accesses that need a limit
  std::vector<std::unique_ptr<MemoryArgs>> memory_args;
  std::vector<std::unique_ptr<IndexedArgs>> indexed_args;
  std::vector<std::unique_ptr<CaseArgs>> case_args;
  std::vector<std::unique_ptr<ListArgs>> list_args;
  std::vector<std::unique_ptr<SampleArgs>> sample_args;
  std::vector<std::unique_ptr<AccessArgs>> access_args;
  std::vector<std::unique_ptr<IndexedAccessArgs>> indexed_access_args;
  std::vector<std::unique_ptr<VariableArgs>> variable_args;
  std::vector<std::shared_ptr<const BoundArgs>> bound_args;
  std::vector<SourceLocation> bound_lines;  ///< by their numbers, from 1
  std::vector<Op> ops;                      ///< that the instructions came from
  std::vector<std::uint32_t> op_of;         ///< of each instruction: its operation in ops
  std::vector<LoopLocal> loop_locals;
  Target target = Target::none;  ///< of the machine code
  std::string no_native;         ///< why there is none
  std::vector<SummedResource> summed;

  /// Whether control flow is that of the reconvergence stack, not that of masks.
  bool on_stack() const { return tangled && !one_tangle; }
};

/// What a counter counts.
struct Count {
  std::uint64_t times = 0, lanes = 0;
};

/// What a built-in on a vector took and gave so far, while its components are done one by one.
struct ToldBuiltIn {
  std::vector<LaneValues> operands;
  LaneValues result;
};

/// A subgroup's run, which can stop anywhere and continue.
struct Context {
  enum class Stop { ended, barrier, slice, yield };

  std::byte* regs = nullptr;
  exec::State<128> state;
  std::uint64_t* limits = nullptr;
  const Memory* memory = nullptr;           ///< by resource
  const AddressSpace* addresses = nullptr;  ///< the objects of device addresses
  FastFrame* frames = nullptr;
  const Program* program = nullptr;
  ReconvergenceStack* stack = nullptr;  ///< the tangled machine's
  std::vector<ToldBuiltIn> told;        ///< by tangle, for its observers
  const Inst* next = nullptr;
  const Inst* yielded_at = nullptr;  ///< where it goes on after it let another one run
  Stop stop = Stop::ended;
  std::uint64_t steps = 0;       ///< iterations of loops so far
  std::uint64_t max_trips = 0;   ///< of one loop
  std::uint64_t loop_start = 0;  ///< steps minus the innermost loop's own iterations so far
  std::uint64_t turn_end = 0;    ///< the steps at which it is another subgroup's turn
  std::uint64_t slice_end = 0;   ///< the steps at which the turn or the innermost loop may be over
  bool only_thread = true;
  bool robust = false;  ///< accesses outside memory are no faults
  Mask<128> reported;   ///< lanes of the next access whose index was found outside its array
  int size = 32;
  Size3 workgroup{0, 0, 0};
  std::uint32_t subgroup = 0;
  std::uint32_t followers = 0;      ///< subgroups that machine code starts by itself, one by one
  std::uint64_t ended_steps = 0;    ///< steps of subgroups that ended before such a start
  Mask<128> all_lanes, last_lanes;  ///< of a subgroup, and of a workgroup's last one
  LaneSet existing;                 ///< the lanes that the subgroup started with
  ShaderRun* run = nullptr;         ///< gets findings and prints
  std::uint64_t* divergences = nullptr;
  Count* counts = nullptr;  ///< by counter
  std::uint32_t memory_count = 0;
  oracle::Memory* bounds = nullptr;          ///< what devices may have in memory
  oracle::Provenance* provenance = nullptr;  ///< of the workgroup, if it is kept
  void* runner = nullptr;                    ///< for advance()
};

/// Lanes that were together go two ways; one of the sets may be empty.
LOCKSTEP_INLINE void count_divergence(Context& c, Mask<128> some, Mask<128> others) {
  *c.divergences += some.any_lane() && others.any_lane() ? 1 : 0;
}

/// exec::next_test(), counted.
LOCKSTEP_INLINE bool stay(Context& c, Mask<128> holds) {
  count_divergence(c, c.state.active & holds, c.state.active.without(holds));
  return exec::next_test(c.state, holds);
}

/// A subgroup of a program that is not tangled has stopped: returns the next one, which may be the
/// same one or, at its end, one reused for another; null once all have ended.
Context* advance(Context& stopped);

/// Whether another subgroup of the tangled workgroup could run.
bool others_ready(const Context& c);

/// Records a lane's access outside memory.
[[gnu::cold, gnu::noinline]] void note_fault(Context& c, const Inst* i, AccessKind kind,
                                             std::uint32_t resource, std::uint64_t byte, int lane);
/// The same for an access by a device address, whose object has `size` bytes.
[[gnu::cold, gnu::noinline]] void note_address_fault(Context& c, const Inst* i, AccessKind kind,
                                                     std::uint64_t address, std::uint64_t byte,
                                                     std::uint64_t size, int lane);
/// Records that the lanes use undefined values.
[[gnu::cold, gnu::noinline]] void note_undefined(Context& c, const Inst* i, LaneSet lanes);
/// Records that an index is outside what it is an index of, and that the access is reported.
[[gnu::cold, gnu::noinline]] void note_index_outside(Context& c, const Inst* i, std::uint64_t index,
                                                     int lane);
/// Records that an access is not as aligned as it should be.
[[gnu::cold, gnu::noinline]] void note_misaligned(Context& c, const Inst* i, std::uint64_t byte,
                                                  int lane);
/// Records that a value is not the same in the lanes' tangles.
[[gnu::cold, gnu::noinline]] void note_not_uniform(Context& c, const Inst* i, LaneSet lanes);
[[gnu::cold, gnu::noinline]] void note_false_assumption(Context& c, const Inst* i, LaneSet lanes);
/// What events and findings call the memory that starts at a device address.
MemoryObject object_at_address(std::uint64_t start);
/// Keeps what a lane printed.
void note_print(Context& c, std::string text);
/// Throws EndlessLoop, for the innermost loop.
[[noreturn, gnu::cold, gnu::noinline]] void fail_endless(const Context& c, const Inst* i);

/// Iterations that a subgroup takes before it is the next one's turn.
inline constexpr std::uint64_t slice_steps = 1u << 16;

/// The same on the tangled machine, whose iterations take longer.
inline constexpr std::uint64_t tangled_slice_steps = 1u << 10;

/// On a machine of masks with observers: the stack shows them the active lanes.
inline void show_tangle(Context& c) {
  if (!c.program->one_tangle) return;
  c.stack->tangles.clear();
  c.stack->tangles.push_back({{c.state.active.low64(), c.state.active.high64()}});
}

/// The operation that an instruction came from: of a comparison and the test that takes it, the test.
inline const Op& op_of(const Context& c, const Inst* i) {
  return c.program->ops[c.program->op_of[static_cast<std::size_t>(i - c.program->insts.data())]];
}

/// The place of an instruction.
inline SourceLocation where(const Context& c, const Inst* i) { return c.program->lines[i->line]; }

}  // namespace lockstep::spirv
