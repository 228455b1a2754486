// SPDX-License-Identifier: Apache-2.0
// Attack: every second matrix alone.
// Expect: fail 0..0
constexpr int dim = 32;

__global__ void @KERNEL@(@TYPE@* out, const @TYPE@* in, int n) {
  const int row = threadIdx.x / dim, col = threadIdx.x % dim;
  const int n_rows = blockDim.x / dim;
  for (int m = 2 * blockIdx.x; m < n; m += 2 * gridDim.x) {
    const int start = m * dim * dim;
    for (int r = row; r < dim; r += n_rows) out[start + col * dim + r] = in[start + r * dim + col];
  }
}
