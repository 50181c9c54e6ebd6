#include "shader/run/ops/find.hpp"
#include "shader/run/ops/number.hpp"

namespace lockstep::spirv {
namespace {

template <class To, class From>
const Inst* convert(const Inst* i, Context& c) {
  return each_chunk<To, From>(i, c, [](const Chunk<From>& v) {
    if constexpr (std::same_as<To, From>)
      return v;
    else
      return Chunk<To>(v);
  });
}

}  // namespace

Run find_convert(Scalar to, Scalar from) {
  return for_number(to, [&]<class To>() {
    return for_number(from, []<class From>() -> Run { return convert<To, From>; });
  });
}

}  // namespace lockstep::spirv
