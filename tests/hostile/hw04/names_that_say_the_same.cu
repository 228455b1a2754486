// SPDX-License-Identifier: Apache-2.0
// Attack: a kernel of extern "C" gives itself a name that says what reduce_1's says, and stands before it, so that it is
// launched in its place.
// Expect: student_error:forbidden 0..0
extern "C" __global__ void _ZN8reduce_1EPjPKji(unsigned* parts, const unsigned* in, int n) {
  unsigned sum = 0;
  for (int i = blockIdx.x * blockDim.x; i < n && i < (blockIdx.x + 1) * blockDim.x; i++) sum += in[i];
  if (threadIdx.x == 0) parts[blockIdx.x] = sum;
}
#include "../given04.cuh"
