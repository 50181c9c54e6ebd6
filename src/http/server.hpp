#pragma once

/// \file
/// What the program and its library for HTTP know of each other. The library is loaded by `lockstep serve` alone: with what
/// cpp-httplib brings along, OpenSSL among it, loading takes longer than most runs of a shader.

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace lockstep::http {

/// What a request says about where it comes from.
struct Caller {
  std::string host;    ///< the header Host
  std::string origin;  ///< the header Origin; empty if there is none
};

/// A file of the server.
struct File {
  std::string path, text, type;
};

/// What a server gives: files, and answers to messages.
struct Site {
  std::vector<File> files;
  std::vector<std::pair<std::string, std::string>> headers;  ///< of every response
  std::size_t message_bytes = 0;                             ///< of a message, at most
  /// Why a request to the server at this port is refused; empty if it is not.
  std::function<std::string(const Caller&, int port)> refusal;
  /// Answers a JSON message to /ask. Called by several threads; `is_over` tells once nobody waits for the answer.
  std::function<std::string(const std::string& message, const std::function<bool()>& is_over)>
      answer;
  std::function<void()> answered;  ///< called after each answer has been sent
};

/// A server that has its port.
class Server {
 public:
  virtual ~Server() = default;
  virtual int port() const = 0;
  /// Serves until another thread calls `stop`.
  virtual void listen() = 0;
  virtual void stop() = 0;
};

/// Binds a port of 127.0.0.1, any free one if it is 0; null if it cannot be used. The caller owns the server. The library
/// exports such a function, lockstep_open_server.
using OpenServer = Server*(const Site& site, int port);

}  // namespace lockstep::http
