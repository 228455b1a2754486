// SPDX-License-Identifier: Apache-2.0
// Homework 4: the sum of an array. You write reduce_1 to reduce_8; README.md,
// in the same folder, is the assignment. There is device code here and nothing
// else: the program hw04 makes the input, launches these kernels, checks the
// sum and measures them. Build with make (F9 in Emacs), run with ./hw04.

// The input in holds n numbers. Each block adds up its share of them and
// writes one number, parts[blockIdx.x]; a second launch, of a kernel that is
// not shown, adds up the parts. Sums wrap around at 2^32, so every order of
// adding gives the same. A kernel must be right for every n.
//
// A block has 128 threads; where the kernel is a template, `threads` of them,
// which is 64, 128, 256 or 512. s has one number for each thread.
extern __shared__ unsigned s[];

// One thread an element: block b takes the blockDim.x elements from
// b * blockDim.x on, and adds up neighbours, then the sums of neighbours, and
// so on. For comparison: do not edit.
//
//   d = 1:  s[0] += s[1]   s[2] += s[3]   s[4] += s[5]   s[6] += s[7] ...
//   d = 2:  s[0] += s[2]                  s[4] += s[6]                ...
//   d = 4:  s[0] += s[4]                                              ...
__global__ void reduce_0(unsigned* parts, const unsigned* in, int n) {
  const int t = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int d = 1; d < blockDim.x; d *= 2) {
    if (t % (2 * d) == 0) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) parts[blockIdx.x] = s[0];
}

// What the kernels below do until you have written them: reduce_0's work, as
// often as it takes with fewer blocks. Right, and slow.
__device__ void as_reduce_0(unsigned* parts, const unsigned* in, int n) {
  const int t = threadIdx.x;
  const int times = (n - 1) / (gridDim.x * blockDim.x) + 1;
  unsigned sum = 0;
  for (int k = 0; k < times; k++) {
    const int i = (blockIdx.x * times + k) * blockDim.x + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int d = 1; d < blockDim.x; d *= 2) {
      if (t % (2 * d) == 0) s[t] += s[t + d];
      __syncthreads();
    }
    sum += s[0];
    __syncthreads();
  }
  if (t == 0) parts[blockIdx.x] = sum;
}

// Homework 4: which threads of reduce_0 add has gaps, and a warp of which one
// thread adds takes as long as a full one. Let the first threads of the block
// add: thread t what reduce_0's thread 2 * d * t adds.
__global__ void reduce_1(unsigned* parts, const unsigned* in, int n) {
  as_reduce_0(parts, in, n);
}

// Homework 4: no bank conflicts. Let d go from half of the block down to 1, and
// neighbouring threads add numbers that lie side by side.
__global__ void reduce_2(unsigned* parts, const unsigned* in, int n) {
  as_reduce_0(parts, in, n);
}

// Homework 4: half of reduce_2's threads load and then never add. From here on
// there are half as many blocks: block b takes the 2 * blockDim.x elements from
// b * 2 * blockDim.x on, and its threads add two while they load.
__global__ void reduce_3(unsigned* parts, const unsigned* in, int n) {
  as_reduce_0(parts, in, n);
}

// Homework 4: when 64 numbers are left, let the first warp add them up alone,
// without __syncthreads. What must stand in its place? See README.md.
__global__ void reduce_4(unsigned* parts, const unsigned* in, int n) {
  as_reduce_0(parts, in, n);
}

// Homework 4: the same with `threads` in place of blockDim.x. The compiler
// knows it, and needs no loop.
template <int threads>
__global__ void reduce_5(unsigned* parts, const unsigned* in, int n) {
  as_reduce_0(parts, in, n);
}

// Homework 4: several elements a thread. From here on there may be any number
// of blocks, and any block may take any elements. Let a thread add up its share
// in a register, the threads of a warp side by side at every step; then as
// reduce_5.
template <int threads>
__global__ void reduce_6(unsigned* parts, const unsigned* in, int n) {
  as_reduce_0(parts, in, n);
}

// Homework 4: warp shuffles. __shfl_down_sync(~0u, x, d) gives a lane the x of
// the lane d further on. So a warp can add up by itself, without shared memory;
// only one number a warp has to go through s.
template <int threads>
__global__ void reduce_7(unsigned* parts, const unsigned* in, int n) {
  as_reduce_0(parts, in, n);
}

// Homework 4: as fast as a library. A uint4 is four elements in one load: 16
// bytes, at an address that is a multiple of 16, as in is. Have several such
// loads on their way before you add up the first. Mind the elements at the end.
template <int threads>
__global__ void reduce_8(unsigned* parts, const unsigned* in, int n) {
  as_reduce_0(parts, in, n);
}
