#include "python/progress.hpp"

namespace lockstep::python {
namespace {

// What the handler reads and writes; the rest changes only while the handler is not installed.
volatile std::sig_atomic_t asked_to_end = 0;
struct sigaction before = {};
bool is_installed = false;

void on_interrupt(int signal, siginfo_t* info, void* context) {
  asked_to_end = 1;
  if ((before.sa_flags & SA_SIGINFO) != 0)
    before.sa_sigaction(signal, info, context);
  else
    before.sa_handler(signal);
}

/// Python handles signals in the thread that imported it first.
bool is_main_thread() {
  const py::module_ threading = py::module_::import("threading");
  return threading.attr("get_ident")().equal(threading.attr("main_thread")().attr("ident"));
}

}  // namespace

Interruption::Interruption() {
  if (is_installed || !is_main_thread()) return;
  struct sigaction now = {};
  sigaction(SIGINT, nullptr, &now);
  // Ignored, or the end of the process: that stays.
  if ((now.sa_flags & SA_SIGINFO) == 0 && (now.sa_handler == SIG_IGN || now.sa_handler == SIG_DFL))
    return;
  before = now;
  asked_to_end = 0;
  struct sigaction action = {};
  action.sa_sigaction = on_interrupt;
  action.sa_flags = SA_SIGINFO | (now.sa_flags & SA_ONSTACK);
  installed_ = is_installed = sigaction(SIGINT, &action, nullptr) == 0;
}

Interruption::~Interruption() {
  if (!installed_) return;
  sigaction(SIGINT, &before, nullptr);
  is_installed = false;
}

bool Interruption::asked() const { return installed_ && asked_to_end != 0; }

void RunProgress::on(std::size_t done, std::size_t total) {
  if (interrupted()) throw Interrupted();
  if (callback_.is_none()) return;
  const Clock::time_point now = Clock::now();
  if (done != total && now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  const py::gil_scoped_acquire acquire;
  callback_(done, total);
}

}  // namespace lockstep::python
