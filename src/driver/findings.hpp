#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <lockstep/exec/fault_log.hpp>

namespace lockstep::driver {

/// The findings of all dispatches of an instance, merged where they are of one place and rule. Thread-safe.
class Findings {
 public:
  /// The files that they are written to, as SARIF and as JSON; empty for none.
  /// `found` is made once there is a finding, empty.
  Findings(std::string sarif, std::string json, std::string found);

  /// Adds those of a dispatch and rewrites the files. Returns new ones: those of places that had none.
  std::vector<Finding> add(const FaultLog& log);
  /// Counts something else as a finding, by its rule: that the device was lost.
  void count(std::string_view rule);
  /// How many there were by rule, and the files: "2 findings: out-of-bounds 2; a.sarif".
  std::string summary();
  bool any();

 private:
  void write() const;
  void mark() const;

  std::string sarif_, json_, found_;
  std::map<std::string, std::uint64_t, std::less<>> others_;
  std::mutex adding_;
  std::vector<Finding> all_;
  std::uint64_t more_ = 0;  ///< in places of which nothing else is known
};

}  // namespace lockstep::driver
