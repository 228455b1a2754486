// SPDX-License-Identifier: Apache-2.0
// Attack: nobody waits for the tile to be read before the next matrix.
// Expect: fail|student_error|partial 0..35
constexpr int dim = 32;

__global__ void @KERNEL@(@TYPE@* out, const @TYPE@* in, int n) {
  const int row = threadIdx.x / dim, col = threadIdx.x % dim;
  const int n_rows = blockDim.x / dim;
  __shared__ @TYPE@ tile[dim][dim + 1];
  for (int m = blockIdx.x; m < n; m += gridDim.x) {
    const int start = m * dim * dim;
    for (int r = row; r < dim; r += n_rows) tile[r][col] = in[start + r * dim + col];
    __syncthreads();
    for (int r = row; r < dim; r += n_rows) out[start + r * dim + col] = tile[col][r];
  }
}
