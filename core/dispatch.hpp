// SPDX-License-Identifier: Apache-2.0
// One binary that is fast everywhere: a marked function is compiled for several instruction sets and chosen at load.
// Results are the same in all of them, since contraction is off (CMakeLists.txt) and no sum is reassociated.
#pragma once

#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__)
#define BUDGIE_X86
#endif

// Clones are chosen before any constructor runs, hence before the thread sanitizer is ready; and link-time optimisation
// takes them for several definitions of one function.
#if defined(BUDGIE_X86) && !defined(__SANITIZE_THREAD__) && !defined(BUDGIE_LTO)
#define BUDGIE_CLONES __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define BUDGIE_CLONES
#endif

// What a marked function calls must become part of it, or it stays in the plain instruction set.
#define BUDGIE_INLINED __attribute__((always_inline))
#define BUDGIE_INLINE inline BUDGIE_INLINED
