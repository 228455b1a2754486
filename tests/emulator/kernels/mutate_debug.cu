// SPDX-License-Identifier: Apache-2.0
// Built with -G: what its lines say is to be found again, changed, and executed.

__device__ float twice(float x) { return x * 2; }

extern "C" __global__ void mutated(float* out, const float* in, int n) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  for (int i = tid; i < n; i += n_threads) {
    const int at = i / 4;
    out[i] = twice(in[i]) - in[at];
  }
}

extern "C" __global__ void copied_line(float* out, const float* in, int n) {
  const int i = threadIdx.x;
  float sum = 0;
  for (int j = 0; j < 2; j++) {
    const int at = i + j;
    sum += in[at];
  }
  for (int j = 0; j < 2; j++) {
    const int at = i + j;
    if (at < n) out[at] = sum;
  }
}
