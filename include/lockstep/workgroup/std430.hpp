#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <lockstep/workgroup/layout.hpp>

/// \file
/// The host side of buffers: C++ types with std430 layout, so that an array of them is the contents
/// of a buffer.

namespace lockstep {
namespace std430 {

// The components x, y, z, w of a vector on the host, also as [k].
#define LOCKSTEP_HOST_VECTOR_2 \
  T x, y;                      \
  LOCKSTEP_HOST_VECTOR_ACCESS(k == 0 ? x : y)
#define LOCKSTEP_HOST_VECTOR_3 \
  T x, y, z;                   \
  LOCKSTEP_HOST_VECTOR_ACCESS(k == 0 ? x : k == 1 ? y : z)
#define LOCKSTEP_HOST_VECTOR_4 \
  T x, y, z, w;                \
  LOCKSTEP_HOST_VECTOR_ACCESS(k == 0 ? x : k == 1 ? y : k == 2 ? z : w)
#define LOCKSTEP_HOST_VECTOR_ACCESS(component)                        \
  constexpr T& operator[](std::integral auto k) { return component; } \
  constexpr const T& operator[](std::integral auto k) const { return component; }

/// A GLSL vector as the element of an array: a vec3 has the size of a vec4. Its components are x, y, z, w, or
/// [k].
///
/// Requires      2 <= N <= 4.
/// Active lanes  None.
/// Errors        None.
/// Cost          As a plain struct; std::vector<std430::vec3> is a buffer.
/// Spec          GLSL vec3 ... in a buffer block
/// Example       tests/glsl/block.cpp
template <class T, int N>
struct Vector {
  static_assert(2 <= N && N <= 4, "a vector has 2, 3 or 4 components");
};

/// A GLSL vector as a member of a struct, whose next member may use the fourth component's place.
///
/// Requires      As Vector.
/// Active lanes  None.
/// Errors        None.
/// Cost          As a plain struct.
/// Spec          GLSL vec3 ... in a struct of a buffer block
/// Example       tests/glsl/block.cpp
template <class T, int N>
struct VectorMember {
  static_assert(2 <= N && N <= 4, "a vector has 2, 3 or 4 components");
};

#define LOCKSTEP_HOST_VECTOR(N)                                                               \
  template <class T>                                                                          \
  struct alignas(vector_layout(LayoutRule::std430, sizeof(T), N).alignment) Vector<T, N> {    \
    LOCKSTEP_HOST_VECTOR_##N friend constexpr bool operator==(const Vector&,                  \
                                                              const Vector&) = default;       \
  };                                                                                          \
  template <class T>                                                                          \
  struct VectorMember<T, N> {                                                                 \
    LOCKSTEP_HOST_VECTOR_##N friend constexpr bool operator==(const VectorMember&,            \
                                                              const VectorMember&) = default; \
  };
LOCKSTEP_HOST_VECTOR(2)
LOCKSTEP_HOST_VECTOR(3)
LOCKSTEP_HOST_VECTOR(4)
#undef LOCKSTEP_HOST_VECTOR
#undef LOCKSTEP_HOST_VECTOR_2
#undef LOCKSTEP_HOST_VECTOR_3
#undef LOCKSTEP_HOST_VECTOR_4
#undef LOCKSTEP_HOST_VECTOR_ACCESS

/// A GLSL matrix of C columns and R rows, column by column.
///
/// Requires      2 <= C, R <= 4.
/// Active lanes  None.
/// Errors        None.
/// Cost          As a plain struct.
/// Spec          GLSL mat4 ... in a buffer block, column_major
/// Example       tests/glsl/block.cpp
template <class T, int C, int R>
struct Matrix {
  Vector<T, R> column[C];

  constexpr Vector<T, R>& operator[](int c) { return column[c]; }
  constexpr const Vector<T, R>& operator[](int c) const { return column[c]; }
  friend constexpr bool operator==(const Matrix& a, const Matrix& b) {
    for (int c = 0; c < C; ++c) {
      if (!(a[c] == b[c])) return false;
    }
    return true;
  }
};

/// GLSL's names for the types above and for their scalars, in the enclosing scope.
#define LOCKSTEP_STD430_VECTORS(name, T)            \
  using name##2 = ::lockstep::std430::Vector<T, 2>; \
  using name##3 = ::lockstep::std430::Vector<T, 3>; \
  using name##4 = ::lockstep::std430::Vector<T, 4>;
#define LOCKSTEP_STD430_MATRICES(name, T)                \
  using name##2 = ::lockstep::std430::Matrix<T, 2, 2>;   \
  using name##3 = ::lockstep::std430::Matrix<T, 3, 3>;   \
  using name##4 = ::lockstep::std430::Matrix<T, 4, 4>;   \
  using name##2x3 = ::lockstep::std430::Matrix<T, 2, 3>; \
  using name##2x4 = ::lockstep::std430::Matrix<T, 2, 4>; \
  using name##3x2 = ::lockstep::std430::Matrix<T, 3, 2>; \
  using name##3x4 = ::lockstep::std430::Matrix<T, 3, 4>; \
  using name##4x2 = ::lockstep::std430::Matrix<T, 4, 2>; \
  using name##4x3 = ::lockstep::std430::Matrix<T, 4, 3>;
#define LOCKSTEP_STD430_NAMES                    \
  using uint = ::std::uint32_t;                  \
  LOCKSTEP_STD430_VECTORS(vec, float)            \
  LOCKSTEP_STD430_VECTORS(dvec, double)          \
  LOCKSTEP_STD430_VECTORS(ivec, ::std::int32_t)  \
  LOCKSTEP_STD430_VECTORS(uvec, ::std::uint32_t) \
  LOCKSTEP_STD430_MATRICES(mat, float)           \
  LOCKSTEP_STD430_MATRICES(dmat, double)

LOCKSTEP_STD430_NAMES

}  // namespace std430

namespace detail {

/// A struct declared with LOCKSTEP_STRUCT.
template <class D>
concept BlockStruct = requires {
  typename D::LockstepStruct;
};

/// The description of a member, or of an array element, of a block: a number, one of the types of
/// std430, a struct declared with LOCKSTEP_STRUCT, or an array of these. `scalar` is void in a struct.
template <class D>
struct BlockType {
  static_assert(!std::is_same_v<D, bool>, "a block holds no bool: use uint");
  static_assert(!std::is_pointer_v<D>, "a block holds no pointer");
  using scalar = D;
  using member = D;
  static constexpr TypeLayout layout = scalar_layout(sizeof(D));
};
template <class T, int N>
struct BlockType<std430::Vector<T, N>> {
  using scalar = T;
  using member = std430::VectorMember<T, N>;
  static constexpr TypeLayout layout = vector_layout(LayoutRule::std430, sizeof(T), N);
};
template <class T, int C, int R>
struct BlockType<std430::Matrix<T, C, R>> {
  using scalar = T;
  using member = std430::Matrix<T, C, R>;
  static constexpr TypeLayout layout = matrix_layout(LayoutRule::std430, sizeof(T), C, R);
};
template <BlockStruct D>
struct BlockType<D> {
  using scalar = void;
  using member = D;
  static constexpr TypeLayout layout = D::LockstepStruct::layout;
};
template <class D, std::size_t N>
struct BlockType<D[N]> {
  using scalar = typename BlockType<D>::scalar;
  using member = std::array<D, N>;
  static constexpr TypeLayout layout =
      array_layout(LayoutRule::std430, BlockType<D>::layout, static_cast<std::uint32_t>(N));
};

template <class D>
inline constexpr std::uint32_t block_stride = array_stride(LayoutRule::std430,
                                                           BlockType<D>::layout);

/// The layout of a struct of members D..., and the offset of each.
template <class... D>
struct Members {
  std::uint32_t offset[sizeof...(D)] = {};
  TypeLayout whole;

  constexpr Members() {
    StructLayout layout(LayoutRule::std430);
    int k = 0;
    ((offset[k++] = layout.add(BlockType<D>::layout)), ...);
    whole = layout.layout();
  }
};

/// D, or D[N] if a number follows.
template <class D, std::size_t... N>
struct ArrayIfSized {
  using type = D;
};
template <class D, std::size_t N>
struct ArrayIfSized<D, N> {
  using type = D[N];
};
template <class D, std::size_t... N>
using BlockMember = typename ArrayIfSized<D, N...>::type;

}  // namespace detail
}  // namespace lockstep
