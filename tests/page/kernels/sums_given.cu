// SPDX-License-Identifier: Apache-2.0
// What was given for sums.cu: the copy, and nothing in the other kernel.
__global__ void copy(float* to, const float* from, int n) {
  for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x)
    to[i] = from[i];
}

__global__ void sums(float*, const float*, int, int) {}
