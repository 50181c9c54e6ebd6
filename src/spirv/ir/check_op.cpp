#include "spirv/ir/check_op.hpp"

#include <algorithm>

#include "spirv/ir/built_ins.hpp"

namespace lockstep::spirv {
namespace {

constexpr const char* wrong_number = "has too few or too many operands";
constexpr const char* wrong_type = "has an operand or result of the wrong type";

/// Operands and results of one operation.
class Checker {
 public:
  Checker(const Op& op, std::span<const RegInfo> regs, std::optional<Scalar> result)
      : op_(op), regs_(regs), result_(result) {}

  const char* wrong() const {
    if (is_pure(op_.code)) return pure();
    if (is_subgroup(op_.code)) return subgroup();
    if (is_control(op_.code)) return flow();
    return effect();
  }

 private:
  bool is(Reg r, Scalar type) const {
    return r < regs_.size() && same_contents(regs_[r].type, type);
  }
  bool sources(std::initializer_list<Scalar> types) const {
    return std::equal(op_.src.begin(), op_.src.end(), types.begin(), types.end(),
                      [&](Reg r, Scalar type) { return is(r, type); });
  }
  bool sources_from(std::size_t first, Scalar type) const {
    return std::all_of(op_.src.begin() + static_cast<std::ptrdiff_t>(first), op_.src.end(),
                       [&](Reg r) { return is(r, type); });
  }
  bool results(Scalar type) const {
    if (result_ && !same_contents(*result_, type)) return false;
    return std::all_of(op_.dst.begin(), op_.dst.end(), [&](Reg r) { return is(r, type); });
  }
  static const char* unless(bool right) { return right ? nullptr : wrong_type; }

  /// Of a component-wise operation that all have one type.
  std::size_t operands() const {
    switch (op_.code) {
      case Code::neg:
      case Code::bnot:
      case Code::bit_reverse:
      case Code::abs:
      case Code::sign:
      case Code::round:
      case Code::round_even:
      case Code::trunc:
      case Code::floor:
      case Code::ceil:
      case Code::fract:
      case Code::radians:
      case Code::degrees:
      case Code::sin:
      case Code::cos:
      case Code::tan:
      case Code::asin:
      case Code::acos:
      case Code::atan:
      case Code::sinh:
      case Code::cosh:
      case Code::tanh:
      case Code::asinh:
      case Code::acosh:
      case Code::atanh:
      case Code::exp:
      case Code::log:
      case Code::exp2:
      case Code::log2:
      case Code::sqrt:
      case Code::inverse_sqrt:
      case Code::modf_fraction:
      case Code::modf_whole:
      case Code::frexp_fraction:
      case Code::unpack_unorm_4x8:
      case Code::unpack_snorm_4x8:
      case Code::unpack_unorm_2x16:
      case Code::unpack_snorm_2x16:
      case Code::unpack_half_2x16:
      case Code::quantize_f16:
        return 1;
      case Code::clamp:
      case Code::nclamp:
      case Code::fma:
      case Code::mix:
      case Code::smooth_step:
        return 3;
      case Code::pack_unorm_4x8:
      case Code::pack_snorm_4x8:
        return 4;
      default:
        return 2;
    }
  }

  const char* pure() const {
    const Scalar type = op_.type, from = op_.from;
    switch (op_.code) {
      case Code::copy:
        return unless(sources({type}) && results(type));
      case Code::select:
        return unless(sources({Scalar::boolean, type, type}) && results(type));
      case Code::convert:
        return unless(sources({from}) && results(type));
      case Code::equal:
      case Code::not_equal:
      case Code::less:
      case Code::less_equal:
        return unless(sources({type, type}) && results(Scalar::boolean));
      case Code::is_nan:
      case Code::is_inf:
        return unless(sources({type}) && is_float(type) && results(Scalar::boolean));
      case Code::bit_insert:
        return unless(sources({type, type, Scalar::u32, Scalar::u32}) && results(type));
      case Code::bit_extract:
        return unless(sources({type, Scalar::u32, Scalar::u32}) && results(type));
      case Code::bit_count:
      case Code::find_lsb:
      case Code::find_msb:
      case Code::frexp_exponent:
        return unless(sources({type}) && results(Scalar::i32));
      case Code::ldexp:
        return unless(sources({type, Scalar::i32}) && results(type));
      case Code::extract_piece:
        return unless(sources({from}) && results(type));
      case Code::join_pieces:
        return unless(sources({type, from}) && results(type));
      case Code::chain:
        return unless(sources({Scalar::u32, Scalar::u32}) && results(Scalar::u32));
      case Code::address_add:
        return unless(sources({Scalar::u64, op_.from}) && results(Scalar::u64));
      default:
        if (op_.src.size() != operands()) return wrong_number;
        return unless(sources_from(0, type) && results(type));
    }
  }

  /// Whether an index comes first, or none.
  bool index_first(Scalar type) const {
    return !op_.src.empty() && (op_.src[0] == no_reg || is(op_.src[0], type));
  }

  const char* effect() const {
    const Scalar type = op_.type;
    constexpr Scalar index = Scalar::u32, pointer = Scalar::u64;
    switch (op_.code) {
      case Code::move:
        return unless(sources({type}) && op_.dst.size() == 1 && results(type));
      case Code::load:
        return unless((op_.src.empty() || sources({index})) && results(type));
      case Code::load_address:
        return unless(sources({pointer}) && results(type));
      case Code::store:
        return unless(index_first(index) && sources_from(1, type));
      case Code::store_address:
        return unless(index_first(pointer) && sources_from(1, type));
      case Code::atomic:
        return unless(index_first(index) && sources_from(1, type) && results(type));
      case Code::atomic_address:
        return unless(index_first(pointer) && sources_from(1, type) && results(type));
      case Code::load_indexed:
        return unless(sources({index}) && results(type));
      case Code::store_indexed:
        return unless(sources({index, type}));
      case Code::array_length:
        return unless((op_.src.empty() || sources({pointer})) && results(Scalar::u32));
      case Code::image_texel:
      case Code::image_size:
        return unless(sources_from(0, index) && results(index));
      case Code::image_load:
        return unless(!op_.src.empty() && is(op_.src[0], index) && sources_from(1, index) &&
                      results(type));
      case Code::image_store:
        return image_store();
      case Code::image_sample:
        return unless(sources_from(0, Scalar::f32) && results(type));
      default:
        return nullptr;
    }
  }

  /// The texel's number, four numbers and perhaps which image.
  const char* image_store() const {
    if (op_.src.size() != 5 + (op_.as<ImageOp>().choices > 0 ? 1 : 0)) return wrong_number;
    bool right = is(op_.src[0], Scalar::u32);
    for (std::size_t k = 1; k < 5; ++k) right = right && is(op_.src[k], op_.type);
    return unless(right && (op_.src.size() < 6 || is(op_.src[5], Scalar::u32)));
  }

  const char* subgroup() const {
    using enum spec::Form;
    constexpr Scalar bit = Scalar::boolean, word = Scalar::u32;
    const Scalar type = op_.type;
    switch (spec::function(name_of(op_)).form) {
      case nothing:
        return unless(sources({}) && results(bit));
      case condition:
        return unless(sources({bit}) && results(bit));
      case condition_to_ballot:
        return unless(sources({bit}) && results(word));
      case comparison:
        return unless(sources({type}) && results(bit));
      case value:
      case value_cluster:
        return unless(sources({type}) && results(type));
      case value_index:
      case value_index_cluster:
        return unless(sources({type, word}) && results(type));
      case value_ballot:
        return unless(sources({type, word, word, word, word}) && results(type));
      case value_to_ballot:
        return unless(sources({type}) && results(word));
      case ballot:
        return unless(sources({word, word, word, word}) && results(type));
      case ballot_index:
        return unless(sources({word, word, word, word, word}) && results(type));
    }
    return nullptr;
  }

  const char* flow() const {
    switch (op_.code) {
      case Code::if_begin:
      case Code::loop_test:
        return unless(sources({Scalar::boolean}));
      case Code::switch_begin:
        return unless(op_.src.size() == 1 && is_integer(op_.src[0]));
      case Code::switch_case:
        return unless(sources({op_.type}) && is_integer(op_.src[0]));
      default:
        return nullptr;
    }
  }
  bool is_integer(Reg r) const {
    if (r >= regs_.size()) return false;
    return regs_[r].type != Scalar::boolean && !is_float(regs_[r].type);
  }

  const Op& op_;
  std::span<const RegInfo> regs_;
  std::optional<Scalar> result_;
};

}  // namespace

const char* wrong_with(const Op& op, std::span<const RegInfo> regs, std::optional<Scalar> result) {
  return Checker(op, regs, result).wrong();
}

}  // namespace lockstep::spirv
