#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "capture/job/replay.hpp"
#include "python/arguments.hpp"
#include "python/how.hpp"

namespace lockstep::python {

/// A dispatch with copies of what it runs on, which runs again and again.
struct JobOf {
  JobOf(const Module& module, const std::string& entry, const std::vector<std::string>& constants,
        const Arguments& arguments, const How& how, int subgroup_size);

  /// The numbers of the bindings that the shader may write.
  std::vector<std::size_t> written() const;

  job::Replay replay;
  How how;
};

}  // namespace lockstep::python
