#pragma once

#include <mutex>
#include <string>
#include <vector>

#include <lockstep/exec/fault_log.hpp>

namespace lockstep::driver {

/// The findings of all dispatches of an instance, merged where they are of one place and rule. Thread-safe.
class Findings {
 public:
  /// The files that they are written to, as SARIF and as JSON; empty for none.
  Findings(std::string sarif, std::string json);

  /// Adds those of a dispatch and rewrites the files. Returns new ones: those of places that had none.
  std::vector<Finding> add(const FaultLog& log);

 private:
  void write() const;

  std::string sarif_, json_;
  std::mutex adding_;
  std::vector<Finding> all_;
  std::uint64_t more_ = 0;  ///< in places of which nothing else is known
};

}  // namespace lockstep::driver
