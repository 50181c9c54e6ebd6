#include "http/server.hpp"

#include <httplib.h>

#include <atomic>
#include <memory>
#include <string>

namespace lockstep::http {
namespace {

constexpr const char* address = "127.0.0.1";
constexpr std::size_t threads =
    32;  ///< and connections; those that say nothing take one for five seconds

class HttplibServer final : public Server {
 public:
  HttplibServer(const Site& site, int port) : site_(site) {
    server_.new_task_queue = [] { return new httplib::ThreadPool(threads); };
    server_.set_payload_max_length(site_.message_bytes);
    server_.set_read_timeout(5);
    server_.set_keep_alive_timeout(1);
    server_.set_tcp_nodelay(true);
    // The library's own options let two servers have one port.
    server_.set_socket_options([](socket_t socket) {
      const int yes = 1;
      setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    if (port == 0)
      port_ = server_.bind_to_any_port(address);
    else
      port_ = server_.bind_to_port(address, port) ? port : -1;
    add_routes();
  }

  bool has_port() const { return port_ >= 0; }
  int port() const override { return port_; }
  void listen() override { server_.listen_after_bind(); }
  void stop() override {
    stopped_ = true;
    server_.stop();
  }

 private:
  using Request = httplib::Request;
  using Response = httplib::Response;

  void add_routes() {
    server_.set_pre_routing_handler(
        [this](const Request& request, Response& response) { return guard(request, response); });
    for (const File& file : site_.files)
      server_.Get(file.path, [&file](const Request&, Response& response) {
        response.set_content(file.text, file.type.c_str());
      });
    server_.Post("/ask", [this](const Request& request, Response& response) {
      // A page of another origin cannot send this type without asking first.
      if (request.get_header_value("Content-Type").rfind("application/json", 0) != 0) {
        response.status = 415;
        response.set_content("a message must be application/json\n", "text/plain");
        return;
      }
      // The answer comes in the course of the run, which ends when its page has gone or asks for another one.
      response.set_chunked_content_provider(
          "application/json", [this, body = request.body](std::size_t, httplib::DataSink& sink) {
            const std::string answer =
                site_.answer(body, [&] { return stopped_ || !sink.is_writable(); });
            sink.write(answer.data(), answer.size());
            sink.done();
            site_.answered();
            return true;
          });
    });
  }

  httplib::Server::HandlerResponse guard(const Request& request, Response& response) const {
    for (const auto& [name, value] : site_.headers) response.set_header(name, value);
    const std::string why = site_.refusal(
        {request.get_header_value("Host"), request.get_header_value("Origin")}, port_);
    if (why.empty()) return httplib::Server::HandlerResponse::Unhandled;
    response.status = 403;
    response.set_content(why + "\n", "text/plain");
    return httplib::Server::HandlerResponse::Handled;
  }

  const Site site_;
  httplib::Server server_;
  int port_ = -1;
  std::atomic<bool> stopped_{false};
};

}  // namespace
}  // namespace lockstep::http

extern "C" [[gnu::visibility("default")]] lockstep::http::OpenServer lockstep_open_server;

lockstep::http::Server* lockstep_open_server(const lockstep::http::Site& site, int port) {
  auto server = std::make_unique<lockstep::http::HttplibServer>(site, port);
  return server->has_port() ? server.release() : nullptr;
}
