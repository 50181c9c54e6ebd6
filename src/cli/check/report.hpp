#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "judgement/judge.hpp"

/// \file
/// What `lockstep check` says about a job, as text and as JSON.

namespace lockstep::cli {

/// A job that was judged, or why it could not be.
struct CheckedJob {
  std::string folder;
  job::Job job;  ///< empty if it could not be read
  judgement::Judgement judgement;
  std::string error;      ///< empty if it was judged
  bool is_judged = true;  ///< false: the shader writes nothing

  /// That of the judgement, "nothing to compare" or "error".
  const char* outcome() const;
};

/// The lines about a job: one if all is right and `detailed` is false.
std::string text_of(const CheckedJob& checked, bool detailed);
nlohmann::ordered_json json_of(const CheckedJob& checked);

}  // namespace lockstep::cli
