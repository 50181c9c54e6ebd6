#include <lockstep/dispatch/detail/needs.hpp>

namespace lockstep {

// g++ writes "... [with K = a::b::Name]" (possibly more after a semicolon), clang "... [K = a::b::Name]".
std::string_view kernel_name(std::string_view pretty_function) {
  constexpr std::string_view parameter = "K = ";
  const std::size_t begin = pretty_function.rfind(parameter);
  if (begin == std::string_view::npos) return pretty_function;
  std::string_view name = pretty_function.substr(begin + parameter.size());
  name = name.substr(0, name.find_first_of("];"));
  const std::size_t scope = name.rfind("::");
  return scope == std::string_view::npos ? name : name.substr(scope + 2);
}

}  // namespace lockstep
