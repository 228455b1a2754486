// SPDX-License-Identifier: Apache-2.0
// Homework @NUMBER@: @TITLE@. You edit the lines marked "Homework @NUMBER@";
// README.md, in the same folder, is the assignment. There is device code here
// and nothing else: the program hwNN makes the input, launches the kernel,
// checks what it wrote and measures it. Build with make (F9 in Emacs), run
// with ./hwNN. The kernel must be right for every n and every launch shape.

// The rows and columns of a matrix.
constexpr int dim = 32;

// Transposes n matrices that lie one after the other, row after row.
__global__ void @KERNEL@(@TYPE@* out, const @TYPE@* in, int n) {
  const int row = threadIdx.x / dim, col = threadIdx.x % dim;
  const int n_rows = blockDim.x / dim;  // that a block takes at a time
#if SOLUTION
  // A column of padding: else the elements of a column share a bank.
  __shared__ @TYPE@ tile[dim][dim + 1];
  for (int m = blockIdx.x; m < n; m += gridDim.x) {
    const int start = m * dim * dim;
    for (int r = row; r < dim; r += n_rows)
      tile[r][col] = in[start + r * dim + col];
    __syncthreads();
    for (int r = row; r < dim; r += n_rows)
      out[start + r * dim + col] = tile[col][r];
    __syncthreads();  // the next matrix goes to the same place
  }
#else
  // Homework @NUMBER@: go through an array in shared memory.
  for (int m = blockIdx.x; m < n; m += gridDim.x) {
    const int start = m * dim * dim;
    for (int r = row; r < dim; r += n_rows)
      out[start + col * dim + r] = in[start + r * dim + col];
  }
#endif
}
