#pragma once

#include <lockstep/config.hpp>
#include <lockstep/exec/source_location.hpp>

/// \file
/// Scopes of control flow that end other than by their end: a lower-case `return`, `break` or `goto` inside
/// an If moves all lanes, also those that are not in it.

namespace lockstep {

/// While it lives, coroutines are destroyed where they stopped, and their scopes with them.
class GivenUp {
 public:
  GivenUp();
  ~GivenUp();
  GivenUp(const GivenUp&) = delete;
  GivenUp& operator=(const GivenUp&) = delete;
};

namespace fail {

/// Throws Error: the scope of this construct was left in the middle. Returns if that is the doing of an
/// exception or of GivenUp.
// The place comes in its parts, because as a struct g++ builds it in memory at the start of each scope.
[[gnu::cold, gnu::noinline]] void left_scope(const char* file, int line, const char* construct);
LOCKSTEP_INLINE void left_scope(SourceLocation where, const char* construct) {
  left_scope(where.file, where.line, construct);
}

/// Throws Error, unless for the same reasons: a function that returns values ended without one.
[[gnu::cold, gnu::noinline]] void no_return_value(const char* file, int line);
LOCKSTEP_INLINE void no_return_value(SourceLocation where) {
  no_return_value(where.file, where.line);
}

}  // namespace fail
}  // namespace lockstep
