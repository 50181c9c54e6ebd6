#include "cli/survey/child_program.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <system_error>

#include "cli/command.hpp"

namespace lockstep::cli {
namespace {

using Clock = std::chrono::steady_clock;

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

/// Starts it in a process group of its own, with nothing to read.
pid_t start(const std::vector<std::string>& words, int out, int err) {
  std::vector<char*> pointers;
  std::string name = "lockstep";
  pointers.push_back(name.data());
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, err, STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  pid_t child = 0;
  const int error =
      posix_spawn(&child, "/proc/self/exe", &files, &attributes, pointers.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  if (error != 0) fail(error);
  return child;
}

/// Reads both pipes to their ends, or until the time is up; whether it is.
bool read_until(Clock::time_point end, Reader& out, Reader& err, ChildOutcome& outcome) {
  while (out.is_open() || err.is_open()) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
    if (left.count() <= 0) return true;
    // poll ignores what is closed.
    std::array<pollfd, 2> ends{pollfd{out.read_end(), POLLIN, 0},
                               pollfd{err.read_end(), POLLIN, 0}};
    if (poll(ends.data(), ends.size(), static_cast<int>(left.count())) <= 0) continue;
    if (ends[0].revents != 0) out.read_into(outcome.out);
    if (ends[1].revents != 0) err.read_into(outcome.err);
  }
  return false;
}

}  // namespace

ChildOutcome run_this_program(const std::vector<std::string>& words, double seconds) {
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                      std::chrono::duration<double>(seconds));
  Reader out, err;
  const pid_t child = start(words, out.written_end(), err.written_end());
  out.close_written_end();
  err.close_written_end();
  ChildOutcome outcome;
  outcome.timed_out = read_until(end, out, err, outcome);
  if (outcome.timed_out) kill(-child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) outcome.signal = WTERMSIG(status);
  if (WIFEXITED(status)) outcome.exit_code = WEXITSTATUS(status);
  return outcome;
}

}  // namespace lockstep::cli
