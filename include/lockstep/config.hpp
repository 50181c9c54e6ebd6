#pragma once

/// \file
/// Version, ABI namespace and the few macros every other header needs.

#define LOCKSTEP_VERSION_MAJOR 0
#define LOCKSTEP_VERSION_MINOR 1
#define LOCKSTEP_VERSION_PATCH 0

// The widest SIMD register this translation unit may use, read off the compiler's own flags. The
// AVX-512 bodies need the F, BW, DQ, VL and CD subsets together (x86-64-v4); a CPU with only some
// of them is served as AVX2. LOCKSTEP_FORCE_SCALAR keeps everything in plain loops.
#if defined(LOCKSTEP_FORCE_SCALAR)
#define LOCKSTEP_REGISTER_BYTES 0
#elif defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && \
    defined(__AVX512VL__) && defined(__AVX512CD__)
#define LOCKSTEP_REGISTER_BYTES 64
#elif defined(__AVX2__)
#define LOCKSTEP_REGISTER_BYTES 32
#elif defined(__SSE2__)
#define LOCKSTEP_REGISTER_BYTES 16
#else
#define LOCKSTEP_REGISTER_BYTES 0
#endif

// Every name lives in an inline namespace that spells the instruction set and the ABI revision.
// Translation units built for different instruction sets then link as different libraries, instead
// of letting the linker hand an AVX-512 body to an AVX2 caller.
#if LOCKSTEP_REGISTER_BYTES == 64
#define LOCKSTEP_ABI avx512_v1
#elif LOCKSTEP_REGISTER_BYTES == 32
#define LOCKSTEP_ABI avx2_v1
#elif LOCKSTEP_REGISTER_BYTES == 16
#define LOCKSTEP_ABI sse2_v1
#else
#define LOCKSTEP_ABI scalar_v1
#endif

// Leaf operations on lanes must vanish into their caller, or masks and values leave registers. Where
// nothing is optimized, or AddressSanitizer looks at each access, they leave them anyway, and code that
// is inlined by force only takes longer to compile: up to three times.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LOCKSTEP_ADDRESS_SANITIZER 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define LOCKSTEP_ADDRESS_SANITIZER 1
#endif
#if defined(__OPTIMIZE__) && !defined(LOCKSTEP_ADDRESS_SANITIZER)
#define LOCKSTEP_INLINE [[gnu::always_inline]] inline
#define LOCKSTEP_FLATTEN [[gnu::flatten]]
#else
#define LOCKSTEP_INLINE inline
#define LOCKSTEP_FLATTEN
#endif

// A function as an object that is inlined wherever it is called. A pointer to an always_inline function
// is not: clang decides on inlining before it knows where the pointer points.
#define LOCKSTEP_INLINED(function) \
  [](const auto&... arguments) __attribute__((always_inline)) { return function(arguments...); }

#if defined(__FAST_MATH__)
#error "Lockstep is bit-stable: do not build it with -ffast-math"
#endif
