#pragma once

#include <cstddef>

#include "shader/instruments/undefined/shadows.hpp"

namespace lockstep::spirv {

/// Undefined values in accesses to memory: they become visible in memory that others read, and stay in shared memory and in
/// variables with an index, whose shadows lie beside them.
class TrackedMemory {
 public:
  explicit TrackedMemory(Shadows& shadows) : shadows_(shadows) {}

  void load(const Op& op);
  void store(const Op& op);
  /// Atomics are visible to others, so they report; exchanges, loads and stores of shared memory pass values on.
  void atomic(const Op& op);
  void load_indexed(const Op& op);
  void store_indexed(const Op& op);

 private:
  void report_index(const Op& op);
  /// The access to the shadow of a component, or of all if its words lie as the components do.
  MemoryPlace shadow_place(const Op& op, std::size_t component) const;
  /// Whether one access to the shadow does for all components.
  bool is_alike(const Op& op) const;
  /// Words of a component's shadow.
  std::size_t words(const Op& op) const;
  void load_shadow(const Op& op);
  Reg load_words(const Op& op, std::size_t component);
  void store_shadow(const Op& op);
  void store_words(const Op& op, std::size_t component, Reg value);
  void exchange_shadow(const Op& op);

  Shadows& shadows_;
};

}  // namespace lockstep::spirv
