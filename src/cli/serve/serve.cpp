#include "cli/serve/serve.hpp"

#include <httplib.h>
#include <signal.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <semaphore>
#include <string>
#include <string_view>
#include <thread>

#include <fmt/format.h>

#include "cli/serve/guard.hpp"
#include "cli/serve/wgsl.hpp"
#include "cli/serve/worker.hpp"
#include "cli/share.hpp"
#include "io/files.hpp"
#include "playground/playground.hpp"
#include "render/assets.hpp"
#include "render/page.hpp"
#include "shader/front/temporary_folder.hpp"

namespace lockstep::cli {
namespace {

constexpr const char* address = "127.0.0.1";
constexpr std::size_t threads =
    32;  ///< and connections; those that say nothing take one for five seconds
constexpr std::ptrdiff_t runs_at_once = 4;

struct ServeOptions {
  int port = 8420;
  bool worker = false;
};

/// CodeMirror of the program's files; without it the page has a plain text area.
struct Editor {
  std::string script, mode, style;

  Editor() {
    const std::filesystem::path folder = share_folder() / "codemirror";
    if (!std::filesystem::is_regular_file(folder / "lib/codemirror.js")) return;
    script = lockstep::io::read_text((folder / "lib/codemirror.js").string());
    mode = lockstep::io::read_text((folder / "mode/clike/clike.js").string());
    style = lockstep::io::read_text((folder / "lib/codemirror.css").string());
  }
  bool exists() const { return !script.empty(); }
};

/// Nothing but what this server gives may load, run or be asked, and no other page may show this one.
constexpr const char* content_policy =
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; "
    "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

class PageServer {
 public:
  explicit PageServer(int port) {
    server_.new_task_queue = [] { return new httplib::ThreadPool(threads); };
    server_.set_payload_max_length(playground::limits::message_bytes);
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
    if (port_ < 0)
      throw UsageError(
          fmt::format("port {} of {} cannot be used; give another one with --port", port, address));
    add_routes();
  }

  int port() const { return port_; }
  bool has_editor() const { return editor_.exists(); }
  void listen() { server_.listen_after_bind(); }
  void stop() {
    stopped_ = true;
    server_.stop();
  }

 private:
  using Request = httplib::Request;
  using Response = httplib::Response;

  void add_routes() {
    server_.set_pre_routing_handler(
        [this](const Request& request, Response& response) { return guard(request, response); });
    const std::string head = editor_.exists() ? "<link rel=\"stylesheet\" href=\"editor.css\">\n"
                                                "<script src=\"editor.js\"></script>\n"
                                                "<script src=\"editor_mode.js\"></script>\n"
                                              : "";
    give("/", render::server_page(head), "text/html; charset=utf-8");
    give("/page.css", std::string(render::assets::style), "text/css");
    give("/page.js",
         std::string(render::assets::script) + std::string(render::assets::ask_script) +
             std::string(render::assets::serve_script),
         "text/javascript");
    if (editor_.exists()) {
      give("/editor.css", editor_.style, "text/css");
      give("/editor.js", editor_.script, "text/javascript");
      give("/editor_mode.js", editor_.mode, "text/javascript");
    }
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
                answer_to_page(body, [&] { return stopped_ || !sink.is_writable(); });
            sink.write(answer.data(), answer.size());
            sink.done();
            workers_.prepare();
            return true;
          });
    });
  }

  /// Waits for one of the runs to end if there are too many.
  std::string answer_to_page(const std::string& message, const std::function<bool()>& is_over) {
    while (!runs_.try_acquire_for(std::chrono::milliseconds(100)))
      if (is_over()) return "";
    const std::unique_ptr<decltype(runs_), void (*)(decltype(runs_)*)> turn(
        &runs_, [](decltype(runs_)* runs) { runs->release(); });
    return workers_.answer(message, is_over);
  }

  void give(const char* path, std::string text, const char* type) {
    server_.Get(path, [text = std::move(text), type](const Request&, Response& response) {
      response.set_content(text, type);
    });
  }

  httplib::Server::HandlerResponse guard(const Request& request, Response& response) const {
    response.set_header("Content-Security-Policy", content_policy);
    response.set_header("X-Content-Type-Options", "nosniff");
    response.set_header("Referrer-Policy", "no-referrer");
    response.set_header("Cross-Origin-Resource-Policy", "same-origin");
    response.set_header("Cache-Control", "no-store");
    const std::string why =
        refusal({request.get_header_value("Host"), request.get_header_value("Origin")}, port_);
    if (why.empty()) return httplib::Server::HandlerResponse::Unhandled;
    response.status = 403;
    response.set_content(why + "\n", "text/plain");
    return httplib::Server::HandlerResponse::Handled;
  }

  Editor editor_;
  httplib::Server server_;
  int port_ = -1;
  std::atomic<bool> stopped_{false};
  std::counting_semaphore<runs_at_once> runs_{runs_at_once};
  Workers workers_;
};

/// Until Ctrl-C or SIGTERM.
ExitCode serve(int port) {
  // Set before any thread starts, so that only sigwait takes them.
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGINT);
  sigaddset(&ends, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &ends, nullptr);
  signal(SIGPIPE, SIG_IGN);
  // Compilers of WGSL write files, and those that are killed leave them behind.
  std::optional<TemporaryFolder> folder;
  if (has_wgsl_compiler()) setenv("TMPDIR", folder.emplace().path().c_str(), 1);
  PageServer server(port);
  std::thread listener([&] { server.listen(); });
  fmt::print(
      "http://{}:{}/ shows shaders as they run, to browsers on this machine; Ctrl-C stops it\n",
      address, server.port());
  if (!server.has_editor())
    fmt::print(
        "the editor is a plain text area: CodeMirror was not found (Debian: libjs-codemirror)\n");
  std::fflush(stdout);
  int taken = 0;
  sigwait(&ends, &taken);
  server.stop();
  listener.join();
  fmt::print("stopped\n");
  return exit_fine;
}

}  // namespace

Command serve_command(CLI::App& program) {
  auto options = std::make_shared<ServeOptions>();
  CLI::App* app =
      program.add_subcommand("serve", "Edit shaders in a browser and see how their lanes run");
  app->add_option("--port", options->port,
                  "The port on 127.0.0.1 (default: 8420; 0: any free port)")
      ->option_text("N")
      ->type_name("N")
      ->check(CLI::Range(0, 65535).description(""));
  app->add_flag("--worker", options->worker)->group("");
  app->footer(
      "The page has an editor for GLSL, HLSL, and WGSL if PATH has naga or tint, the choices of "
      "lockstep trace, and a link that holds the whole experiment. Only this machine can reach it, "
      "and it reads and writes no files, except for a compiler of WGSL. Each run is a separate "
      "process, limited to 10 s of processor time and 1 GiB.\n"
      "\n"
      "Example:\n"
      "  lockstep serve --port 8420");
  return {app, [options] { return options->worker ? run_serve_worker() : serve(options->port); }};
}

}  // namespace lockstep::cli
