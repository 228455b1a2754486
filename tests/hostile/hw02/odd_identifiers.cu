// SPDX-License-Identifier: Apache-2.0
// Attack: errors about names that look like others, are composed in two ways, or are very long.
// Expect: student_error:compile 0..0
#include "../given.cuh"
#define TEN(x) x##x##x##x##x##x##x##x##x##x
__device__ int раss = SMUGGLED_р;
__device__ int é = e\u0301_SMUGGLED;
__device__ int a\u200d_SMUGGLED = 1;
__device__ int b = SMUGGLED_SMUGGLED_SMUGGLED_SMUGGLED_SMUGGLED_SMUGGLED_SMUGGLED_SMUGGLED_SMUGGLED_SMUGGLED_SMUGGLED_SMUGGLED_SMUGGLED_SMUGGLED;
