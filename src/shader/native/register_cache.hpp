#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "shader/native/vector_assembler.hpp"
#include "shader/run/program.hpp"

/// \file
/// Register allocation while machine code is generated.

namespace lockstep::spirv {

/// Of a chunk of a register of 32-bit numbers.
inline constexpr std::uint32_t register_chunk_bytes = chunk_lanes * 4;

/// An operand in a register or in memory.
class Source {
 public:
  explicit Source(const Vector& in) : register_(in) {}
  explicit Source(const Xbyak::Address& at) : memory_(at), in_memory_(true) {}
  operator const Xbyak::Operand&() const {
    return in_memory_ ? static_cast<const Xbyak::Operand&>(memory_) : register_;
  }
  bool in_memory() const { return in_memory_; }
  /// The same, of a vector of the shape.
  Source part(const VectorAssembler& as, const Shape& shape) const {
    return in_memory_ ? *this : Source(as.part(register_, shape));
  }

 private:
  Vector register_;
  Xbyak::Address memory_{0, false, Xbyak::RegExp()};
  bool in_memory_ = false;
};

/// A component and the loop's own place for it.
struct OwnPlace {
  std::uint32_t from = 0, to = 0;
  std::uint32_t bytes = 0;
  Shape shape;
};

/// The places of a loop's values.
struct LoopPlaces {
  std::vector<OwnPlace> own;
  /// How many vectors of each component it works on at a time; 0: all. r9 is then r12 plus the bytes of
  /// the vectors before, rdi the same for bits.
  std::uint32_t slice = 0;
  /// With slices: places of what is the same for all lanes.
  std::set<std::uint32_t> uniform;
};

/// A component's lanes live in the subgroup's memory. A result stays in a processor's register until the
/// register is needed for something else, until a function is called that may read it, or until its last
/// use.
///
/// rbx is the Context, r12 the program's registers, r13 its instructions. r8 to r11 are for single operations.
/// Places are bytes into the program's registers, one for each vector of a component; a bool's masks are at
/// their bits.
class RegisterCache {
 public:
  static constexpr std::uint32_t nothing = ~0u;
  static constexpr std::uint32_t far = ~0u;  ///< not in the series

  /// What one processor's register holds.
  struct Held {
    std::uint32_t at = nothing;
    bool unsaved = false;  ///< memory does not have it yet
    bool mask = false;
    std::uint8_t copies = 1;  ///< uniform: a chunk is several vectors, all the same
    Shape shape = {};
    std::uint32_t next = far;  ///< which operation of a series uses it next

    std::uint32_t bytes() const { return shape.bytes * copies; }
  };
  /// The contents of all registers at one point of the code.
  using Contents = std::array<Held, 40>;

  RegisterCache(VectorAssembler& as, const Program& program);

  const Contents& contents() const { return now_; }
  void set_contents(const Contents& contents) { now_ = contents; }
  void forget() { now_.fill(Held()); }
  /// Registers allocated from here on do not change until the next operation begins.
  void begin_operation() { in_use_ = locked_; }
  /// The register or mask stays for several operations.
  void lock(const Vector& vector) { locked_ |= bit(number_of(vector)); }
  void unlock(const Vector& vector) { locked_ &= ~bit(number_of(vector)); }
  void lock(MaskRegister mask) { locked_ |= bit(number_of(mask)); }
  void unlock() { locked_ = 0; }
  void unlock(MaskRegister mask) { locked_ &= ~bit(number_of(mask)); }

  /// Which operation uses the place next: what is used last loses its register first.
  void set_next(std::uint32_t at, std::uint32_t next) {
    if (const int found = find(at); found >= 0) held(found).next = next;
  }
  void forget_next() {
    for (Held& h : now_) h.next = far;
  }
  /// A register that holds the place is not used for the operation's result.
  void hold(std::uint32_t at) {
    if (const int found = find(at); found >= 0) in_use_ |= bit(found);
  }
  /// A register for a result or an intermediate value.
  Vector fresh();
  /// The vector at the place, loaded if no register holds it.
  Vector value(std::uint32_t at, const Shape& shape);
  Vector value(std::uint32_t at) { return value(at, words_); }
  /// The same, or its memory if a register would have to be saved for it.
  Source source(std::uint32_t at, const Shape& shape);
  Source source(std::uint32_t at) { return source(at, words_); }
  /// A register for the place's new value: in a loop that keeps it in a register, that one.
  Vector result(std::uint32_t at);
  /// The register now holds the place's value: of one vector, or of as many copies.
  void keep(const Vector& value, std::uint32_t at, const Shape& shape, std::uint32_t copies);
  void keep(const Vector& value, std::uint32_t at) { keep(value, at, words_, 1); }
  /// Memory has, or will have, something else there.
  void overwritten(std::uint32_t at, std::uint32_t bytes);
  /// Saves what may be there.
  void save_inside(std::uint32_t at, std::uint32_t bytes);
  void save_all();
  /// Loads what the registers are to hold from memory.
  void load(const Contents& contents);
  /// Loads the active lanes again where registers hold them.
  void load_active();
  /// The active lanes have changed.
  void forget_active();
  /// The first lane's number.
  void first_to(const Xbyak::Reg32& to, std::uint32_t at);

  // Masks: of bools at their bits in memory, and of the active lanes.

  MaskRegister fresh_mask();
  MaskRegister mask(std::uint32_t at);
  bool holds_masks(std::uint32_t bool_at, std::uint32_t vectors) const;
  MaskRegister active(std::uint32_t vector);
  void keep_mask(MaskRegister value, std::uint32_t at);
  /// A locked mask that is needed no more, if a register holds it.
  void drop_mask(std::uint32_t at);
  /// So that single vectors' masks of a bool may be forgotten.
  void save_masks();
  /// How many registers a loop leaves for masks: those that it pins no number to, or the mask registers.
  int free_for_masks() const;

  // A loop keeps values in registers across iterations, and has places of its own for variables
  // that it changes.

  /// unsaved: an iteration may change it.
  void pin(const std::vector<Held>& vectors);
  void load_pinned();
  /// At the end of an iteration: the pinned registers hold their values, all others are saved.
  void restore_pinned();
  /// Null outside of loops.
  void set_loop(const LoopPlaces* places) { loop_ = places; }
  /// Memory of the place: the loop's own, if it has one.
  Xbyak::Address home(std::uint32_t at) const;
  bool has_own_place(std::uint32_t at) const { return own_place(at) != at; }
  /// The register that holds the place now, or -1.
  int find(std::uint32_t at) const;

 private:
  static std::uint64_t bit(int r) { return std::uint64_t{1} << r; }
  Held& held(int r) { return now_[static_cast<std::size_t>(r)]; }
  const Held& held(int r) const { return now_[static_cast<std::size_t>(r)]; }
  std::uint32_t pinned(int r) const { return pins_[static_cast<std::size_t>(r)].at; }
  int registers() const { return as_.vectors() + as_.masks(); }
  int number_of(const Vector& v) const { return v.getIdx() - as_.vector(0).getIdx(); }
  MaskRegister mask_register(int r) const { return {as_.masks() == 0 ? r : r - as_.vectors()}; }
  int number_of(MaskRegister m) const {
    return as_.masks() == 0 ? m.number : m.number + as_.vectors();
  }
  std::uint32_t own_place(std::uint32_t at) const;
  bool is_sliced() const { return loop_ != nullptr && loop_->slice != 0; }
  /// The register that is cheapest to take.
  int take(int first, int last);
  std::uint64_t rank(int r) const;
  Vector use(int r);
  void save(int r);
  void save_bool(std::uint32_t at);
  Xbyak::Address bits(std::uint32_t at) const;

  VectorAssembler& as_;
  const Shape words_;      ///< of 32-bit numbers
  std::uint32_t vectors_;  ///< of a component that differs between lanes
  Contents now_{};
  Contents pins_{};
  const LoopPlaces* loop_ = nullptr;
  int next_ = 0;
  std::uint64_t in_use_ = 0;  ///< registers of the current operation
  std::uint64_t locked_ = 0;
};

}  // namespace lockstep::spirv
