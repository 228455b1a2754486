// SPDX-License-Identifier: Apache-2.0
// Attack: the last element is forgotten.
// Expect: fail 0..0
__global__ void @KERNEL@(@TYPE@* out, const @TYPE@* in, int n) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  for (int i = tid; i < n - 1; i += n_threads) out[i] = 3 * in[i] + 1;
}
