#pragma once

// `flatten`, because a function that is not inlined would be compiled for baseline x86-64. The levels are
// selected by the features of a processor; arch=haswell and the like select by its name and miss others.
// Not with sanitizers: the selection happens before their run-time is ready.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#if __GNUC__ >= 12
#define GDKM_EVERY_ISA __attribute__((flatten, target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define GDKM_EVERY_ISA __attribute__((flatten, target_clones("avx512f", "avx2", "default")))
#endif
#else
#define GDKM_EVERY_ISA
#endif
