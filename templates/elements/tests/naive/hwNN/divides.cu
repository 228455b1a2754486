// SPDX-License-Identifier: Apache-2.0
// Naive: each turn begins with a division, as if the elements lay in a ring.
// Expect: partial 60..90
__global__ void @KERNEL@(@TYPE@* out, const @TYPE@* in, int n) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  for (long long at = tid; at < n; at += n_threads) {
    const int i = (at + n) % n;
    out[i] = 3 * in[i] + 1;
  }
}
