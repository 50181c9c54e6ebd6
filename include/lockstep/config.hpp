#pragma once

/// \file
/// Version, ABI namespace and the few macros that every other header needs.

#define LOCKSTEP_VERSION_MAJOR 0
#define LOCKSTEP_VERSION_MINOR 2
#define LOCKSTEP_VERSION_PATCH 0

// The widest SIMD register this translation unit may use, derived from the compiler's flags. The
// AVX-512 code needs the F, BW, DQ, VL and CD subsets together (x86-64-v4); a CPU with only some of
// them is treated as AVX2. LOCKSTEP_FORCE_SCALAR selects plain loops for everything.
#if defined(LOCKSTEP_FORCE_SCALAR)
#define LOCKSTEP_REGISTER_BYTES 0
#elif defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && \
    defined(__AVX512VL__) && defined(__AVX512CD__)
#define LOCKSTEP_REGISTER_BYTES 64
#elif defined(__AVX2__)
#define LOCKSTEP_REGISTER_BYTES 32
#elif defined(__SSE2__)
#define LOCKSTEP_REGISTER_BYTES 16
#elif defined(__aarch64__) && defined(__ARM_NEON) && !defined(__AARCH64EB__)
#define LOCKSTEP_REGISTER_BYTES 16
#define LOCKSTEP_NEON 1
#else
#define LOCKSTEP_REGISTER_BYTES 0
#endif

// Whether kernels can poison undefined results (Undefined::poison), and do unless their device says otherwise. Loops of
// shuffles take up to 1.8 times as long with it, so only code that is not optimized has it by default.
#ifndef LOCKSTEP_POISON
#ifdef __OPTIMIZE__
#define LOCKSTEP_POISON 0
#else
#define LOCKSTEP_POISON 1
#endif
#endif
#if LOCKSTEP_POISON
#define LOCKSTEP_ABI_OF(isa) isa##_poison_v1
#else
#define LOCKSTEP_ABI_OF(isa) isa##_v1
#endif

// Every name lives in an inline namespace that spells the instruction set, whether there is poison, and the ABI
// revision. Translation units for different instruction sets then link as different libraries; otherwise the
// linker could hand an AVX-512 function to an AVX2 caller.
#if LOCKSTEP_REGISTER_BYTES == 64
#define LOCKSTEP_ABI LOCKSTEP_ABI_OF(avx512)
#elif LOCKSTEP_REGISTER_BYTES == 32
#define LOCKSTEP_ABI LOCKSTEP_ABI_OF(avx2)
#elif defined(LOCKSTEP_NEON)
#define LOCKSTEP_ABI LOCKSTEP_ABI_OF(neon)
#elif LOCKSTEP_REGISTER_BYTES == 16
#define LOCKSTEP_ABI LOCKSTEP_ABI_OF(sse2)
#else
#define LOCKSTEP_ABI LOCKSTEP_ABI_OF(scalar)
#endif

// The widths that a dispatch compiles kernels for if it names none: powers of two up to 128, ascending. Each
// subgroup size runs at the narrowest that holds it. Fewer compile faster; at a width close to the size kernels
// run faster.
#ifndef LOCKSTEP_WIDTHS
#define LOCKSTEP_WIDTHS 128
#endif

// Leaf operations on lanes must be inlined, or masks and values leave registers. Without
// optimization, or under AddressSanitizer, they are in memory anyway, and forced inlining only
// makes compilation up to three times as long.
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

// A function as an object that is inlined wherever it is called. A pointer to an always_inline
// function is not: clang decides about inlining before it knows the target.
#define LOCKSTEP_INLINED(function) \
  [](const auto&... arguments) __attribute__((always_inline)) { return function(arguments...); }

#if defined(__FAST_MATH__)
#error "Lockstep is bit-stable: do not build it with -ffast-math"
#endif
