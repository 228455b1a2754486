// SPDX-License-Identifier: Apache-2.0
// Naive: reads columns, so that it can write rows.
// Expect: partial 40..70
constexpr int dim = 32;

__global__ void @KERNEL@(@TYPE@* out, const @TYPE@* in, int n) {
  const int row = threadIdx.x / dim, col = threadIdx.x % dim;
  const int n_rows = blockDim.x / dim;
  for (int m = blockIdx.x; m < n; m += gridDim.x) {
    const int start = m * dim * dim;
    for (int r = row; r < dim; r += n_rows) out[start + r * dim + col] = in[start + col * dim + r];
  }
}
