// An enumerator stands for a number, and GLSL has no implicit conversion from a number to bool.
// expect-error: no viable conversion
// expect-error: conversion from
#include <vector>

#include <lockstep/glsl/keywords.hpp>

enum Stage { loading, running };

template <class S>
struct Misused : lockstep::Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr lockstep::Size3 local_size{8};
  Buffer<uint> data;

  void main() {
    const Uint i = gl_GlobalInvocationID.x;
#ifdef MUST_FAIL
    const Bool is_running = running;
#else
    const Bool is_running = data[i] == running;
#endif
    data[i] = Uint(is_running);
  }
};

#include <lockstep/glsl/keywords_off.hpp>

void run(std::vector<std::uint32_t>& data) { lockstep::Device{}.dispatch<Misused, 8>({1}, data); }
