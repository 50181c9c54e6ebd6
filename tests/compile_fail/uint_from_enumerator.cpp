// The upper half of an enumerator of 64 bits would be lost.
// expect-error: no viable conversion
// expect-error: conversion from
#include <vector>

#include <lockstep/glsl/keywords.hpp>

enum Mark : std::uint64_t { last_mark = std::uint64_t{1} << 40 };
enum Colour : std::uint32_t { red = 7 };

template <class S>
struct Misused : lockstep::Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr lockstep::Size3 local_size{8};
  Buffer<uint> data;

  void main() {
    const Uint i = gl_GlobalInvocationID.x;
#ifdef MUST_FAIL
    const Uint x = last_mark;
#else
    const Uint x = red;
#endif
    data[i] = x;
  }
};

#include <lockstep/glsl/keywords_off.hpp>

void run(std::vector<std::uint32_t>& data) { lockstep::Device{}.dispatch<Misused, 8>({1}, data); }
