// SPDX-License-Identifier: Apache-2.0
// Attack: kernels that do nothing.
// Expect: fail 0..0
#include "../every04.cuh"
#include "../given04.cuh"

__device__ void block_part(unsigned* parts, const unsigned* in, int n) {}
