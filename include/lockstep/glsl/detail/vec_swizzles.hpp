#pragma once

#include <lockstep/config.hpp>
#include <lockstep/lanes/detail/element.hpp>

/// \file
/// The components of a GLSL vector and every selection of up to four of them,
/// as members.

namespace lockstep::inline LOCKSTEP_ABI {

template <class T, int W>
class Lanes;
template <class T, int N, int W>
struct Vec;

namespace detail {

template <class L, int N>
struct VecComponents;

template <class L>
struct VecComponents<L, 2> {
  L x, y;

  template <int K>
  requires(K < 2) LOCKSTEP_INLINE const L& component() const {
    if constexpr (K == 0)
      return x;
    else
      return y;
  }
};

template <class L>
struct VecComponents<L, 3> {
  L x, y, z;

  template <int K>
  requires(K < 3) LOCKSTEP_INLINE const L& component() const {
    if constexpr (K == 0)
      return x;
    else if constexpr (K == 1)
      return y;
    else
      return z;
  }
};

template <class L>
struct VecComponents<L, 4> {
  L x, y, z, w;

  template <int K>
  requires(K < 4) LOCKSTEP_INLINE const L& component() const {
    if constexpr (K == 0)
      return x;
    else if constexpr (K == 1)
      return y;
    else if constexpr (K == 2)
      return z;
    else
      return w;
  }
};

/// The index of the component that a letter names.
constexpr int component_index(char letter) {
  switch (letter) {
    case 'x':
    case 'r':
      return 0;
    case 'y':
    case 'g':
      return 1;
    case 'z':
    case 'b':
      return 2;
    default:
      return 3;
  }
}

/// A selection of components of the vector V, or its component r, g, b or a: an empty member at the vector's
/// address. It is read when it is used as a Value, and has no name, as an element of an array.
template <class V, class Value, char... Letters>
class Swizzle {
 public:
  using MemoryValue = Value;

  Swizzle() = default;
  LOCKSTEP_NAMED_ELEMENT Swizzle(const Swizzle&);
  Swizzle& operator=(const Swizzle&) = delete;

  LOCKSTEP_INLINE operator Value() const { return (*this)(); }
  /// The same as a function.
  LOCKSTEP_INLINE Value operator()() const {
    const V& vector = *reinterpret_cast<const V*>(this);
    return Value(vector.template component<component_index(Letters)>()...);
  }
  /// A component of the selection, or a lane of a component.
  LOCKSTEP_INLINE auto operator[](int k) const { return (*this)()[k]; }
};

/// The same of a variable, which may be assigned: no component is there twice.
template <class Variable, class Value, char... Letters>
class VarSwizzle {
 public:
  using MemoryValue = Value;

  VarSwizzle() = default;
  LOCKSTEP_NAMED_ELEMENT VarSwizzle(const VarSwizzle&);

  LOCKSTEP_INLINE operator Value() const { return (*this)(); }
  /// The same as a function.
  LOCKSTEP_INLINE Value operator()() const {
    return Value(variable().template component<component_index(Letters)>()...);
  }
  /// A component of the selection, or a lane of a component.
  LOCKSTEP_INLINE auto operator[](int k) const { return (*this)()[k]; }

  /// Sets these components in the active lanes.
  LOCKSTEP_INLINE void operator=(const Value& value) {
    *reinterpret_cast<Variable*>(this) = Variable::generate([&](
        auto k) __attribute__((always_inline)) { return component_with<k>(value); });
  }
  LOCKSTEP_INLINE void operator=(const VarSwizzle& other) { *this = other(); }

 private:
  LOCKSTEP_INLINE const Variable& variable() const {
    return *reinterpret_cast<const Variable*>(this);
  }
  /// Component K of the variable that has `value` in place of these.
  template <int K>
  LOCKSTEP_INLINE decltype(auto) component_with(const Value& value) const {
    constexpr int at = [] {
      int found = -1, n = 0;
      ((component_index(Letters) == K ? found = n : 0, ++n), ...);
      return found;
    }();
    if constexpr (at < 0)
      return variable().template component<K>();
    else if constexpr (sizeof...(Letters) == 1)
      return (value);
    else
      return value.template component<at>();
  }
};

#define LOCKSTEP_SWIZZLE_ASSIGN(op)                                                           \
  /** Reads, combines, and sets the active lanes. */                                          \
  template <class Variable, class Value, char... Letters, class A>                            \
  LOCKSTEP_INLINE void operator op##=(VarSwizzle<Variable, Value, Letters...>& part, A&& a) { \
    part = part() op static_cast<A&&>(a);                                                     \
  }
LOCKSTEP_SWIZZLE_ASSIGN(+)
LOCKSTEP_SWIZZLE_ASSIGN(-)
LOCKSTEP_SWIZZLE_ASSIGN(*)
LOCKSTEP_SWIZZLE_ASSIGN(/)
LOCKSTEP_SWIZZLE_ASSIGN(%)
LOCKSTEP_SWIZZLE_ASSIGN(&)
LOCKSTEP_SWIZZLE_ASSIGN(|)
LOCKSTEP_SWIZZLE_ASSIGN(^)
LOCKSTEP_SWIZZLE_ASSIGN(<<)
LOCKSTEP_SWIZZLE_ASSIGN(>>)
#undef LOCKSTEP_SWIZZLE_ASSIGN

// Each selection of the components a to d is LOCKSTEP_SELECT_n of its letters:
// first swizzles of two, then swizzles of three that start with them, and so on.
#define LOCKSTEP_SELECT_1(p) [[no_unique_address]] Of<Lanes<T, W>, *#p> p;
#define LOCKSTEP_SELECT_2(p, q) [[no_unique_address]] Of<Vec<T, 2, W>, *#p, *#q> p##q;
#define LOCKSTEP_SELECT_3(p, q, r) [[no_unique_address]] Of<Vec<T, 3, W>, *#p, *#q, *#r> p##q##r;
#define LOCKSTEP_SELECT_4(p, q, r, s) \
  [[no_unique_address]] Of<Vec<T, 4, W>, *#p, *#q, *#r, *#s> p##q##r##s;

#define LOCKSTEP_SELECTIONS_FROM_3_OF_2(a, b, p, q, r) \
  LOCKSTEP_SELECT_3(p, q, r)                           \
  LOCKSTEP_SELECT_4(p, q, r, a)                        \
  LOCKSTEP_SELECT_4(p, q, r, b)
#define LOCKSTEP_SELECTIONS_FROM_2_OF_2(a, b, p, q) \
  LOCKSTEP_SELECT_2(p, q)                           \
  LOCKSTEP_SELECTIONS_FROM_3_OF_2(a, b, p, q, a)    \
  LOCKSTEP_SELECTIONS_FROM_3_OF_2(a, b, p, q, b)
#define LOCKSTEP_SELECTIONS_FROM_1_OF_2(a, b, p) \
  LOCKSTEP_SELECTIONS_FROM_2_OF_2(a, b, p, a)    \
  LOCKSTEP_SELECTIONS_FROM_2_OF_2(a, b, p, b)
#define LOCKSTEP_SELECTIONS_OF_2(a, b)     \
  LOCKSTEP_SELECTIONS_FROM_1_OF_2(a, b, a) \
  LOCKSTEP_SELECTIONS_FROM_1_OF_2(a, b, b)

#define LOCKSTEP_SELECTIONS_FROM_3_OF_3(a, b, c, p, q, r) \
  LOCKSTEP_SELECTIONS_FROM_3_OF_2(a, b, p, q, r)          \
  LOCKSTEP_SELECT_4(p, q, r, c)
#define LOCKSTEP_SELECTIONS_FROM_2_OF_3(a, b, c, p, q) \
  LOCKSTEP_SELECT_2(p, q)                              \
  LOCKSTEP_SELECTIONS_FROM_3_OF_3(a, b, c, p, q, a)    \
  LOCKSTEP_SELECTIONS_FROM_3_OF_3(a, b, c, p, q, b)    \
  LOCKSTEP_SELECTIONS_FROM_3_OF_3(a, b, c, p, q, c)
#define LOCKSTEP_SELECTIONS_FROM_1_OF_3(a, b, c, p) \
  LOCKSTEP_SELECTIONS_FROM_2_OF_3(a, b, c, p, a)    \
  LOCKSTEP_SELECTIONS_FROM_2_OF_3(a, b, c, p, b)    \
  LOCKSTEP_SELECTIONS_FROM_2_OF_3(a, b, c, p, c)
#define LOCKSTEP_SELECTIONS_OF_3(a, b, c)     \
  LOCKSTEP_SELECTIONS_FROM_1_OF_3(a, b, c, a) \
  LOCKSTEP_SELECTIONS_FROM_1_OF_3(a, b, c, b) \
  LOCKSTEP_SELECTIONS_FROM_1_OF_3(a, b, c, c)

#define LOCKSTEP_SELECTIONS_FROM_3_OF_4(a, b, c, d, p, q, r) \
  LOCKSTEP_SELECTIONS_FROM_3_OF_3(a, b, c, p, q, r)          \
  LOCKSTEP_SELECT_4(p, q, r, d)
#define LOCKSTEP_SELECTIONS_FROM_2_OF_4(a, b, c, d, p, q) \
  LOCKSTEP_SELECT_2(p, q)                                 \
  LOCKSTEP_SELECTIONS_FROM_3_OF_4(a, b, c, d, p, q, a)    \
  LOCKSTEP_SELECTIONS_FROM_3_OF_4(a, b, c, d, p, q, b)    \
  LOCKSTEP_SELECTIONS_FROM_3_OF_4(a, b, c, d, p, q, c)    \
  LOCKSTEP_SELECTIONS_FROM_3_OF_4(a, b, c, d, p, q, d)
#define LOCKSTEP_SELECTIONS_FROM_1_OF_4(a, b, c, d, p) \
  LOCKSTEP_SELECTIONS_FROM_2_OF_4(a, b, c, d, p, a)    \
  LOCKSTEP_SELECTIONS_FROM_2_OF_4(a, b, c, d, p, b)    \
  LOCKSTEP_SELECTIONS_FROM_2_OF_4(a, b, c, d, p, c)    \
  LOCKSTEP_SELECTIONS_FROM_2_OF_4(a, b, c, d, p, d)
#define LOCKSTEP_SELECTIONS_OF_4(a, b, c, d)     \
  LOCKSTEP_SELECTIONS_FROM_1_OF_4(a, b, c, d, a) \
  LOCKSTEP_SELECTIONS_FROM_1_OF_4(a, b, c, d, b) \
  LOCKSTEP_SELECTIONS_FROM_1_OF_4(a, b, c, d, c) \
  LOCKSTEP_SELECTIONS_FROM_1_OF_4(a, b, c, d, d)

/// The selections of a vector's components, for Vec.
template <class V, class T, int N, int W>
class Swizzles;

// One for each number of components, whose letters follow.
#define LOCKSTEP_SWIZZLES(N, ...)                \
  template <class V, class T, int W>             \
  class Swizzles<V, T, N, W> {                   \
    template <class Value, char... Letters>      \
    using Of = Swizzle<V, Value, Letters...>;    \
                                                 \
   public:                                       \
    LOCKSTEP_INLINE Swizzles() {}                \
    LOCKSTEP_INLINE Swizzles(const Swizzles&) {} \
    __VA_ARGS__                                  \
  };
LOCKSTEP_SWIZZLES(2, LOCKSTEP_SELECT_1(r) LOCKSTEP_SELECT_1(g) LOCKSTEP_SELECTIONS_OF_2(x, y)
                         LOCKSTEP_SELECTIONS_OF_2(r, g))
LOCKSTEP_SWIZZLES(3, LOCKSTEP_SELECT_1(r) LOCKSTEP_SELECT_1(g) LOCKSTEP_SELECT_1(b)
                         LOCKSTEP_SELECTIONS_OF_3(x, y, z) LOCKSTEP_SELECTIONS_OF_3(r, g, b))
LOCKSTEP_SWIZZLES(4, LOCKSTEP_SELECT_1(r) LOCKSTEP_SELECT_1(g) LOCKSTEP_SELECT_1(b)
                         LOCKSTEP_SELECT_1(a) LOCKSTEP_SELECTIONS_OF_4(x, y, z, w)
                             LOCKSTEP_SELECTIONS_OF_4(r, g, b, a))
#undef LOCKSTEP_SWIZZLES
#undef LOCKSTEP_SELECTIONS_OF_2
#undef LOCKSTEP_SELECTIONS_FROM_1_OF_2
#undef LOCKSTEP_SELECTIONS_FROM_2_OF_2
#undef LOCKSTEP_SELECTIONS_FROM_3_OF_2
#undef LOCKSTEP_SELECTIONS_OF_3
#undef LOCKSTEP_SELECTIONS_FROM_1_OF_3
#undef LOCKSTEP_SELECTIONS_FROM_2_OF_3
#undef LOCKSTEP_SELECTIONS_FROM_3_OF_3
#undef LOCKSTEP_SELECTIONS_OF_4
#undef LOCKSTEP_SELECTIONS_FROM_1_OF_4
#undef LOCKSTEP_SELECTIONS_FROM_2_OF_4
#undef LOCKSTEP_SELECTIONS_FROM_3_OF_4

// Those without a component twice.
#define LOCKSTEP_ORDERS_OF_2(a, b) LOCKSTEP_SELECT_2(a, b) LOCKSTEP_SELECT_2(b, a)
#define LOCKSTEP_ORDERS_OF_3(a, b, c) \
  LOCKSTEP_SELECT_3(a, b, c)          \
  LOCKSTEP_SELECT_3(a, c, b)          \
  LOCKSTEP_SELECT_3(b, a, c)          \
  LOCKSTEP_SELECT_3(b, c, a)          \
  LOCKSTEP_SELECT_3(c, a, b)          \
  LOCKSTEP_SELECT_3(c, b, a)
#define LOCKSTEP_ORDERS_FROM_1_OF_4(p, a, b, c) \
  LOCKSTEP_SELECT_4(p, a, b, c)                 \
  LOCKSTEP_SELECT_4(p, a, c, b)                 \
  LOCKSTEP_SELECT_4(p, b, a, c)                 \
  LOCKSTEP_SELECT_4(p, b, c, a)                 \
  LOCKSTEP_SELECT_4(p, c, a, b)                 \
  LOCKSTEP_SELECT_4(p, c, b, a)
#define LOCKSTEP_PARTS_OF_2(a, b) \
  LOCKSTEP_SELECT_1(a) LOCKSTEP_SELECT_1(b) LOCKSTEP_ORDERS_OF_2(a, b)
#define LOCKSTEP_PARTS_OF_3(a, b, c) \
  LOCKSTEP_PARTS_OF_2(a, b)          \
  LOCKSTEP_SELECT_1(c)               \
  LOCKSTEP_ORDERS_OF_2(a, c)         \
  LOCKSTEP_ORDERS_OF_2(b, c)         \
  LOCKSTEP_ORDERS_OF_3(a, b, c)
#define LOCKSTEP_PARTS_OF_4(a, b, c, d)   \
  LOCKSTEP_PARTS_OF_3(a, b, c)            \
  LOCKSTEP_SELECT_1(d)                    \
  LOCKSTEP_ORDERS_OF_2(a, d)              \
  LOCKSTEP_ORDERS_OF_2(b, d)              \
  LOCKSTEP_ORDERS_OF_2(c, d)              \
  LOCKSTEP_ORDERS_OF_3(a, b, d)           \
  LOCKSTEP_ORDERS_OF_3(a, c, d)           \
  LOCKSTEP_ORDERS_OF_3(b, c, d)           \
  LOCKSTEP_ORDERS_FROM_1_OF_4(a, b, c, d) \
  LOCKSTEP_ORDERS_FROM_1_OF_4(b, a, c, d) \
  LOCKSTEP_ORDERS_FROM_1_OF_4(c, a, b, d) \
  LOCKSTEP_ORDERS_FROM_1_OF_4(d, a, b, c)

/// V with parts that can be assigned, for its Variable: V itself, unless it is a vector.
template <class Variable, class V>
struct VarParts : V {
  LOCKSTEP_INLINE explicit VarParts(const V& initial) : V(initial) {}
};

#define LOCKSTEP_VAR_PARTS(N, ...)                                                            \
  template <class Variable, class T, int W>                                                   \
  struct VarParts<Variable, Vec<T, N, W>> : Vec<T, N, W> {                                    \
    template <class Value, char... Letters>                                                   \
    using Of = VarSwizzle<Variable, Value, Letters...>;                                       \
                                                                                              \
    LOCKSTEP_INLINE explicit VarParts(const Vec<T, N, W>& initial) : Vec<T, N, W>(initial) {} \
    VarParts(const VarParts&) = delete;                                                       \
    __VA_ARGS__                                                                               \
  };
LOCKSTEP_VAR_PARTS(2, LOCKSTEP_PARTS_OF_2(x, y) LOCKSTEP_PARTS_OF_2(r, g))
LOCKSTEP_VAR_PARTS(3, LOCKSTEP_PARTS_OF_3(x, y, z) LOCKSTEP_PARTS_OF_3(r, g, b))
LOCKSTEP_VAR_PARTS(4, LOCKSTEP_PARTS_OF_4(x, y, z, w) LOCKSTEP_PARTS_OF_4(r, g, b, a))
#undef LOCKSTEP_VAR_PARTS
#undef LOCKSTEP_PARTS_OF_4
#undef LOCKSTEP_PARTS_OF_3
#undef LOCKSTEP_PARTS_OF_2
#undef LOCKSTEP_ORDERS_FROM_1_OF_4
#undef LOCKSTEP_ORDERS_OF_3
#undef LOCKSTEP_ORDERS_OF_2
#undef LOCKSTEP_SELECT_4
#undef LOCKSTEP_SELECT_3
#undef LOCKSTEP_SELECT_2
#undef LOCKSTEP_SELECT_1

}  // namespace detail
}  // namespace lockstep::inline LOCKSTEP_ABI
