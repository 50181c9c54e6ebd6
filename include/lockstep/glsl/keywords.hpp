// No include guard: keywords_off.hpp takes the keywords away, and including this file again brings
// them back. So a header of kernels can use them without leaving them to those that include it.
#include <lockstep/glsl/keywords_off.hpp>

// The macros rename ordinary words, so Lockstep's headers come before them.
#include <lockstep/lockstep.hpp>


// Compilers do not warn about what macros of system headers expand to: a scope inside another has the
// other's name, on purpose, so that the keywords in its body find the innermost one.
#pragma GCC system_header

// Opt-in: no other header includes this one. Each keyword is one line over the scopes of Kernel;
// bodies are ordinary blocks. Braces around the body of an If that an Else follows are required
// when the body is itself an If, because Else belongs to the selection that closed last.

#ifndef LOCKSTEP_UNIQUE
#define LOCKSTEP_JOIN_(a, b) a##b
#define LOCKSTEP_JOIN(a, b) LOCKSTEP_JOIN_(a, b)
#define LOCKSTEP_UNIQUE LOCKSTEP_JOIN(lockstep_scope_, __COUNTER__)

#define LOCKSTEP_WHILE(scope, ...) \
  for (auto scope = this->loop(); scope.again(this->lanes_where(Bool(__VA_ARGS__))); scope.next())
#define LOCKSTEP_FOR(scope, init, condition, step)                                   \
  if (init; true)                                                                    \
    for (auto scope = this->loop(); scope.again(this->lanes_where(Bool(condition))); \
         scope.next(), step)
#endif

/// Runs the body for the active lanes where the condition holds, unless there are none.
#define If(...) if (auto LOCKSTEP_UNIQUE = this->when(__VA_ARGS__))
/// Runs the body for the lanes where the If directly before did not hold. `Else If (...)` chains.
#define Else if (auto LOCKSTEP_UNIQUE = this->otherwise())

/// Repeats the body for the lanes where the condition still holds.
#define While(...) LOCKSTEP_WHILE(LOCKSTEP_UNIQUE, __VA_ARGS__)
/// For (auto i = var(0u), i < n, i += 1u): commas, because a macro cannot be split at semicolons.
#define For(init, condition, step) LOCKSTEP_FOR(LOCKSTEP_UNIQUE, init, condition, step)
/// Do { ...; LoopWhile (condition); }: the test is the block's last statement, where lanes that
/// continued early come, too.
#define Do for (auto lockstep_do = this->loop(); lockstep_do.again_unless_done();)
#define LoopWhile(...) lockstep_do.test_last([&] { return this->lanes_where(Bool(__VA_ARGS__)); })
/// Switch (value) { Case (0) { ...; Break; } Case (1, 2) { ... } Default { ... } }: lanes that do
/// not Break fall through to the next case.
#define Switch(...) \
  for (auto lockstep_switch = this->switch_on(__VA_ARGS__); lockstep_switch.again();)
#define Case(...)            \
  if (auto LOCKSTEP_UNIQUE = \
          lockstep_switch.match(::lockstep::SourceLocation::current(), __VA_ARGS__))
#define Default \
  if (auto LOCKSTEP_UNIQUE = lockstep_switch.other(::lockstep::SourceLocation::current()))
/// The active lanes leave the innermost loop or Switch.
#define Break this->leave_loop()
/// The active lanes go to the next trip of the innermost loop.
#define Continue this->next_trip()
/// The active lanes leave the innermost Function, or end the kernel.
#define Return this->leave_function()
/// The first statement of a member function whose lanes may Return early.
#define Function auto LOCKSTEP_UNIQUE = this->function()
/// GLSL's a && b, a || b, c ? a : b where the right side has effects: it runs for the lanes that want
/// it.
#define AndAlso(a, ...) this->and_also(a, [&] { return Bool(__VA_ARGS__); })
#define OrElse(a, ...) this->or_else(a, [&] { return Bool(__VA_ARGS__); })
#define Choose(condition, a, b) \
  this->choose(                 \
      condition, [&] { return a; }, [&] { return b; })
