#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "shader/ir/ir.hpp"

/// \file
/// Constants in registers, variables included.

namespace lockstep::spirv {

/// The registers whose value is known, while operations are followed in their order. What lanes write in a construct is
/// forgotten where others join them.
class KnownRegisters {
 public:
  explicit KnownRegisters(const Ir& ir);
  /// Starts with what another one knows, which stays as it is.
  explicit KnownRegisters(const KnownRegisters* before) : ir_(before->ir_), before_(before) {}

  std::optional<std::uint64_t> find(Reg r) const;
  void learn(Reg r, std::uint64_t value) { set(r, value); }
  void forget(Reg r) { set(r, {}); }
  /// A loop's begin does not forget what its iterations write: the caller does.
  void follow(const Op& op);

 private:
  std::optional<std::uint64_t> result_of(const Op& op) const;
  void set(Reg r, std::optional<std::uint64_t> value);
  bool is_indexed(Reg r) const;

  const Ir& ir_;
  const KnownRegisters* before_ = nullptr;
  std::vector<bool>
      indexed_;  ///< variables with an index, which the list of operations' results lacks
  std::unordered_map<Reg, std::optional<std::uint64_t>> values_;
  std::vector<Reg> changed_;       ///< in the constructs around here, in order
  std::vector<std::size_t> open_;  ///< by construct around here: how many had changed before it
};

}  // namespace lockstep::spirv
