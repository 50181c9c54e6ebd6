#include "spirv/native/native.hpp"

#if LOCKSTEP_SPIRV_NATIVE

#include <cstdlib>
#include <limits>
#include <string_view>

#include "spirv/native/code_memory.hpp"
#include "spirv/native/writer.hpp"

/// \file
/// Why machine code: an indirect jump an instruction costs more than the instruction where a processor
/// does not predict such jumps (docs/performance.md). Called directly, the functions are the same as without.

namespace lockstep::spirv {
namespace {

constexpr std::size_t most_bytes = std::size_t{1} << 26;

class NativeCode : public Native {
 public:
  NativeCode(const Program& program, std::size_t bytes)
      : insts_(program.insts.data()), memory_(bytes, reinterpret_cast<const void*>(&make_native)) {
    if (memory_.data() == nullptr) return;
    Writer writer(program, memory_.size(), memory_.data());
    try {
      writer.write();
    } catch (const Xbyak::Error&) {
      return;  // a function too far away
    }
    if (!memory_.make_executable()) return;
    unwind_ = std::make_unique<UnwindTable>(memory_.data(), memory_.size());
    starts_ = writer.starts();
  }
  bool usable() const { return !starts_.empty(); }

  void run(Context& c) const override {
    const auto enter =
        reinterpret_cast<Context* (*)(Context*, const std::uint8_t*)>(memory_.data());
    for (Context* now = &c; now != nullptr;)
      now = enter(now, starts_[static_cast<std::size_t>(now->next - insts_)]);
  }

 private:
  const Inst* insts_;
  CodeMemory memory_;
  std::unique_ptr<UnwindTable> unwind_;
  std::vector<const std::uint8_t*> starts_;
};

bool is_off() {
  const char* given = std::getenv("LOCKSTEP_NATIVE");
  return given != nullptr && std::string_view(given) == "off";
}

}  // namespace

#if LOCKSTEP_REGISTER_BYTES == 64

namespace {

bool is_comparison(Code code) {
  return code == Code::equal || code == Code::not_equal || code == Code::less ||
         code == Code::less_equal;
}
bool is_word(Scalar type) {
  return type == Scalar::u32 || type == Scalar::i32 || type == Scalar::f32;
}
// More chunks than there are mask registers for are compared by functions.
constexpr int most_compared = 4;
constexpr std::uint64_t most_distance = std::numeric_limits<std::int32_t>::max();

}  // namespace

bool is_arithmetic(Code code, Scalar type, const Inst& inst) {
  if (type == Scalar::boolean)
    return code == Code::band || code == Code::bor || code == Code::bxor || code == Code::bnot;
  if (!is_word(type)) return false;
  if (is_comparison(code)) return inst.varying_result() && inst.chunks <= most_compared;
  switch (code) {
    case Code::copy:
    case Code::move:
    case Code::select:
    case Code::add:
    case Code::sub:
    case Code::mul:
    case Code::div:
    case Code::neg:
      return true;
    case Code::chain:
    case Code::mod:
    case Code::shl:
    case Code::shr:
    case Code::band:
    case Code::bor:
    case Code::bxor:
    case Code::bnot:
    case Code::min:
    case Code::max:
      return type != Scalar::f32;
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

#else

bool is_arithmetic(Code, Scalar, const Inst&) { return false; }
bool is_test(Code, Scalar, const Inst&, int) { return false; }
bool is_short_run(const MemoryArgs&) { return false; }
bool is_short_indexed(const IndexedArgs&, const Inst&) { return false; }

#endif

std::shared_ptr<const Native> make_native(const Program& program) {
  // What the longest instruction takes: one a chunk for each of loads, mask, operation and store, and
  // code out of the way that saves and loads all registers.
  const std::size_t bytes = page + program.insts.size() * (800 + std::size_t{program.chunks} * 80);
  if (program.tangled || bytes > most_bytes || is_off()) return nullptr;
  auto code = std::make_shared<const NativeCode>(program, bytes);
  return code->usable() ? code : nullptr;
}

}  // namespace lockstep::spirv

#else

namespace lockstep::spirv {

bool is_arithmetic(Code, Scalar, const Inst&) { return false; }
bool is_test(Code, Scalar, const Inst&, int) { return false; }
bool is_short_run(const MemoryArgs&) { return false; }
bool is_short_indexed(const IndexedArgs&, const Inst&) { return false; }
std::shared_ptr<const Native> make_native(const Program&) { return nullptr; }

}  // namespace lockstep::spirv

#endif
