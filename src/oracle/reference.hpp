#pragma once

#include <string>
#include <vector>

#include "oracle/memory.hpp"

namespace lockstep::oracle {

/// What conforming devices may leave in memory after a run. The bytes that are not in it are those of the run itself.
struct Reference {
  struct Line {
    std::string file;
    int line = 0;  ///< 0: unknown
  };
  Memory memory;
  std::vector<Line> lines;  ///< Allowed::origin counts from 1

  /// Why a value is no interval, and the line: "shader.comp:12: a comparison that rounding decides".
  std::string explain(const Allowed& allowed) const;
};

}  // namespace lockstep::oracle
