#pragma once

namespace lockstep::python {

/// Rethrows the current exception as lockstep.CompileError if it is an Error or an InputError.
[[noreturn]] void rethrow_as_compile_error();

}  // namespace lockstep::python
