// SPDX-License-Identifier: Apache-2.0
// Attack: the first block does all, the others leave at once.
// Expect: partial 40..70
constexpr int dim = 32;

__global__ void @KERNEL@(@TYPE@* out, const @TYPE@* in, int n) {
  const int row = threadIdx.x / dim, col = threadIdx.x % dim;
  const int n_rows = blockDim.x / dim;
  if (blockIdx.x > 0) return;
  __shared__ @TYPE@ tile[dim][dim + 1];
  for (int m = blockIdx.x; m < n; m++) {
    const int start = m * dim * dim;
    for (int r = row; r < dim; r += n_rows) tile[r][col] = in[start + r * dim + col];
    __syncthreads();
    for (int r = row; r < dim; r += n_rows) out[start + r * dim + col] = tile[col][r];
    __syncthreads();
  }
}
