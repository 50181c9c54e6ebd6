#pragma once

#include "shader/run/ops/chunk.hpp"

namespace lockstep::spirv {

// The function for an operation F from numbers of a type to one of the same type.

template <class T, class F>
Run unary(F) {
  return [](const Inst* i, Context& c) { return each_chunk<T, T>(i, c, F{}); };
}
template <class T, class F>
Run binary(F) {
  return [](const Inst* i, Context& c) { return each_chunk<T, T, T>(i, c, F{}); };
}

/// f.template operator()<T>() for the C++ type of an integer; null for other types.
template <class F>
Run for_integer(Scalar type, F f) {
  switch (type) {
    case Scalar::i8:
      return f.template operator()<std::int8_t>();
    case Scalar::i16:
      return f.template operator()<std::int16_t>();
    case Scalar::i32:
      return f.template operator()<std::int32_t>();
    case Scalar::i64:
      return f.template operator()<std::int64_t>();
    case Scalar::u8:
      return f.template operator()<std::uint8_t>();
    case Scalar::u16:
      return f.template operator()<std::uint16_t>();
    case Scalar::u32:
      return f.template operator()<std::uint32_t>();
    case Scalar::u64:
      return f.template operator()<std::uint64_t>();
    default:
      return nullptr;
  }
}

template <class F>
Run for_float(Scalar type, F f) {
  switch (type) {
    case Scalar::f16:
      return f.template operator()<float16_t>();
    case Scalar::f32:
      return f.template operator()<float>();
    case Scalar::f64:
      return f.template operator()<double>();
    default:
      return nullptr;
  }
}

template <class F>
Run for_number(Scalar type, F f) {
  return is_float(type) ? for_float(type, f) : for_integer(type, f);
}

/// The same for unsigned integers of the type's size, for operations that only move bits.
template <class F>
Run for_bits(Scalar type, F f) {
  if (type == Scalar::boolean) return nullptr;
  switch (size_of(type)) {
    case 1:
      return f.template operator()<std::uint8_t>();
    case 2:
      return f.template operator()<std::uint16_t>();
    case 4:
      return f.template operator()<std::uint32_t>();
    default:
      return f.template operator()<std::uint64_t>();
  }
}

}  // namespace lockstep::spirv
