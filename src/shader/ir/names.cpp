#include "shader/ir/names.hpp"

namespace lockstep::spirv {

std::string_view name_of(Scalar s) {
  constexpr std::string_view names[] = {"bool",   "int8",    "int16",   "int32",
                                        "int64",  "uint8",   "uint16",  "uint32",
                                        "uint64", "float16", "float32", "float64"};
  return names[static_cast<int>(s)];
}

const char* atomic_name(Operator op) {
  constexpr const char* names[] = {
      "atomicAdd", "",          "atomicMin",      "atomicMax",      "atomicAnd",  "atomicOr",
      "atomicXor", "atomicSub", "atomicExchange", "atomicCompSwap", "atomicLoad", "atomicStore",
      "",          ""};
  return names[static_cast<int>(op)];
}

}  // namespace lockstep::spirv
