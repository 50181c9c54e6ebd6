#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <lockstep/dispatch/detail/needs.hpp>
#include <lockstep/exec/error.hpp>
#include <lockstep/exec/whole_subgroup.hpp>
#include <lockstep/glsl/local_array.hpp>
#include <lockstep/workgroup/scoped_atomics.hpp>
#include <lockstep/workgroup/traced_memory.hpp>

/// \file
/// Cooperative matrices in kernels: coopmat, coopMatLoad, coopMatStore and coopMatMulAdd, which
/// LOCKSTEP_COOPERATIVE_MATRIX(S) brings into a kernel.

namespace lockstep::inline LOCKSTEP_ABI {

/// gl_MatrixUse...: which operand of coopMatMulAdd a matrix is.
enum class MatrixUse { a, b, accumulator };
/// gl_CooperativeMatrixLayout...: whether rows or columns are consecutive in memory.
enum class MatrixLayout { row_major, column_major };
/// gl_MatrixOperands...: how coopMatMulAdd adds.
enum class MatrixOperands { none, saturating_accumulation };

namespace detail {

/// The numbers of lanes, whether or not these know where they are undefined.
template <class L>
LOCKSTEP_INLINE decltype(auto) numbers_of(const L& lanes) {
  if constexpr (requires { lanes.plain(); })
    return lanes.plain();
  else
    return (lanes);
}

/// All elements of a cooperative matrix, row by row, with the origin of those that are undefined.
template <class Component>
class MatrixElements {
  using T = Plain<typename Component::value_type>;
  using Number = Lanes<T, Component::width>;
  using Index = Lanes<std::uint32_t, Component::width>;

 public:
  template <class Matrix>
  explicit MatrixElements(const Matrix& matrix) : numbers_(Matrix::elements) {
    for (std::uint32_t k = 0, first = 0; k < matrix.length(); ++k, first += matrix.lanes()) {
      const Component& component = matrix.component(k);
      const std::uint32_t count = std::min(matrix.lanes(), Matrix::elements - first);
      const Number& numbers = numbers_of(component);
      for (std::uint32_t i = 0; i < count; ++i) numbers_[first + i] = numbers[static_cast<int>(i)];
      if constexpr (requires { component.poison(); }) {
        if (!component.poison().any()) continue;
        origins_.resize(Matrix::elements);
        const Index origins = component.poison().each();
        for (std::uint32_t i = 0; i < count; ++i)
          origins_[first + i] = origins[static_cast<int>(i)];
      }
    }
  }

  /// The element of each lane. Lanes beyond the subgroup may ask for one beyond the last.
  Component at(const Index& element) const {
    const Number numbers = of_each(numbers_, element);
    if constexpr (requires(const Component& component) { component.poison(); }) {
      using Poison = std::remove_cvref_t<decltype(std::declval<const Component&>().poison())>;
      return {numbers, origins_.empty() ? Poison() : Poison::from(of_each(origins_, element))};
    } else {
      return numbers;
    }
  }

 private:
  template <class U>
  static Lanes<U, Component::width> of_each(const std::vector<U>& from, const Index& element) {
    return Lanes<U, Component::width>::generate(
        [&](int i) { return from[std::min<std::size_t>(element[i], from.size() - 1)]; });
  }

  std::vector<T> numbers_;
  std::vector<std::uint32_t>
      origins_;  ///< none where all are defined, otherwise 0 for such elements
};

/// a + b, or the nearest number that the type has.
template <std::integral T>
T saturating_sum(T a, T b) {
  T sum;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return b < 0 ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
}
template <class Component>
Component saturating_sum_of(const Component& a, const Component& b) {
  using T = Plain<typename Component::value_type>;
  const auto sum = Lanes<T, Component::width>::generate(
      [&](int i) { return saturating_sum(numbers_of(a)[i], numbers_of(b)[i]); });
  if constexpr (requires { a.poison(); })
    return {sum, a.poison() | b.poison()};
  else
    return sum;
}

[[noreturn, gnu::cold]] inline void fail_matrix(SourceLocation where, const std::string& problem) {
  throw Error(std::string(where.file) + ":" + std::to_string(where.line) + ": " + problem);
}

/// The elements of an array at the indices, as an access that stands there in the source.
template <class S, class Memory>
LOCKSTEP_INLINE decltype(auto) elements_at(Memory& memory, const ValueOn<S, std::uint32_t>& index,
                                           SourceLocation where) {
  if constexpr (takes_traced_index<S>)
    return memory[TracedIndex<S::width>(index, where)];
  else
    return memory[LaneIndex<ValueOn<S, std::uint32_t>>(index, where.file, where.line)];
}

}  // namespace detail

/// A matrix of R rows and C columns that the invocations of a subgroup hold together:
/// `coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> sum{this, 0.0f};`
///
/// Vulkan leaves open which invocation holds which elements. Here element e, counted row by row, is component e / size of
/// lane e % size. m[k] is the component k of each invocation, to be read and written by the active lanes. + - * /
/// between matrices of one type and * with a number work on each component, and the constructor from another
/// matrix converts each.
///
/// Requires      Constructed with the kernel's `this`, and with the value of all elements or without; then they are
///               undefined. The subgroup has no more lanes than the matrix has elements.
/// Active lanes  All invocations of a full subgroup, in one tangle, except for m[k].
/// Errors        Throws Error where the subgroup has more lanes than there are elements; on assignment, load, store and
///               product where lanes are missing, or have not rejoined.
/// Cost          R * C / size registers in memory that is allocated.
/// Spec          GLSL coopmat (GL_KHR_cooperative_matrix) · SPIR-V OpTypeCooperativeMatrixKHR
/// Example       tests/glsl/cooperative_matrix.cpp
template <class S, class T, int R, int C, MatrixUse U>
class CooperativeMatrix {
  static_assert(1 <= R && R <= 1024 && 1 <= C && C <= 1024,
                "a cooperative matrix has 1 to 1024 rows and columns");
  static_assert(detail::Number<T>, "a cooperative matrix holds numbers");
  using Index = Lanes<std::uint32_t, S::width>;

 public:
  using Machine = S;
  using ElementNumber = Index;
  using Component = ValueOn<S, T>;
  static constexpr std::uint32_t rows = R;
  static constexpr std::uint32_t columns = C;
  static constexpr std::uint32_t elements = rows * columns;

  /// Undefined elements. They are zeros here, which GLSL does not promise.
  template <class K>
  explicit(false) CooperativeMatrix(K* kernel, SourceLocation declared = SourceLocation::current())
      : CooperativeMatrix(kernel,
                          unwritten(kernel->lockstep_state(), Component(T(0)),
                                    "an element of this matrix", declared),
                          declared) {}
  /// The same value in all elements.
  template <class K>
  CooperativeMatrix(K* kernel, const Component& all,
                    SourceLocation declared = SourceLocation::current())
      : state_(kernel->lockstep_state()),
        lanes_(kernel->gl_SubgroupSize),
        made_(declared),
        components_(count_of(lanes_, declared), all) {
    detail::note_use<S, Features(Feature::cooperative_matrix).bits>();
  }
  /// The elements of a matrix of another type, each converted.
  template <class Other>
  requires(!std::same_as<T, Other>) explicit CooperativeMatrix(
      const CooperativeMatrix<S, Other, R, C, U>& other)
      : state_(other.state()), lanes_(other.lanes()), made_(other.made()) {
    components_.reserve(other.length());
    for (std::uint32_t k = 0; k < other.length(); ++k)
      components_.push_back(Component(other.component(k)));
  }
  CooperativeMatrix(const CooperativeMatrix&) = default;

  /// All elements of the other matrix.
  CooperativeMatrix& operator=(const CooperativeMatrix& other) {
    need_whole_subgroup("the assignment of the cooperative matrix that is made here", other.made_);
    set([&](std::uint32_t k) { return other.components_[k]; }, other.made_);
    return *this;
  }

  /// Component k of each invocation, 0 <= k < length().
  LocalElement<Component, CooperativeMatrix, std::uint32_t> operator[](
      const detail::UniformIndex& k) {
    return {*this, k.value, k.where};
  }
  /// How many components each invocation holds. Where the size does not divide the number of elements, the last
  /// component of some lanes has no element.
  std::uint32_t length() const { return static_cast<std::uint32_t>(components_.size()); }

  friend CooperativeMatrix operator-(const CooperativeMatrix& a) {
    return a.with([&](std::uint32_t k) { return -a.component(k); });
  }
#define LOCKSTEP_MATRIX_OPERATOR(op)                                                             \
  friend CooperativeMatrix operator op(const CooperativeMatrix& a, const CooperativeMatrix& b) { \
    return a.with([&](std::uint32_t k) { return a.component(k) op b.component(k); });            \
  }
  LOCKSTEP_MATRIX_OPERATOR(+)
  LOCKSTEP_MATRIX_OPERATOR(-)
  LOCKSTEP_MATRIX_OPERATOR(*)
  LOCKSTEP_MATRIX_OPERATOR(/)
#undef LOCKSTEP_MATRIX_OPERATOR
  friend CooperativeMatrix operator*(const CooperativeMatrix& a, const Component& b) {
    return a.with([&](std::uint32_t k) { return a.component(k) * b; });
  }
  friend CooperativeMatrix operator*(const Component& a, const CooperativeMatrix& b) {
    return b * a;
  }

  // For the functions on matrices.

  /// A component as it is.
  const Component& component(std::uint32_t k) const { return components_[k]; }
  /// The element of each lane that component k holds, counted row by row. A lane without one holds the element of its
  /// first component once more.
  Index element(std::uint32_t k) const {
    const Index first = Index::iota(), number = first + Index(k * lanes_);
    return select((number < Index(std::uint32_t{elements})).mask(), number, first);
  }
  /// The lanes of the subgroup.
  std::uint32_t lanes() const { return lanes_; }
  /// The subgroup's state.
  typename S::State& state() const { return state_; }
  /// Where the elements come from.
  SourceLocation made() const { return made_; }
  /// Component k becomes g(k).
  template <class G>
  void set(const G& g, SourceLocation where) {
    for (std::uint32_t k = 0; k < length(); ++k) detail::rebuild(&components_[k], g(k));
    made_ = where;
  }
  /// Throws Error unless all invocations take part.
  void need_whole_subgroup(const char* what, SourceLocation where) const {
    exec::need_whole_subgroup(state_, lanes_, what, where);
  }

 private:
  template <class Row, class A, class I>
  friend class LocalElement;

  static std::uint32_t count_of(std::uint32_t lanes, SourceLocation declared) {
    if (lanes > elements)
      detail::fail_matrix(declared, "a cooperative matrix of " + std::to_string(elements) +
                                        " elements has fewer than the subgroup's " +
                                        std::to_string(lanes) +
                                        " lanes; choose smaller subgroups or a larger matrix");
    return (elements + lanes - 1) / lanes;
  }
  template <class G>
  CooperativeMatrix with(const G& g) const {
    CooperativeMatrix result(*this);
    result.set(g, made_);
    return result;
  }
  const Component& load(std::uint32_t k, SourceLocation where) const {
    if (k >= length())
      detail::fail_matrix(where,
                          "component " + std::to_string(k) +
                              " of a cooperative matrix is not there: each invocation holds " +
                              std::to_string(length()));
    return components_[k];
  }
  void store(std::uint32_t k, const Component& value, SourceLocation where) {
    const Component before = load(k, where);
    detail::rebuild(&components_[k], select(state_.active, value, before));
  }

  typename S::State& state_;
  std::uint32_t lanes_;
  SourceLocation made_;
  std::vector<Component> components_;
};

namespace detail {

/// The index in memory of each lane's element of component k.
template <class Matrix>
typename Matrix::ElementNumber place_in_memory(const Matrix& m, std::uint32_t k,
                                               std::uint32_t first, std::uint32_t stride,
                                               MatrixLayout layout) {
  using Index = typename Matrix::ElementNumber;
  const Index element = m.element(k), columns(std::uint32_t{Matrix::columns});
  const Index row = element / columns, column = element % columns;
  const bool is_row_major = layout == MatrixLayout::row_major;
  return Index(first) + (is_row_major ? row : column) * Index(stride) +
         (is_row_major ? column : row);
}

template <class Matrix, class Memory>
inline constexpr bool has_elements_of =
    std::same_as<typename std::remove_cvref_t<decltype(elements_at<typename Matrix::Machine>(
                     std::declval<Memory&>(),
                     std::declval<const ValueOn<typename Matrix::Machine, std::uint32_t>&>(),
                     SourceLocation()))>::MemoryValue,
                 typename Matrix::Component>;

template <int Scope, class S, class T, int R, int C, MatrixUse U>
struct CooperativeMatrixIn {
  static_assert(Scope == 3,
                "a cooperative matrix is in gl_ScopeSubgroup; other scopes are not supported");
  using type = CooperativeMatrix<S, T, R, C, U>;
};

}  // namespace detail

/// Reads a matrix from a buffer or shared memory.
///
/// Row r, or column r of a column-major matrix, starts at the array's element first + r * stride.
///
/// Requires      The array's elements have the matrix's type.
/// Active lanes  All invocations of a full subgroup, in one tangle.
/// Errors        Throws Error where lanes are missing or have not rejoined; outside the array as its elements.
/// Cost          One load for each component.
/// Spec          GLSL coopMatLoad · SPIR-V OpCooperativeMatrixLoadKHR
/// Example       tests/glsl/cooperative_matrix.cpp
template <class S, class T, int R, int C, MatrixUse U, class Memory>
void coopMatLoad(CooperativeMatrix<S, T, R, C, U>& m, Memory&& memory, std::uint32_t first,
                 std::uint32_t stride, MatrixLayout layout,
                 SourceLocation where = SourceLocation::current()) {
  using Matrix = CooperativeMatrix<S, T, R, C, U>;
  static_assert(detail::has_elements_of<Matrix, Memory>,
                "coopMatLoad reads from an array whose elements have the matrix's type");
  m.need_whole_subgroup("coopMatLoad", where);
  m.set(
      [&](std::uint32_t k) -> typename Matrix::Component {
        return detail::elements_at<S>(memory, detail::place_in_memory(m, k, first, stride, layout),
                                      where);
      },
      where);
}

/// Writes a matrix to a buffer or shared memory; as coopMatLoad.
///
/// Requires      As coopMatLoad.
/// Active lanes  As coopMatLoad.
/// Errors        As coopMatLoad.
/// Cost          One store for each component.
/// Spec          GLSL coopMatStore · SPIR-V OpCooperativeMatrixStoreKHR
/// Example       tests/glsl/cooperative_matrix.cpp
template <class S, class T, int R, int C, MatrixUse U, class Memory>
void coopMatStore(const CooperativeMatrix<S, T, R, C, U>& m, Memory&& memory, std::uint32_t first,
                  std::uint32_t stride, MatrixLayout layout,
                  SourceLocation where = SourceLocation::current()) {
  using Matrix = CooperativeMatrix<S, T, R, C, U>;
  static_assert(detail::has_elements_of<Matrix, Memory>,
                "coopMatStore writes to an array whose elements have the matrix's type");
  m.need_whole_subgroup("coopMatStore", where);
  // The first component last: a last one without an element writes to the place of the first.
  for (std::uint32_t k = m.length(); k-- > 0;)
    detail::elements_at<S>(memory, detail::place_in_memory(m, k, first, stride, layout), where) =
        m.component(k);
}

/// a * b + c. The numbers of a and b are converted to the type of c before they are multiplied, and products are added to c
/// in the order of a's columns.
///
/// Requires      Integers in all three, or floats; saturating_accumulation for integers. With it only the addition of c
///               saturates.
/// Active lanes  All invocations of a full subgroup, in one tangle.
/// Errors        Throws Error where lanes are missing or have not rejoined.
/// Cost          As many multiplications and additions of registers as each invocation has components, times the columns
///               of a, and for each of them a read of every lane.
/// Spec          GLSL coopMatMulAdd · SPIR-V OpCooperativeMatrixMulAddKHR
/// Example       tests/glsl/cooperative_matrix.cpp
template <class S, class A, class B, class T, int R, int N, int C>
CooperativeMatrix<S, T, R, C, MatrixUse::accumulator> coopMatMulAdd(
    const CooperativeMatrix<S, A, R, N, MatrixUse::a>& a,
    const CooperativeMatrix<S, B, N, C, MatrixUse::b>& b,
    const CooperativeMatrix<S, T, R, C, MatrixUse::accumulator>& c,
    MatrixOperands operands = MatrixOperands::none,
    SourceLocation where = SourceLocation::current()) {
  static_assert(
      detail::Floating<A> == detail::Floating<T> && detail::Floating<B> == detail::Floating<T>,
      "coopMatMulAdd multiplies integers or floats, and does not mix them");
  using Component = ValueOn<S, T>;
  using Index = Lanes<std::uint32_t, S::width>;
  c.need_whole_subgroup("coopMatMulAdd", where);
  const bool saturates = operands == MatrixOperands::saturating_accumulation;
  if (saturates && detail::Floating<T>)
    detail::fail_matrix(where, "gl_MatrixOperandsSaturatingAccumulation is for integers");

  const detail::MatrixElements<ValueOn<S, A>> of_a(a);
  const detail::MatrixElements<ValueOn<S, B>> of_b(b);
  const auto component = [&](std::uint32_t k) {
    const Index element = c.element(k), columns(std::uint32_t{C});
    const Index row = element / columns * Index(std::uint32_t{N}), column = element % columns;
    Component sum = saturates ? Component(T(0)) : c.component(k);
    for (std::uint32_t n = 0; n < N; ++n) {
      const Component product = Component(of_a.at(row + Index(n))) *
                                Component(of_b.at(column + Index(n * std::uint32_t{C})));
      detail::rebuild(&sum, Component(sum + product));
    }
    if constexpr (detail::Integer<T>)
      if (saturates) detail::rebuild(&sum, detail::saturating_sum_of(sum, c.component(k)));
    return sum;
  };
  CooperativeMatrix<S, T, R, C, MatrixUse::accumulator> result(c);
  result.set(component, where);
  return result;
}

}  // namespace lockstep::inline LOCKSTEP_ABI

/// After LOCKSTEP_GLSL(S), as `#extension GL_KHR_cooperative_matrix : require`: brings coopmat and its constants into a
/// kernel's scope.
#define LOCKSTEP_COOPERATIVE_MATRIX(S)                                                            \
  template <class LockstepT, auto LockstepScope, int LockstepR, int LockstepC,                    \
            ::lockstep::MatrixUse LockstepUse>                                                    \
  using coopmat =                                                                                 \
      typename ::lockstep::detail::CooperativeMatrixIn<LockstepScope.value, S, LockstepT,         \
                                                       LockstepR, LockstepC, LockstepUse>::type;  \
  static constexpr auto gl_MatrixUseA = ::lockstep::MatrixUse::a;                                 \
  static constexpr auto gl_MatrixUseB = ::lockstep::MatrixUse::b;                                 \
  static constexpr auto gl_MatrixUseAccumulator = ::lockstep::MatrixUse::accumulator;             \
  static constexpr auto gl_CooperativeMatrixLayoutRowMajor = ::lockstep::MatrixLayout::row_major; \
  static constexpr auto gl_CooperativeMatrixLayoutColumnMajor =                                   \
      ::lockstep::MatrixLayout::column_major;                                                     \
  static constexpr auto gl_MatrixOperandsSaturatingAccumulation =                                 \
      ::lockstep::MatrixOperands::saturating_accumulation;                                        \
  static_assert(true, "LOCKSTEP_COOPERATIVE_MATRIX(S) ends with a semicolon")
