// SPDX-License-Identifier: Apache-2.0
// Attack: right up to 65536 elements alone.
// Expect: fail|partial 0..20
__global__ void @KERNEL@(@TYPE@* out, const @TYPE@* in, int n) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  if (n > 65536) return;
  for (int i = tid; i < n; i += n_threads) out[i] = 3 * in[i] + 1;
}
