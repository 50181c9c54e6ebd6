#pragma once

#include <xbyak/xbyak.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "spirv/exec/program.hpp"

/// \file
/// Which of a program's registers the processor's registers hold, while machine code is written.

namespace lockstep::spirv {

/// Writes code that computes in AVX-512 registers 16 to 31, which functions called in between need not
/// find clean. Results stay there until a register is wanted for something else, until code is called
/// that may ask for them, or until it is known that nobody will.
///
/// rbx is the Context, r12 the program's registers, r13 its instructions. k3 and up hold one bool, with
/// at most two chunks k5 and k6 the active lanes; k1 and k2 are for a single instruction.
class Registers : public Xbyak::CodeGenerator {
 protected:
  using Zmm = Xbyak::Zmm;
  using Opmask = Xbyak::Opmask;
  using CodeGenerator::CodeGenerator;

  static constexpr std::uint32_t nothing = ~0u;
  static constexpr int first_register = 16, registers = 16;
  static constexpr std::uint32_t chunk_bytes = chunk_lanes * 4;
  static constexpr std::size_t active_at =
      offsetof(Context, state) + offsetof(exec::State<128>, active);

  /// A register's chunk, or nothing; unsaved: memory has not got it yet.
  struct Held {
    std::uint32_t at = nothing;
    bool unsaved = false;
  };
  /// What registers hold at one point of the code.
  struct Contents {
    std::array<Held, registers> chunks{};
    Held boolean;
    std::uint32_t bool_chunks = 0;
    bool active = false;
  };
  Contents now_;

  void forget() { now_ = Contents(); }
  void begin_operation() { in_use_ = 0; }

  /// A register that no operand of the current operation is in.
  Zmm fresh() {
    int found = -1;
    for (int k = 1; k <= registers; ++k) {
      const int r = (next_ + k) % registers;
      if ((in_use_ >> r & 1) != 0 || pinned(r) != nothing) continue;
      if (found < 0 || rank(r) < rank(found)) found = r;
    }
    next_ = found;
    save(found);
    held(found) = Held();
    return zmm(found);
  }
  /// The register that holds the chunk, loaded if there is none.
  Zmm chunk(std::uint32_t at) {
    if (const int found = find(at); found >= 0) return zmm(found);
    const Zmm to = result_register(at);
    vmovups(to, ptr[r12 + at]);
    held(number_of(to)) = {at, false};
    return to;
  }
  /// A register for what the chunk shall be: in a loop that has one for it, that one.
  Zmm result_register(std::uint32_t at) {
    for (int r = 0; r < registers; ++r) {
      if (pinned(r) == at) return zmm(r);
    }
    return fresh();
  }
  /// The register has what the chunk is now.
  void keep(const Zmm& value, std::uint32_t at) {
    overwritten(at, chunk_bytes);
    held(number_of(value)) = {at, true};
  }
  /// Memory has, or will have, something else there.
  void overwritten(std::uint32_t at, std::uint32_t bytes) {
    const auto inside = [&](const Held& h) { return h.at != nothing && h.at - at < bytes; };
    for (Held& h : now_.chunks) {
      if (inside(h)) h = Held();
    }
    if (inside(now_.boolean)) now_.boolean = Held();
  }
  /// Saves what may be there.
  void save_inside(std::uint32_t at, std::uint32_t bytes) {
    for (int r = 0; r < registers; ++r) {
      if (held(r).at != nothing && held(r).at - at < bytes) save(r);
    }
  }
  /// Memory has all that registers hold.
  void save_all() {
    for (int r = 0; r < registers; ++r) save(r);
    save_bool();
  }
  /// The registers hold that again, which memory has.
  void load(const Contents& contents) {
    now_ = contents;
    for (int r = 0; r < registers; ++r) {
      if (held(r).at != nothing) vmovups(Zmm(first_register + r), ptr[r12 + held(r).at]);
    }
    if (now_.boolean.at != nothing) {
      for (std::uint32_t k = 0; k < now_.bool_chunks; ++k)
        kmovw(bool_chunk(k), ptr[r12 + now_.boolean.at + k * 2]);
    }
    if (now_.active) load_active();
  }

  /// The first lane's number, which all lanes' may be.
  void first_to(const Xbyak::Reg32& to, std::uint32_t at) {
    if (const int found = find(at); found >= 0)
      vmovd(to, Xbyak::Xmm(first_register + found));
    else
      mov(to, dword[r12 + at]);
  }

  // Bools.

  static Opmask bool_chunk(std::uint32_t k) { return Opmask(3 + static_cast<int>(k)); }
  bool holds_bool(std::uint32_t at) const { return now_.boolean.at == at; }
  void keep_bool(std::uint32_t at, std::uint32_t chunks) {
    overwritten(at, bool_bytes);
    now_.boolean = {at, true};
    now_.bool_chunks = chunks;
  }
  void drop_bool() { now_.boolean = Held(); }
  void save_bool() {
    if (!now_.boolean.unsaved) return;
    now_.boolean.unsaved = false;
    bool_bits(now_.bool_chunks);
    // In the halves in which it is read.
    mov(qword[r12 + now_.boolean.at], rax);
    mov(qword[r12 + now_.boolean.at + 8], 0);
  }
  /// The lanes that k3 and up hold, up to 64, in rax.
  void bool_bits(std::uint32_t chunks) {
    kmovw(eax, bool_chunk(0));
    for (std::uint32_t k = 1; k < chunks; ++k) {
      kmovw(ecx, bool_chunk(k));
      shl(rcx, static_cast<int>(k) * chunk_lanes);
      or_(rax, rcx);
    }
  }

  /// The chunk's active lanes.
  Opmask active_chunk(std::uint32_t k, std::uint32_t program_chunks) {
    if (program_chunks > 2) {
      kmovw(k2, ptr[rbx + active_at + k * 2]);
      return k2;
    }
    if (!now_.active) load_active();
    return Opmask(5 + static_cast<int>(k));
  }
  void load_active() {
    kmovw(k5, ptr[rbx + active_at]);
    kmovw(k6, ptr[rbx + active_at + 2]);
    now_.active = true;
  }

  // In a loop that calls nothing its variables have registers of their own.

  /// unsaved: a trip may change it.
  void pin(const std::vector<Held>& chunks) {
    pins_.fill(Held());
    std::copy(chunks.begin(), chunks.end(), pins_.begin());
  }
  /// At the loop's begin: all that is pinned is loaded.
  void load_pinned() {
    for (int r = 0; r < registers; ++r) {
      if (pinned(r) == nothing) continue;
      vmovups(Zmm(first_register + r), ptr[r12 + pinned(r)]);
      held(r) = pins_[static_cast<std::size_t>(r)];
    }
  }
  /// On the way back to it: all else is saved.
  void restore_pinned() {
    for (int r = 0; r < registers; ++r) {
      if (pinned(r) == nothing)
        save(r);
      else if (held(r).at != pinned(r))
        vmovups(Zmm(first_register + r), ptr[r12 + pinned(r)]);
    }
    save_bool();
  }

 private:
  Held& held(int r) { return now_.chunks[static_cast<std::size_t>(r)]; }
  std::uint32_t pinned(int r) const { return pins_[static_cast<std::size_t>(r)].at; }
  static int number_of(const Zmm& value) { return value.getIdx() - first_register; }
  /// Registers with the least are taken first.
  int rank(int r) { return held(r).at == nothing ? 0 : held(r).unsaved ? 2 : 1; }
  int find(std::uint32_t at) const {
    for (int r = 0; r < registers; ++r) {
      if (now_.chunks[static_cast<std::size_t>(r)].at == at) return r;
    }
    return -1;
  }
  Zmm zmm(int r) {
    in_use_ |= 1u << r;
    return Zmm(first_register + r);
  }
  void save(int r) {
    if (!held(r).unsaved) return;
    vmovups(ptr[r12 + held(r).at], Zmm(first_register + r));
    held(r).unsaved = false;
  }

  std::array<Held, registers> pins_{};
  int next_ = 0;
  std::uint32_t in_use_ = 0;  ///< registers of the current operation
};

}  // namespace lockstep::spirv
