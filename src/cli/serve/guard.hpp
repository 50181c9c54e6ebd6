#pragma once

#include <string>

#include "http/server.hpp"

namespace lockstep::cli {

/// Why a request to the server at this port of 127.0.0.1 is refused; empty if it is not. Browsers send the pages of
/// other sites' scripts with a foreign Origin, and with a foreign Host once a name has been rebound to this machine.
std::string refusal(const http::Caller& caller, int port);

}  // namespace lockstep::cli
