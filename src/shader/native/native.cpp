#include "shader/native/native.hpp"

#if LOCKSTEP_SPIRV_NATIVE

#include <bit>
#include <cstdlib>
#include <limits>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <xbyak/xbyak_util.h>

#include "shader/native/code_memory.hpp"
#include "shader/native/emitter.hpp"

/// \file
/// Why machine code: on a processor that does not predict them, an indirect jump per instruction costs
/// more than the instruction (docs/performance.md). The functions are the same, but called directly.

namespace lockstep::spirv {
namespace {

constexpr std::size_t most_bytes = std::size_t{1} << 26;

class NativeCode : public Native {
 public:
  /// Throws Xbyak::Error if code cannot be generated.
  NativeCode(Program& program, Target target, std::size_t bytes)
      : insts_(program.insts.data()), memory_(bytes, reinterpret_cast<const void*>(&make_native)) {
    if (memory_.data() == nullptr) throw Xbyak::Error(Xbyak::ERR_CANT_ALLOC);
    const auto assembler = target == Target::avx512
                               ? make_avx512_assembler(memory_.size(), memory_.data())
                               : make_avx2_assembler(memory_.size(), memory_.data());
    Emitter emitter(program, *assembler, target != Target::calls);
    emitter.emit();
    memory_.shrink(assembler->getSize());
    if (!memory_.make_executable()) throw Xbyak::Error(Xbyak::ERR_CANT_PROTECT);
    starts_ = emitter.starts();
    program.register_bytes = emitter.register_bytes();
  }

  void run(Context& c) const override {
    const auto enter =
        reinterpret_cast<Context* (*)(Context*, const std::uint8_t*)>(memory_.data());
    for (Context* now = &c; now != nullptr;)
      now = enter(now, starts_[static_cast<std::size_t>(now->next - insts_)]);
  }

 private:
  const Inst* insts_;
  CodeMemory memory_;
  std::vector<const std::uint8_t*> starts_;
};

Target best_target() {
  return is_supported(Target::avx512) ? Target::avx512
         : is_supported(Target::avx2) ? Target::avx2
                                      : Target::calls;
}

/// The target in the environment, or why it is not available.
std::pair<Target, std::string> wanted_target() {
  const char* const given = std::getenv("LOCKSTEP_NATIVE");
  if (given == nullptr || *given == '\0') return {best_target(), ""};
  const std::string_view name = given;
  if (name == "off") return {Target::none, "LOCKSTEP_NATIVE=off"};
  for (const Target target : {Target::calls, Target::avx2, Target::avx512}) {
    if (name != name_of(target)) continue;
    if (is_supported(target)) return {target, ""};
    return {Target::none, fmt::format("LOCKSTEP_NATIVE={}, which this processor lacks", name)};
  }
  return {Target::none,
          fmt::format("LOCKSTEP_NATIVE={}, which is not avx512, avx2, calls or off", name)};
}

}  // namespace

bool is_supported(Target target) {
  // BMI1 has andn. No processor has AVX2 without the others; __builtin_cpu_supports of clang 14 does not know F16C.
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                    __builtin_cpu_supports("fma") &&
                    Xbyak::util::Cpu().has(Xbyak::util::Cpu::tF16C);
  switch (target) {
    case Target::avx512:
      return avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
             __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
             __builtin_cpu_supports("avx512vl");
    case Target::avx2:
      return avx2;
    default:
      return true;
  }
}

namespace {

bool is_word(Scalar type) {
  return type == Scalar::u32 || type == Scalar::i32 || type == Scalar::f32;
}
bool is_wide(Scalar type) { return type != Scalar::boolean && size_of(type) == 8; }
// Functions compare more chunks than there are mask registers.
constexpr int most_compared = 4;
constexpr std::uint64_t most_distance = std::numeric_limits<std::int32_t>::max();

}  // namespace

namespace {

bool is_inline_conversion(Scalar to, Scalar from) {
  const auto are = [&](Scalar a, Scalar b) { return to == a && from == b; };
  if (size_of(to) < 8 && size_of(from) < 8) return true;
  if (is_float(to) && is_float(from))  // through float, a double would round twice
    return to == Scalar::f32 || from == Scalar::f32;
  // Integers of 64 bits are not converted to floats, nor the other way.
  if (is_wide(to) && !is_wide(from)) return !is_float(from);
  return are(Scalar::u32, Scalar::f64) || are(Scalar::i32, Scalar::f64) ||
         (!is_wide(to) && !is_float(to) && is_wide(from) && from != Scalar::f64);
}

}  // namespace

bool is_arithmetic(Code code, Scalar type, Scalar from, const Inst& inst) {
  if (type == Scalar::boolean) return find_inline_bool_code(code) != nullptr;
  if (is_comparison(code)) return inst.varying_result() && inst.chunks <= most_compared;
  if (code == Code::convert) return is_inline_conversion(type, from);
  using enum InlineCode::On;
  const InlineCode& inlined = Emitter::inline_code(code == Code::move ? Code::copy : code);
  if (is_narrow(type)) return inlined.narrow != nullptr;
  if (type == Scalar::f16 && inlined.half != nullptr) return true;
  switch (inlined.on) {
    case numbers:
      return true;
    case integers:
      return !is_float(type);
    case words:
      return is_word(type) && type != Scalar::f32;
    case floats:
      return type == Scalar::f32 || type == Scalar::f64;
    case words_and_floats:
      return is_word(type) || type == Scalar::f64;
    default:
      return false;
  }
}

bool is_test(Code code, Scalar type, const Inst& inst, int chunks) {
  if (chunks > most_compared) return false;
  return !is_comparison(code) || (is_word(type) && inst.varying_result());
}

bool is_short_run(const MemoryArgs& access) { return access.offset < most_distance / 2; }

bool is_short_indexed(const IndexedArgs& variable, const Inst& inst) {
  const auto& slots = variable.slots;
  if (inst.varying(0) || slots.size() < 2 || slots[1] <= slots[0]) return false;
  const std::uint64_t step = slots[1] - slots[0];
  for (std::size_t k = 0; k < slots.size(); ++k) {
    if (slots[k] != slots[0] + k * step) return false;
  }
  return slots.size() * step < most_distance && inst.imm < most_distance;
}

bool is_short_indexed_by_lane(const IndexedArgs& variable, const Inst& inst) {
  constexpr std::size_t most_bytes_apart = std::size_t{1} << 24;
  const auto& slots = variable.slots;
  if (!inst.varying(0) || slots.size() < 2 || slots[1] <= slots[0]) return false;
  const std::uint64_t step = slots[1] - slots[0];
  for (std::size_t k = 0; k < slots.size(); ++k) {
    if (slots[k] != slots[0] + k * step) return false;
  }
  return slots.size() * step < most_bytes_apart && inst.imm < slots.size();
}

namespace {

/// Whether machine code finds its address: from an index of the element, near the memory's start.
bool is_by_index(const MemoryArgs& access) {
  return !access.has_pointer && access.offset < most_distance / 2 &&
         access.step < most_distance / 8 && access.stride > 0 && access.stride < most_distance;
}

}  // namespace

bool is_short_element(const Op& op, const MemoryArgs& access, int chunks) {
  if (op.type == Scalar::boolean || size_of(op.type) > 4 || !is_by_index(access)) return false;
  if (size_of(op.type) == 2 && (access.offset | access.step | access.stride) % 2 != 0) return false;
  if (chunks > most_compared) return false;
  return op.code == Code::load || (op.code == Code::store && access.components == 1);
}

bool is_short_atomic(const Op& op, const MemoryArgs& access, int chunks) {
  if (op.code != Code::atomic || !is_word(op.type) || op.type == Scalar::f32) return false;
  if (!is_by_index(access) || access.index.varying || chunks > most_compared) return false;
  return access.op != Operator::load && access.op != Operator::store &&
         access.op != Operator::sub && access.offset % 4 == 0 &&
         (!access.has_index || access.stride % 4 == 0);
}

bool is_short_ballot(Code code) {
  return code == Code::ballot || code == Code::ballot_bit_count ||
         code == Code::ballot_inclusive_bit_count || code == Code::ballot_exclusive_bit_count;
}

bool is_short_ballots(Code code, const Inst& inst, int size, bool only_first) {
  if (size > 32) return false;
  if (code == Code::inverse_ballot) return inst.varying_result();
  if (code == Code::ballot_bit_extract) return inst.varying_result() && only_first;
  return is_short_ballot(code) || code == Code::ballot_find_lsb || code == Code::ballot_find_msb;
}
bool is_short_vote(Code code, Scalar type, const Inst& inst, int size) {
  if (inst.varying_result()) return false;
  if (code == Code::all_equal) return size <= 32 && is_word(type) && inst.varying(0);
  return (code == Code::all || code == Code::any) && size <= 64;
}

namespace {

/// Whether sources outside the subgroup are what the functions have.
bool has_same_sources(const LaneMove& move, const Inst& inst, int size) {
  const bool is_power = std::has_single_bit(static_cast<unsigned>(size));
  if (move.sizes == LaneMove::Sizes::of_quads) return size % 4 == 0;
  if (move.sizes == LaneMove::Sizes::powers && !is_power) return false;
  return move.from != LaneMove::From::cluster ||
         (std::has_single_bit(inst.imm) && inst.imm <= static_cast<std::uint64_t>(size));
}

}  // namespace

bool is_short_shuffle(Code code, Scalar type, const Inst& inst, int size) {
  const LaneMove* move = find_lane_move(code);
  if (move == nullptr || !inst.varying(0) || !has_same_sources(*move, inst, size)) return false;
  // The result waits in registers.
  if (type == Scalar::boolean) return inst.varying_result() && inst.chunks <= 2;
  if (!is_word(type) && !is_wide(type)) return false;
  constexpr std::uint32_t most_waiting = 128;
  return !takes_place_of_operand(inst) ||
         inst.chunks * std::uint32_t{chunk_lanes} * size_of(type) <= most_waiting;
}

bool is_short_reduction(const Op& op, const Inst& inst, int size) {
  const auto* reduction = std::get_if<Reduction>(&op.detail);
  if (reduction == nullptr || !is_word(op.type) || !inst.varying(0)) return false;
  if (op.code == Code::clustered)
    return std::has_single_bit(reduction->cluster) &&
           reduction->cluster <= static_cast<std::uint32_t>(size);
  // One word has the active lanes, of which the first one is found.
  if (op.code == Code::exclusive_scan)
    return op.type != Scalar::f32 || inst.chunks <= most_compared;
  return op.code == Code::reduce || op.code == Code::inclusive_scan;
}

bool is_short_broadcast(Code code, Scalar type, const Inst& inst, int chunks) {
  if (!is_word(type) || !inst.varying(0) || chunks > most_compared) return false;
  return code == Code::broadcast_first || (code == Code::broadcast && !inst.varying(1));
}

NativeResult make_native(Program& program) {
  auto [target, reason] = wanted_target();
  if (target == Target::none) return {nullptr, target, std::move(reason)};
  // Most instructions take less; longer ones are detected.
  std::size_t bytes = page + program.insts.size() * (400 + std::size_t{program.chunks} * 100);
  for (; bytes <= most_bytes; bytes *= 4) {
    try {
      return {std::make_shared<const NativeCode>(program, target, bytes), target, ""};
    } catch (const Xbyak::Error& error) {
      const int code = error;
      if (code == Xbyak::ERR_CODE_IS_TOO_BIG) continue;
      if (code == Xbyak::ERR_CANT_ALLOC || code == Xbyak::ERR_CANT_PROTECT)
        return {nullptr, Target::none, "no memory near the functions can be made executable"};
      return {nullptr, Target::none, fmt::format("the assembler says: {}", error.what())};
    }
  }
  return {nullptr, Target::none,
          fmt::format("the shader's code takes more than {} MiB", most_bytes >> 20)};
}

}  // namespace lockstep::spirv

#else

namespace lockstep::spirv {

bool is_supported(Target target) { return target == Target::none; }
bool is_arithmetic(Code, Scalar, Scalar, const Inst&) { return false; }
bool is_test(Code, Scalar, const Inst&, int) { return false; }
bool is_short_run(const MemoryArgs&) { return false; }
bool is_short_indexed(const IndexedArgs&, const Inst&) { return false; }
bool is_short_indexed_by_lane(const IndexedArgs&, const Inst&) { return false; }
bool is_short_ballot(Code) { return false; }
bool is_short_ballots(Code, const Inst&, int, bool) { return false; }
bool is_short_vote(Code, Scalar, const Inst&, int) { return false; }
bool is_short_shuffle(Code, Scalar, const Inst&, int) { return false; }
bool is_short_reduction(const Op&, const Inst&, int) { return false; }
bool is_short_element(const Op&, const MemoryArgs&, int) { return false; }
bool is_short_atomic(const Op&, const MemoryArgs&, int) { return false; }
bool is_short_broadcast(Code, Scalar, const Inst&, int) { return false; }
NativeResult make_native(Program&) {
  return {nullptr, Target::none,
          "Lockstep was built without it, for a processor other than x86-64"};
}

}  // namespace lockstep::spirv

#endif
