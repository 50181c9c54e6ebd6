#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lockstep::bench {

/// A shader of some hundred lines, with arithmetic, selections, loops, a function and stores, and what it computes:
/// `results[i]` of the number i, in workgroups of 256.
class GeneratedShader {
 public:
  /// The same for the same number of statements.
  explicit GeneratedShader(int statements);

  std::string source() const;
  /// The result of invocation i, by a plain loop over the statements.
  std::uint32_t result(std::uint32_t i) const;

 private:
  enum class Kind { arithmetic, selection, both_sides, loop, call, store };
  struct Statement {
    Kind kind;
    std::uint32_t a, b;
  };

  static std::string text_of(const Statement& statement);
  static std::uint32_t value_of(const Statement& statement, std::uint32_t x);

  std::vector<Statement> statements_;
};

}  // namespace lockstep::bench
