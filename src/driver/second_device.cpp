#include "driver/second_device.hpp"

#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <string_view>
#include <system_error>
#include <vector>

#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <lockstep/exec/error.hpp>

namespace lockstep::driver {
namespace {

/// A connection to the process that has the device. Nothing there shall hold up the client for longer than it said.
class Connection {
 public:
  Connection(const std::string& path, std::chrono::duration<double> most)
      : file_(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof address.sun_path) throw Error("the path of its socket is too long");
    std::memcpy(address.sun_path, path.data(), path.size());
    if (file_ < 0 ||
        connect(file_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
      fail("its process cannot be reached");
    const timeval wait{.tv_sec = static_cast<time_t>(std::ceil(most.count())), .tv_usec = 0};
    setsockopt(file_, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait);
  }
  ~Connection() {
    if (file_ >= 0) close(file_);
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void send_all(std::string_view text) {
    while (!text.empty()) {
      const ssize_t sent = send(file_, text.data(), text.size(), MSG_NOSIGNAL);
      if (sent < 0 && errno != EINTR) fail("its process takes no job");
      if (sent > 0) text.remove_prefix(static_cast<std::size_t>(sent));
    }
    shutdown(file_, SHUT_WR);
  }

  std::string receive_all() {
    std::string text;
    char part[4096];
    for (;;) {
      const ssize_t got = recv(file_, part, sizeof part, 0);
      if (got == 0) return text;
      if (got > 0) text.append(part, static_cast<std::size_t>(got));
      if (got < 0 && errno == EAGAIN) throw Error("no answer came in the time of --budget");
      if (got < 0 && errno != EINTR) fail("its process does not answer");
    }
  }

 private:
  [[noreturn]] static void fail(std::string_view what) {
    throw Error(fmt::format("{}: {}", what, std::generic_category().message(errno)));
  }

  int file_;
};

}  // namespace

SecondDevice::SecondDevice(const Settings& settings)
    : settings_(settings), ration_(settings.budget) {}

bool SecondDevice::wants(const CompiledPipeline& pipeline, Size3 groups) {
  return !settings_.against.empty() && !is_gone_ && ration_.wants(pipeline, groups);
}

void SecondDevice::count(const std::string& outcome, const std::string& device) {
  const std::lock_guard lock(counting_);
  device_ = device;
  ++outcomes_[outcome];
}

std::optional<std::string> SecondDevice::compare(const job::Job& job,
                                                 const std::filesystem::path& folder) {
  const auto start = std::chrono::steady_clock::now();
  std::string text;
  try {
    job::write(folder, job);
    Connection connection(settings_.against, ration_.left());
    connection.send_all(folder.string());
    text = connection.receive_all();
    if (text.empty()) throw Error("its process ended");
  } catch (const Error& error) {
    if (!is_gone_.exchange(true))
      throw Error(fmt::format("{}; the job is {}; no more are run on the second device",
                              error.what(), folder.string()));
    return std::nullopt;
  }
  ration_.use(std::chrono::steady_clock::now() - start);
  const auto answer = nlohmann::json::parse(text);
  count(answer.at("outcome"), answer.at("device"));
  if (answer.contains("finding")) return answer.at("finding").get<std::string>();
  std::filesystem::remove_all(folder);
  if (answer.contains("error")) throw Error(answer.at("error").get<std::string>());
  return std::nullopt;
}

std::string SecondDevice::summary() {
  if (settings_.against.empty()) return "";
  const std::lock_guard lock(counting_);
  std::uint64_t all = 0;
  std::vector<std::string> parts;
  for (const auto& [outcome, number] : outcomes_) {
    all += number;
    parts.push_back(fmt::format("{} {}", number, outcome));
  }
  if (all == 0) return "nothing was run on a second device";
  return fmt::format("ran {} kind{} of dispatches on {}: {}, {}", all, all == 1 ? "" : "s", device_,
                     fmt::join(parts, ", "), ration_.summary());
}

}  // namespace lockstep::driver
