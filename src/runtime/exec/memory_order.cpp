#include <lockstep/exec/memory_order.hpp>

#include <utility>

namespace lockstep {
namespace {

namespace bits = memory_semantics;

constexpr std::pair<std::uint32_t, std::string_view> names[] = {
    {bits::acquire, "acquire"},
    {bits::release, "release"},
    {bits::acquire_release, "acquire-release"},
    {bits::sequentially_consistent, "sequentially consistent"},
    {bits::buffers, "buffers"},
    {bits::shared, "shared memory"},
    {bits::atomic_counters, "atomic counters"},
    {bits::images, "images"},
    {bits::outputs, "outputs"},
    {bits::make_available, "make available"},
    {bits::make_visible, "make visible"},
    {bits::volatile_access, "volatile"},
};

constexpr std::uint32_t orders =
    bits::acquire | bits::release | bits::acquire_release | bits::sequentially_consistent;

}  // namespace

std::string_view to_string(Scope scope) {
  switch (scope) {
    case Scope::cross_device:
      return "cross device";
    case Scope::device:
      return "device";
    case Scope::workgroup:
      return "workgroup";
    case Scope::subgroup:
      return "subgroup";
    case Scope::invocation:
      return "invocation";
    case Scope::queue_family:
      return "queue family";
    case Scope::shader_call:
      return "shader call";
  }
  return "?";
}

std::string to_string(const MemoryOrder& order) {
  std::string text(to_string(order.scope));
  if ((order.semantics & orders) == 0) text += ", relaxed";
  for (const auto& [bit, name] : names) {
    if ((order.semantics & bit) != 0) text += ", " + std::string(name);
  }
  return text;
}

std::string to_string(const Sync& sync) {
  std::string memory = "memory " + to_string(sync.memory);
  if (!sync.execution) return memory;
  return "execution " + std::string(to_string(*sync.execution)) + ", " + memory;
}

}  // namespace lockstep
