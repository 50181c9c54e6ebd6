#pragma once

// Compiled by clang-query alone: plain_writes.sh must name the lines that say WRITE, and no other.

#include <cstdint>
#include <vector>

#include <lockstep/lockstep.hpp>

#include <lockstep/glsl/keywords.hpp>

using namespace lockstep;

template <class S>
struct Plain : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{32};
  Buffer<uint> data;
  uint member = 0;
  uint counts[4] = {};
  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    uint n = 0, row[4] = {};
    float f = 0;
    bool b = false;
    int* p = nullptr;
    auto u = this->uniform(0u);
    n = 3;
    auto v = var(0u);
    If (i < 3u) {
      n += 1u;         // WRITE
      ++n;             // WRITE
      f = 2.0f;        // WRITE
      b = true;        // WRITE
      member = 4;      // WRITE
      this->member++;  // WRITE
      row[2] = 3;      // WRITE
      counts[1]--;     // WRITE
      v = 3u;
      n = 9;  // lockstep: allow divergent-write
      u = 3u;
      uint inside = 0;
      inside += 4;
      uint others[2] = {};
      others[1] = 4;
      for (uint k = 0; k < 4; ++k) inside += k;
      for (uint k = 0; k < 4; ++k) n += k;  // WRITE
      If (i < 2u) {
        inside = 4;  // WRITE
      }
      data[i] = n + inside + others[1];
    }
    Else { n = 5; }          // WRITE
    Else If (i < 3u) n = 7;  // WRITE
    While (v < i) {
      n++;  // WRITE
      v += 1u;
    }
    for (uint k = 0; k < 3; ++k) {
      n += k;
    }
    For (uint k = 0, k < 3u, ++k) {
      data[i] = k;
    }
    For (auto k = var(0u), k < i, k += 1u) {
      n = 3;  // WRITE
    }
    Do {
      n = 2;  // WRITE
      LoopWhile(v < 3u);
    }
    if (auto in = this->when(i < 4u)) {
      n = 7;  // WRITE
    }
    if (auto in = this->otherwise()) {
      n = 7;  // WRITE
    }
    for (auto l = this->loop(); l.again(this->lanes_where(v < 3u)); l.next()) {
      n = 8;  // WRITE
    }
    Switch (i) {
      Case(1u) {
        n = 2;  // WRITE
        Break;
      }
      Default { n = 3; }  // WRITE
    }
    const Bool c = AndAlso(i < 3u, (n = 3, b));          // WRITE
    const Uint d = Choose(i < 3u, Uint(n++), Uint(2u));  // WRITE
    data[i] = n + uint(f) + uint(b) + member + row[1] + (p == nullptr) + u;
    if (n > 3) n = 4;
    data[i] = d + select(c, Uint(1u), Uint(2u));
  }
};

inline void run(std::vector<std::uint32_t>& data) {
  Device{.subgroup_size = 32}.dispatch<Plain>(1, data);
}

#include <lockstep/glsl/keywords_off.hpp>
