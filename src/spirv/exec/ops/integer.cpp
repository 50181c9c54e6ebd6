#include <lockstep/glsl/functions/integer.hpp>

#include "spirv/exec/ops/find.hpp"
#include "spirv/exec/ops/number.hpp"
#include "spirv/exec/ops/operations.hpp"

namespace lockstep::spirv {
namespace {

template <class T, class F>
const Inst* unary(const Inst* i, Context& c) {
  return each_chunk<T, T>(i, c, F{});
}
template <class T, class F>
const Inst* binary(const Inst* i, Context& c) {
  return each_chunk<T, T, T>(i, c, F{});
}
template <class T, class F>
const Inst* comparison(const Inst* i, Context& c) {
  return each_chunk<bool, T, T>(i, c, F{});
}

using namespace operation;

struct Abs {
  template <class L>
  LOCKSTEP_INLINE auto operator()(const L& a) const {
    return select(a < L(0), -a, a);
  }
};
struct Sign {
  template <class L>
  LOCKSTEP_INLINE auto operator()(const L& a) const {
    using T = typename L::value_type;
    return select(a < L(0), L(static_cast<T>(-1)), L(a > L(0)));
  }
};
struct BitReverse {
  template <class L>
  LOCKSTEP_INLINE auto operator()(const L& a) const {
    return bitfieldReverse(a);
  }
};

/// Division by a uniform value, usually a power of two, is cheaper.
template <class T>
const Inst* divide(const Inst* i, Context& c) {
  if (!i->varying(1)) {
    const T divisor = get_first<T>(c.regs + i->b);
    return each_chunk<T, T>(i, c, [divisor](const Chunk<T>& a) { return a / divisor; });
  }
  return each_chunk<T, T, T>(i, c, [](const Chunk<T>& a, const Chunk<T>& b) { return a / b; });
}
template <class T>
const Inst* modulo(const Inst* i, Context& c) {
  if (!i->varying(1)) {
    const T divisor = get_first<T>(c.regs + i->b);
    return each_chunk<T, T>(i, c, [divisor](const Chunk<T>& a) { return a % divisor; });
  }
  return each_chunk<T, T, T>(i, c, [](const Chunk<T>& a, const Chunk<T>& b) { return a % b; });
}
/// The remainder with the sign of the dividend.
template <class T>
const Inst* remainder(const Inst* i, Context& c) {
  return each_chunk<T, T, T>(i, c,
                             [](const Chunk<T>& a, const Chunk<T>& b) { return a - a / b * b; });
}

template <class T>
T high_product(T a, T b) {
  if constexpr (sizeof(T) == 8) {
    __extension__ using Wide = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
    return static_cast<T>((static_cast<Wide>(a) * static_cast<Wide>(b)) >> 64);
  } else {
    using Wide = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
    return static_cast<T>((static_cast<Wide>(a) * static_cast<Wide>(b)) >> (8 * sizeof(T)));
  }
}
template <class T>
const Inst* mul_high(const Inst* i, Context& c) {
  return each_chunk<T, T, T>(i, c, [](const Chunk<T>& a, const Chunk<T>& b) {
    return detail::map([](T x, T y) { return high_product(x, y); }, a, b);
  });
}

template <class T>
const Inst* add_sat(const Inst* i, Context& c) {
  return each_chunk<T, T, T>(i, c, [](const Chunk<T>& a, const Chunk<T>& b) {
    return detail::map(
        [](T x, T y) {
          T sum;
          if (!__builtin_add_overflow(x, y, &sum)) return sum;
          return x < 0 ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
        },
        a, b);
  });
}

template <class T>
const Inst* clamp_to(const Inst* i, Context& c) {
  return each_chunk<T, T, T, T>(i, c,
                                [](const Chunk<T>& x, const Chunk<T>& low, const Chunk<T>& high) {
                                  return min(max(x, low), high);
                                });
}

template <class T>
const Inst* count_bits(const Inst* i, Context& c) {
  return each_chunk<std::int32_t, T>(i, c, [](const Chunk<T>& a) { return bitCount(a); });
}
template <class T>
const Inst* lowest_bit(const Inst* i, Context& c) {
  return each_chunk<std::int32_t, T>(i, c, [](const Chunk<T>& a) { return findLSB(a); });
}
template <class T>
const Inst* highest_bit(const Inst* i, Context& c) {
  return each_chunk<std::int32_t, T>(i, c, [](const Chunk<T>& a) { return findMSB(a); });
}
template <class T>
const Inst* insert_bits(const Inst* i, Context& c) {
  return each_chunk<T, T, T, std::int32_t, std::int32_t>(
      i, c,
      [](const Chunk<T>& base, const Chunk<T>& insert, const Chunk<std::int32_t>& offset,
         const Chunk<std::int32_t>& bits) { return bitfieldInsert(base, insert, offset, bits); });
}
template <class T>
const Inst* extract_bits(const Inst* i, Context& c) {
  return each_chunk<T, T, std::int32_t, std::int32_t>(
      i, c,
      [](const Chunk<T>& base, const Chunk<std::int32_t>& offset, const Chunk<std::int32_t>& bits) {
        return bitfieldExtract(base, offset, bits);
      });
}

}  // namespace

Run find_integer(Code code, Scalar type) {
  return for_integer(type, [&]<class T>() -> Run {
    switch (code) {
      case Code::add:
        return binary<T, Add>;
      case Code::sub:
        return binary<T, Sub>;
      case Code::mul:
        return binary<T, Mul>;
      case Code::neg:
        return unary<T, Neg>;
      case Code::div:
        return divide<T>;
      case Code::mod:
        return modulo<T>;
      case Code::rem:
        return remainder<T>;
      case Code::band:
        return binary<T, And>;
      case Code::bor:
        return binary<T, Or>;
      case Code::bxor:
        return binary<T, Xor>;
      case Code::bnot:
        return unary<T, Not>;
      case Code::shl:
        return binary<T, Shl>;
      case Code::shr:
        return binary<T, Shr>;
      case Code::equal:
        return comparison<T, Equal>;
      case Code::not_equal:
        return comparison<T, NotEqual>;
      case Code::less:
        return comparison<T, Less>;
      case Code::less_equal:
        return comparison<T, LessEqual>;
      case Code::min:
        return binary<T, Min>;
      case Code::max:
        return binary<T, Max>;
      case Code::clamp:
        return clamp_to<T>;
      case Code::abs:
        return unary<T, Abs>;
      case Code::sign:
        return unary<T, Sign>;
      case Code::mul_high:
        return mul_high<T>;
      case Code::add_sat:
        return add_sat<T>;
      case Code::add_carry:
        return binary<T, AddCarry>;
      case Code::sub_borrow:
        return binary<T, SubBorrow>;
      case Code::bit_reverse:
        return unary<T, BitReverse>;
      case Code::bit_count:
        return count_bits<T>;
      case Code::find_lsb:
        return lowest_bit<T>;
      case Code::find_msb:
        return highest_bit<T>;
      case Code::bit_insert:
        return insert_bits<T>;
      case Code::bit_extract:
        return extract_bits<T>;
      default:
        return nullptr;
    }
  });
}

}  // namespace lockstep::spirv
