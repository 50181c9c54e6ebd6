// A cooperative matrix of integers is not multiplied by one of floats.
// expect-error: coopMatMulAdd multiplies integers or floats, and does not mix them
#include <lockstep/glsl/cooperative_matrix.hpp>
#include <lockstep/lockstep.hpp>

#ifdef MUST_FAIL
using Right = int;
#else
using Right = float;
#endif

template <class S>
struct Multiplies : lockstep::Kernel<S> {
  LOCKSTEP_GLSL(S);
  LOCKSTEP_COOPERATIVE_MATRIX(S);
  static constexpr lockstep::Size3 local_size{8};
  Buffer<float> out;

  void main() {
    coopmat<float, gl_ScopeSubgroup, 4, 4, gl_MatrixUseA> a{this, 1.0f};
    coopmat<Right, gl_ScopeSubgroup, 4, 4, gl_MatrixUseB> b{this, Right{2}};
    coopmat<float, gl_ScopeSubgroup, 4, 4, gl_MatrixUseAccumulator> c{this, 0.0f};
    coopMatStore(coopMatMulAdd(a, b, c), out, 0u, 4u, gl_CooperativeMatrixLayoutRowMajor);
  }
};

void run() {
  std::vector<float> out(16);
  lockstep::Device{}.dispatch<Multiplies, 8>({1}, out);
}
