// SPDX-License-Identifier: Apache-2.0
// Attack: a kernel that nobody launches needs more shared memory than there is, so that nobody can make a module of it.
// Expect: student_error:compile 0..0
#include "../given06.cuh"
__global__ void transpose_whole(float* out, const float* in, int n) {
  __shared__ float all[1 << 16];
  for (int i = threadIdx.x; i < n; i += blockDim.x) all[i] = in[i];
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = all[n - 1 - i];
}
