#include "shader/lower/cooperative_matrix.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "shader/lower/lower.hpp"
#include "shader/lower/opcode_table.hpp"
#include "shader/lower/pointer.hpp"
#include "shader/lower/variables.hpp"

namespace lockstep::spirv {
namespace {

constexpr std::uint32_t subgroup_scope = 3;
constexpr std::uint32_t most_extent = 1024;
/// Multiplications of a lane in a product: each is an operation of its own.
constexpr std::uint64_t most_multiplications = 1u << 16;

const Type& matrix_type(const Instruction& i, const Type& type) {
  if (!is_cooperative_matrix(type)) fail_at(i, "needs a cooperative matrix");
  return type;
}

/// A number of each lane: as a register, and as it is known while lowering.
struct LaneNumber {
  Reg reg = no_reg;
  std::vector<std::uint32_t> known;  ///< by lane
};

/// Numbers of lanes, computed with constants.
class LaneNumbers {
 public:
  explicit LaneNumbers(Lowering& l) : l_(l) {}

  LaneNumber lane() {
    LaneNumber number{lane_number(l_), {}};
    for (int k = 0; k < l_.options().subgroup_size; ++k)
      number.known.push_back(static_cast<std::uint32_t>(k));
    return number;
  }
  LaneNumber plus(const LaneNumber& a, std::uint32_t b) {
    return computed(Code::add, a, b, std::plus<>());
  }
  LaneNumber times(const LaneNumber& a, std::uint32_t b) {
    return computed(Code::mul, a, b, std::multiplies<>());
  }
  LaneNumber over(const LaneNumber& a, std::uint32_t b) {
    return computed(Code::div, a, b, std::divides<>());
  }
  LaneNumber modulo(const LaneNumber& a, std::uint32_t b) {
    return computed(Code::mod, a, b, std::modulus<>());
  }
  LaneNumber sum(const LaneNumber& a, const LaneNumber& b) {
    LaneNumber out{l_.pure(Code::add, Scalar::u32, Scalar::u32, {a.reg, b.reg}), a.known};
    for (std::size_t k = 0; k < out.known.size(); ++k) out.known[k] += b.known[k];
    return out;
  }
  /// `a` in lanes where it is below `limit`, else `b`.
  LaneNumber below_or(const LaneNumber& a, std::uint32_t limit, const LaneNumber& b) {
    if (std::ranges::all_of(a.known, [&](std::uint32_t n) { return n < limit; })) return a;
    const Reg is_below =
        l_.pure(Code::less, Scalar::u32, Scalar::boolean, {a.reg, l_.constant(Scalar::u32, limit)});
    LaneNumber out{l_.pure(Code::select, Scalar::u32, Scalar::u32, {is_below, a.reg, b.reg}),
                   a.known};
    for (std::size_t k = 0; k < out.known.size(); ++k)
      if (a.known[k] >= limit) out.known[k] = b.known[k];
    return out;
  }

 private:
  template <class F>
  LaneNumber computed(Code code, const LaneNumber& a, std::uint32_t b, F f) {
    LaneNumber out{l_.pure(code, Scalar::u32, Scalar::u32, {a.reg, l_.constant(Scalar::u32, b)}),
                   a.known};
    for (std::uint32_t& n : out.known) n = f(n, b);
    return out;
  }

  Lowering& l_;
};

/// Which element of a matrix a component of each lane is. Components beyond the last element are the lane's first one
/// again, which is stored after them. (at_subgroup_size() rejects matrices with fewer elements than lanes.)
std::vector<LaneNumber> elements_of(Lowering& l, const Type& matrix) {
  LaneNumbers numbers(l);
  const auto size = static_cast<std::uint32_t>(l.options().subgroup_size);
  const std::uint32_t count = matrix.rows * matrix.columns;
  const LaneNumber lane = numbers.lane();
  const LaneNumber first = size <= count ? lane : numbers.modulo(lane, count);
  std::vector<LaneNumber> elements;
  for (std::uint32_t k = 0; k < matrix.count; ++k)
    elements.push_back(numbers.below_or(numbers.plus(lane, k * size), count, first));
  return elements;
}

// ---- Memory ----

/// Where the elements of a matrix in memory are.
struct Layout {
  bool row_major = true;
  Reg stride = no_reg;  ///< bytes from one row or column to the next
};

Layout layout_of(Lowering& l, const Instruction& i, const Pointer& p, std::size_t operand) {
  const std::uint64_t kind = l.constant_bits(i[operand]);
  if (kind != matrix_layout::row_major && kind != matrix_layout::column_major)
    l.unsupported(i, fmt::format("with the memory layout {}", kind));
  // The stride counts what the pointer points to.
  const auto unit = static_cast<std::uint32_t>(l.types().size(l.types()[p.type], p.matrix));
  const Reg stride = l.as_u32(l.scalar_of(i, operand + 1));
  return {kind == matrix_layout::row_major,
          l.pure(Code::mul, Scalar::u32, Scalar::u32, {stride, l.constant(Scalar::u32, unit)})};
}

Pointer pointer_to_matrix(Lowering& l, const Instruction& i, std::size_t memory_operands) {
  Pointer p = pointer(l, i[0]);
  if (p.kind != Pointer::Kind::memory && p.kind != Pointer::Kind::address)
    l.unsupported(i, "through a pointer to this storage class");
  add_memory_operands(l, p, i, memory_operands);
  p.alignment = 0;  // of the first element
  return p;
}

/// The pointer to each of a lane's components.
std::vector<Pointer> places_of(Lowering& l, const Type& matrix, const Pointer& p,
                               const Layout& layout) {
  LaneNumbers numbers(l);
  std::vector<Pointer> places;
  for (const LaneNumber& element : elements_of(l, matrix)) {
    const LaneNumber row = numbers.over(element, matrix.columns);
    const LaneNumber column = numbers.modulo(element, matrix.columns);
    const auto& [line, inside] = layout.row_major ? std::tie(row, column) : std::tie(column, row);
    const Reg before = l.pure(Code::mul, Scalar::u32, Scalar::u32, {line.reg, layout.stride});
    const Reg bytes = l.pure(Code::add, Scalar::u32, Scalar::u32,
                             {before, numbers.times(inside, size_of(matrix.scalar)).reg});
    places.push_back(moved_by_bytes(l, p, bytes, matrix.element));
  }
  return places;
}

void lower_matrix_load(Lowering& l, const Instruction& i) {
  const Type& type = matrix_type(i, l.types()[i.type]);
  const Pointer p = pointer_to_matrix(l, i, 3);
  std::vector<Reg> out;
  for (const Pointer& place : places_of(l, type, p, layout_of(l, i, p, 1)))
    out.push_back(load(l, place, i).at(0));
  l.define(i.result, out);
}

void lower_matrix_store(Lowering& l, const Instruction& i) {
  const Type& type = matrix_type(i, l.type_of(i[1]));
  const Pointer p = pointer_to_matrix(l, i, 4);
  const std::vector<Reg> value = l.components(i[1]);
  const std::vector<Pointer> places = places_of(l, type, p, layout_of(l, i, p, 2));
  if (value.size() != places.size()) fail_at(i, "has an object whose size differs from its type");
  // The first component last: a last one without an element has the place of the first.
  for (std::size_t k = places.size(); k-- > 0;) store(l, places[k], std::span(&value[k], 1), i);
}

void lower_matrix_length(Lowering& l, const Instruction& i) {
  const Type& type = matrix_type(i, l.types()[i[0]]);
  l.define(i.result, l.constant(l.types()[i.type].scalar, type.count));
}

// ---- Products ----

/// The elements of an operand, read from the lanes that hold them.
class Elements {
 public:
  /// Observers hear of one operation in a product, which `is_told` says about the other operand.
  Elements(Lowering& l, std::vector<Reg> components, bool is_told)
      : l_(l), components_(std::move(components)), is_told_(is_told) {}

  /// The element of each lane with that number.
  Reg at(const LaneNumber& element) {
    const auto [known, is_new] = read_.try_emplace(element.known, no_reg);
    if (is_new) known->second = read(element);
    return known->second;
  }

 private:
  /// Lanes read components of the same number from other lanes, and choose among those that any of them needs.
  Reg read(const LaneNumber& element) {
    LaneNumbers numbers(l_);
    const auto size = static_cast<std::uint32_t>(l_.options().subgroup_size);
    const LaneNumber component = numbers.over(element, size), lane = numbers.modulo(element, size);
    std::vector<std::uint32_t> needed = component.known;
    std::ranges::sort(needed);
    needed.erase(std::unique(needed.begin(), needed.end()), needed.end());
    Reg out = no_reg;
    for (const std::uint32_t k : needed) {
      const Reg from = from_lane(components_.at(k), lane.reg);
      out = out == no_reg ? from : chosen(component.reg, k, from, out);
    }
    return out;
  }
  Reg from_lane(Reg value, Reg lane) {
    const Scalar type = l_.scalar_type(value);
    const Reg out = l_.new_reg(type);
    Op& op = l_.emit(Code::shuffle, type, {out}, {value, lane});
    op.silent = is_told_;
    op.written_as = "coopMatMulAdd";
    is_told_ = true;
    return out;
  }
  Reg chosen(Reg component, std::uint32_t k, Reg value, Reg other) {
    const Scalar type = l_.scalar_type(value);
    const Reg is_it = l_.pure(Code::equal, Scalar::u32, Scalar::boolean,
                              {component, l_.constant(Scalar::u32, k)});
    return l_.pure(Code::select, type, type, {is_it, value, other});
  }

  Lowering& l_;
  std::vector<Reg> components_;
  std::map<std::vector<std::uint32_t>, Reg> read_;
  bool is_told_;
};

/// An operand's components, as numbers of the result's type.
std::vector<Reg> widened(Lowering& l, const Instruction& i, std::size_t operand, bool is_signed,
                         Scalar result) {
  std::vector<Reg> components = l.components(i[operand]);
  for (Reg& r : components) {
    const Scalar from = with_sign(l.scalar_type(r), is_signed);
    if (is_float(from) != is_float(result)) fail_at(i, "mixes integers and floats");
    if (l.scalar_type(r) != result) r = l.pure(Code::convert, result, result, {r}, from);
  }
  return components;
}

/// A is rows x inner, B inner x columns, C and the result rows x columns.
struct Shape {
  std::uint32_t rows, inner, columns;
};
Shape shape_of(Lowering& l, const Instruction& i, const Type& result) {
  const Type& a = matrix_type(i, l.type_of(i[0]));
  const Type& b = matrix_type(i, l.type_of(i[1]));
  const Type& c = matrix_type(i, l.type_of(i[2]));
  const bool fits = a.rows == result.rows && a.columns == b.rows && b.columns == result.columns &&
                    c.rows == result.rows && c.columns == result.columns;
  if (!fits)
    fail_at(i, fmt::format("multiplies {} x {} by {} x {} and adds {} x {} to make {} x {}", a.rows,
                           a.columns, b.rows, b.columns, c.rows, c.columns, result.rows,
                           result.columns));
  return {result.rows, a.columns, result.columns};
}

void lower_matrix_mul_add(Lowering& l, const Instruction& i) {
  const Type& type = matrix_type(i, l.types()[i.type]);
  const Shape shape = shape_of(l, i, type);
  const std::uint32_t signs = i.operands.size() > 3 ? i[3] : 0;
  const bool saturates = (signs & matrix_operands::saturates) != 0;
  if (saturates && is_float(type.scalar))
    fail_at(i, "saturates floats: SaturatingAccumulationKHR is for integers");
  if (type.count * shape.inner > most_multiplications)
    l.unsupported(i, fmt::format("{} multiplications in each lane; at most {} are",
                                 type.count * shape.inner, most_multiplications));
  const Scalar number = type.scalar;
  Elements a(l, widened(l, i, 0, (signs & matrix_operands::a_is_signed) != 0, number), false);
  Elements b(l, widened(l, i, 1, (signs & matrix_operands::b_is_signed) != 0, number), true);
  const std::vector<Reg> added =
      widened(l, i, 2, (signs & matrix_operands::c_is_signed) != 0, number);
  // Only the last addition, of C, saturates: the product has to fit.
  const Scalar range = with_sign(number, (signs & matrix_operands::result_is_signed) != 0);
  std::vector<Reg> out;
  LaneNumbers numbers(l);
  const std::vector<LaneNumber> elements = elements_of(l, type);
  for (std::size_t k = 0; k < elements.size(); ++k) {
    const LaneNumber row = numbers.times(numbers.over(elements[k], shape.columns), shape.inner);
    const LaneNumber column = numbers.modulo(elements[k], shape.columns);
    Reg sum = saturates ? no_reg : added[k];
    for (std::uint32_t n = 0; n < shape.inner; ++n) {
      const Reg product =
          l.pure(Code::mul, number, number,
                 {a.at(numbers.plus(row, n)), b.at(numbers.plus(column, n * shape.columns))});
      sum = sum == no_reg ? product : l.pure(Code::add, number, number, {sum, product});
    }
    out.push_back(saturates ? l.pure(Code::add_sat, range, number, {sum, added[k]}) : sum);
  }
  l.define(i.result, out);
}

std::uint32_t extent_of(Lowering& l, const Instruction& i, std::size_t operand) {
  const std::uint64_t extent = l.constant_bits(i[operand]);
  if (extent == 0 || extent > most_extent)
    fail_at(i, fmt::format("has {} rows or columns; 1 to {} are supported", extent, most_extent));
  return static_cast<std::uint32_t>(extent);
}

}  // namespace

void add_cooperative_matrix(Lowering& l, const Instruction& i) {
  if (l.constant_bits(i[1]) != subgroup_scope) l.unsupported(i, "in a scope other than Subgroup");
  const std::uint32_t rows = extent_of(l, i, 2), columns = extent_of(l, i, 3);
  const auto size = static_cast<std::uint32_t>(l.options().subgroup_size);
  const std::uint32_t elements = rows * columns;
  std::uint32_t& least = l.ir().matrix_elements;
  least = least == 0 ? elements : std::min(least, elements);
  l.types().add_cooperative_matrix(i, rows, columns, (elements + size - 1) / size);
}

void add_cooperative_matrices(OpcodeTable& table) {
  constexpr std::pair<spv::Op, OpcodeTable::Handler> handlers[] = {
      {op_cooperative_matrix_load, lower_matrix_load},
      {op_cooperative_matrix_store, lower_matrix_store},
      {op_cooperative_matrix_mul_add, lower_matrix_mul_add},
      {op_cooperative_matrix_length, lower_matrix_length},
  };
  for (const auto& [opcode, handler] : handlers) table.add(opcode, handler);
}

}  // namespace lockstep::spirv
