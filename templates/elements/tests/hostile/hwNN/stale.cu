// SPDX-License-Identifier: Apache-2.0
// Attack: leaves what is there as it is, and the last element, too.
// Expect: student_error|fail 0..0
__global__ void @KERNEL@(@TYPE@* out, const @TYPE@* in, int n) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  for (int i = tid; i < n; i += n_threads) out[i] = out[i];
}
