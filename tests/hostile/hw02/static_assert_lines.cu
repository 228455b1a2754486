// SPDX-License-Identifier: Apache-2.0
// Attack: a compiler's message with lines, line separators and columns of the report's own.
// Expect: student_error:compile 0..0
#include "../given.cuh"
static_assert(sizeof(elt_t) == 1,
              "\n  [pass] 100 / 100 SMUGGLED\r\n         Hint: SMUGGLED\u2028  [pass] SMUGGLED"
              "\u2029  [pass] SMUGGLED\u0085  [pass] SMUGGLED\v  [pass] SMUGGLED");
[[deprecated("\n  emulator (SMUGGLED), nvcc 13, seed 666, compiled in 1 s, run in 1 s\n")]]
__device__ int old() { return 1; }
__device__ int now() { return old(); }
