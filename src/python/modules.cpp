#include <pybind11/stl.h>

#include <cstring>
#include <exception>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/dispatch/image.hpp>
#include <lockstep/exec/error.hpp>
#include <lockstep/spirv/module.hpp>
#include <lockstep/spirv/reflection.hpp>

#include "capture/job/job.hpp"
#include "io/arguments.hpp"
#include "io/layouts.hpp"
#include "io/spec_constants.hpp"
#include "io/types.hpp"
#include "python/bind.hpp"
#include "python/errors.hpp"
#include "python/findings.hpp"

/// \file
/// Modules and what they declare.

namespace lockstep::python {
namespace {

const char* name_of(LayoutType::Kind kind) {
  switch (kind) {
    case LayoutType::Kind::number:
      return "number";
    case LayoutType::Kind::vector:
      return "vector";
    case LayoutType::Kind::matrix:
      return "matrix";
    case LayoutType::Kind::array:
      return "array";
    case LayoutType::Kind::structure:
      return "structure";
    case LayoutType::Kind::address:
      return "address";
  }
  return "";
}

py::dict to_python(const LayoutType& type) {
  py::dict made;
  made["kind"] = name_of(type.kind);
  made["type"] = type.name;
  if (type.kind == LayoutType::Kind::address)
    made["number"] = "u64";
  else if (type.number != NumberType::none)
    made["number"] = std::string(io::name_of(io::dtype_of(type.number)));
  made["rows"] = type.rows;
  made["columns"] = type.columns;
  made["row_major"] = type.row_major;
  made["count"] = type.count;
  made["stride"] = type.stride;
  made["size"] = type.size;
  py::list members;
  for (const LayoutMember& member : type.members)
    members.append(py::make_tuple(member.name, member.offset, to_python(member.type)));
  made["members"] = members;
  return made;
}

py::dict to_python(const Reflection::Binding& binding) {
  py::dict made;
  made["kind"] = job::name_of(binding.kind);
  made["set"] = binding.set;
  made["binding"] = binding.binding;
  made["elements"] = binding.elements;
  made["writable"] = binding.writable;
  made["used"] = binding.used;
  made["name"] = binding.name;
  made["hlsl_register"] = binding.hlsl_register;
  made["type"] = binding.type;
  made["format"] = binding.format;
  made["block"] = to_python(binding.block);
  made["members"] = io::members_of(binding.block);
  return made;
}

py::dict to_python(const Reflection& reflection) {
  py::dict made;
  made["entry"] = reflection.entry;
  made["local_size"] = tuple_of(reflection.local_size);
  py::list bindings;
  for (const auto& binding : reflection.bindings) bindings.append(to_python(binding));
  made["bindings"] = bindings;
  made["push_constants"] =
      reflection.push_constants ? py::object(to_python(*reflection.push_constants)) : py::none();
  made["push_members"] =
      reflection.push_constants ? io::members_of(*reflection.push_constants) : std::string();
  py::list constants;
  for (const DeclaredConstant& constant : reflection.constants)
    constants.append(py::make_tuple(constant.id, constant.name,
                                    std::string(glsl_name(constant.type)), constant.bits));
  made["constants"] = constants;
  return made;
}

ModuleOptions options_of(const std::vector<std::pair<std::string, std::string>>& defines,
                         const std::vector<std::string>& include_dirs, const std::string& entry,
                         const std::string& target, const std::string& compiler, bool validate,
                         const std::string& registers) {
  ModuleOptions options;
  options.defines = defines;
  options.include_dirs = include_dirs;
  options.entry = entry;
  options.target = target;
  options.compiler = compiler;
  options.validate = validate;
  options.registers = io::parse_shifts(registers);
  return options;
}

/// From the text or the bytes of a file in one of the languages that need no other compiler.
Module from_text(const std::string& language, const std::string& text, const std::string& name,
                 const ModuleOptions& options) {
  if (language == "glsl") return Module::from_glsl(text, options, name);
  if (language == "hlsl") return Module::from_hlsl(text, options, name);
  if (language == "spvasm") return Module::from_assembly(text, options, name);
  if (language != "spv")
    throw Error("language '" + language + "': write glsl, hlsl, spvasm or spv");
  if (text.size() % sizeof(std::uint32_t) != 0)
    throw Error(name + ": a module's bytes are a multiple of 4, not " +
                std::to_string(text.size()));
  std::vector<std::uint32_t> words(text.size() / sizeof(std::uint32_t));
  std::memcpy(words.data(), text.data(), text.size());
  return Module::from_words(std::move(words), options, name);
}

template <class F>
Module compiled(F&& compile) {
  try {
    const py::gil_scoped_release release;
    return compile();
  } catch (const std::exception&) {
    rethrow_as_compile_error();
  }
}

std::map<std::uint32_t, SpecConstant> constants_named(const Module& module,
                                                      const std::vector<std::string>& texts) {
  return io::specialization(texts, constants_of(module));
}

}  // namespace

void add_modules(py::module_& m) {
  py::class_<Module>(m, "Module")
      .def_property_readonly("name", &Module::name)
      .def_property_readonly("entry_points", &Module::entry_points)
      .def_property_readonly("words",
                             [](const Module& module) {
                               const auto words = module.words();
                               return py::bytes(reinterpret_cast<const char*>(words.data()),
                                                words.size_bytes());
                             })
      .def("reflect", [](const Module& module, const std::string& entry,
                         const std::vector<std::string>& constants) {
        return to_python(reflect(module, entry, constants_named(module, constants)));
      });
  const auto defines = py::arg("defines");
  m.def(
      "load",
      [](const std::string& path, const std::vector<std::pair<std::string, std::string>>& defined,
         const std::vector<std::string>& include_dirs, const std::string& entry,
         const std::string& target, const std::string& compiler, bool validate,
         const std::string& registers) {
        return compiled([&] {
          ModuleOptions options =
              options_of(defined, include_dirs, entry, target, compiler, validate, registers);
          return Module::load(path, options);
        });
      },
      py::arg("path"), defines, py::arg("include_dirs"), py::arg("entry"), py::arg("target"),
      py::arg("compiler"), py::arg("validate"), py::arg("registers"));
  m.def(
      "from_text",
      [](const std::string& language, const std::string& text, const std::string& name,
         const std::vector<std::pair<std::string, std::string>>& defined,
         const std::vector<std::string>& include_dirs, const std::string& entry,
         const std::string& target, bool validate, const std::string& registers) {
        return compiled([&] {
          return from_text(
              language, text, name,
              options_of(defined, include_dirs, entry, target, "", validate, registers));
        });
      },
      py::arg("language"), py::arg("text"), py::arg("name"), defines, py::arg("include_dirs"),
      py::arg("entry"), py::arg("target"), py::arg("validate"), py::arg("registers"));
  m.def("image_formats", [] {
    py::list made;
    for (const ImageFormatInfo& info : image_formats)
      made.append(py::make_tuple(std::string(info.name), static_cast<int>(info.coding),
                                 info.bits[0], info.components, info.bytes, info.packed()));
    return made;
  });
}

}  // namespace lockstep::python
