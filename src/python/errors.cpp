#include "python/errors.hpp"

#include <algorithm>
#include <exception>
#include <string>

#include <lockstep/exec/error.hpp>
#include <lockstep/exec/finding_error.hpp>
#include <lockstep/spirv/interruption.hpp>

#include "io/error.hpp"
#include "io/npy.hpp"
#include "python/bind.hpp"
#include "python/findings.hpp"

namespace lockstep::python {
namespace {

py::object class_named(const char* name) {
  return py::module_::import("lockstep._errors").attr(name);
}

void set_error(const char* name, const std::string& message) {
  const py::object type = class_named(name);
  PyErr_SetObject(type.ptr(), type(message).ptr());
}

void set_run_error(const FindingError& error) {
  report::Findings earlier;
  earlier.add(error.earlier());
  const py::object type = class_named("RunError");
  PyErr_SetObject(type.ptr(),
                  type(error.what(), py::cast(error.finding()), list_of(earlier)).ptr());
}

/// Python's own handler has noted the signal: what it makes of it, else a RunError.
void set_interrupted() {
  if (PyErr_CheckSignals() == 0) set_error("RunError", Interrupted().what());
}

/// A message that starts with an option of the program, as with the argument of that name.
std::string as_argument(const std::string& message) {
  if (!message.starts_with("--")) return message;
  const std::size_t end = std::min(message.find_first_of(" :"), message.size());
  std::string name = message.substr(2, end - 2);
  std::ranges::replace(name, '-', '_');
  return (name == "spec" ? "constants" : name) + message.substr(end);
}

void translate(std::exception_ptr thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Interrupted&) {
    set_interrupted();
  } catch (const FindingError& error) {
    set_run_error(error);
  } catch (const io::InputError& error) {
    PyErr_SetString(PyExc_ValueError, as_argument(error.what()).c_str());
  } catch (const npy::Error& error) {
    PyErr_SetString(PyExc_OSError, error.what());
  } catch (const Error& error) {
    set_error("Error", error.what());
  }
}

}  // namespace

void rethrow_as_compile_error() {
  std::string message;
  try {
    throw;
  } catch (const Error& error) {
    message = error.what();
  } catch (const io::InputError& error) {
    message = error.what();
  }
  set_error("CompileError", message);
  throw py::error_already_set();
}

void add_errors() { py::register_exception_translator(translate); }

}  // namespace lockstep::python
