// No include guard: keywords_off.hpp takes the keywords away, and including this file again brings
// them back. So a header of kernels can use them without leaving them to those that include it.
#include <lockstep/glsl/keywords_off.hpp>

// The macros rename ordinary words, so Lockstep's headers come before them.
#include <lockstep/lockstep.hpp>

#include <lockstep/glsl/detail/keyword_names.hpp>

// Compilers do not warn about what macros of system headers expand to: a scope inside another has the
// other's name, on purpose, so that the keywords in its body find the innermost one.
#pragma GCC system_header

// Opt-in: no other header includes this one. Each keyword is one line over the scopes of Kernel;
// bodies are ordinary blocks. Braces around the body of an If that an Else follows are required
// when the body is itself an If, because Else belongs to the selection that closed last.
//
// Inside a body, lower-case words would move all lanes, also those that wait outside. `return`, `break` and
// `goto` out of it are an Error at run time, `continue` does not compile.

#ifndef LOCKSTEP_BODY
#define LOCKSTEP_BODY(...)                                             \
  for (auto lockstep_innermost = __VA_ARGS__; lockstep_innermost.open; \
       lockstep_innermost.open = false)
#define LOCKSTEP_LOOP(condition, ...)          \
  for (auto lockstep_innermost = this->loop(); \
       lockstep_innermost.again(this->lanes_where(condition)); __VA_ARGS__)
#define LOCKSTEP_CASE(lanes)                                         \
  LOCKSTEP_BODY(::lockstep::exec::Body<::lockstep::exec::CaseScope>{ \
      lanes, ::lockstep::SourceLocation::current()})
#endif

/// Runs the body for the active lanes where the condition holds, unless there are none.
#define If(...) LOCKSTEP_BODY(this->if_body(__VA_ARGS__))
/// Runs the body for the lanes where the If directly before did not hold. `Else If (...)` chains.
#define Else LOCKSTEP_BODY(this->else_body())

/// Repeats the body for the lanes where the condition still holds.
#define While(...) LOCKSTEP_LOOP(Bool(__VA_ARGS__), lockstep_innermost.next())
/// For (auto i = var(0u), i < n, i += 1u): commas, because a macro cannot be split at semicolons.
#define For(init, condition, step) \
  if (init; false) {               \
  } else                           \
    LOCKSTEP_LOOP(Bool(condition), lockstep_innermost.next(), step)
/// Do { ...; LoopWhile (condition); }: the test is the block's last statement, where lanes that
/// continued early come, too.
#define Do for (auto lockstep_innermost = this->do_loop(); lockstep_innermost.again_unless_done();)
#define LoopWhile(...) \
  lockstep_innermost.test_last([&] { return this->lanes_where(Bool(__VA_ARGS__)); })
/// Switch (value) { Case (0) { ...; Break; } Case (1, 2) { ... } Default { ... } }: lanes that do
/// not Break fall through to the next case.
#define Switch(...) \
  for (auto lockstep_switch = this->switch_on(__VA_ARGS__); lockstep_switch.again();)
#define Case(...) \
  LOCKSTEP_CASE((lockstep_switch.match(::lockstep::SourceLocation::current(), __VA_ARGS__)))
#define Default LOCKSTEP_CASE(lockstep_switch.other(::lockstep::SourceLocation::current()))
/// The active lanes leave the innermost loop or Switch.
#define Break this->leave_loop()
/// The active lanes go to the next trip of the innermost loop.
#define Continue this->next_trip()
/// The active lanes leave the innermost Function, or end the kernel.
#define Return                                                                        \
  (::lockstep::exec::check_return<::std::remove_cv_t<decltype(lockstep_function)>,    \
                                  ::lockstep::exec::is_main(__builtin_FUNCTION())>(), \
   this->leave_function())
/// The first statement of a member function whose lanes may Return early.
#define Function auto lockstep_function = this->function()
/// The first statement of a member function whose lanes may return early, with values of this type.
#define FunctionOf(...) auto lockstep_function = this->template function_of<__VA_ARGS__>()
/// ReturnValue (x); in such a function: the active lanes leave it, and x is their value. It ends with
/// return ReturnValue (y); which gives the values of all its lanes.
#define ReturnValue(...) this->return_value(lockstep_function, __VA_ARGS__)
/// In a body whose lanes are not all of the subgroup it does not compile; in uniform loops and directly in
/// While and For it moves all lanes that are there.
#define continue                                                                                \
  switch (::lockstep::exec::plain_continue<::std::remove_cv_t<decltype(lockstep_innermost)>>()) \
  default:                                                                                      \
    continue
/// GLSL's a && b, a || b, c ? a : b where the right side has effects: it runs for the lanes that want
/// it.
#define AndAlso(a, ...) this->and_also(a, [&] { return Bool(__VA_ARGS__); })
#define OrElse(a, ...) this->or_else(a, [&] { return Bool(__VA_ARGS__); })
#define Choose(condition, a, b) \
  this->choose(                 \
      condition, [&]() -> decltype(auto) { return (a); }, [&]() -> decltype(auto) { return (b); })
