#include "shader/front/used_ids.hpp"

#include <set>

namespace lockstep::spirv {
namespace {

class UsedIds {
 public:
  explicit UsedIds(const Module& module) : module_(module), used_(module.bound()) {}

  std::vector<bool> find(Id function) {
    std::vector<Id> calls{function};
    while (!calls.empty()) {
      const Id next = calls.back();
      calls.pop_back();
      if (!visited_.insert(next).second) continue;
      for (const Block& block : module_.function(next).blocks) {
        for (const Instruction* i : block.body) {
          add(*i);
          if (i->opcode == spv::Op::OpFunctionCall) calls.push_back((*i)[0]);
        }
        for (const Instruction* i : block.phis) add(*i);
        if (block.terminator != nullptr) add(*block.terminator);
      }
    }
    return std::move(used_);
  }

 private:
  void add(const Instruction& i) {
    for (const std::uint32_t operand : i.operands) {
      if (operand < used_.size()) used_[operand] = true;
    }
  }

  const Module& module_;
  std::vector<bool> used_;
  std::set<Id> visited_;
};

}  // namespace

std::vector<bool> used_ids(const Module& module, Id function) {
  return UsedIds(module).find(function);
}

}  // namespace lockstep::spirv
