#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <lockstep/exec/fault_log.hpp>

namespace lockstep::amber {

enum class Verdict : std::uint8_t {
  passed,
  failed,   ///< an expectation is not met, or a shader misbehaves
  skipped,  ///< the script requires what the device lacks
  error,    ///< the script or its shader is malformed or unsupported
};
/// PASS, FAIL, SKIP or ERROR.
std::string_view to_string(Verdict verdict);

/// The outcome of one script.
struct Outcome {
  std::string path;
  Verdict verdict = Verdict::passed;
  std::string message;             ///< why it did not pass, with file and line
  std::vector<std::string> notes;  ///< requested times, and output of shaders
  double seconds = 0;
  FaultLog findings = {};  ///< of all shaders
};

}  // namespace lockstep::amber
