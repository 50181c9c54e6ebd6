#include <lockstep/job/allowed.hpp>

#include <cstdio>
#include <cstring>
#include <exception>

// A user's test of outputs against a captured job: here the job is missing, which is said.
int main() {
  try {
    const auto job = lockstep::oracle::Job::load("nowhere");
    return lockstep::IsAllowed(job).match(job.outputs()) ? 1 : 2;
  } catch (const std::exception& error) {
    std::puts(error.what());
    return std::strstr(error.what(), "nowhere") != nullptr ? 0 : 3;
  }
}
