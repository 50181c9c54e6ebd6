#include "cli/serve/worker.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <string_view>

#include <fmt/format.h>

#include "cli/serve/wgsl.hpp"
#include "playground/playground.hpp"
#include "runtime/dispatch/fiber.hpp"

namespace lockstep::cli {
namespace {

using Clock = std::chrono::steady_clock;

#if defined(__SANITIZE_ADDRESS__)
constexpr bool limits_memory = false;  // its shadow memory is larger than any limit
#else
constexpr bool limits_memory = true;
#endif

using playground::failure;

/// A module that a compiler writes.
constexpr std::uint64_t file_bytes = std::uint64_t{16} << 20;

template <class Resource>
void limit(Resource resource, std::uint64_t most) {
  const rlimit both{most, most};
  setrlimit(resource, &both);
}

/// Both ends of a pipe, closed when they are no longer needed.
class Pipe {
 public:
  Pipe() { works_ = pipe2(ends_.data(), O_CLOEXEC) == 0; }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  bool works() const { return works_; }
  int out() const { return ends_[0]; }
  int in() const { return ends_[1]; }
  void close_out() { close_end(0); }
  void close_in() { close_end(1); }

 private:
  void close_end(std::size_t end) {
    if (ends_[end] >= 0) close(ends_[end]);
    ends_[end] = -1;
  }
  std::array<int, 2> ends_{-1, -1};
  bool works_ = false;
};

/// Between fork and exec of a process with threads: only calls that are safe there.
[[noreturn]] void become_worker(int in, int out) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, playground::limits::seconds);
  limit(RLIMIT_FSIZE, file_bytes);
  const rlimit stack{std::uint64_t{256} << 20, std::uint64_t{256} << 20};
  setrlimit(RLIMIT_STACK, &stack);
  dup2(in, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  close_range(3, ~0u, 0);
  char program[] = "lockstep", command[] = "serve", worker[] = "--worker";
  char* const words[] = {program, command, worker, nullptr};
  execv("/proc/self/exe", words);
  _exit(127);
}

}  // namespace

/// A running child, which is gone at the end.
class Workers::Child {
 public:
  Child() {
    if (!to_.works() || !from_.works()) return;
    pid_ = fork();
    if (pid_ == 0) become_worker(to_.out(), from_.in());
    to_.close_out();
    from_.close_in();
    fcntl(to_.in(), F_SETFL, O_NONBLOCK);
    fcntl(from_.out(), F_SETFL, O_NONBLOCK);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() { end(); }

  /// Whether it has not ended by itself.
  bool runs() {
    if (pid_ > 0 && waitpid(pid_, &status_, WNOHANG) == pid_) pid_ = -1;
    return pid_ > 0;
  }

  /// Sends what the pipe takes of the text; closes it after the last byte.
  void send(std::string_view& text) {
    const ssize_t count = write(to_.in(), text.data(), text.size());
    if (count > 0) text.remove_prefix(static_cast<std::size_t>(count));
    if (text.empty() || (count < 0 && errno != EAGAIN && errno != EINTR)) {
      text = {};
      to_.close_in();
    }
  }
  /// Adds what has come; whether more may.
  bool receive(std::string& text) {
    std::array<char, 1 << 16> part;
    const ssize_t count = read(from_.out(), part.data(), part.size());
    if (count > 0) text.append(part.data(), static_cast<std::size_t>(count));
    return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR));
  }
  /// Waits until something can be sent or received, at most a tenth of a second.
  void wait(bool sends) {
    std::array<pollfd, 2> ends{pollfd{from_.out(), POLLIN, 0}, pollfd{to_.in(), POLLOUT, 0}};
    poll(ends.data(), sends ? 2 : 1, 100);
  }

  /// Kills it if it still runs; how it ended.
  int end() {
    if (pid_ <= 0) return status_;
    kill(-pid_, SIGKILL);
    kill(pid_, SIGKILL);
    return reap();
  }
  int reap() {
    while (waitpid(pid_, &status_, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
    return status_;
  }

 private:
  Pipe to_, from_;
  pid_t pid_ = -1;
  int status_ = 0;
};

namespace {

std::string too_long(const char* what, unsigned seconds) {
  return failure(fmt::format("the run takes more than {} s{}; make it smaller", seconds, what));
}

/// Why there is no whole answer.
std::string ended_because(int status) {
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  if (signal == SIGXCPU || signal == SIGKILL)
    return too_long(" of processor time", playground::limits::seconds);
  if (signal == SIGSEGV || signal == SIGBUS)
    return failure("compiling the shader needs more than 256 MiB of stack; nest less");
  return failure(signal != 0 ? fmt::format("the run ended with signal {}", signal)
                             : fmt::format("the run ended with status {}", status));
}

}  // namespace

Workers::Workers() { prepare(); }
Workers::~Workers() = default;

void Workers::prepare() {
  const std::lock_guard lock(mutex_);
  if (spare_ == nullptr || !spare_->runs()) spare_ = std::make_unique<Child>();
}

std::unique_ptr<Workers::Child> Workers::take() {
  {
    const std::lock_guard lock(mutex_);
    if (spare_ != nullptr && spare_->runs()) return std::move(spare_);
  }
  return std::make_unique<Child>();
}

std::string Workers::answer(const std::string& request, const std::function<bool()>& is_over) {
  const std::unique_ptr<Child> worker = take();
  Child& child = *worker;
  if (!child.runs()) return failure("no process can be started for the run; try again");
  const auto deadline = Clock::now() + std::chrono::seconds(playground::limits::waiting_seconds);
  std::string_view left = request;
  std::string answer;
  for (bool more = true; more;) {
    if (is_over()) return "";
    if (Clock::now() > deadline) return too_long("", playground::limits::waiting_seconds);
    child.wait(!left.empty());
    if (!left.empty()) child.send(left);
    more = child.receive(answer);
    if (answer.size() > playground::limits::answer_bytes)
      return failure(
          fmt::format("the recording of the run takes more than {} MiB; make the run smaller",
                      playground::limits::answer_bytes >> 20));
  }
  const int status = child.reap();
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 && !answer.empty() ? answer
                                                                          : ended_because(status);
}

namespace {

std::string answer_of(std::string message) {
  try {
    message = with_wgsl(message);
  } catch (const std::exception& error) {
    return failure(error.what());
  }
  // The libraries are loaded: from here on no file can be opened, nor written.
  limit(RLIMIT_NOFILE, 3);
  limit(RLIMIT_FSIZE, 0);
  return playground::answer(message);
}

}  // namespace

ExitCode run_serve_worker() {
  if (limits_memory) {
    limit(RLIMIT_DATA, playground::limits::memory_bytes);
    // The limit counts whole stacks, and a workgroup may have a subgroup for each of 1024 invocations.
    Fiber::set_stack_bytes(playground::limits::memory_bytes / 2048);
  }
  // What compilers prepare for their first shader takes longer than most shaders.
  static_cast<void>(
      playground::answer(R"({"ask": "trace", "source": "#version 450\nvoid main() {}"})"));
  std::string request;
  std::array<char, 1 << 16> part;
  for (std::size_t count = 0; (count = std::fread(part.data(), 1, part.size(), stdin)) > 0;)
    request.append(part.data(), count);
  const std::string answer = answer_of(request);
  std::fwrite(answer.data(), 1, answer.size(), stdout);
  flush_output();
  return exit_fine;
}

}  // namespace lockstep::cli
