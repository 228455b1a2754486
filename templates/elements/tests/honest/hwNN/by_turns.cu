// SPDX-License-Identifier: Apache-2.0
// Style: a function for an element, and a loop over turns.
// Expect: pass 100..100
__device__ @TYPE@ result_of(@TYPE@ x) { return x + x + x + 1; }

__global__ void @KERNEL@(@TYPE@* out, const @TYPE@* in, int n) {
  const int n_threads = blockDim.x * gridDim.x;
  const int turns = (n + n_threads - 1) / n_threads;
  for (int turn = 0; turn < turns; turn++) {
    const int i = threadIdx.x + blockDim.x * (blockIdx.x + gridDim.x * turn);
    if (i < n) out[i] = result_of(in[i]);
  }
}
