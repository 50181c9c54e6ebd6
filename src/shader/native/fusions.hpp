#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "shader/native/native.hpp"
#include "shader/run/program.hpp"

/// \file
/// Operations on integers that one instruction of some processors computes together.

namespace lockstep::spirv {

/// What an operation computes of other operands than its own, instead of what it says.
struct Fusion {
  enum class Kind : std::uint8_t { rotate, combine };
  struct Operand {
    std::uint32_t at = 0;
    bool varying = true;
    bool operator==(const Operand&) const = default;
  };
  Kind kind = Kind::rotate;
  std::uint8_t number = 0;  ///< rotate: bits to the right; combine: the result of each three bits
  std::vector<Operand> operands;  ///< one or three; the last ones may be equal
};
/// Constants of 32 and 64 bits by their places.
using Constants = std::map<std::uint32_t, std::uint64_t>;

/// Finds operations whose only use is the one that they are fused with:
///
///     x >> n | x << (bits - n)        a rotation
///     f(g(x, y), h(y, z))             operations on bits of up to three values, one in the other: and, or, exclusive
///                                     or; inside also not
class Fusions {
 public:
  /// is_target: the labels.
  Fusions(const Program& program, const std::vector<bool>& is_target, const Constants& constants);

  /// Whether the instruction computes nothing by itself.
  bool is_part(std::size_t k) const { return whole_[k] != 0; }
  /// The instruction that computes it, later, or itself.
  std::size_t whole_of(std::size_t k) const;
  /// Null if the instruction computes what it says.
  const Fusion* at(std::size_t k) const { return at_[k] ? &*at_[k] : nullptr; }

 private:
  bool is_plain(std::size_t k) const;
  std::optional<std::size_t> find_part(std::size_t k, int operand) const;
  bool ends(std::size_t k, std::uint32_t at) const;
  bool keeps_operands(std::size_t j, std::size_t k) const;
  /// By operand the operation that makes it, if that becomes part of another one.
  using Parts = std::array<std::optional<std::size_t>, 2>;
  bool are_live(std::size_t k, const Parts& parts) const;
  const std::uint64_t* count_of(const Inst& shift) const;
  void find_rotation(std::size_t k);

  Fusion::Operand operand(std::size_t k, std::size_t number) const;
  std::vector<Fusion::Operand> operands_of(std::size_t k) const;
  template <class Bit>
  unsigned result_of(std::size_t k, const Bit& bit) const;
  std::optional<Fusion> combined(std::size_t k, const Parts& parts) const;
  void find_combination(std::size_t k);

  const Program& program_;
  const std::vector<bool>& is_target_;
  const Constants& constants_;
  std::vector<std::size_t>
      whole_;  ///< of what each is a part, which may be a part in turn; 0: none
  std::vector<std::optional<Fusion>> at_;
};

}  // namespace lockstep::spirv
