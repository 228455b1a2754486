// SPDX-License-Identifier: Apache-2.0
// Naive: each element is looked for with divisions by a number that the compiler does not know.
// Expect: partial 60..95
constexpr int dim = 32;

__global__ void @KERNEL@(@TYPE@* out, const @TYPE@* in, int n) {
  const int row = threadIdx.x / dim, col = threadIdx.x % dim;
  const int n_rows = blockDim.x / dim;
  __shared__ @TYPE@ tile[dim][dim + 1];
  for (int m = blockIdx.x; m < n; m += gridDim.x) {
    const int start = m * dim * dim;
    for (int r = row; r < dim; r += n_rows) {
      const long long all = (long long)n * dim * dim;
      const long long place = (start + r * dim + col + all) % all;
      tile[r][col] = in[place];
    }
    __syncthreads();
    for (int r = row; r < dim; r += n_rows) out[start + r * dim + col] = tile[col][r];
    __syncthreads();
  }
}
