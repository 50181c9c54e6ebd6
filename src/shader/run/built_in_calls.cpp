#include "shader/run/built_in_calls.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <string>

#include <lockstep/exec/error.hpp>
#include <lockstep/subgroup/ballot.hpp>
#include <lockstep/subgroup/rotate.hpp>

#include "shader/ir/built_ins.hpp"
#include "shader/run/assemble.hpp"
#include "shader/run/ops/functions.hpp"
#include "shader/run/ops/wide.hpp"

namespace lockstep::spirv {
namespace {

using spec::Form;

// Places of registers: results, then operands, each as large as 128 lanes of the largest type.
constexpr std::uint32_t word_bytes = 128 * 4, value_bytes = 128 * 8;
constexpr std::uint32_t result_at = 0;  // four words of a ballot
constexpr std::uint32_t value_at = 4 * word_bytes;
constexpr std::uint32_t second_at = value_at + value_bytes;
constexpr std::uint32_t ballot_at = second_at + word_bytes;
constexpr std::uint32_t register_bytes = ballot_at + 4 * word_bytes;

bool takes_ballot(Form form) {
  return form == Form::ballot || form == Form::ballot_index || form == Form::value_ballot;
}
bool takes_cluster(Form form) {
  return form == Form::value_cluster || form == Form::value_index_cluster;
}
bool gives_bool(spec::Name name) {
  const Form form = spec::function(name).form;
  return form == Form::nothing || form == Form::condition || form == Form::comparison ||
         form == Form::ballot_index || row_of(name).code == Code::inverse_ballot;
}
std::uint32_t array_bytes(Scalar type) { return type == Scalar::boolean ? 1 : size_of(type); }

/// The reduction or scan that a partitioned one runs for each subset.
spec::Name without_partition(spec::Name name) {
  const BuiltInRow& row = row_of(name);
  const Code code = row.code == Code::partitioned_reduce           ? Code::reduce
                    : row.code == Code::partitioned_inclusive_scan ? Code::inclusive_scan
                                                                   : Code::exclusive_scan;
  return name_of(code, row.op);
}

/// The first of the rows of its operation, which has the functions.
spec::Name first_of_operation(spec::Name name) {
  return name_of(row_of(name).code, row_of(name).op, spec::function(name).operand.number);
}

}  // namespace

CallResult result_of(const BuiltInCall& call, bool ballot_by_lane) {
  const spec::BuiltIn& built_in = spec::function(call.name);
  const bool by_lane = built_in.result == spec::Result::each ||
                       (built_in.result == spec::Result::one_of_one && ballot_by_lane);
  if (built_in.form == Form::condition_to_ballot || built_in.form == Form::value_to_ballot)
    return {Scalar::u32, 4, by_lane};
  if (gives_bool(call.name)) return {Scalar::boolean, 1, by_lane};
  return {built_in.form == Form::ballot ? Scalar::u32 : call.type, 1, by_lane};
}

/// The registers of one subgroup, and the instruction that runs on them.
struct BuiltInCalls::Machine {
  explicit Machine(const BuiltInCall& of)
      : call(of), form(spec::function(of.name).form), width(register_width(of.size)) {
    context.regs = registers;
    context.size = call.size;
    std::memset(registers, 0, sizeof registers);
    inst.dst = result_at;
    inst.a = value_at;
    inst.b = second_at;
    inst.chunks = static_cast<std::uint8_t>(width / chunk_lanes);
    inst.steps = 0x83;
    inst.imm = call.cluster;
    inst.args = &list;
    list.results = 4;
    for (std::uint32_t k = 0; k < 4; ++k) list.result[k] = {result_at + k * word_bytes, true};
  }

  /// The operands as the built-in's functions find them.
  void place(bool ballot_by_lane) {
    const Slot value{value_at, true}, second{second_at, true};
    list.slots.clear();
    if (form == Form::value_ballot || !takes_ballot(form)) list.slots.push_back(value);
    if (takes_ballot(form)) {
      for (std::uint32_t k = 0; k < 4; ++k)
        list.slots.push_back({ballot_at + k * word_bytes, ballot_by_lane});
    }
    if (form != Form::value_ballot) list.slots.push_back(second);
  }

  Run find() {
    const spec::Name name = first_of_operation(call.name);
    const Functions& all = functions();
    if (form == Form::value_ballot) {
      list.inner = all.find_reduction(without_partition(name), call.type, width);
      return list.inner == nullptr ? nullptr : all.find_partitioned(call.type, width);
    }
    if (row_of(name).op) return all.find_reduction(name, call.type, width);
    return all.find_subgroup(name, call.type, width);
  }
  Run find_undefined() const {
    const spec::Name name = first_of_operation(call.name);
    Op op;
    op.type = call.type;
    op.detail = UndefinedLanes{
        .code = row_of(name).code,
        .op = row_of(name).op,
        .cluster = call.cluster,
        .direction = static_cast<std::uint32_t>(std::max(0, spec::function(name).operand.number))};
    return functions().find_undefined_lanes(op, width);
  }

  static const std::byte* row(const CallOperand& operand, std::size_t k) {
    return operand.data + k * operand.stride;
  }
  std::size_t lanes() const { return static_cast<std::size_t>(call.size); }

  static Mask<128> mask_of(const std::byte* bytes, std::size_t count) {
    detail::Uint128 bits = 0;
    for (std::size_t lane = 0; lane < count; ++lane)
      bits |= static_cast<detail::Uint128>(bytes[lane] != std::byte{0} ? 1 : 0) << lane;
    return Mask<128>::from_bits(bits);
  }

  void load_words(const std::byte* from, bool by_lane, std::uint32_t at, std::size_t step) {
    for (std::size_t lane = 0; lane < lanes(); ++lane)
      std::memcpy(registers + at + 4 * lane, from + (by_lane ? lane * step : 0), 4);
  }

  void load(const Operands& operands, std::size_t k) {
    context.state.active = operands.active.data == nullptr
                               ? Mask<128>::first_n(call.size)
                               : mask_of(row(operands.active, k), lanes());
    if (operands.value.data != nullptr) {
      if (call.type == Scalar::boolean)
        put_mask(registers + value_at, mask_of(row(operands.value, k), lanes()));
      else
        std::memcpy(registers + value_at, row(operands.value, k), lanes() * size_of(call.type));
    }
    if (operands.second.data != nullptr)
      load_words(row(operands.second, k), operands.second.by_lane, second_at, 4);
    if (operands.ballot.data == nullptr) return;
    for (std::uint32_t word = 0; word < 4; ++word)
      load_words(row(operands.ballot, k) + 4 * word, operands.ballot.by_lane,
                 ballot_at + word * word_bytes, 16);
  }

  void store_bools(std::byte* to, Mask<128> mask) const {
    for (std::size_t lane = 0; lane < lanes(); ++lane)
      to[lane] = std::byte{mask.test(static_cast<int>(lane))};
  }

  void store(const CallResult& result, std::byte* to) const {
    const std::size_t bytes = array_bytes(result.type), each = bytes * result.components;
    const std::size_t count = result.by_lane ? lanes() : 1;
    if (result.type == Scalar::boolean) {
      const Mask<128> mask = get_mask(registers + result_at);
      if (result.by_lane) return store_bools(to, mask & context.state.active);
      to[0] = std::byte{mask.test(0)};
      return;
    }
    if (result.components == 1) {
      std::memcpy(to, registers + result_at, count * bytes);
    } else {
      for (std::size_t lane = 0; lane < count; ++lane)
        for (std::size_t word = 0; word < 4; ++word)
          std::memcpy(to + lane * each + 4 * word,
                      registers + result_at + word * word_bytes + 4 * lane, 4);
    }
    if (!result.by_lane || context.state.active == Mask<128>::first_n(call.size)) return;
    for (std::size_t lane = 0; lane < count; ++lane)
      if (!context.state.active.test(static_cast<int>(lane)))
        std::memset(to + lane * each, 0, each);
  }

  Lanes<std::uint32_t, 128> words(std::uint32_t at) const {
    return Lanes<std::uint32_t, 128>::load(
        reinterpret_cast<const std::uint32_t*>(registers + at));  // lanes beyond the size are zero
  }

  /// What is wrong with the operands in themselves, which shaders' checks have rules of their own for.
  Mask<128> undefined_by_operands() const {
    const Mask<128> active = context.state.active;
    if (row_of(call.name).code == Code::inverse_ballot) {
      const auto word = [&](std::uint32_t k) { return words(ballot_at + k * word_bytes); };
      return undefined::subgroupInverseBallot(active,
                                              BallotLanes<128>(word(0), word(1), word(2), word(3)));
    }
    if (form == Form::value_index_cluster)
      return undefined::subgroupClusteredRotate(active, Lanes<std::uint32_t, 128>(0u),
                                                words(second_at), call.cluster, call.size);
    if (takes_cluster(form) && !detail::legal_cluster(call.cluster, call.size)) return active;
    return {};
  }

  BuiltInCall call;
  Form form;
  int width;
  alignas(64) std::byte registers[register_bytes + 1024];
  Context context;
  Inst inst;
  ListArgs list;
};

BuiltInCalls::BuiltInCalls(const BuiltInCall& call) : machine_(std::make_unique<Machine>(call)) {
  if (machine_->find() == nullptr)
    throw Error(std::string(spec::function(call.name).name) + " takes no values of this type");
}
BuiltInCalls::~BuiltInCalls() = default;

void BuiltInCalls::run(const Operands& operands, std::size_t rows, std::byte* results) {
  Machine& m = *machine_;
  m.place(operands.ballot.by_lane);
  const Run function = m.find();
  const CallResult result = result_of(m.call, operands.ballot.by_lane);
  const std::size_t bytes =
      std::size_t{array_bytes(result.type)} * result.components * (result.by_lane ? m.lanes() : 1);
  for (std::size_t k = 0; k < rows; ++k) {
    m.load(operands, k);
    if (m.context.state.active.any_lane())
      function(&m.inst, m.context);
    else
      std::memset(m.registers + result_at, 0, value_at - result_at);
    m.store(result, results + k * bytes);
  }
}

void BuiltInCalls::undefined(const Operands& operands, std::size_t rows, std::byte* lanes) {
  Machine& m = *machine_;
  m.place(true);
  const bool is_ever = !spec::function(m.call.name).undefined.empty();
  const Run function = is_ever ? m.find_undefined() : nullptr;
  Inst inst = m.inst;
  inst.b = inst.c = 0;
  for (std::size_t k = 0; k < rows; ++k) {
    m.load(operands, k);
    Mask<128> found;
    if (m.context.state.active.any_lane()) {
      found = m.undefined_by_operands();
      if (function != nullptr) {
        function(&inst, m.context);
        found = found | get_mask(m.registers + result_at);
      }
    }
    m.store_bools(lanes + k * m.lanes(), found & m.context.state.active);
  }
}

}  // namespace lockstep::spirv
