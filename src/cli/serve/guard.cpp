#include "cli/serve/guard.hpp"

#include <array>

#include <fmt/format.h>

namespace lockstep::cli {

std::string refusal(const http::Caller& caller, int port) {
  const std::array hosts{fmt::format("127.0.0.1:{}", port), fmt::format("localhost:{}", port)};
  bool known_host = false, known_origin = caller.origin.empty();
  for (const std::string& host : hosts) {
    known_host = known_host || caller.host == host;
    known_origin = known_origin || caller.origin == "http://" + host;
  }
  if (!known_host)
    return fmt::format("this server answers to http://{} only, not to another Host", hosts[0]);
  if (!known_origin) return "this server answers its own page only, not another Origin";
  return "";
}

}  // namespace lockstep::cli
