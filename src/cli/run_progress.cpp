#include "cli/run_progress.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <thread>

#include "cli/command.hpp"
#include "cli/outcome_json.hpp"
#include "shader/run/spin_watch.hpp"

namespace lockstep::cli {
namespace {

// The handler and the waiting thread talk through a pipe: a signal handler may do little else than write.
int ends[2] = {-1, -1};
struct sigaction before_run = {};

void note_interrupt(int) {
  const int error = errno;
  const char why = 'i';
  [[maybe_unused]] const auto written = write(ends[1], &why, 1);
  errno = error;
}

std::string short_number(double value) {
  constexpr const char* units[] = {"", " k", " M", " G", " T"};
  std::size_t unit = 0;
  while (value >= 1000 && unit + 1 < std::size(units)) value /= 1000, ++unit;
  return fmt::format("{:.{}f}{}", value, value < 10 && (unit > 0 || value < 1) ? 1 : 0,
                     units[unit]);
}

std::string duration_text(double seconds) {
  constexpr double minute = 60, hour = 60 * minute, day = 24 * hour, year = 365 * day;
  if (seconds < 2 * minute) return fmt::format("{:.0f} s", seconds);
  if (seconds < 2 * hour) return fmt::format("{:.0f} min", seconds / minute);
  if (seconds < 2 * day) return fmt::format("{:.0f} h", seconds / hour);
  if (seconds < 2 * year) return fmt::format("{:.0f} days", seconds / day);
  return fmt::format("{:.0f} years", seconds / year);
}

}  // namespace

std::size_t columns_of_terminal() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

std::string progress_bar(double part) {
  constexpr std::size_t length = 20;
  const auto full = static_cast<std::size_t>(std::min(part, 1.0) * length);
  return fmt::format("[{}{}]", std::string(full, '#'), std::string(length - full, '.'));
}

std::string progress_line(std::size_t done, std::size_t total, std::chrono::duration<double> time,
                          std::size_t columns, std::string_view things) {
  const double part =
      static_cast<double>(done) / static_cast<double>(std::max<std::size_t>(total, 1));
  const double rate = static_cast<double>(done) / std::max(time.count(), 1e-9);
  std::string text = fmt::format("{:5.1f} %  {} of {} {}, {}/s", part * 100, done, total, things,
                                 short_number(rate));
  if (done > 0)
    text += fmt::format(", {} left", duration_text(static_cast<double>(total - done) / rate));
  const std::string bar = progress_bar(part);
  if (text.size() + bar.size() + 2 < columns) text = fmt::format("{} {}", bar, text);
  return text.substr(0, columns - 1);
}

RunProgress::RunProgress(std::size_t total, bool json)
    : total_(total), json_(json), terminal_(isatty(STDERR_FILENO) == 1) {
  sigaction(SIGINT, nullptr, &before_run);
  if (before_run.sa_handler == SIG_IGN || pipe(ends) != 0) return;
  struct sigaction action = {};
  action.sa_handler = note_interrupt;
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  waiting_ = std::thread([this] { wait(); });
}

RunProgress::~RunProgress() {
  if (waiting_.joinable()) {
    sigaction(SIGINT, &before_run, nullptr);
    const char why = 'e';
    [[maybe_unused]] const auto written = write(ends[1], &why, 1);
    waiting_.join();
    close(ends[0]);
    close(ends[1]);
  }
  clear_line();
}

void RunProgress::on(std::size_t done, std::size_t total) {
  constexpr std::chrono::milliseconds before_first{500}, between{100};
  done_ = done;
  const auto now = std::chrono::steady_clock::now();
  if (!terminal_ || now - start_ < before_first || now - drawn_ < between) return;
  drawn_ = now;
  visible_ = true;
  std::fputs(("\r\x1b[K" + progress_line(done, total, time(), columns_of_terminal())).c_str(),
             stderr);
}

void RunProgress::clear_line() {
  if (visible_.exchange(false)) std::fputs("\r\x1b[K", stderr);
}

/// Says where a shader's loop is that has run for long; whether one said so in time.
bool RunProgress::tell_long_loop(std::chrono::milliseconds patience) {
  constexpr std::chrono::milliseconds pause{20};
  spirv::ask_for_spin();
  for (auto waited = pause; waited <= patience; waited += pause) {
    // Not poll: a second signal, as timeout sends one, would end the wait at once.
    std::this_thread::sleep_for(pause);
    const std::optional<std::string> spin = spirv::take_spin();
    if (!spin) continue;
    clear_line();
    std::fputs(fmt::format("lockstep: {}\n", *spin).c_str(), stderr);
    return true;
  }
  return false;
}

void RunProgress::wait() {
  constexpr int until_told = 10'000;  // milliseconds
  bool told = false;
  for (;;) {
    pollfd signals{ends[0], POLLIN, 0};
    const int ready = poll(&signals, 1, told ? -1 : until_told);
    if (ready < 0 && errno == EINTR) continue;
    if (ready != 0) break;
    told = tell_long_loop(std::chrono::seconds(1));
  }
  char why = 0;
  while (read(ends[0], &why, 1) < 0 && errno == EINTR) {
  }
  if (why == 'i') interrupted();
}

void RunProgress::interrupted() {
  const std::size_t done = done_;
  const std::string message =
      fmt::format("interrupted after {} of {} workgroups and {}; nothing was saved", done, total_,
                  duration_text(time().count()));
  clear_line();
  tell_long_loop(std::chrono::seconds(1));
  std::fputs(fmt::format("lockstep: {}\n", message).c_str(), stderr);
  if (json_)
    print_failure(message, exit_interrupted, {{"workgroups_done", done}, {"workgroups", total_}});
  std::fflush(stdout);
  std::_Exit(exit_interrupted);
}

}  // namespace lockstep::cli
