// SPDX-License-Identifier: Apache-2.0
// Style: pointers and a while loop.
// Expect: pass 100..100
__global__ void @KERNEL@(@TYPE@* out, const @TYPE@* in, int n) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  const @TYPE@* from = in + tid;
  while (from < in + n) {
    out[from - in] = *from * 3 + 1;
    from += n_threads;
  }
}
