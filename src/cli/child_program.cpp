#include "cli/child_program.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <string>
#include <string_view>
#include <system_error>

#include "cli/command.hpp"
#include "cli/long_run.hpp"

namespace lockstep::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds to_say_where{1600};

[[noreturn]] void fail(int error) {
  throw UsageError("no process can be started: " + std::generic_category().message(error));
}

/// A pipe's end that this process reads.
class Reader {
 public:
  Reader() {
    if (pipe2(ends_.data(), O_CLOEXEC) != 0) fail(errno);
  }
  ~Reader() {
    for (const int end : ends_) {
      if (end >= 0) close(end);
    }
  }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  int written_end() const { return ends_[1]; }
  int read_end() const { return ends_[0]; }
  bool is_open() const { return ends_[0] >= 0; }
  void close_written_end() { close_end(1); }

  /// Adds what has come; at its end the pipe is closed.
  void read_into(std::string& text) {
    std::array<char, 1 << 16> part;
    const ssize_t count = read(ends_[0], part.data(), part.size());
    if (count > 0) text.append(part.data(), static_cast<std::size_t>(count));
    if (count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN)) close_end(0);
  }

 private:
  void close_end(std::size_t end) {
    close(ends_[end]);
    ends_[end] = -1;
  }

  std::array<int, 2> ends_{-1, -1};
};

/// The environment without what makes a process a rank of mpirun.
std::vector<char*> environment_of_child() {
  std::vector<char*> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    if (!text.starts_with("OMPI_") && !text.starts_with("PMI_") && !text.starts_with("PMIX_"))
      variables.push_back(*variable);
  }
  variables.push_back(nullptr);
  return variables;
}

/// The part of start() in the child. Other threads do not exist here, but their locks do: only async-signal-safe functions.
[[noreturn]] void become(char* const* words, char* const* environment, pid_t parent, int out,
                         int err) {
  constexpr int cannot_run = 127;
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int in = open("/dev/null", O_RDONLY);
  const bool is_ready = getppid() == parent && dup2(in, STDIN_FILENO) >= 0 &&
                        dup2(out, STDOUT_FILENO) >= 0 && dup2(err, STDERR_FILENO) >= 0;
  if (is_ready) execve("/proc/self/exe", words, environment);
  _exit(cannot_run);
}

/// Starts it in a process group of its own, with nothing to read.
pid_t start(const std::vector<std::string>& words, int out, int err) {
  std::vector<char*> pointers;
  std::string name = "lockstep";
  pointers.push_back(name.data());
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  const std::vector<char*> environment = environment_of_child();
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) become(pointers.data(), environment.data(), parent, out, err);
  if (child < 0) fail(errno);
  setpgid(child, child);  // also here: the group must exist before anything ends it
  return child;
}

/// Passes lines on that tell a loop, once each is complete.
class Relay {
 public:
  void look_at(std::string_view err) {
    for (;;) {
      const std::size_t end = err.find('\n', done_);
      if (end == std::string_view::npos) return;
      const std::string loop = long_loop_in(err.substr(done_, end - done_));
      done_ = end + 1;
      if (!loop.empty()) std::fputs(("lockstep: " + loop + "\n").c_str(), stderr);
    }
  }

 private:
  std::size_t done_ = 0;
};

/// Reads both pipes to their ends, or until the time is up or `stop` is true, which the outcome then says.
void read_until(Clock::time_point end, const std::atomic<bool>& stop, Relay* relay, Reader& out,
                Reader& err, ChildOutcome& outcome) {
  constexpr std::chrono::milliseconds longest{100};  // between looks at `stop`
  while (out.is_open() || err.is_open()) {
    if (relay != nullptr) relay->look_at(outcome.err);
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
    outcome.timed_out = left.count() <= 0;
    outcome.stopped = stop;
    if (outcome.timed_out || outcome.stopped) return;
    // poll ignores what is closed.
    std::array<pollfd, 2> ends{pollfd{out.read_end(), POLLIN, 0},
                               pollfd{err.read_end(), POLLIN, 0}};
    const auto wait = static_cast<int>(std::min(left, longest).count());
    if (poll(ends.data(), ends.size(), wait) <= 0) continue;
    if (ends[0].revents != 0) out.read_into(outcome.out);
    if (ends[1].revents != 0) err.read_into(outcome.err);
  }
}

}  // namespace

ChildOutcome run_this_program(const std::vector<std::string>& words, double seconds,
                              const std::atomic<bool>& stop, bool relays) {
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                      std::chrono::duration<double>(seconds));
  Reader out, err;
  const pid_t child = start(words, out.written_end(), err.written_end());
  out.close_written_end();
  err.close_written_end();
  ChildOutcome outcome;
  Relay relay;
  read_until(end, stop, relays ? &relay : nullptr, out, err, outcome);
  if (outcome.timed_out || outcome.stopped) {
    kill(child, SIGINT);
    ChildOutcome last;
    read_until(Clock::now() + to_say_where, never_stop, nullptr, out, err, last);
    kill(-child, SIGKILL);
    outcome.err += last.err;
    if (relays && outcome.stopped) relay.look_at(outcome.err);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) outcome.signal = WTERMSIG(status);
  if (WIFEXITED(status)) outcome.exit_code = WEXITSTATUS(status);
  return outcome;
}

}  // namespace lockstep::cli
