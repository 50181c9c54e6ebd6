#include "shader/instruments/events/tell_variables.hpp"

#include <algorithm>
#include <cstring>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/exec/intern.hpp>

namespace lockstep::spirv {
namespace {

constexpr std::size_t nothing = ~std::size_t{0};

/// What one event holds: a scalar or vector, or a component of anything larger.
std::vector<NamedValue> parts_of(const NamedValue& value) {
  if (!value.composite) return {value};
  std::vector<NamedValue> parts;
  for (std::size_t k = 0; k < value.regs.size(); ++k)
    parts.push_back(
        {value.at, intern(fmt::format("{}[{}]", value.name, k)), value.id, {value.regs[k]}});
  return parts;
}

void check_names(const Ir& ir, const VariableNames& wanted) {
  std::set<std::string_view> known;
  for (const NamedValue& value : ir.named_variables) known.insert(value.name);
  for (const NamedValue& value : ir.named_values) known.insert(value.name);
  for (const std::string& name : wanted.names) {
    if (known.contains(name)) continue;
    throw UnknownVariable(
        known.empty()
            ? fmt::format("no variable is named '{}': the shader has no names", name)
            : fmt::format("no variable is named '{}'; there are {}", name, fmt::join(known, ", ")));
  }
}

class Telling {
 public:
  Telling(Ir& ir, const VariableNames& wanted) : ir_(ir), of_reg_(ir.regs.size(), nothing) {
    for (const NamedValue& value : ir.named_variables) {
      if (!wanted.has(value.name)) continue;
      for (NamedValue& part : parts_of(value)) {
        for (const Reg r : part.regs) of_reg_[r] = variables_.size();
        variables_.push_back(std::move(part));
      }
    }
    for (const NamedValue& value : ir.named_values) {
      if (!wanted.has(value.name) || value.regs.empty()) continue;
      for (NamedValue& part : parts_of(value)) values_.push_back(std::move(part));
    }
  }

  void run() {
    auto value = values_.begin();
    for (std::size_t k = 0; k <= ir_.ops.size(); ++k) {
      for (; value != values_.end() && value->at == k; ++value) tell(*value);
      if (k == ir_.ops.size()) break;
      out_.push_back(std::move(ir_.ops[k]));
      const std::size_t written = variable_written(out_.back());
      // A vector is written component by component.
      if (written == nothing ||
          (k + 1 < ir_.ops.size() && variable_written(ir_.ops[k + 1]) == written))
        continue;
      tell(variables_[written]);
    }
    ir_.ops = std::move(out_);
  }

 private:
  std::size_t variable_written(const Op& op) const {
    return op.code == Code::move && op.dst.size() == 1 ? of_reg_[op.dst[0]] : nothing;
  }

  void tell(const NamedValue& value) {
    if (out_.empty()) return;
    Op op;
    op.code = Code::tell_variable;
    op.type = ir_.regs[value.regs[0]].type;
    op.src = value.regs;
    op.detail = ToldVariable{value.name, value.id};
    op.where = out_.back().where;
    out_.push_back(std::move(op));
  }

  Ir& ir_;
  std::vector<std::size_t> of_reg_;  ///< the variable that a register is of
  std::vector<NamedValue> variables_, values_;
  std::vector<Op> out_;
};

}  // namespace

void tell_variables(Ir& ir, const VariableNames& wanted) {
  check_names(ir, wanted);
  Telling(ir, wanted).run();
}

}  // namespace lockstep::spirv
