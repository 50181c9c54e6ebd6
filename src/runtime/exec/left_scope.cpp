#include <lockstep/exec/left_scope.hpp>

#include <exception>

#include <fmt/format.h>

#include <lockstep/exec/error.hpp>

namespace lockstep {
namespace {

thread_local int given_up = 0;

/// Whether scopes end because of an exception or with the coroutine they are in.
bool is_unwinding() { return given_up != 0 || std::uncaught_exceptions() != 0; }

}  // namespace

GivenUp::GivenUp() { ++given_up; }
GivenUp::~GivenUp() { --given_up; }

void fail::left_scope(const char* file, int line, const char* construct) {
  if (is_unwinding()) return;
  throw Error(
      fmt::format("{}:{}: a lower-case return, break or goto leaves this {} with all lanes, even "
                  "lanes that are not in it; write Return or Break, which move the active lanes",
                  file, line, construct));
}

void fail::no_return_value(const char* file, int line) {
  if (is_unwinding()) return;
  throw Error(fmt::format(
      "{}:{}: a function that starts with FunctionOf ends with return ReturnValue (value), "
      "which has the values of the lanes that returned before, too",
      file, line));
}

}  // namespace lockstep
