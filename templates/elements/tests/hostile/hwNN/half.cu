// SPDX-License-Identifier: Apache-2.0
// Attack: every second element alone.
// Expect: fail 0..0
__global__ void @KERNEL@(@TYPE@* out, const @TYPE@* in, int n) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  for (int i = 2 * tid; i < n; i += 2 * n_threads) out[i] = 3 * in[i] + 1;
}
