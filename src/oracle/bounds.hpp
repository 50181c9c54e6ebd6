#pragma once

#include <optional>
#include <string>
#include <vector>

#include <lockstep/oracle/allowed_results.hpp>

#include "oracle/memory.hpp"
#include "oracle/provenance.hpp"

namespace lockstep::oracle {

/// What conforming devices may leave in memory after a run. The bytes that are not in it are those of the run itself.
struct Bounds : AllowedResults {
  Bounds() = default;

  struct Line {
    std::string file;
    int line = 0;  ///< 0: unknown
  };
  Memory memory;
  std::vector<Line> lines;                    ///< Allowed::origin counts from 1
  std::optional<Provenance> provenance = {};  ///< gets the steps of its workgroup

  /// The line of an operation: "shader.comp:12".
  std::string place(std::uint32_t origin) const;

  /// Why a value is no interval, and the line: "shader.comp:12: a comparison that rounding decides".
  std::string explain(const Allowed& allowed) const;
  /// How a value came about, if its steps were kept: a line for each operation, operands indented below it.
  std::vector<std::string> tell(const Allowed& allowed) const;
};

}  // namespace lockstep::oracle
