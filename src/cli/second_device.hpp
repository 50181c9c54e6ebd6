#pragma once

#include <filesystem>
#include <string>

#include <sys/types.h>

/// \file
/// A Vulkan device of this machine, in a process of its own, which runs jobs and judges the results.

namespace lockstep::cli {

/// The process. Who connects to its socket sends the path of a job's folder, and receives JSON: `device`, a name;
/// `outcome`, as `lockstep check` has it; `finding`, in words, if the results are not allowed, or not the device's fault; `error`
/// if the device cannot run the job. The folder of a job with a finding has the results.
class SecondDevice {
 public:
  /// Starts it with a socket in the folder. The device is one of `lockstep capture --list`, by its number or a part of
  /// its name. Throws UsageError if there is none. Requires that this process has one thread.
  SecondDevice(const std::string& device, const std::filesystem::path& folder);
  /// Ends it, whatever it does.
  ~SecondDevice();
  SecondDevice(const SecondDevice&) = delete;
  SecondDevice& operator=(const SecondDevice&) = delete;

  const std::string& socket() const { return socket_; }

 private:
  std::string socket_;
  pid_t process_ = -1;
  int alive_ = -1;  ///< a pipe that the process sees closed if this one ends
};

}  // namespace lockstep::cli
