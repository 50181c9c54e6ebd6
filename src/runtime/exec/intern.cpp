#include <lockstep/exec/intern.hpp>

#include <mutex>
#include <string>
#include <unordered_set>

namespace lockstep {

const char* intern(std::string_view text) {
  if (text.empty()) return "";
  // Never destroyed: threads may still read a text while the process ends.
  static auto& texts = *new std::unordered_set<std::string>;
  static auto& guard = *new std::mutex;
  const std::lock_guard lock(guard);
  return texts.emplace(text).first->c_str();
}

}  // namespace lockstep
