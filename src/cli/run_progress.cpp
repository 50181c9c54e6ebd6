#include "cli/run_progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "cli/command.hpp"
#include "cli/outcome_json.hpp"

namespace lockstep::cli {
namespace {

std::string short_number(double value) {
  constexpr const char* units[] = {"", " k", " M", " G", " T"};
  std::size_t unit = 0;
  while (value >= 1000 && unit + 1 < std::size(units)) value /= 1000, ++unit;
  return fmt::format("{:.{}f}{}", value, value < 10 && (unit > 0 || value < 1) ? 1 : 0,
                     units[unit]);
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
    : total_(total),
      json_(json),
      terminal_(isatty(STDERR_FILENO) == 1),
      long_run_([this] { clear_line(); }, [this] { interrupted(); }) {}

RunProgress::~RunProgress() { clear_line(); }

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

void RunProgress::interrupted() {
  const std::size_t done = done_;
  const std::string message =
      fmt::format("interrupted after {} of {} workgroups and {}; nothing was saved", done, total_,
                  duration_text(time().count()));
  const std::string object = json_
                                 ? failure_text(message, exit_interrupted,
                                                {{"workgroups_done", done}, {"workgroups", total_}})
                                 : std::string();
  end_long_run([this] { clear_line(); }, message, object);
}

}  // namespace lockstep::cli
