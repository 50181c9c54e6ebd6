#pragma once

#include <string>
#include <vector>

#include "cli/trace/options.hpp"
#include "render/page.hpp"
#include "report/findings.hpp"

namespace lockstep::cli {

/// A recorded run with all that a page shows of it.
class PageRun {
 public:
  explicit PageRun(TracedRun run);
  PageRun(const PageRun&) = delete;
  PageRun& operator=(const PageRun&) = delete;

  const TracedRun& run() const { return run_; }
  const lockstep::report::Findings& findings() const { return findings_; }
  /// Refers to this. `sources`: the texts of its sources by name; null: they are read from files.
  render::Shown shown(const std::map<std::string, std::string>* sources = nullptr) const {
    return {run_.trace, findings_.list, buffers_, sources};
  }

 private:
  TracedRun run_;
  lockstep::report::Findings findings_;
  std::vector<render::Buffer> buffers_;
};

}  // namespace lockstep::cli
