#include "spirv/native.hpp"

#if LOCKSTEP_SPIRV_NATIVE

#include <sys/mman.h>
#include <unistd.h>
#include <xbyak/xbyak.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include <lockstep/lanes/detail/batch.hpp>

#include "spirv/program.hpp"

/// \file
/// Why machine code: an indirect jump an instruction costs more than the instruction where a processor
/// does not predict such jumps (docs/performance.md). Called directly, the functions are the same as without.

// Of unwinding: announces the frames of code that no compiler made.
extern "C" void __register_frame(void*);
extern "C" void __deregister_frame(void*);

namespace lockstep::spirv {
namespace {

bool is_comparison(Code code) {
  return code == Code::equal || code == Code::not_equal || code == Code::less ||
         code == Code::less_equal;
}

constexpr std::size_t page = 4096;
constexpr std::size_t most_bytes = std::size_t{1} << 26;

/// Memory for code so near to the functions it calls that a 32-bit distance reaches them.
class CodeMemory {
 public:
  explicit CodeMemory(std::size_t bytes) : bytes_((bytes + page - 1) / page * page) {
    // Some function of the library; all of them are a few megabytes apart.
    const auto anchor = reinterpret_cast<std::intptr_t>(&make_native);
    constexpr std::intptr_t step = std::intptr_t{1} << 26, reach = std::intptr_t{1} << 30;
    for (std::intptr_t away = step; away < reach && data_ == nullptr; away += step) {
      for (const std::intptr_t hint : {anchor - away, anchor + away}) {
        void* at = mmap(reinterpret_cast<void*>(hint / std::intptr_t{page} * std::intptr_t{page}),
                        bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (at == MAP_FAILED) return;
        const std::intptr_t distance = reinterpret_cast<std::intptr_t>(at) - anchor;
        if (distance < reach && -distance < reach) {
          data_ = static_cast<std::uint8_t*>(at);
          break;
        }
        munmap(at, bytes_);
      }
    }
  }
  ~CodeMemory() {
    if (data_ != nullptr) munmap(data_, bytes_);
  }
  CodeMemory(const CodeMemory&) = delete;
  CodeMemory& operator=(const CodeMemory&) = delete;

  std::uint8_t* data() const { return data_; }
  std::size_t size() const { return bytes_; }
  bool make_executable() const { return mprotect(data_, bytes_, PROT_READ | PROT_EXEC) == 0; }

 private:
  std::size_t bytes_;
  std::uint8_t* data_ = nullptr;
};

/// What unwinding must know of the code, so that errors pass through it: one frame with three saved
/// registers, everywhere but in the prologue, which calls nothing.
class UnwindTable {
 public:
  UnwindTable(const void* code, std::size_t bytes) {
    constexpr std::uint8_t rsp = 7, rbx = 3, r12 = 12, r13 = 13, return_address = 16;
    constexpr std::uint8_t def_cfa = 0x0c, offset = 0x80;
    put<std::uint32_t>(20);  // bytes of what all frames have in common
    put<std::uint32_t>(0);
    put<std::uint8_t>(1);     // version
    put<std::uint8_t>(0);     // no augmentation
    put<std::uint8_t>(1);     // code alignment
    put<std::uint8_t>(0x78);  // data alignment: -8
    put(return_address);
    for (const std::uint8_t byte :
         {def_cfa, rsp, std::uint8_t{32}, std::uint8_t(offset | return_address), std::uint8_t{1},
          std::uint8_t(offset | rbx), std::uint8_t{2}, std::uint8_t(offset | r12), std::uint8_t{3},
          std::uint8_t(offset | r13), std::uint8_t{4}})
      put(byte);
    put<std::uint32_t>(20);                // bytes of the one frame
    put(static_cast<std::uint32_t>(at_));  // back to the common part, at 0
    put(code);
    put(bytes);
    __register_frame(table_.data());
  }
  ~UnwindTable() { __deregister_frame(table_.data()); }
  UnwindTable(const UnwindTable&) = delete;
  UnwindTable& operator=(const UnwindTable&) = delete;

 private:
  template <class T>
  void put(T value) {
    std::memcpy(table_.data() + at_, &value, sizeof value);
    at_ += sizeof value;
  }

  alignas(8) std::array<std::byte, 64> table_{};
  std::size_t at_ = 0;
};

using namespace Xbyak::util;

/// Writes the code.
class Writer : public Xbyak::CodeGenerator {
 public:
  Writer(const Program& program, const CodeMemory& memory)
      : CodeGenerator(memory.size(), memory.data()),
        program_(program),
        labels_(program.insts.size() + 1),
        is_target_(program.insts.size() + 1) {}

  void write() {
    find_targets();
    forget();
    push(rbx);
    push(r12);
    push(r13);
    mov(rbx, rdi);
    mov(r12, ptr[rdi + offsetof(Context, regs)]);
    mov(r13, reinterpret_cast<std::uintptr_t>(program_.insts.data()));
    jmp(rsi);
    for (std::size_t k = 0; k < program_.insts.size(); ++k) {
      if (is_target_[k]) forget();
      L(labels_[k]);
      starts.push_back(getCurr());
      instruction(k);
    }
    L(exit_);
    pop(r13);
    pop(r12);
    pop(rbx);
    ret();
  }

  std::vector<const std::uint8_t*> starts;  ///< of each instruction

 private:
  std::size_t number(const Inst* i) const {
    return static_cast<std::size_t>(i - program_.insts.data());
  }
  /// Where code is entered from elsewhere: registers hold nothing there.
  void find_targets() {
    for (std::size_t k = 0; k < program_.insts.size(); ++k) {
      const Inst& i = program_.insts[k];
      const Recipe::Kind kind = program_.recipes[k].kind;
      if (kind == Recipe::Kind::call || kind == Recipe::Kind::arithmetic) continue;
      is_target_[number(i.target)] = true;
      if (kind == Recipe::Kind::back) {
        is_target_[k + 1] = true;
        if (i.args != nullptr) is_target_[number(static_cast<const Inst*>(i.args))] = true;
      }
    }
  }

  void instruction(std::size_t k) {
    const Inst& i = program_.insts[k];
    switch (program_.recipes[k].kind) {
      case Recipe::Kind::call:
        return call_function(k);
      case Recipe::Kind::branch:
        call_function(k);
        return go_if(i.target);
      case Recipe::Kind::jump:
        return jmp(labels_[number(i.target)], T_NEAR);
      case Recipe::Kind::jump_if:
        return jump_unless(i, program_.recipes[k], labels_[number(i.target)]);
      case Recipe::Kind::back:
        call_function(k);
        test(rax, rax);
        jz(exit_, T_NEAR);
        go_if(i.target);
        if (i.args != nullptr) jmp(labels_[number(static_cast<const Inst*>(i.args))], T_NEAR);
        return;
      case Recipe::Kind::stop:
        call_function(k);
        return jmp(exit_, T_NEAR);
      case Recipe::Kind::arithmetic:
        return arithmetic(i, program_.recipes[k]);
    }
  }
  /// On at the label where the bool, or the comparison of whole numbers, fails.
  void jump_unless(const Inst& i, const Recipe& recipe, const Xbyak::Label& label) {
    const bool has_sign = recipe.type == Scalar::i32;
    const auto compare = [&] {
      mov(eax, dword[r12 + i.a]);
      cmp(eax, dword[r12 + i.b]);
    };
    switch (recipe.code) {
      case Code::equal:
        compare();
        return jne(label, T_NEAR);
      case Code::not_equal:
        compare();
        return je(label, T_NEAR);
      case Code::less:
        compare();
        return has_sign ? jge(label, T_NEAR) : jae(label, T_NEAR);
      case Code::less_equal:
        compare();
        return has_sign ? jg(label, T_NEAR) : ja(label, T_NEAR);
      default:
        test(byte[r12 + i.a], 1);
        return jz(label, T_NEAR);
    }
  }
  void call_function(std::size_t k) {
    forget();
    lea(rdi, ptr[r13 + k * sizeof(Inst)]);
    mov(rsi, rbx);
    call(reinterpret_cast<const void*>(program_.insts[k].run));
  }
  /// On at the instruction if the function just called has named it.
  void go_if(const Inst* target) {
    lea(rcx, ptr[r13 + number(target) * sizeof(Inst)]);
    cmp(rax, rcx);
    je(labels_[number(target)], T_NEAR);
  }

  // Arithmetic in AVX-512 registers 16 to 31, which functions called in between need not find clean.
  // What memory holds, too, is remembered until the next call or target.

  static constexpr std::uint32_t nothing = ~0u;
  static constexpr int first_register = 16, registers = 16;

  void forget() {
    held_.fill(nothing);
    held_bool_ = nothing;
  }
  Xbyak::Zmm zmm(int r) {
    in_use_ |= 1u << r;
    return Xbyak::Zmm(first_register + r);
  }
  /// A register that no operand of the current chunk is in.
  Xbyak::Zmm fresh() {
    do next_ = (next_ + 1) % registers;
    while ((in_use_ >> next_ & 1) != 0);
    held_[static_cast<std::size_t>(next_)] = nothing;
    return zmm(next_);
  }
  /// The register that holds the chunk, loaded if there is none.
  Xbyak::Zmm chunk(std::uint32_t at) {
    const auto found = std::find(held_.begin(), held_.end(), at);
    if (found != held_.end()) return zmm(static_cast<int>(found - held_.begin()));
    const Xbyak::Zmm to = fresh();
    vmovups(to, ptr[r12 + at]);
    held_[static_cast<std::size_t>(next_)] = at;
    return to;
  }
  void keep(const Xbyak::Zmm& value, std::uint32_t at) {
    vmovups(ptr[r12 + at], value);
    overwritten(at);
    held_[static_cast<std::size_t>(value.getIdx() - first_register)] = at;
  }

  /// Memory has another chunk or bool there.
  void overwritten(std::uint32_t at) {
    std::replace(held_.begin(), held_.end(), at, nothing);
    if (held_bool_ == at) held_bool_ = nothing;
  }

  void arithmetic(const Inst& i, const Recipe& recipe) {
    if (is_comparison(recipe.code)) return compare(i, recipe);
    for (std::uint32_t k = 0; k < i.chunks; ++k) {
      in_use_ = 0;
      const std::uint32_t to = i.dst + k * chunk_bytes;
      if (!i.masked()) {
        const Xbyak::Zmm result = fresh();
        operation(i, recipe, k, result, result);
        keep(result, to);
        continue;
      }
      // The lanes that are not active keep what they have.
      const Xbyak::Zmm result = chunk(to);
      const auto active = offsetof(Context, state) + offsetof(exec::State<128>, active);
      kmovw(k2, ptr[rbx + active + k * 2]);
      if (recipe.code == Code::select) {
        const Xbyak::Zmm chosen = fresh();
        operation(i, recipe, k, chosen, chosen);
        vmovdqa32(result | k2, chosen);
      } else {
        operation(i, recipe, k, result, result | k2);
      }
      keep(result, to);
    }
  }

  /// A comparison for a bool: its chunks stay in mask registers, too.
  void compare(const Inst& i, const Recipe& recipe) {
    for (std::uint32_t k = 0; k < i.chunks; ++k) {
      in_use_ = 0;
      const Xbyak::Zmm a = chunk(i.a + (i.varying(0) ? k * chunk_bytes : 0));
      const Xbyak::Zmm b = chunk(i.b + (i.varying(1) ? k * chunk_bytes : 0));
      const Xbyak::Opmask holds = bool_chunk(k);
      switch (recipe.type) {
        case Scalar::f32:
          vcmpps(holds, a, b, predicate(recipe.code));
          break;
        case Scalar::i32:
          vpcmpd(holds, a, b, predicate(recipe.code));
          break;
        default:
          vpcmpud(holds, a, b, predicate(recipe.code));
      }
      kmovw(k == 0 ? eax : ecx, holds);
      if (k == 0) continue;
      shl(rcx, static_cast<int>(k) * chunk_lanes);
      or_(rax, rcx);
    }
    // In the halves in which it is read.
    mov(qword[r12 + i.dst], rax);
    mov(qword[r12 + i.dst + 8], 0);
    overwritten(i.dst);
    held_bool_ = i.dst;
  }
  static Xbyak::Opmask bool_chunk(std::uint32_t k) {
    return Xbyak::Opmask(3 + static_cast<int>(k));
  }
  /// The same for whole numbers and others: with NaN only != holds.
  static std::uint8_t predicate(Code comparison) {
    return comparison == Code::equal        ? 0
           : comparison == Code::less       ? 1
           : comparison == Code::less_equal ? 2
                                            : 4;
  }

  /// The operation on chunk k into `to`, which is `result`, or those of its lanes that a mask has.
  void operation(const Inst& i, const Recipe& recipe, std::uint32_t k, const Xbyak::Zmm& result,
                 const Xbyak::Zmm& to) {
    const std::uint32_t places[] = {i.a, i.b, i.c};
    const auto operand = [&](int number) {
      return chunk(places[static_cast<std::size_t>(number)] +
                   (i.varying(number) ? k * chunk_bytes : 0));
    };
    const bool real = recipe.type == Scalar::f32, has_sign = recipe.type == Scalar::i32;
    if (recipe.code == Code::select) {
      const Xbyak::Zmm yes = operand(1), no = operand(2);
      if (held_bool_ == i.a && i.varying(0)) return vpblendmd(result | bool_chunk(k), no, yes);
      kmovw(k1, ptr[r12 + i.a + (i.varying(0) ? k * 2 : 0)]);
      return vpblendmd(result | k1, no, yes);
    }
    const Xbyak::Zmm a = operand(0);
    switch (recipe.code) {
      case Code::copy:
        return vmovdqa32(to, a);
      case Code::div:
        if (real) return vdivps(to, a, operand(1));
        return vpsrld(to, a, static_cast<std::uint8_t>(i.imm));
      case Code::mod: {
        const Xbyak::Zmm bits = fresh();
        mov(eax, static_cast<std::uint32_t>(i.imm));
        vpbroadcastd(bits, eax);
        return vpandd(to, a, bits);
      }
      default:
        break;
    }
    const Xbyak::Zmm b = operand(1);
    switch (recipe.code) {
      case Code::add:
        return real ? vaddps(to, a, b) : vpaddd(to, a, b);
      case Code::sub:
        return real ? vsubps(to, a, b) : vpsubd(to, a, b);
      case Code::mul:
        return real ? vmulps(to, a, b) : vpmulld(to, a, b);
      case Code::band:
        return vpandd(to, a, b);
      case Code::bor:
        return vpord(to, a, b);
      case Code::bxor:
        return vpxord(to, a, b);
      case Code::min:
        return has_sign ? vpminsd(to, a, b) : vpminud(to, a, b);
      default:
        return has_sign ? vpmaxsd(to, a, b) : vpmaxud(to, a, b);
    }
  }

  static constexpr std::uint32_t chunk_bytes = chunk_lanes * 4;

  const Program& program_;
  std::vector<Xbyak::Label> labels_;
  std::vector<bool> is_target_;
  Xbyak::Label exit_;
  std::array<std::uint32_t, registers> held_{};  ///< the chunk that each register holds
  std::uint32_t held_bool_ = nothing;            ///< the bool that mask registers hold
  int next_ = 0;
  std::uint32_t in_use_ = 0;  ///< registers of the current chunk
};

class NativeCode : public Native {
 public:
  NativeCode(const Program& program, std::size_t bytes)
      : insts_(program.insts.data()), memory_(bytes) {
    if (memory_.data() == nullptr) return;
    Writer writer(program, memory_);
    try {
      writer.write();
    } catch (const Xbyak::Error&) {
      return;  // a function too far away
    }
    if (!memory_.make_executable()) return;
    unwind_ = std::make_unique<UnwindTable>(memory_.data(), memory_.size());
    starts_ = std::move(writer.starts);
  }
  bool usable() const { return !starts_.empty(); }

  void run(Context& c) const override {
    const auto enter = reinterpret_cast<void (*)(Context*, const std::uint8_t*)>(memory_.data());
    enter(&c, starts_[static_cast<std::size_t>(c.next - insts_)]);
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

bool is_arithmetic([[maybe_unused]] Code code, [[maybe_unused]] Scalar type,
                   [[maybe_unused]] const Inst& inst) {
#if LOCKSTEP_REGISTER_BYTES == 64
  // More chunks than there are mask registers for are compared by functions.
  if (is_comparison(code)) return inst.varying_result() && inst.chunks <= 4;
  switch (code) {
    case Code::copy:
    case Code::move:
    case Code::select:
    case Code::add:
    case Code::sub:
    case Code::mul:
    case Code::div:
      return true;
    case Code::mod:
    case Code::band:
    case Code::bor:
    case Code::bxor:
    case Code::min:
    case Code::max:
      return type != Scalar::f32;
    default:
      return false;
  }
#else
  return false;
#endif
}

std::shared_ptr<const Native> make_native(const Program& program) {
  // What the longest instruction takes, one a chunk for each of: loads, mask, operation and store.
  const std::size_t bytes = page + program.insts.size() * (32 + std::size_t{program.chunks} * 80);
  if (program.tangled || bytes > most_bytes || is_off()) return nullptr;
  auto code = std::make_shared<const NativeCode>(program, bytes);
  return code->usable() ? code : nullptr;
}

}  // namespace lockstep::spirv

#else

namespace lockstep::spirv {

bool is_arithmetic(Code, Scalar, const Inst&) { return false; }
std::shared_ptr<const Native> make_native(const Program&) { return nullptr; }

}  // namespace lockstep::spirv

#endif
