#include "cli/second_device.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <optional>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <lockstep/exec/error.hpp>

#include "capture/device/run_on.hpp"
#include "capture/job/job.hpp"
#include "capture/job/replay.hpp"
#include "capture/vulkan/runner.hpp"
#include "cli/command.hpp"
#include "cli/judgement_text.hpp"
#include "io/error.hpp"
#include "judgement/judge.hpp"

namespace lockstep::cli {
namespace {

using judgement::Verdict;
using Json = nlohmann::ordered_json;

std::string system_message() { return std::generic_category().message(errno); }

/// A file descriptor that is closed at the end.
class File {
 public:
  explicit File(int number) : number_(number) {}
  ~File() {
    if (number_ >= 0) close(number_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int number() const { return number_; }
  int release() { return std::exchange(number_, -1); }

 private:
  int number_;
};

/// The command does not get the file.
int close_on_exec(int file) {
  if (file >= 0) fcntl(file, F_SETFD, FD_CLOEXEC);
  return file;
}

std::array<int, 2> make_pipe(const std::string& device) {
  std::array<int, 2> both;
  if (pipe(both.data()) != 0)
    throw UsageError(fmt::format("--against {}: {}", device, system_message()));
  for (const int end : both) close_on_exec(end);
  return both;
}

File listening_at(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path)
    throw UsageError(fmt::format(
        "{}: a socket's path has at most {} bytes; set TMPDIR to a folder with a shorter path",
        path, sizeof address.sun_path - 1));
  std::memcpy(address.sun_path, path.data(), path.size());
  File file(close_on_exec(::socket(AF_UNIX, SOCK_STREAM, 0)));
  if (file.number() < 0 ||
      bind(file.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      listen(file.number(), SOMAXCONN) != 0)
    throw UsageError(fmt::format("{}: a socket cannot be created: {}", path, system_message()));
  return File(file.release());
}

std::string all_from(int file) {
  std::string text;
  std::array<char, 4096> part;
  for (;;) {
    const ssize_t got = read(file, part.data(), part.size());
    if (got > 0) text.append(part.data(), static_cast<std::size_t>(got));
    if (got == 0 || (got < 0 && errno != EINTR)) return text;
  }
}

// ---- In the process of the device ----

/// The device of that number, if there are so many, or else of that name.
vulkan::Device device_named(const std::string& name) {
  std::size_t number = 0;
  const auto [end, failure] = std::from_chars(name.data(), name.data() + name.size(), number);
  const bool is_number = failure == std::errc() && end == name.data() + name.size();
  if (is_number && number < vulkan::listed_devices().size()) return vulkan::Device(number);
  return vulkan::Device(name);
}

/// "result[3] is 2, where Lockstep has 1".
std::string described(const job::Binding& binding, const judgement::Element& element) {
  std::string text = fmt::format("{}{}{} is {}, where Lockstep has {}", binding.name,
                                 element.path.empty() || binding.name.empty() ? "" : ".",
                                 place_of(element), element.device, element.reference);
  if (!element.low.empty())
    text += fmt::format(" and {} to {} is allowed", element.low, element.high);
  return text;
}

/// What is wrong, in words; nothing if all is allowed, or may be.
std::optional<std::string> finding_of(const job::Job& job, const judgement::Judgement& judgement,
                                      const std::string& device) {
  for (const Verdict verdict : {Verdict::wrong, Verdict::racy, Verdict::undefined}) {
    for (const judgement::Buffer& buffer : judgement.buffers) {
      const auto found =
          std::ranges::find(buffer.result.first, verdict, &judgement::Element::verdict);
      if (found == buffer.result.first.end()) continue;
      const std::string element = described(job.bindings[buffer.part], *found);
      const std::string count =
          fmt::format("{} of {}", buffer.result.count(verdict), buffer.result.elements);
      if (verdict != Verdict::wrong)
        return fmt::format("the result on {} is {}, which is the shader's fault: {} ({}, {})",
                           device, name_of(verdict), element, found->reason, count);
      std::string text =
          fmt::format("the result on {} is not allowed: {} ({})", device, element, count);
      if (judgement.explanation) {
        text += "; " + text_of(judgement.explanation).substr(2);
        text.pop_back();
      }
      return text;
    }
  }
  return std::nullopt;
}

Json answer_of(const vulkan::Device& device, const std::filesystem::path& folder) {
  const std::string& name = device.properties().name;
  Json answer{{"device", name}};
  try {
    job::Job job = job::read(folder);
    std::optional<std::uint32_t> size;
    if (job.required_size) size = static_cast<std::uint32_t>(job.subgroup_size);
    lockstep::capture::run_on(device, job, size);
    const judgement::Judgement judgement = judgement::judge(job::Replay(job));
    answer["outcome"] = judgement.outcome();
    if (const auto finding = finding_of(job, judgement, name)) {
      job::write(folder, job);
      answer["finding"] = *finding;
    }
  } catch (const std::exception& error) {
    answer["outcome"] = "not judged";
    answer["error"] = error.what();
  }
  return answer;
}

void answer(const vulkan::Device& device, int connection) {
  const std::string folder = all_from(connection);
  if (folder.empty()) return;
  const std::string text =
      answer_of(device, folder).dump(-1, ' ', false, Json::error_handler_t::replace);
  for (std::string_view rest = text; !rest.empty();) {
    const ssize_t sent = send(connection, rest.data(), rest.size(), 0);
    if (sent < 0 && errno != EINTR) return;
    if (sent > 0) rest.remove_prefix(static_cast<std::size_t>(sent));
  }
}

/// Answers who connects, one after the other, until the pipe is closed.
void serve(const vulkan::Device& device, int listening, int alive) {
  std::array<pollfd, 2> files{{{listening, POLLIN, 0}, {alive, POLLIN, 0}}};
  for (;;) {
    if (poll(files.data(), files.size(), -1) < 0 && errno != EINTR) return;
    if (files[1].revents != 0) return;
    if ((files[0].revents & POLLIN) == 0) continue;
    const File connection(accept(listening, nullptr, nullptr));
    if (connection.number() >= 0) answer(device, connection.number());
  }
}

/// Tells `ready` what is wrong, or that nothing is, by closing it; then serves.
[[noreturn]] void be_the_process(const std::string& name, int listening, int alive, int ready) {
  std::signal(SIGINT, SIG_IGN);  // the client's; it ends, and then this process does
  std::signal(SIGQUIT, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);       // of a client that ended while it waited
  dup2(STDERR_FILENO, STDOUT_FILENO);  // a driver's messages must not mix with the client's output
  try {
    const vulkan::Device device = device_named(name);
    close(ready);
    serve(device, listening, alive);
  } catch (const std::exception& error) {
    const std::string text = error.what();
    static_cast<void>(write(ready, text.data(), text.size()));
  }
  _exit(0);
}

}  // namespace

SecondDevice::SecondDevice(const std::string& device, const std::filesystem::path& folder)
    : socket_((folder / "against").string()) {
  const File listening = listening_at(socket_);
  const std::array<int, 2> alive = make_pipe(device), ready = make_pipe(device);
  process_ = fork();
  if (process_ == 0) {
    close(alive[1]);
    close(ready[0]);
    be_the_process(device, listening.number(), alive[0], ready[1]);
  }
  close(alive[0]);
  close(ready[1]);
  alive_ = alive[1];
  const File answer(ready[0]);
  if (process_ < 0) throw UsageError(fmt::format("--against {}: {}", device, system_message()));
  if (const std::string failure = all_from(answer.number()); !failure.empty()) {
    waitpid(process_, nullptr, 0);
    close(alive_);
    throw UsageError(
        fmt::format("--against {}: {}", device, failure.substr(0, failure.find('\n'))));
  }
}

SecondDevice::~SecondDevice() {
  close(alive_);
  kill(process_, SIGKILL);
  while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) continue;
}

}  // namespace lockstep::cli
