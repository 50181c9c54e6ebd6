#include <lockstep/spirv/detail/pointer_bits.hpp>

#include "shader/run/ops/find.hpp"
#include "shader/run/ops/number.hpp"

/// \file
/// Operations on bits: copies, selects, bools, pieces of wider numbers, addresses.

namespace lockstep::spirv {
namespace {

template <class T>
const Inst* copy(const Inst* i, Context& c) {
  return each_chunk<T, T>(i, c, [](const Chunk<T>& a) { return a; });
}
template <class T>
const Inst* choose(const Inst* i, Context& c) {
  return each_chunk<T, bool, T, T>(
      i, c, [](const Chunk<bool>& condition, const Chunk<T>& a, const Chunk<T>& b) {
        return select(condition, a, b);
      });
}

template <class F>
const Inst* mask_operation(const Inst* i, Context& c, F f) {
  put_mask(c.regs + i->dst, f(get_mask(c.regs + i->a), get_mask(c.regs + i->b)));
  return i + 1;
}

const Inst* copy_bool(const Inst* i, Context& c) {
  put_mask(c.regs + i->dst, get_mask(c.regs + i->a));
  return i + 1;
}
const Inst* choose_bool(const Inst* i, Context& c) {
  const Mask<128> condition = get_mask(c.regs + i->a);
  put_mask(c.regs + i->dst,
           (get_mask(c.regs + i->b) & condition) | get_mask(c.regs + i->c).without(condition));
  return i + 1;
}

/// Piece number imm of a wider integer.
template <class Piece, class Whole>
const Inst* extract_piece(const Inst* i, Context& c) {
  const auto shift = static_cast<Whole>(i->imm * 8 * sizeof(Piece));
  return each_chunk<Piece, Whole>(
      i, c, [shift](const Chunk<Whole>& v) { return Chunk<Piece>(v >> Chunk<Whole>(shift)); });
}
/// A wider integer with piece number imm replaced.
template <class Whole, class Piece>
const Inst* join_pieces(const Inst* i, Context& c) {
  const auto shift = static_cast<Whole>(i->imm * 8 * sizeof(Piece));
  return each_chunk<Whole, Whole, Piece>(
      i, c, [shift](const Chunk<Whole>& whole, const Chunk<Piece>& piece) {
        return whole | (Chunk<Whole>(piece) << Chunk<Whole>(shift));
      });
}

/// Offset + index * stride; all ones if the index is out of range or the sum is too large.
const Inst* chain(const Inst* i, Context& c) {
  const std::uint64_t stride = i->imm;
  const std::uint64_t limit = *static_cast<const std::uint64_t*>(i->args);
  const auto place = [&](std::uint32_t offset, std::uint32_t index) {
    const std::uint64_t sum = offset + index * stride;
    const bool bad = offset == 0xffffffff || index >= limit || sum > 0xfffffffe;
    return bad ? 0xffffffff : static_cast<std::uint32_t>(sum);
  };
  if (!i->varying_result() && !i->masked()) {
    const std::uint32_t at =
        place(get_first<std::uint32_t>(c.regs + i->a), get_first<std::uint32_t>(c.regs + i->b));
    put<std::uint32_t>(c.regs + i->dst, Chunk<std::uint32_t>(at));
    return i + 1;
  }
  return each_chunk<std::uint32_t, std::uint32_t, std::uint32_t>(
      i, c, [&](const Chunk<std::uint32_t>& offset, const Chunk<std::uint32_t>& index) {
        return detail::map(place, offset, index);
      });
}

/// Pointer + index * stride, with a signed or unsigned index.
template <class Index>
const Inst* address_add(const Inst* i, Context& c) {
  const std::uint64_t stride = i->imm;
  return each_chunk<std::uint64_t, std::uint64_t, Index>(
      i, c, [stride](const Chunk<std::uint64_t>& address, const Chunk<Index>& index) {
        return detail::map(
            [stride](std::uint64_t a, Index k) {
              return pointers::moved_pointer(
                  a, static_cast<std::uint64_t>(static_cast<std::int64_t>(k)) * stride);
            },
            address, index);
      });
}

template <class Whole>
Run find_piece(bool extract, Scalar piece) {
  return for_bits(piece, [&]<class Piece>() -> Run {
    if constexpr (sizeof(Piece) < sizeof(Whole))
      return extract ? extract_piece<Piece, Whole> : join_pieces<Whole, Piece>;
    return nullptr;
  });
}

}  // namespace

Run find_bool(Code code) {
  switch (code) {
    case Code::copy:
      return copy_bool;
    case Code::select:
      return choose_bool;
    case Code::band:
      return [](const Inst* i, Context& c) {
        return mask_operation(i, c, [](Mask<128> a, Mask<128> b) { return a & b; });
      };
    case Code::bor:
      return [](const Inst* i, Context& c) {
        return mask_operation(i, c, [](Mask<128> a, Mask<128> b) { return a | b; });
      };
    case Code::bxor:
    case Code::not_equal:
      return [](const Inst* i, Context& c) {
        return mask_operation(i, c, [](Mask<128> a, Mask<128> b) { return a ^ b; });
      };
    case Code::equal:
      return [](const Inst* i, Context& c) {
        return mask_operation(i, c, [](Mask<128> a, Mask<128> b) { return ~(a ^ b); });
      };
    case Code::bnot:
      return [](const Inst* i, Context& c) {
        put_mask(c.regs + i->dst, ~get_mask(c.regs + i->a));
        return i + 1;
      };
    default:
      return nullptr;
  }
}

Run find_bits(Code code, Scalar type, Scalar from) {
  switch (code) {
    case Code::copy:
      return for_bits(type, []<class T>() -> Run { return copy<T>; });
    case Code::select:
      return for_bits(type, []<class T>() -> Run { return choose<T>; });
    case Code::extract_piece:
      return for_bits(from, [&]<class Whole>() { return find_piece<Whole>(true, type); });
    case Code::join_pieces:
      return for_bits(type, [&]<class Whole>() { return find_piece<Whole>(false, from); });
    case Code::chain:
      return chain;
    case Code::address_add:
      return for_integer(from, []<class T>() -> Run { return address_add<T>; });
    default:
      return nullptr;
  }
}

}  // namespace lockstep::spirv
