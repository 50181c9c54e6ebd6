#include <pybind11/stl.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include <lockstep/subgroup/spec.hpp>

#include "explain/rows.hpp"
#include "io/error.hpp"
#include "python/arguments.hpp"
#include "python/bind.hpp"
#include "runtime/dispatch/kept_denormals.hpp"
#include "shader/run/built_in_calls.hpp"

/// \file
/// Built-ins on arrays.

namespace lockstep::python {
namespace {

using spirv::BuiltInCalls;
using spirv::Scalar;

constexpr std::array<std::pair<std::string_view, Scalar>, 12> scalars = {{
    {"bool", Scalar::boolean},
    {"i8", Scalar::i8},
    {"i16", Scalar::i16},
    {"i32", Scalar::i32},
    {"i64", Scalar::i64},
    {"u8", Scalar::u8},
    {"u16", Scalar::u16},
    {"u32", Scalar::u32},
    {"u64", Scalar::u64},
    {"f16", Scalar::f16},
    {"f32", Scalar::f32},
    {"f64", Scalar::f64},
}};

Scalar scalar_named(const std::string& name) {
  for (const auto& [known, scalar] : scalars)
    if (known == name) return scalar;
  throw io::InputError("values of " + name +
                       ": there are bool, integers of 8 to 64 bits and floats of 16 to 64");
}
std::string name_of(Scalar scalar) {
  for (const auto& [name, known] : scalars)
    if (known == scalar) return std::string(name);
  return "";
}

const char* name_of(spec::Form form) {
  constexpr std::array names = {
      "nothing",         "condition",   "condition_to_ballot", "comparison",    "value",
      "value_to_ballot", "value_index", "value_index_cluster", "value_cluster", "value_ballot",
      "ballot",          "ballot_index"};
  return names.at(static_cast<std::size_t>(form));
}

spec::Name built_in_named(const std::string& name) {
  const auto all = spec::functions();
  for (std::size_t k = 0; k < all.size(); ++k)
    if (all[k].name == name) return static_cast<spec::Name>(k);
  throw io::InputError("there is no built-in " + name);
}

py::list built_ins() {
  py::list made;
  for (const spec::BuiltIn& built_in : spec::functions()) {
    const explain::Row* row = explain::find_row(built_in.name);
    py::dict one;
    one["name"] = std::string(built_in.name);
    one["form"] = name_of(built_in.form);
    one["types"] = std::string(built_in.types);
    one["by_lane"] = built_in.result == spec::Result::each;
    one["extension"] = std::string(built_in.place.extension);
    one["meaning"] = row == nullptr ? std::string() : explain::meaning(*row);
    one["undefined"] = std::string(built_in.undefined);
    made.append(one);
  }
  return made;
}

/// (memory or None, bytes from row to row, whether each lane has its own)
using OperandOf = std::tuple<py::object, std::size_t, bool>;

/// Memory that an operand refers to.
class Held {
 public:
  explicit Held(const OperandOf& of) {
    const auto& [memory, stride, by_lane] = of;
    operand_.stride = stride;
    operand_.by_lane = by_lane;
    if (memory.is_none()) return;
    view_.emplace(memory, false);
    operand_.data = view_->bytes().data();
  }
  const spirv::CallOperand& operand() const { return operand_; }

 private:
  std::optional<View> view_;
  spirv::CallOperand operand_;
};

py::tuple result_of(const std::string& name, const std::string& type, int size,
                    bool ballot_by_lane) {
  const auto result =
      spirv::result_of({built_in_named(name), scalar_named(type), size}, ballot_by_lane);
  return py::make_tuple(name_of(result.type), result.components, result.by_lane);
}

void call(const std::string& name, const std::string& type, int size, std::uint32_t cluster,
          std::size_t rows, const OperandOf& value, const OperandOf& second,
          const OperandOf& ballot, const OperandOf& active, const py::object& result,
          bool undefined) {
  const Held held[] = {Held(value), Held(second), Held(ballot), Held(active)};
  const View into(result, true);
  const BuiltInCalls::Operands operands{held[0].operand(), held[1].operand(), held[2].operand(),
                                        held[3].operand()};
  BuiltInCalls built_in({built_in_named(name), scalar_named(type), size, cluster});
  const py::gil_scoped_release release;
  const KeptDenormals mode;
  if (undefined)
    built_in.undefined(operands, rows, into.bytes().data());
  else
    built_in.run(operands, rows, into.bytes().data());
}

}  // namespace

void add_subgroup(py::module_& m) {
  m.def("built_ins", &built_ins);
  m.def("built_in_result", &result_of);
  m.def("call_built_in", &call);
}

}  // namespace lockstep::python
