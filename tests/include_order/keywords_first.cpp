// Keywords before everything else, and other libraries after them.
#include <lockstep/glsl/keywords.hpp>

// Lockstep's own headers may come while the keywords are there.
#include <lockstep/glsl/image.hpp>
#include <lockstep/glsl/mat.hpp>
#include <lockstep/glsl/pixels.hpp>
#include <lockstep/glsl/vec_functions.hpp>
#include <lockstep/lockstep.hpp>
#include <lockstep/vocabulary/cuda.hpp>
#include <lockstep/vocabulary/hlsl.hpp>
#include <lockstep/vocabulary/wgsl.hpp>

#include <algorithm>
#include <regex>
#include <vector>

template <class S>
struct Doubles : lockstep::Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr lockstep::Size3 local_size{8};
  Buffer<uint> data;

  void main() {
    If (data[gl_GlobalInvocationID.x] > 3u) data[gl_GlobalInvocationID.x] *= 2u;
  }
};

#include <lockstep/glsl/keywords_off.hpp>

// As Qt does, whose words are macros, too.
#define signals public
#define slots
#define emit
#define foreach for
#define forever for (;;)

#include <Eigen/Dense>
#include <catch2/catch.hpp>

#include <lockstep/lockstep.hpp>

class Window {
 public:
  enum Policy { Default, Case, Switch, Function, If, Else };
 signals:
  void While (int Do) { Return += Do; }
 public slots:
  int For () const {
    forever {
      foreach(int Break : {1, 2, 3}) {
        if (Break == 2) continue;
        if (Break == 3) return Break + Return;
      }
    }
  }

 private:
  int Return = 0;
};

TEST_CASE("other libraries compile after the keywords") {
  std::vector<std::uint32_t> data(8, 4);
  lockstep::Device{.subgroup_size = 8}.dispatch<Doubles, 8>({1}, data);
  Window window;
  emit window.While (Window::Else);
  CHECK(window.For () == 3 + Window::Else);
  CHECK(Eigen::Matrix2f::Identity().determinant() == 1.0f);
}
