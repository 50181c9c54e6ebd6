// A shader reads and writes its arrays when it is dispatched, after the temporary is gone.
// expect-error: a temporary array is gone when the shader runs: bind a variable
// expect-errors: 1
#include <span>
#include <vector>

#include <lockstep/spirv/shader.hpp>

void run(lockstep::Shader& shader, std::vector<float>& data) {
#ifdef MUST_FAIL
  shader.bind(0, std::vector<float>(8));
#else
  shader.bind(0, std::span(data).first(8));
#endif
  shader.dispatch({1});
}
