#include "shaders/rival.hpp"

namespace lockstep::bench {

MakeRival& make_rival() {
  static MakeRival made = nullptr;
  return made;
}

}  // namespace lockstep::bench
