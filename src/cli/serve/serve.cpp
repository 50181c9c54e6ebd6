#include "cli/serve/serve.hpp"

#include <signal.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <semaphore>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include <lockstep/exec/error.hpp>

#include "cli/own_library.hpp"
#include "cli/serve/guard.hpp"
#include "cli/serve/wgsl.hpp"
#include "cli/serve/worker.hpp"
#include "cli/share.hpp"
#include "http/server.hpp"
#include "io/files.hpp"
#include "playground/playground.hpp"
#include "render/assets.hpp"
#include "render/page.hpp"
#include "shader/front/temporary_folder.hpp"

namespace lockstep::cli {
namespace {

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

/// The page's files and the answers to its messages.
class Page {
 public:
  bool has_editor() const { return editor_.exists(); }

  /// Null if the port cannot be used. The page must outlive the server.
  std::unique_ptr<http::Server> serve(int port) {
    http::Site site;
    site.files = files();
    site.headers = {{"Content-Security-Policy", content_policy},
                    {"X-Content-Type-Options", "nosniff"},
                    {"Referrer-Policy", "no-referrer"},
                    {"Cross-Origin-Resource-Policy", "same-origin"},
                    {"Cache-Control", "no-store"}};
    site.message_bytes = playground::limits::message_bytes;
    site.refusal = refusal;
    site.answer = [this](const std::string& message, const std::function<bool()>& is_over) {
      return answer(message, is_over);
    };
    site.answered = [this] { workers_.prepare(); };
    void* const open = function_of_library("http", "lockstep_open_server");
    if (open == nullptr)
      throw Error("liblockstep_http.so is not where the program looks; install lockstep again");
    return std::unique_ptr<http::Server>(reinterpret_cast<http::OpenServer*>(open)(site, port));
  }

 private:
  std::vector<http::File> files() const {
    const std::string head = has_editor() ? "<link rel=\"stylesheet\" href=\"editor.css\">\n"
                                            "<script src=\"editor.js\"></script>\n"
                                            "<script src=\"editor_mode.js\"></script>\n"
                                          : "";
    std::vector<http::File> all{
        {"/", render::server_page(head), "text/html; charset=utf-8"},
        {"/page.css", std::string(render::assets::style), "text/css"},
        {"/page.js",
         std::string(render::assets::script) + std::string(render::assets::ask_script) +
             std::string(render::assets::serve_script),
         "text/javascript"}};
    if (has_editor()) {
      all.push_back({"/editor.css", editor_.style, "text/css"});
      all.push_back({"/editor.js", editor_.script, "text/javascript"});
      all.push_back({"/editor_mode.js", editor_.mode, "text/javascript"});
    }
    return all;
  }

  /// Waits for one of the runs to end if there are too many.
  std::string answer(const std::string& message, const std::function<bool()>& is_over) {
    while (!runs_.try_acquire_for(std::chrono::milliseconds(100)))
      if (is_over()) return "";
    const std::unique_ptr<decltype(runs_), void (*)(decltype(runs_)*)> turn(
        &runs_, [](decltype(runs_)* runs) { runs->release(); });
    return workers_.answer(message, is_over);
  }

  Editor editor_;
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
  Page page;
  const std::unique_ptr<http::Server> server = page.serve(port);
  if (server == nullptr)
    throw UsageError(
        fmt::format("port {} of 127.0.0.1 cannot be used; give another one with --port", port));
  std::thread listener([&] { server->listen(); });
  fmt::print(
      "http://127.0.0.1:{}/ shows shaders as they run, to browsers on this machine; Ctrl-C stops "
      "it\n",
      server->port());
  if (!page.has_editor())
    fmt::print(
        "the editor is a plain text area: CodeMirror was not found (Debian: libjs-codemirror)\n");
  std::fflush(stdout);
  int taken = 0;
  sigwait(&ends, &taken);
  server->stop();
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
