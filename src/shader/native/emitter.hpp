#pragma once

#include <array>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "shader/ir/product.hpp"
#include "shader/native/fusions.hpp"
#include "shader/native/loops.hpp"
#include "shader/native/register_cache.hpp"
#include "shader/native/transitions.hpp"

/// \file
/// Machine code for a program, instruction by instruction.

namespace lockstep::spirv {

struct BuiltInPlaces;
class Emitter;

/// How machine code computes an operation on numbers inline.
struct InlineCode {
  /// Of 32 and 64 bits, and floats of 16 bits. words: integers of 32 bits; floats: of 32 and 64 bits; integers: of 32
  /// and 64 bits. Others have code of their own, or none.
  enum class On : std::uint8_t { nothing, integers, words, floats, words_and_floats, numbers };
  On on = On::nothing;
  int first = 0,
      last = 2;  ///< its operands that are numbers in chunks: from the first to one before the last
  /// Emits it for vector v. `to` may be one of the operands.
  void (Emitter::*emit)(const Inst& i, const EmitRule& rule, std::uint32_t v,
                        const Vector& to) = nullptr;
  int spares = 0;  ///< the registers that it needs besides an operand, its result and a mask
  /// The same on integers of 8 and 16 bits, and on floats of 16 bits where `on` has none.
  void (Emitter::*narrow)(const Inst& i, const EmitRule& rule, std::uint32_t v,
                          const Vector& to) = nullptr;
  void (Emitter::*half)(const Inst& i, const EmitRule& rule, std::uint32_t v,
                        const Vector& to) = nullptr;
  int other = -1;  ///< the operand of the type EmitRule::from
};
/// Of most operations that have any.
inline constexpr int few_spares = 3;
/// Of divisions of signed numbers.
inline constexpr int most_spares = 7;
/// Integers of 8 and 16 bits.
constexpr bool is_narrow(Scalar type) {
  return type != Scalar::boolean && !is_float(type) && size_of(type) < 4;
}
/// Of a shift.
inline bool shifts_left(const EmitRule& rule) { return rule.code == Code::shl; }
/// How machine code computes an operation on bools inline: on 64 of their bits, or on masks of vectors.
struct InlineBoolCode {
  Code code;
  void (*bits)(VectorAssembler& as, const Xbyak::Address& b);  ///< of rax and b, in rax
  void (*masks)(VectorAssembler& as, MaskRegister to, MaskRegister a, MaskRegister b);
};
/// Of such an operation.
inline bool takes_one_bool(const EmitRule& rule) { return rule.code == Code::bnot; }
/// Null for operations that are not inline.
const InlineBoolCode* find_inline_bool_code(Code code);

/// An operation after which each lane has another lane's value, as machine code implements it.
struct LaneMove {
  /// The source of a lane: the second operand, or what that makes of the lane's number. A partner's number
  /// differs by Inst::imm, which is the size of a cluster otherwise.
  enum class From : std::uint8_t { number, exclusive_or, below, above, cluster, quad, partner };
  /// The sizes of subgroups for which sources outside are what the functions have.
  enum class Sizes : std::uint8_t { all, of_quads, powers };
  Code code;
  From from;
  Sizes sizes = Sizes::all;
  bool is_by_first = false;  ///< a second operand that varies is that of the first active lane
};
/// Null for other operations.
const LaneMove* find_lane_move(Code code);

/// Of a reduction or scan.
std::uint32_t neutral_of(const EmitRule& rule);
/// Whether the result of an operation between lanes may lie where an operand does.
bool takes_place_of_operand(const Inst& i);

/// Emits the code. It is entered as f(Context*, start); it returns a Context that continues where
/// only Context::next says, or null when none is left. Long, as it has a function for each operation.
class Emitter {
 public:
  /// vectors: whether arithmetic is inline; otherwise all instructions are calls.
  Emitter(const Program& program, VectorAssembler& as, bool vectors);

  void emit();
  /// The start of each instruction, for runs that begin there.
  std::vector<const std::uint8_t*> starts() const;
  /// The row of a component-wise operation.
  static const InlineCode& inline_code(Code code);
  /// Whether the operand has the type EmitRule::from.
  static bool takes_other(Code code, int number) {
    return is_pure(code) && inline_code(code).other == number;
  }

  /// Bytes of the program's registers and of the additional places of loops.
  std::uint32_t register_bytes() const { return register_bytes_; }

 private:
  using Kind = EmitRule::Kind;
  static constexpr auto near = Xbyak::CodeGenerator::T_NEAR;
  using Contents = RegisterCache::Contents;
  using Held = RegisterCache::Held;

  /// Out-of-line code: the general case of an instruction whose inline code does not apply.
  struct Cold {
    Xbyak::Label begin, back;
    std::size_t inst = 0;
    bool is_label = false;           ///< whether jumps to the instruction come here
    bool is_elected_atomic = false;  ///< of an election and the two instructions after it
    bool exit = false;               ///< lanes leave a simple loop, those in rcx
    SimpleLoop* loop = nullptr;      ///< that it belongs to
    Contents before, after;
  };

  std::size_t number(const Inst* i) const;
  EmitRule rule(std::size_t k) const;
  bool owned(std::uint32_t at) const { return loop_ != nullptr && loop_->owns(at); }
  /// Vectors of the instruction's result.
  std::uint32_t vectors_of(const Inst& i, const Shape& shape) const;
  std::uint32_t vectors_of(const Inst& i) const { return vectors_of(i, words_); }
  /// Vectors of a component that differs between lanes, which code is being emitted for. Slices have 32-bit numbers only.
  std::uint32_t vectors(const Shape& shape) const {
    return is_sliced() ? loop_->places.slice
                       : shape.vectors(program_.chunks * std::uint32_t{chunk_lanes});
  }
  std::uint32_t vectors() const { return vectors(words_); }
  std::uint32_t vectors(const Inst& i, const Shape& shape) const {
    return is_sliced() ? vectors() : shape.vectors(i.chunks * std::uint32_t{chunk_lanes});
  }
  bool is_sliced() const { return loop_ != nullptr && loop_->is_sliced(); }
  void find_targets();

  // emitter.cpp
  void begin(std::size_t k);
  void instruction(std::size_t k);
  bool is_made_again(const LastUse& last, std::size_t k) const;
  void end_live_ranges(std::size_t k);
  void call_function(std::size_t k);
  void go_if(const Inst* target);
  void go_on_if(const Inst* target);
  void go_on(const Inst* target);
  static bool goes_out_of_line(const EmitRule& rule);
  void back_by_call(std::size_t k);
  void jump_unless(const Inst& i, const EmitRule& rule, const Xbyak::Label& label);
  void emit_next();
  Cold& cold(std::size_t k);
  void come_back(Cold& code);
  void emit_cold(Cold& code);

  // emit_series.cpp
  bool makes_mask(std::size_t k) const;
  bool is_by_vector(std::size_t k) const;
  std::size_t last_use(std::size_t made) const;
  std::size_t end_of_series(std::size_t k) const;
  /// Which operation of a series uses an operation's operands and its result next.
  struct NextUses {
    std::array<std::uint32_t, 4> operands{};
    std::uint32_t result = RegisterCache::far;
  };
  std::vector<NextUses> next_uses(std::size_t begin, std::size_t end) const;
  void emit_series(std::size_t begin, std::size_t end);
  void make_mask(const Inst& i, const EmitRule& rule, std::uint32_t v);
  void end_live_vectors(std::size_t begin, std::size_t k, std::uint32_t v);
  void end_live_ranges_of_series(std::size_t end);
  std::size_t maker(std::size_t begin, std::size_t end, std::uint32_t at) const;
  template <class F>
  void visit_operands(const Inst& i, const EmitRule& rule, F f) const;

  // emit_loops.cpp
  void enter_loop(SimpleLoop& loop);
  void leave_loop();
  void load_own(const SimpleLoop& loop);
  void merge_own(const SimpleLoop& loop, const Xbyak::Reg64& lanes, bool leaving);
  void merge_own_of_active(const SimpleLoop& loop);
  void emit_slice_begin(SimpleLoop& loop);
  void emit_slice_end(SimpleLoop& loop);
  void emit_pause(Cold& code);
  Xbyak::Address frame(const SimpleLoop& loop, std::uint32_t at) const;

  // emit_flow.cpp
  void emit_test(std::size_t k);
  void emit_elect(std::size_t k);
  void emit_rejoin(std::size_t k);
  void emit_other_side(std::size_t k);
  bool emit_cold_transition(Cold& code);
  void stay_outside(const Inst& i);
  void end_iteration(std::size_t k, Cold& code);
  void emit_end_of_iteration(std::size_t k);
  void emit_iterate(std::size_t k);
  void emit_exit(Cold& code);
  void emit_jump_out(std::size_t k);
  void emit_exit_of_all(Cold& code);

  // emit_memory.cpp
  void emit_run(std::size_t k);
  void emit_indexed(std::size_t k);
  void emit_indexed_by_lane(std::size_t k);
  void load_chosen(const Inst& i, const Shape& shape, std::uint32_t v);
  void store_chosen(const Inst& i, const Shape& shape, std::uint32_t v);
  void gather(const Inst& i, std::uint32_t v);
  void scatter(const Inst& i, std::uint32_t v);
  Vector distances(const Inst& i, const Vector& index);
  MaskRegister in_array(const Inst& i, const Vector& index);

  // emit_element.cpp
  void emit_element(std::size_t k);
  void element_index(const MemoryArgs& m);
  void element_address(const MemoryArgs& m, Cold& code);
  void load_element(std::size_t k);
  void store_element(std::size_t k);
  Cold& check_indices(std::size_t k);
  void gather_elements(std::size_t k);
  void gather_narrow(std::size_t k);
  void scatter_elements(std::size_t k);
  Vector distances(const MemoryArgs& m, std::uint32_t v);
  MaskRegister copy_of_active(std::uint32_t v);
  void lane_to(const Xbyak::Reg32& to, const Slot& slot);
  void emit_broadcast(std::size_t k);

  // emit_atomic.cpp
  bool is_elected(std::size_t k) const;
  bool is_elected_atomic(std::size_t k) const;
  void emit_elected_atomic(std::size_t k);
  void emit_atomic(std::size_t k);
  void updating_value(std::size_t k, bool of_one);
  void update(const Inst& i, const EmitRule& rule, Cold& code);
  void updated(const EmitRule& rule, const Xbyak::Reg32& value);
  void update_alone(const EmitRule& rule, bool wanted);
  void update_shared(const EmitRule& rule, bool wanted);
  void combine(const EmitRule& rule, const Xbyak::Operand& to, const Xbyak::Reg32& value);

  // emit_start.cpp
  bool starts_subgroups(const BuiltInPlaces& places) const;
  void emit_end();
  void start_lanes();
  bool has_loops() const;
  void start_steps();
  void start_registers(const BuiltInPlaces& places);
  void store_number(const Slot& slot, const Xbyak::Reg32& number, const Vector& spare);

  // emit_count.cpp
  void emit_count(const Inst& i);
  void emit_count_split(const Inst& i);

  // emit_subgroup.cpp
  void emit_ballot(const Inst& i, const EmitRule& rule);
  void condition_bits(const Xbyak::Reg64& to, const Inst& i);
  void keep_word(const Inst& i, const Xbyak::Reg32& word);
  /// A result that is the same for all lanes: make(vector) writes it to a vector of it.
  template <class F>
  void keep_same(const Inst& i, F make) {
    keep_same(i, i.dst, make);
  }
  template <class F>
  void keep_same(const Inst& i, std::uint32_t place, F make) {
    keep_same(i, place, words_, make);
  }
  template <class F>
  void keep_same(const Inst& i, std::uint32_t place, const Shape& shape, F make) {
    const std::uint32_t count = vectors_of(i, shape);
    const std::uint32_t copies = count == 1 ? shape.vectors(chunk_lanes) : 1;
    for (std::uint32_t v = 0; v < count; ++v) {
      cache_.begin_operation();
      const std::uint32_t at = place + v * shape.bytes;
      const Vector to = cache_.result(at);
      make(to);
      cache_.keep(to, at, shape, copies);
    }
  }
  void keep_prefix_counts(const Inst& i, const EmitRule& rule, const Xbyak::Reg32& word);

  // emit_ballot.cpp
  void keep_carry_as_bool(const Inst& i);
  void emit_vote(const Inst& i, const EmitRule& rule);
  void equal_bits(const Xbyak::Reg64& to, const Inst& i, const EmitRule& rule);
  void emit_ballots(const Inst& i, const EmitRule& rule);
  void make_ballot(const Inst& i, const ListArgs& list);
  void count_of_word(const Inst& i, const EmitRule& rule, std::uint32_t at);
  void count_of_words(const EmitRule& rule, std::uint32_t v, const Vector& word, const Vector& to,
                      const Vector& spare);
  void extract_bits(const Inst& i, const EmitRule& rule, const ListArgs& list);

  // emit_shuffle.cpp
  std::uint32_t source_lane(const Inst& i, const EmitRule& rule, std::uint32_t lane,
                            std::uint32_t by) const;
  std::uint32_t wrap(std::uint32_t lane) const;
  void wrap(const Vector& lanes);
  std::optional<std::vector<std::uint32_t>> known_words(const Inst& i, const EmitRule& rule,
                                                        std::uint32_t v) const;
  void source_lanes(const Inst& i, const EmitRule& rule, std::uint32_t first, const Vector& by,
                    const Vector& to);
  void double_lanes(const Vector& which, std::uint32_t v);
  Vector moved_vector(const Inst& i, const EmitRule& rule, std::uint32_t v);
  void choose_words(const Inst& i, const EmitRule& rule, const Vector& which, std::uint32_t first,
                    std::uint32_t count);
  void gather_words(const Inst& i, const Vector& which);
  void move_known(const Inst& i, const EmitRule& rule, std::vector<std::uint32_t> words,
                  const Vector& to);
  void move_words(const Inst& i, const EmitRule& rule, const Vector& which);
  bool exchanges_in_memory(const Inst& i, const EmitRule& rule) const;
  void exchange_in_memory(const Inst& i);
  std::optional<Vector> common_choice(const Inst& i, const EmitRule& rule);
  Vector shuffled(const Inst& i, const EmitRule& rule, std::uint32_t v,
                  const std::optional<Vector>& common);
  void emit_shuffle(const Inst& i, const EmitRule& rule);

  // emit_reduction.cpp
  void emit_reduction(const Inst& i, const EmitRule& rule);
  void combine(const EmitRule& rule, const Vector& to, const Vector& a, const Xbyak::Operand& b);
  void load_active_lanes(std::uint32_t at, const EmitRule& rule, std::uint32_t v, const Vector& to);
  void move_lanes(const Vector& to, const std::vector<std::uint32_t>& from, const Vector& value);
  void combine_clusters(const EmitRule& rule, const Vector& all, std::uint32_t cluster);
  Vector combined_vectors(std::uint32_t at, const EmitRule& rule, std::uint32_t first,
                          std::uint32_t step, std::uint32_t count);
  Vector reduced(std::uint32_t at, const EmitRule& rule);
  void emit_clustered(const Inst& i, const EmitRule& rule);
  void emit_large_clusters(const Inst& i, const EmitRule& rule, std::uint32_t count);

  // emit_scan.cpp
  void emit_scan(const Inst& i, const EmitRule& rule);
  void scan_vector(const EmitRule& rule, const Vector& lanes);
  template <class F>
  void move_lanes_or_neutral(const EmitRule& rule, const Vector& to, const Vector& value, F from);
  void scan_floats(const EmitRule& rule, const std::vector<Vector>& block, const Vector& neutral);
  void zero_first_active(std::uint32_t v, const Vector& to);
  void emit_float_scan(const Inst& i, const EmitRule& rule);

  // emit_arithmetic.cpp
  void arithmetic(const Inst& i, const EmitRule& rule);
  void arithmetic(const Inst& i, const EmitRule& rule, std::uint32_t v);
  void masked_arithmetic(const Inst& i, const EmitRule& rule, const Shape& shape, std::uint32_t v);
  void bool_arithmetic(const Inst& i, const EmitRule& rule);
  bool bool_arithmetic_of_masks(const Inst& i, const EmitRule& rule);
  void compute(const Inst& i, const EmitRule& rule, std::uint32_t v, const Vector& to);
  void emit_fusion(const Fusion& fusion, const EmitRule& rule, std::uint32_t v, const Vector& to);
  bool is_part(std::size_t k) const { return fusions_ && fusions_->is_part(k); }
  const Fusion* fusion_of(const Inst& i) const {
    return fusions_ ? fusions_->at(number(&i)) : nullptr;
  }
  std::uint32_t vector_place(const Fusion::Operand& operand, std::uint32_t v) const {
    return operand.at + (operand.varying ? v * shape_.bytes : 0);
  }
  void hold_operands(const Inst& i, const EmitRule& rule, std::uint32_t v);
  /// The mask of the 32-bit lanes around vector v of an operation's result.
  std::uint32_t mask_of(const Shape& shape, std::uint32_t v) const {
    return v * shape.lanes / as_.lanes();
  }
  std::vector<MaskRegister> compare_vectors(const Inst& i, const EmitRule& rule);
  Vector value(const Inst& i, int number, std::uint32_t v) {
    return cache_.value(operand(i, number, v), shape_);
  }
  Source source(const Inst& i, int number, std::uint32_t v) {
    return cache_.source(operand(i, number, v), shape_);
  }
#define LOCKSTEP_INLINE_CODE(name) \
  void name(const Inst& i, const EmitRule& rule, std::uint32_t v, const Vector& to)
  LOCKSTEP_INLINE_CODE(emit_copy);
  LOCKSTEP_INLINE_CODE(emit_select);
  LOCKSTEP_INLINE_CODE(emit_add);
  LOCKSTEP_INLINE_CODE(emit_sub);
  LOCKSTEP_INLINE_CODE(emit_mul);
  LOCKSTEP_INLINE_CODE(emit_div);
  LOCKSTEP_INLINE_CODE(emit_mod);
  LOCKSTEP_INLINE_CODE(emit_rem);
  LOCKSTEP_INLINE_CODE(emit_mul_high);
  LOCKSTEP_INLINE_CODE(emit_carry);
  LOCKSTEP_INLINE_CODE(emit_bit_insert);
  LOCKSTEP_INLINE_CODE(emit_bit_extract);
  LOCKSTEP_INLINE_CODE(emit_bit_reverse);
  LOCKSTEP_INLINE_CODE(emit_bit_count);
  LOCKSTEP_INLINE_CODE(emit_find_lsb);
  LOCKSTEP_INLINE_CODE(emit_find_msb);
  LOCKSTEP_INLINE_CODE(emit_sign);
  LOCKSTEP_INLINE_CODE(emit_neg);
  LOCKSTEP_INLINE_CODE(emit_band);
  LOCKSTEP_INLINE_CODE(emit_bor);
  LOCKSTEP_INLINE_CODE(emit_bxor);
  LOCKSTEP_INLINE_CODE(emit_bnot);
  LOCKSTEP_INLINE_CODE(emit_min);
  LOCKSTEP_INLINE_CODE(emit_max);
  LOCKSTEP_INLINE_CODE(emit_shift);
  LOCKSTEP_INLINE_CODE(emit_chain);
  LOCKSTEP_INLINE_CODE(emit_abs);
  LOCKSTEP_INLINE_CODE(emit_clamp);
  LOCKSTEP_INLINE_CODE(emit_number_min);
  LOCKSTEP_INLINE_CODE(emit_number_max);
  LOCKSTEP_INLINE_CODE(emit_round);
  LOCKSTEP_INLINE_CODE(emit_fract);
  LOCKSTEP_INLINE_CODE(emit_sqrt);
  LOCKSTEP_INLINE_CODE(emit_inverse_sqrt);
  LOCKSTEP_INLINE_CODE(emit_fma);
  LOCKSTEP_INLINE_CODE(emit_mix);
  LOCKSTEP_INLINE_CODE(emit_convert);
  // emit_narrow.cpp
  LOCKSTEP_INLINE_CODE(narrow_add);
  LOCKSTEP_INLINE_CODE(narrow_sub);
  LOCKSTEP_INLINE_CODE(narrow_mul);
  LOCKSTEP_INLINE_CODE(narrow_neg);
  LOCKSTEP_INLINE_CODE(narrow_abs);
  LOCKSTEP_INLINE_CODE(narrow_min);
  LOCKSTEP_INLINE_CODE(narrow_max);
  LOCKSTEP_INLINE_CODE(narrow_clamp);
  LOCKSTEP_INLINE_CODE(narrow_shift);
  // emit_pieces.cpp
  LOCKSTEP_INLINE_CODE(emit_extract);
  LOCKSTEP_INLINE_CODE(emit_join);
  // emit_half.cpp
  LOCKSTEP_INLINE_CODE(half_div);
  LOCKSTEP_INLINE_CODE(half_abs);
  LOCKSTEP_INLINE_CODE(half_sqrt);
  LOCKSTEP_INLINE_CODE(half_round);
  LOCKSTEP_INLINE_CODE(half_fract);
  LOCKSTEP_INLINE_CODE(half_mix);
  LOCKSTEP_INLINE_CODE(half_min);
  LOCKSTEP_INLINE_CODE(half_max);
  LOCKSTEP_INLINE_CODE(half_clamp);
  // emit_packing.cpp
  template <int bits, bool has_sign>
  LOCKSTEP_INLINE_CODE(emit_pack);
  template <int bits, bool has_sign>
  LOCKSTEP_INLINE_CODE(emit_unpack);
  LOCKSTEP_INLINE_CODE(emit_pack_halves);
  LOCKSTEP_INLINE_CODE(emit_unpack_half);
#undef LOCKSTEP_INLINE_CODE
  void multiply(const Vector& to, const Vector& a, std::uint32_t by);
  bool multiply_by_shifts(const Vector& to, const Vector& a, std::uint32_t by);
  void multiply_halves(Product product, const Vector& to, const Vector& a, const Xbyak::Operand& b,
                       const std::uint64_t* by);
  template <int bits, bool has_sign>
  void to_fraction(const Vector& to);
  Vector part(const Vector& whole) const { return as_.part(whole, shape_); }
  /// The operand in the part of a register that it takes.
  Vector narrow(const Inst& i, int number, std::uint32_t v) { return part(value(i, number, v)); }
  void multiply_bytes(const Vector& to, const Vector& a, const Vector& b);
  void multiply_bytes(const Vector& to, const Vector& a, std::uint64_t by);
  void narrow_minimum(Scalar type, const Vector& to, const Vector& a, const Vector& b);
  void narrow_maximum(Scalar type, const Vector& to, const Vector& a, const Vector& b);
  void shift_narrow(const EmitRule& rule, const Vector& to, const Vector& a, std::uint8_t count);

  // emit_division.cpp
  void quotient_by(std::uint32_t divisor, unsigned bits, const Vector& to, const Vector& a);
  void signed_quotient_by(std::uint32_t divisor, const Vector& to, const Vector& a);
  void signed_quotient_by_power(unsigned log, bool negative, const Vector& to, const Vector& a);
  void signed_mod_by(std::uint32_t divisor, const Vector& to, const Vector& a);
  void divide(const Inst& i, const EmitRule& rule, std::uint32_t v, const Vector& to);

  // emit_bits.cpp
  void extract_field(std::uint32_t offset, std::uint32_t bits, bool has_sign, const Vector& to,
                     const Vector& a);
  void field_bits(const Inst& i, std::uint32_t v, const Vector& to);
  void shift_up(const Inst& i, int count, std::uint32_t v, const Vector& to, const Vector& a);
  void shift_wide(const Inst& i, const EmitRule& rule, std::uint32_t v, const Vector& to);
  MaskRegister compare_vector(const Inst& i, const EmitRule& rule, std::uint32_t v);
  /// An operation on floats of 16 bits, by those of 32.
  template <class F>
  void in_floats(const Inst& i, std::uint32_t v, const Vector& to, F operation) {
    const Vector a = widened(i, 0, v, cache_.fresh());
    const Vector b = widened(i, 1, v, as_.scratch());
    operation(a, a, b);
    as_.vcvtps2ph(as_.half(to), a, 0);
  }
  void round_to_half(const Vector& floats, bool again);
  class HalfChoice;
  static Rounding rounding_of(Code code);
  Vector widened(const Inst& i, int number, std::uint32_t v, const Vector& to);
  void minimum(const EmitRule& rule, const Vector& to, const Vector& a, const Xbyak::Operand& b);
  void maximum(const EmitRule& rule, const Vector& to, const Vector& a, const Xbyak::Operand& b);
  void convert_words(const EmitRule& rule, const Vector& to, const Vector& from);
  void convert_short(const Inst& i, const EmitRule& rule, std::uint32_t v, const Vector& to);
  Vector saturated(const Vector& floats, Scalar type);
  Vector as_words(Scalar type, std::uint32_t at);
  void convert_to_wide(const EmitRule& rule, const Vector& to, const Vector& from);
  void convert_from_wide(const EmitRule& rule, const Vector& to, const Vector& low,
                         const Vector& high);
  Xbyak::Address in_all_lanes(const EmitRule& rule, double value);
  Xbyak::Address sign_bit(const EmitRule& rule);
  /// The place of vector v of an operand.
  std::uint32_t operand(const Inst& i, int number, std::uint32_t v) const;
  /// The operand's value if it is a constant of 32 or 64 bits.
  const std::uint64_t* constant(const Inst& i, int number) const;

  const Program& program_;
  VectorAssembler& as_;
  Transitions transitions_;
  RegisterCache cache_;
  const Shape words_;  ///< of 32-bit numbers
  Shape shape_;        ///< of the operands of the operation that code is being written for
  bool in_place_;
  std::uint32_t register_bytes_;
  std::uint32_t spill_place_ = 0;
  std::vector<Xbyak::Label> labels_;
  std::vector<bool> is_target_;
  std::vector<bool> is_reached_;              ///< targets to which code in turn jumps
  std::map<std::size_t, Contents> contents_;  ///< what registers hold at the other targets
  Constants constants_;
  std::optional<Fusions> fusions_;
  std::map<std::size_t, std::vector<LastUse>> later_;  ///< of parts, by what they are fused with
  std::deque<SimpleLoop> loops_;
  std::size_t next_loop_ = 0;       ///< the first one whose code does not begin yet
  SimpleLoop* loop_ = nullptr;      ///< that code is being written for
  std::set<std::uint32_t> parted_;  ///< the selections at whose end lanes wait in most cases
  std::deque<Cold> cold_;
  std::size_t last_uses_ = 0;  ///< of Program::last_uses, those that are past
  Xbyak::Label exit_;
};

}  // namespace lockstep::spirv
