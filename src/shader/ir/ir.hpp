#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include <lockstep/exec/checks.hpp>
#include <lockstep/exec/detail/use_kind.hpp>
#include <lockstep/exec/memory_order.hpp>
#include <lockstep/subgroup/built_ins.hpp>

#include "oracle/allowed.hpp"
#include "shader/front/types.hpp"
#include "shader/ir/operations.def.hpp"
#include "shader/ir/reg_list.hpp"

/// \file
/// A shader between SPIR-V and the program that runs: all functions inlined, composites split into
/// scalar components, control flow as a list of structured operations.

namespace lockstep::spirv {

/// The operations: one for each row of the tables that operations.def.hpp and built_ins.hpp have.
enum class Code : std::uint16_t {
#define LOCKSTEP_ROW(code, ...) code,
  LOCKSTEP_PURE_OPERATIONS(LOCKSTEP_ROW) LOCKSTEP_EFFECTS(LOCKSTEP_ROW)
#undef LOCKSTEP_ROW
#define LOCKSTEP_ROW(name, family, types, operation, ...) operation,
#define LOCKSTEP_SAME_OPERATION(...)
      LOCKSTEP_BUILT_INS(LOCKSTEP_ROW, LOCKSTEP_SAME_OPERATION)
#undef LOCKSTEP_SAME_OPERATION
#undef LOCKSTEP_ROW
#define LOCKSTEP_ROW(code, ...) code,
          LOCKSTEP_FLOW(LOCKSTEP_ROW)
#undef LOCKSTEP_ROW
};

/// Component-wise, without side effects.
constexpr bool is_pure(Code code) { return code < Code::move; }
/// Between the lanes of a tangle.
constexpr bool is_subgroup(Code code) {
  return code > Code::tell_variable && code < Code::if_begin;
}
constexpr bool is_control(Code code) { return code >= Code::if_begin; }

/// The operator of a reduction or an atomic.
enum class Operator : std::uint8_t {
  add,
  mul,
  min,
  max,
  band,
  bor,
  bxor,
  sub,
  exchange,
  compare_exchange,
  load,
  store,
  increment,
  decrement
};

inline constexpr std::uint32_t no_resource = std::numeric_limits<std::uint32_t>::max();
inline constexpr std::uint64_t unlimited = ~std::uint64_t{0};

// What operations have besides their operands, by family.

/// chain, address_add: the index operand counts elements.
struct Chain {
  std::uint32_t stride = 1;
  std::uint64_t limit = unlimited;  ///< chain: elements
};

/// extract_piece, join_pieces, unpack_*: a part of a wider number.
struct Piece {
  std::uint64_t number = 0;
};

/// What the pointer is that load_address, store_address, atomic_address and some array_length have as an
/// operand (lockstep/spirv/detail/pointer_bits.hpp).
enum class PointerKind : std::uint8_t { resource, device };

/// load, store, load_address, store_address, array_length: the index operand times the stride, plus the
/// offset, is the byte of the first component.
struct MemoryPlace {
  std::uint32_t resource = no_resource;  ///< unless there is an address
  std::uint64_t offset = 0;
  std::uint32_t stride = 1;
  std::uint64_t step = 0;  ///< bytes from one component to the next
  PointerKind pointer = PointerKind::resource;
  /// Bit k: component k is the last of a scalar, vector or column; an access may hold several.
  std::uint8_t ends = 0;
  MemoryOrder order = {};  ///< load, store: of coherent and volatile memory
  bool expected = false;   ///< expect operations for it come before
};

/// atomic, atomic_address.
struct AtomicOp {
  MemoryPlace place;
  Operator op = Operator::add;
  MemoryOrder order;
  std::uint32_t unequal = 0;  ///< compare_exchange: the semantics where it does not replace
};

/// barrier, memory_barrier.
struct BarrierOp {
  Sync sync;
};

/// load_indexed, store_indexed: the index operand is added to the component.
struct IndexedPlace {
  std::uint32_t variable = 0;  ///< in Ir::indexed
  std::uint64_t component = 0;
};

/// image_texel, image_load, image_store, image_size.
struct ImageOp {
  /// What image_size finds.
  enum class Query : std::uint8_t { extent, levels, samples };

  std::uint32_t resource = no_resource;
  Query query = Query::extent;
  bool has_level = false;     ///< image_texel, image_size: an operand after the coordinates
  std::uint64_t choices = 0;  ///< elements of its array where the last operand chooses one
  MemoryOrder order = {};     ///< image_load, image_store: of coherent images
};

/// image_sample. Its operands: coordinates, the layer of an array, the reference of a comparison, the level
/// of detail or the gradients, offsets, and which image and which sampler of arrays.
struct Sampling {
  ImageOp image;
  std::uint32_t sampler = no_resource;  ///< resource
  std::uint32_t sampler_choices = 0;    ///< elements of its array where an operand chooses one
  std::uint8_t axes = 2;                ///< of the image, without the layer
  std::uint8_t coordinates = 2;         ///< without the layer: 3, a direction, for cubes
  bool arrayed = false, compares = false, gathers = false;
  bool queries_level = false;  ///< gives the level that it would access, and the level of detail
  std::uint8_t component = 0;  ///< the gathered one
  bool has_lod = false;
  std::uint8_t gradients = 0, offsets = 0;  ///< their numbers
};

/// count, count_split: the last operand, if there is one, says which lanes do not count.
struct Counting {
  std::uint32_t counter = 0;  ///< in Ir::counters
  bool inverted = false;      ///< the operand says which ones do
};

/// undefined_lanes: the subgroup operation. Op::type is its, and the operands are its.
struct UndefinedLanes {
  Code code = Code::elect;
  std::optional<Operator> op = {};  ///< of reductions and scans
  std::uint32_t cluster = 0;        ///< lanes of each cluster
  std::uint32_t direction = 0;      ///< of quad_swap
  bool outside = false;             ///< only those whose source is outside the subgroup
  bool if_agreed = false;  ///< none where a number differs that must be the same in all lanes
};

/// report_undefined: its operands are a condition and, where it holds, the number of an origin.
struct UndefinedUse {
  using Kind = UseKind;
  Kind kind = Kind::condition;
  std::uint32_t resource = no_resource;
};

/// expect. Lowering makes one for whatever could be checked; those that are not go first of all.
struct Expectation {
  enum class Kind : std::uint8_t {
    index,  ///< an index is below the extent. Operands: it, and the index or address of the access
    alignment,  ///< an access is at a multiple of the extent. Operand: its index or address
    uniform,  ///< a value is the same in the active lanes. Operands: it, and if that is checked, where it is not
    assumption,  ///< a condition holds. Operand: it
  };
  Kind kind = Kind::index;
  AccessKind access = AccessKind::read;
  bool has_address = false;  ///< the access's operand is an address
  bool first = true;         ///< of those for an access
  std::uint32_t bytes = 0;   ///< of a component of the access
  std::uint64_t extent = 1;
  MemoryPlace place = {};  ///< of the access
  const char* variable =
      nullptr;  ///< the name of the accessed or declared variable of each invocation; null: memory
};

/// declare.
struct Declared {
  std::vector<Reg> regs;
};

struct Op;

/// bound: which values a device may have in registers and memory. Its results, and operands called allowed, are
/// registers that hold oracle::Allowed; no_reg stands for one that is exact.
struct Bound {
  enum class Kind : std::uint8_t {
    compute,  ///< of a pure operation. Operands: its operands, its result, what is allowed for each operand,
              ///< and where it is undefined (or no_reg)
    copy,  ///< to a variable. Operand: allowed
    fill,  ///< the same everywhere
    mark,  ///< after a construct, whose variables may have been written or not. Operands: the variable's allowed,
           ///< and the control's
    enter,  ///< a condition decides which lanes go on. Operands: the control's allowed, the condition's
    spread,   ///< to the other active lanes. Operands: allowed for the group, for the lane
    gather,   ///< a value moves between lanes. Operands: the source lanes, and those of between
    between,  ///< an operation on all lanes. Operands: where it is undefined (or no_reg), the group's control, and
              ///< what is allowed for each operand
    reduce,  ///< of floats. Operands: the value, the result, those of between, and a partition's ballot
    load,   ///< Operands: the index, allowed for the index
    store,  ///< Operands: the index, allowed for the index, the control's, for each component, and each component
    atomic,  ///< Operands: the index, allowed for the index, the control's, each operand, allowed for each operand
    taint,  ///< a store that lanes may execute. Operands: the index (or no_reg), and the control's allowed
    load_indexed,   ///< Operands: the index, allowed for the index
    store_indexed,  ///< Operands: the index, allowed for the index, for the value
    load_texel,  ///< Operands: the texel, allowed for it, the element of an array (or no_reg), and the loaded numbers
    store_texel,  ///< Operands: the texel, allowed for it, the control's, the element of an array (or no_reg), each
    ///< component, and allowed for each
    sample_texels,  ///< Operands: those of the operation, its results, and allowed for each of its operands
  };
  Kind kind = Kind::compute;
  std::shared_ptr<const Op> of = {};  ///< the operation whose effect it follows
  std::uint32_t origin = 0;           ///< the number of its line in Ir::bound_lines, from 1
  std::uint32_t variable = 0;         ///< load_indexed, store_indexed: in Ir::indexed
  std::shared_ptr<const oracle::Allowed> filled = {};  ///< fill
  bool ordered = false;                                ///< reduce: in the reference's order
  bool placed = false;                                 ///< store: an atomic returned the index
  std::vector<bool> returned = {};  ///< store: of each component, whether an atomic returned it
  bool element = false;  ///< taint: of each lane one element only, and not the whole resource
};

/// tell_variable: its operands are the components.
struct ToldVariable {
  const char* name = "";  ///< as long as the process
  std::uint32_t id = 0;   ///< of its declaration in the module
};

struct Print {
  std::uint32_t format = 0;           ///< in Ir::formats
  std::vector<std::uint64_t> counts;  ///< components of each argument
};

/// Reductions and scans.
struct Reduction {
  Operator op = Operator::add;
  std::uint32_t cluster = 0;  ///< clustered: lanes of each
};

/// clustered_rotate.
struct Cluster {
  std::uint32_t lanes = 1;
};

/// quad_swap.
struct Quad {
  std::uint32_t direction = 0;  ///< horizontal, vertical, diagonal
};

/// broadcast.
struct Broadcast {
  bool any_index = false;  ///< the older operation of SPV_KHR_shader_ballot, whose index may vary
};

/// Control flow of a construct that needs no more than its number.
struct Branch {
  std::uint32_t construct = 0;
  /// A selection that the shader does not have, without control flow in it: all lanes rejoin, and observers do not hear
  /// of it.
  bool silent = false;
};

/// loop_test.
struct LoopTest {
  enum class Kind : std::uint8_t {
    asks,      ///< lanes leave where the condition does not hold
    passes,    ///< all lanes pass
    precedes,  ///< all lanes pass, before the first iteration of a loop that tests at its end
  };
  std::uint32_t construct = 0;
  Kind kind = Kind::asks;
};

/// leave_loop_around.
struct LeaveAround {
  std::uint32_t construct = 0;  ///< the loop
  std::uint32_t outermost = 0;  ///< switch in it that is left
};

/// switch_case.
struct Case {
  std::uint32_t construct = 0;
  bool is_default = false;  ///< then the labels are those of the others
  std::vector<std::uint64_t> labels;
};

using Detail = std::variant<std::monostate, Chain, Piece, MemoryPlace, AtomicOp, BarrierOp,
                            IndexedPlace, ImageOp, Sampling, Print, Counting, Reduction, Cluster,
                            Quad, Broadcast, Branch, LoopTest, LeaveAround, Case, UndefinedLanes,
                            UndefinedUse, Expectation, Declared, Bound, ToldVariable>;

/// What the shader's execution modes promise for the result of an operation.
struct FloatControls {
  bool keeps_denormals = false;  ///< DenormPreserve
  bool flushes = false;          ///< DenormFlushToZero
  bool nearest = false;          ///< RoundingModeRTE
  bool to_zero = false;          ///< RoundingModeRTZ
  bool cuts_off = false;         ///< the same for the engine, also where nothing is promised
  bool keeps_specials = false;   ///< SignedZeroInfNanPreserve
};

struct Op {
  Code code = Code::copy;
  Scalar type = Scalar::u32;  ///< of the operation
  Scalar from = Scalar::u32;  ///< convert: of the operand; bit operations: of a second operand
  bool masked = false;        ///< a pure operation that writes a variable in the active lanes
  bool silent = false;        ///< made for a check: observers do not hear of it
  bool precise = false;       ///< may not be combined with others (NoContraction)
  bool relaxed = false;       ///< RelaxedPrecision
  FloatControls controls = {};
  RegList dst;
  RegList src;  ///< no_reg: an index that is not there
  /// Of a subgroup operation: which component's it is, and of how many that the shader wrote as one.
  std::uint8_t part = 0, parts = 1;
  /// The built-in that the shader wrote, if it is not the operation's own.
  const char* written_as = nullptr;
  Detail detail;
  SourceLocation where;

  /// The family's part; throws std::bad_variant_access for another family's.
  template <class T>
  const T& as() const {
    return std::get<T>(detail);
  }
  template <class T>
  T& as() {
    return std::get<T>(detail);
  }
};

/// Calls f with each register that the operation reads: a Reg&, const for a const operation. Indexed variables are not
/// among them: Ir::indexed has their components.
template <class O, class F>
void visit_sources(O& op, F&& f) {
  for (auto& r : op.src) {
    if (r != no_reg) f(r);
  }
}
/// Calls f with each register that the operation writes.
template <class O, class F>
void visit_results(O& op, F&& f) {
  for (auto& r : op.dst) f(r);
}

inline constexpr std::uint32_t no_construct = std::numeric_limits<std::uint32_t>::max();
/// The construct of an operation of control flow, if it has one.
inline std::uint32_t construct_of(const Op& op) {
  if (!is_control(op.code)) return no_construct;
  return std::visit(
      [](const auto& detail) {
        if constexpr (requires { detail.construct; }) return detail.construct;
        return no_construct;
      },
      op.detail);
}
/// Where an access to memory goes.
inline const MemoryPlace& place_of(const Op& op) {
  const auto* atomic = std::get_if<AtomicOp>(&op.detail);
  return atomic != nullptr ? atomic->place : op.as<MemoryPlace>();
}

/// One component.
struct RegInfo {
  Scalar type = Scalar::u32;
  bool constant = false;
  bool undefined =
      false;          ///< the value of OpUndef or depends on one; a zero or a constant all the same
  bool open = false;  ///< a true condition that another implementation may take for false
  bool variable = false;    ///< written by move, more than once
  bool uniform = false;     ///< uniform in the active lanes, found by analysis
  bool lanes = false;       ///< differs between lanes, whatever the analysis says
  bool allowed = false;     ///< holds oracle::Allowed, whatever the type says
  bool result = false;      ///< a component of what a call returns, written by its returns alone
  std::uint64_t value = 0;  ///< of a constant
};

/// The limit on the size of a descriptor array, and the size of one without a size.
inline constexpr std::uint32_t most_descriptors = 4096;
inline constexpr std::uint32_t unsized_descriptors = 1024;

/// A variable with an index that is not constant: its components, selected at run time.
struct IndexedVariable {
  std::string name;
  std::vector<Reg> regs;
};

/// A component of a variable of each invocation; cleared at the start.
struct Variable {
  Reg reg = no_reg;
  const char* name = "";  ///< as long as the process
  SourceLocation where;   ///< of its declaration
};

/// What has a name in the source: a variable, or the result of an instruction.
struct NamedValue {
  std::size_t at = 0;     ///< of a result: the number of operations before it is known
  const char* name = "";  ///< as long as the process
  std::uint32_t id = 0;   ///< in the module
  std::vector<Reg> regs;
  bool composite = false;  ///< more than a scalar or vector
};

/// Where values become undefined. Registers hold 1 + its position in Ir::origins.
struct UndefinedOrigin {
  Check rule = Check::undefined_shuffle;
  std::string what;  ///< happened there: "subgroupShuffle reads a lane that is not active"
  SourceLocation where;
};

/// A resource of memory operations.
struct ResourceUse {
  enum class Kind { buffer, push_constants, workgroup, image, sampler };
  Kind kind = Kind::buffer;
  std::uint32_t set = 0, binding = 0, element = 0;
  bool writable = true;
  bool by_address = false;     ///< resource pointers to it are made
  bool optional = false;       ///< an array without a size: descriptors may be unbound
  std::uint32_t stride = 0;    ///< of its elements, if it is an array or a block of one
  std::uint64_t bytes = 0;     ///< workgroup: its size
  std::uint64_t zeroed = 0;    ///< workgroup: its first bytes, which the shader says start as zero
  bool silent = false;         ///< workgroup: made for a check
  std::uint32_t fill = 0;      ///< workgroup: each of its words behind the zeroed ones at the start
  std::string name;            ///< of variables that share memory, all
  Scalar texel = Scalar::f32;  ///< image: the type of its numbers in the shader
  std::uint32_t dimensions = 0;  ///< image: coordinates of a texel
  std::uint8_t axes = 2;         ///< image: coordinates without layer, face and sample
  bool arrayed = false;          ///< image: has layers
  bool cube = false;             ///< image: six layers each are a cube
  bool multisample = false;      ///< image: has samples
  bool atomic = false;           ///< image: updated by atomics
};

/// A built-in variable's components.
struct BuiltInUse {
  spv::BuiltIn built_in{};
  std::vector<Reg> regs;
};

/// A line that a counter stands for.
struct CountedLine {
  SourceLocation where;
  std::int64_t times = 1;  ///< each time that the counter counts
};

/// A conditional branch, and the counters of the lanes whose condition holds, and does not.
struct CountedBranch {
  SourceLocation where;
  std::uint32_t holding = 0, failing = 0;
};

/// Which four invocations are a quad, where the module says so.
enum class DerivativeGroup : std::uint8_t {
  none,
  quads,   ///< blocks of 2 x 2 in x and y
  linear,  ///< each four in the order of gl_LocalInvocationIndex
};

/// What operations refer to.
struct IrFrame {
  std::vector<RegInfo> regs;
  std::vector<IndexedVariable> indexed;
  std::vector<ResourceUse> resources;
  std::vector<BuiltInUse> built_ins;
  std::vector<Variable> variables;
  std::vector<NamedValue> named_variables;  ///< also phis; written by move
  std::vector<UndefinedOrigin> origins;
  std::vector<SourceLocation> bound_lines;
  std::vector<std::string> formats;  ///< of printf
  std::vector<std::vector<CountedLine>> counters;
  std::vector<CountedBranch> counted_branches;
  std::vector<SourceLocation> counted_lines;  ///< those that have events
  bool counted = false;                       ///< its work is counted
  std::uint32_t constructs = 0;
  std::uint32_t local_size[3] = {1, 1, 1};
  DerivativeGroup derivative_group = DerivativeGroup::none;
  std::uint64_t workgroup_bytes = 0;
  bool has_barriers = false;
  /// Elements of the smallest cooperative matrix: with one, the IR is for LowerOptions::subgroup_size alone.
  std::uint32_t matrix_elements = 0;
  bool discards_loads = false;  ///< loads whose values lanes discard do not happen there
};

struct Ir : IrFrame {
  std::vector<Op> ops;
  std::vector<NamedValue> named_values;  ///< in the order of operations, as lowered
};

/// A new register.
inline Reg add_register(Ir& ir, RegInfo info) {
  ir.regs.push_back(info);
  return static_cast<Reg>(ir.regs.size() - 1);
}

}  // namespace lockstep::spirv
