#pragma once

#include <string>

namespace lockstep::cli {

/// What a request says about where it comes from.
struct Caller {
  std::string host;    ///< the header Host
  std::string origin;  ///< the header Origin; empty if there is none
};

/// Why a request to the server at this port of 127.0.0.1 is refused; empty if it is not. Browsers send the pages of
/// other sites' scripts with a foreign Origin, and with a foreign Host once a name has been rebound to this machine.
std::string refusal(const Caller& caller, int port);

}  // namespace lockstep::cli
