// SPDX-License-Identifier: Apache-2.0
// Attack: the last matrix is forgotten.
// Expect: fail 0..0
constexpr int dim = 32;

__global__ void @KERNEL@(@TYPE@* out, const @TYPE@* in, int n) {
  const int row = threadIdx.x / dim, col = threadIdx.x % dim;
  const int n_rows = blockDim.x / dim;
  for (int m = blockIdx.x; m < n - 1; m += gridDim.x) {
    const int start = m * dim * dim;
    for (int r = row; r < dim; r += n_rows) out[start + col * dim + r] = in[start + r * dim + col];
  }
}
