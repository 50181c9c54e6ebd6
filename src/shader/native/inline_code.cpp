#if LOCKSTEP_SPIRV_NATIVE

#include "shader/native/emitter.hpp"

#include <array>
#include <utility>

/// \file
/// The operations that machine code computes inline.

namespace lockstep::spirv {

/// Long, as it lists them.
const InlineCode& Emitter::inline_code(Code code) {
  using enum InlineCode::On;
  using Narrow = decltype(InlineCode::narrow);
  static constexpr std::pair<Code, Narrow> narrow_codes[] = {
      {Code::copy, &Emitter::emit_copy},        {Code::select, &Emitter::emit_select},
      {Code::add, &Emitter::narrow_add},        {Code::sub, &Emitter::narrow_sub},
      {Code::mul, &Emitter::narrow_mul},        {Code::neg, &Emitter::narrow_neg},
      {Code::band, &Emitter::emit_band},        {Code::bor, &Emitter::emit_bor},
      {Code::bxor, &Emitter::emit_bxor},        {Code::bnot, &Emitter::emit_bnot},
      {Code::shl, &Emitter::narrow_shift},      {Code::shr, &Emitter::narrow_shift},
      {Code::abs, &Emitter::narrow_abs},        {Code::min, &Emitter::narrow_min},
      {Code::max, &Emitter::narrow_max},        {Code::clamp, &Emitter::narrow_clamp},
      {Code::convert, &Emitter::emit_convert},  {Code::extract_piece, &Emitter::emit_extract},
      {Code::join_pieces, &Emitter::emit_join},
  };
  static constexpr std::pair<Code, int> others[] = {
      {Code::convert, 0}, {Code::extract_piece, 0}, {Code::join_pieces, 1}};
  static constexpr std::pair<Code, Narrow> half_codes[] = {
      {Code::div, &Emitter::half_div},          {Code::abs, &Emitter::half_abs},
      {Code::min, &Emitter::half_min},          {Code::max, &Emitter::half_max},
      {Code::clamp, &Emitter::half_clamp},      {Code::mix, &Emitter::half_mix},
      {Code::sqrt, &Emitter::half_sqrt},        {Code::floor, &Emitter::half_round},
      {Code::ceil, &Emitter::half_round},       {Code::trunc, &Emitter::half_round},
      {Code::round_even, &Emitter::half_round}, {Code::fract, &Emitter::half_fract},
  };
  static constexpr std::pair<Code, InlineCode> bit_codes[] = {
      {Code::mul_high, {words, 0, 2, &Emitter::emit_mul_high, few_spares}},
      {Code::add_carry, {words, 0, 2, &Emitter::emit_carry, few_spares}},
      {Code::sub_borrow, {words, 0, 2, &Emitter::emit_carry, few_spares}},
      {Code::bit_insert, {words, 0, 4, &Emitter::emit_bit_insert, 5}},
      {Code::bit_extract, {words, 0, 3, &Emitter::emit_bit_extract, 4}},
      {Code::bit_reverse, {words, 0, 1, &Emitter::emit_bit_reverse, few_spares}},
      {Code::bit_count, {words, 0, 1, &Emitter::emit_bit_count, few_spares}},
      {Code::find_lsb, {words, 0, 1, &Emitter::emit_find_lsb}},
      {Code::find_msb, {words, 0, 1, &Emitter::emit_find_msb}},
      {Code::sign, {words, 0, 1, &Emitter::emit_sign}},
  };
  constexpr auto pure_operations = static_cast<std::size_t>(Code::move);
  static constexpr auto all = [] {
    std::array<InlineCode, pure_operations> rows;
    const auto row = [&rows](Code c) -> InlineCode& { return rows[static_cast<std::size_t>(c)]; };
    row(Code::copy) = {numbers, 0, 1, &Emitter::emit_copy};
    row(Code::select) = {numbers, 1, 3, &Emitter::emit_select};
    row(Code::add) = {numbers, 0, 2, &Emitter::emit_add};
    row(Code::sub) = {numbers, 0, 2, &Emitter::emit_sub};
    row(Code::mul) = {numbers, 0, 2, &Emitter::emit_mul};
    row(Code::neg) = {numbers, 0, 1, &Emitter::emit_neg};
    row(Code::div) = {words_and_floats, 0, 2, &Emitter::emit_div, most_spares};
    row(Code::mod) = {words, 0, 2, &Emitter::emit_mod, most_spares};
    row(Code::rem) = {words, 0, 2, &Emitter::emit_rem, most_spares};
    row(Code::band) = {integers, 0, 2, &Emitter::emit_band};
    row(Code::bor) = {integers, 0, 2, &Emitter::emit_bor};
    row(Code::bxor) = {integers, 0, 2, &Emitter::emit_bxor};
    row(Code::bnot) = {integers, 0, 1, &Emitter::emit_bnot};
    row(Code::shl) = {integers, 0, 2, &Emitter::emit_shift};
    row(Code::shr) = {integers, 0, 2, &Emitter::emit_shift};
    row(Code::chain) = {words, 0, 2, &Emitter::emit_chain, few_spares};
    row(Code::abs) = {words_and_floats, 0, 1, &Emitter::emit_abs};
    row(Code::min) = {words_and_floats, 0, 2, &Emitter::emit_min};
    row(Code::max) = {words_and_floats, 0, 2, &Emitter::emit_max};
    row(Code::clamp) = {words_and_floats, 0, 3, &Emitter::emit_clamp, few_spares};
    row(Code::nmin) = {floats, 0, 2, &Emitter::emit_number_min, few_spares};
    row(Code::nmax) = {floats, 0, 2, &Emitter::emit_number_max, few_spares};
    for (const Code c : {Code::floor, Code::ceil, Code::trunc, Code::round_even})
      row(c) = {floats, 0, 1, &Emitter::emit_round};
    row(Code::fract) = {floats, 0, 1, &Emitter::emit_fract};
    row(Code::sqrt) = {floats, 0, 1, &Emitter::emit_sqrt};
    row(Code::inverse_sqrt) = {floats, 0, 1, &Emitter::emit_inverse_sqrt};
    row(Code::fma) = {floats, 0, 3, &Emitter::emit_fma, few_spares};
    row(Code::mix) = {floats, 0, 3, &Emitter::emit_mix, few_spares};
    row(Code::convert) = {nothing, 0, 1, &Emitter::emit_convert, few_spares};
    row(Code::extract_piece) = {integers, 0, 1, &Emitter::emit_extract, few_spares};
    row(Code::join_pieces) = {integers, 0, 2, &Emitter::emit_join, few_spares};
    for (const auto& [other_code, number] : others) row(other_code).other = number;
    row(Code::pack_unorm_4x8) = {floats, 0, 4, &Emitter::emit_pack<8, false>, few_spares};
    row(Code::pack_snorm_4x8) = {floats, 0, 4, &Emitter::emit_pack<8, true>, few_spares};
    row(Code::pack_unorm_2x16) = {floats, 0, 2, &Emitter::emit_pack<16, false>, few_spares};
    row(Code::pack_snorm_2x16) = {floats, 0, 2, &Emitter::emit_pack<16, true>, few_spares};
    row(Code::pack_half_2x16) = {floats, 0, 2, &Emitter::emit_pack_halves, few_spares};
    row(Code::unpack_unorm_4x8) = {words, 0, 1, &Emitter::emit_unpack<8, false>, few_spares};
    row(Code::unpack_snorm_4x8) = {words, 0, 1, &Emitter::emit_unpack<8, true>, few_spares};
    row(Code::unpack_unorm_2x16) = {words, 0, 1, &Emitter::emit_unpack<16, false>, few_spares};
    row(Code::unpack_snorm_2x16) = {words, 0, 1, &Emitter::emit_unpack<16, true>, few_spares};
    row(Code::unpack_half_2x16) = {words, 0, 1, &Emitter::emit_unpack_half, few_spares};
    for (const auto& [bit_code, inlined] : bit_codes) row(bit_code) = inlined;
    for (const auto& [narrow_code, emit] : narrow_codes) row(narrow_code).narrow = emit;
    for (const auto& [half_code, emit] : half_codes) row(half_code).half = emit;
    return rows;
  }();
  return all[static_cast<std::size_t>(code)];
}

}  // namespace lockstep::spirv

#endif
