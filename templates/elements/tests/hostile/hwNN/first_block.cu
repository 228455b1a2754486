// SPDX-License-Identifier: Apache-2.0
// Attack: the first block does all, the others leave at once.
// Expect: partial 40..80
__global__ void @KERNEL@(@TYPE@* out, const @TYPE@* in, int n) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  if (blockIdx.x > 0) return;
  for (int i = tid; i < n; i += blockDim.x) out[i] = 3 * in[i] + 1;
}
