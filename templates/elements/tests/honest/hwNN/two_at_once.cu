// SPDX-License-Identifier: Apache-2.0
// Style: two elements a turn.
// Expect: pass 100..100
__global__ void @KERNEL@(@TYPE@* out, const @TYPE@* in, int n) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  int i = tid;
  for (; i + n_threads < n; i += 2 * n_threads) {
    const @TYPE@ a = in[i], b = in[i + n_threads];
    out[i] = 3 * a + 1;
    out[i + n_threads] = 3 * b + 1;
  }
  if (i < n) out[i] = 3 * in[i] + 1;
}
