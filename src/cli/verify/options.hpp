#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "cli/child_program.hpp"
#include "cli/run_options.hpp"

namespace lockstep::cli {

/// The command line of `lockstep verify`. `run` holds only inputs and options of the compilation.
struct VerifyOptions {
  std::vector<std::string> paths;
  RunOptions run;
  std::vector<int> sizes;
  std::string budget = "200";
  double seconds = 60;
  int threads = 0;
  bool json = false;
  std::string junit, sarif, output;
  std::string init;
  std::string find_inputs;  ///< a suite file
  std::uint64_t search_runs = 1000, seed = 1;
  bool mutate = false;
  const std::atomic<bool>* stop = &never_stop;  ///< true once Ctrl-C was pressed
};

}  // namespace lockstep::cli
