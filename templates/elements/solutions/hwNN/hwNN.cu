// SPDX-License-Identifier: Apache-2.0
// Homework @NUMBER@: @TITLE@. You edit the lines marked "Homework @NUMBER@";
// README.md, in the same folder, is the assignment. There is device code here
// and nothing else: the program hwNN makes the input, launches the kernel,
// checks what it wrote and measures it. Build with make (F9 in Emacs), run
// with ./hwNN. The kernel must be right for every n and every launch shape.

// out[i] = 3 * in[i] + 1 for each of n elements, by fewer threads than elements.
__global__ void @KERNEL@(@TYPE@* out, const @TYPE@* in, int n) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
#if SOLUTION
  // In each turn, all threads together take n_threads elements side by side.
  for (int i = tid; i < n; i += n_threads) out[i] = 3 * in[i] + 1;
#else
  // Homework @NUMBER@: a thread takes elements that lie side by side. Should it?
  const int share = (n + n_threads - 1) / n_threads;
  const int start = tid * share;
  for (int i = start; i < min(start + share, n); i++) out[i] = 3 * in[i] + 1;
#endif
}
