#pragma once

#include <cstdint>
#include <span>

#include "oracle/pieces.hpp"
#include "oracle/precision.hpp"

/// \file
/// What one value of a run may be on a device that conforms to Vulkan.

namespace lockstep::oracle {

/// Why a value is no interval.
enum class Why : std::uint8_t {
  none,
  // Undefined by the specification; open where only bounds reach that far.
  special,        ///< an infinity or NaN took part
  overflow,       ///< the result may exceed the largest number
  domain,         ///< outside the operands for which the operation is defined
  divisor,        ///< whose size Vulkan gives no precision for
  lanes,          ///< the lanes that take part have no defined result
  uninitialised,  ///< never written
  relaxed_range,  ///< beyond what RelaxedPrecision holds
  // Open: it depends on a rounding that Vulkan leaves free.
  comparison,      ///< of numbers that may be either way round
  conversion,      ///< to an integer that may be another
  bits,            ///< the bits of a number that may be another
  branch,          ///< lanes may take the other side
  index,           ///< an access may go elsewhere
  rearrangement,   ///< a product that overflows when its factors come in another order
  participants,    ///< other lanes may take part in an operation between lanes
  implementation,  ///< chooses between two ways to compute it
  sampling,        ///< by a texture function that is not followed
  // The order of atomics.
  atomic,
};

/// The value without rounding of an expression of +, - and *, which a compiler may rearrange unless it is `precise`:
/// expanded, a sum of products of leaves.
struct Expression {
  Interval value;
  double magnitude = 0;  ///< at least the sum of its products' magnitudes
  double terms = 1;      ///< products
  double degree = 1;     ///< factors of the longest product
  double peak = 1;       ///< at least every product of some factors of one of its products
  double unit = 0;       ///< binary exponent: all products are multiples of this power of two
  double trough = 0;     ///< the same of every product of some factors of one of its products
  bool flushes = false;  ///< an operation in it may make a denormal zero
};

/// The set of values that a register or a word of memory may hold. Registers hold many of these, so it is plain data.
struct Allowed {
  enum class Kind : std::uint8_t {
    exact,      ///< the bits of the reference
    within,     ///< numbers between bounds
    undefined,  ///< anything: the specification says nothing
    open,       ///< anything: it depends on a rounding
    unordered,  ///< depends on the order of atomics
  };
  Kind kind = Kind::exact;
  Why why = Why::none;
  std::uint32_t origin = 0;  ///< the line where it stopped to be exact, or became open
  std::uint32_t step = 0;    ///< in Provenance, if one is kept
  Interval values = {};      ///< within: of its type
  bool normal = false;       ///< within: no denormals, which became zero
  bool whole = false;        ///< within: integers only
  bool is_float = false;  ///< within: of memory that float atomics update, whatever its type says
  Expression real = {};   ///< within: of floats
  Pieces pieces = {};     ///< within: of a word into which numbers were packed
  std::uint32_t counter = 0;  ///< unordered: of the atomic's own result, its number in Placements

  bool is_number() const { return kind == Kind::exact || kind == Kind::within; }
};

/// Any value, because of an operation.
constexpr Allowed any(Allowed::Kind kind, Why why, std::uint32_t origin) {
  return {.kind = kind, .why = why, .origin = origin};
}
/// The one that says less: undefined, open, unordered, bounded, exact.
const Allowed& weaker(const Allowed& a, const Allowed& b);

/// A word whose pieces may be any of their numbers.
Allowed word_of(const Pieces& pieces, std::uint32_t origin);
/// An operand that rearrangement does not look into.
Expression leaf(const Interval& values);
/// Numbers that may be any of these, as a leaf.
Allowed numbers(const Interval& values, std::uint32_t origin);
/// The same, of integers only.
Allowed integers(const Interval& values, std::uint32_t origin);
/// Whether a number cannot be anything but an integer.
bool is_whole(const Allowed& number);
/// Numbers that are the results of an expression, in any order of its operations, fused or not. `origin` is the
/// operation's number.
Allowed evaluated(const Expression& expression, const Precision& precision, std::uint32_t origin);

Expression operator-(const Expression& a);
Expression operator+(const Expression& a, const Expression& b);
Expression operator*(const Expression& a, const Expression& b);
/// Whether it is a single operand, which no rearrangement can change.
inline bool is_leaf(const Expression& e) { return e.terms == 1 && e.degree == 1; }

/// The sum of numbers in any order, as a reduction gives it.
Allowed any_order_sum(std::span<const Allowed> terms, const Precision& precision,
                      std::uint32_t origin);
/// The same for a product.
Allowed any_order_product(std::span<const Allowed> factors, const Precision& precision,
                          std::uint32_t origin);

}  // namespace lockstep::oracle
