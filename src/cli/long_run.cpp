#include "cli/long_run.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include "cli/command.hpp"
#include "shader/run/spin_watch.hpp"

namespace lockstep::cli {
namespace {

constexpr std::chrono::seconds longest_answer{1};

// The handler and the waiting thread talk through a pipe: a signal handler may do little else than write.
int pipe_ends[2] = {-1, -1};
struct sigaction before_long_run = {};

void note_interrupt(int) {
  const int error = errno;
  const char why = 'i';
  [[maybe_unused]] const auto written = write(pipe_ends[1], &why, 1);
  errno = error;
}

}  // namespace

bool tell_long_loops(std::chrono::milliseconds patience, const std::function<void()>& clear) {
  constexpr std::chrono::milliseconds pause{20};
  spirv::ask_for_spin();
  for (auto waited = pause; waited <= patience; waited += pause) {
    // Not poll: a second signal, as timeout sends one, would end the wait at once.
    std::this_thread::sleep_for(pause);
    if (!spirv::has_spin()) continue;
    std::this_thread::sleep_for(10 * pause);  // for the others'
    clear();
    for (const std::string& spin : spirv::take_spins())
      std::fputs(fmt::format("lockstep: {}\n", spin).c_str(), stderr);
    return true;
  }
  spirv::take_spins();
  return false;
}

std::string long_loop_in(std::string_view standard_error) {
  constexpr std::string_view ours = "lockstep: ", told = ": this loop has run ";
  const std::size_t at = standard_error.rfind(told);
  if (at == std::string_view::npos) return {};
  const std::size_t begin = standard_error.rfind(ours, at);
  if (begin == std::string_view::npos) return {};
  const std::string_view line = standard_error.substr(begin + ours.size());
  return std::string(line.substr(0, line.find('\n')));
}

std::string and_long_loop(std::string_view standard_error) {
  const std::string loop = long_loop_in(standard_error);
  return loop.empty() ? loop : "; " + loop;
}

LongRun::LongRun(std::function<void()> clear, std::function<void()> interrupted)
    : clear_(std::move(clear)), interrupted_(std::move(interrupted)) {
  sigaction(SIGINT, nullptr, &before_long_run);
  if (before_long_run.sa_handler == SIG_IGN || pipe(pipe_ends) != 0) return;
  struct sigaction action = {};
  action.sa_handler = note_interrupt;
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  waiting_ = std::thread([this] { wait(); });
}

LongRun::~LongRun() {
  if (!waiting_.joinable()) return;
  sigaction(SIGINT, &before_long_run, nullptr);
  const char why = 'e';
  [[maybe_unused]] const auto written = write(pipe_ends[1], &why, 1);
  waiting_.join();
  close(pipe_ends[0]);
  close(pipe_ends[1]);
}

void LongRun::wait() const {
  constexpr int until_told = 10'000;  // milliseconds
  bool told = false;
  for (;;) {
    pollfd signals{pipe_ends[0], POLLIN, 0};
    const int ready = poll(&signals, 1, told ? -1 : until_told);
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0) {
      told = tell_long_loops(longest_answer, clear_);
      continue;
    }
    char why = 0;
    while (read(pipe_ends[0], &why, 1) < 0 && errno == EINTR) {
    }
    if (why != 'i') return;
    interrupted_();
  }
}

void end_long_run(const std::function<void()>& clear, const std::string& message,
                  const std::string& object) {
  clear();
  tell_long_loops(longest_answer, clear);
  std::fputs(fmt::format("lockstep: {}\n", message).c_str(), stderr);
  std::fputs(object.c_str(), stdout);
  std::fflush(stdout);
  std::_Exit(exit_interrupted);
}

std::string duration_text(double seconds) {
  constexpr double minute = 60, hour = 60 * minute, day = 24 * hour, year = 365 * day;
  if (seconds < 2 * minute) return fmt::format("{:.0f} s", seconds);
  if (seconds < 2 * hour) return fmt::format("{:.0f} min", seconds / minute);
  if (seconds < 2 * day) return fmt::format("{:.0f} h", seconds / hour);
  if (seconds < 2 * year) return fmt::format("{:.0f} days", seconds / day);
  return fmt::format("{:.0f} years", seconds / year);
}

}  // namespace lockstep::cli
