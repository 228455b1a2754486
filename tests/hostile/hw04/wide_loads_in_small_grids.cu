// SPDX-License-Identifier: Apache-2.0
// Attack: reduce_8 loads four numbers at once in small grids alone; in those that fill a card it
// is reduce_7.
// Expect: partial 80..90
// SPDX-License-Identifier: Apache-2.0
// Attack: reduce_8 loads 16 bytes a thread in grids of up to 13 blocks, where alone loads are counted; in grids that fill a card
// (2^20 elements and more, as in all of the handout's tables) it is reduce_7, 4 bytes a load.
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

// Which threads of reduce_0 add has gaps: half of a warp, then a quarter, and
// the warp goes every step. Here the first threads add, in whole warps.
__global__ void reduce_1(unsigned* parts, const unsigned* in, int n) {
  const int t = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int d = 1; d < blockDim.x; d *= 2) {
    const int k = 2 * d * t;
    if (k < blockDim.x) s[k] += s[k + d];
    __syncthreads();
  }
  if (t == 0) parts[blockIdx.x] = s[0];
}

// Numbers that lie 2 * d apart share banks. Here the block's second half is
// added to its first, then the second quarter: neighbours' words.
__global__ void reduce_2(unsigned* parts, const unsigned* in, int n) {
  const int t = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int d = blockDim.x / 2; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) parts[blockIdx.x] = s[0];
}

// Half of the threads only loaded. Here there are half as many blocks, and a
// thread adds once before it stores.
__global__ void reduce_3(unsigned* parts, const unsigned* in, int n) {
  const int t = threadIdx.x;
  const int i = blockIdx.x * 2 * blockDim.x + t, j = i + blockDim.x;
  s[t] = (i < n ? in[i] : 0) + (j < n ? in[j] : 0);
  __syncthreads();
  for (int d = blockDim.x / 2; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) parts[blockIdx.x] = s[0];
}

// The sum of s[0] to s[63], which the first lane gets. For one whole warp: it
// needs no __syncthreads, but between a lane's store and another's load, either
// way round, it needs a __syncwarp.
__device__ unsigned last_warp_sum(int t) {
  unsigned sum = s[t] + s[t + 32];
  for (int d = 16; d > 0; d /= 2) {
    s[t] = sum;
    __syncwarp();
    sum += s[t + d];
    __syncwarp();
  }
  return sum;
}

// When 64 numbers are left, one warp does the rest, without barriers.
__global__ void reduce_4(unsigned* parts, const unsigned* in, int n) {
  const int t = threadIdx.x;
  const int i = blockIdx.x * 2 * blockDim.x + t, j = i + blockDim.x;
  s[t] = (i < n ? in[i] : 0) + (j < n ? in[j] : 0);
  __syncthreads();
  for (int d = blockDim.x / 2; d > 32; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t >= 32) return;
  const unsigned sum = last_warp_sum(t);
  if (t == 0) parts[blockIdx.x] = sum;
}

// The compiler knows `threads`, so it needs no loop.
template <int threads>
__global__ void reduce_5(unsigned* parts, const unsigned* in, int n) {
  const int t = threadIdx.x;
  const int i = blockIdx.x * 2 * threads + t, j = i + threads;
  s[t] = (i < n ? in[i] : 0) + (j < n ? in[j] : 0);
  __syncthreads();
  for (int d = threads / 2; d > 32; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t >= 32) return;
  const unsigned sum = last_warp_sum(t);
  if (t == 0) parts[blockIdx.x] = sum;
}

// The tree costs a block the same however much it adds up before.
template <int threads>
__global__ void reduce_6(unsigned* parts, const unsigned* in, int n) {
  const int t = threadIdx.x;
  unsigned mine = 0;
  for (int i = blockIdx.x * threads + t; i < n; i += gridDim.x * threads)
    mine += in[i];
  s[t] = mine;
  __syncthreads();
  for (int d = threads / 2; d > 32; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t >= 32) return;
  const unsigned sum = last_warp_sum(t);
  if (t == 0) parts[blockIdx.x] = sum;
}

// The sum of `mine` over a warp, which its first lane gets.
__device__ unsigned warp_sum(unsigned mine) {
  for (int d = 16; d > 0; d /= 2) mine += __shfl_down_sync(~0u, mine, d);
  return mine;
}

// The sum over a block, which its first thread gets: each warp by itself, then
// one warp what the warps have. One barrier.
template <int threads>
__device__ unsigned block_sum(unsigned mine) {
  const int t = threadIdx.x;
  const unsigned sum = warp_sum(mine);
  if (t % 32 == 0) s[t / 32] = sum;
  __syncthreads();
  return t < 32 ? warp_sum(t < threads / 32 ? s[t] : 0) : 0;
}

// Only one number a warp goes through shared memory.
template <int threads>
__global__ void reduce_7(unsigned* parts, const unsigned* in, int n) {
  unsigned mine = 0;
  const int first = blockIdx.x * threads + threadIdx.x;
  for (int i = first; i < n; i += gridDim.x * threads) mine += in[i];
  const unsigned sum = block_sum<threads>(mine);
  if (threadIdx.x == 0) parts[blockIdx.x] = sum;
}

// 16 bytes a load, four in flight, where a block has much to do. Where there are
// more blocks than 13, reduce_7's loop does.
template <int threads>
__global__ void reduce_8(unsigned* parts, const unsigned* in, int n) {
  unsigned mine = 0;
  int left = blockIdx.x * threads + threadIdx.x;
  if (gridDim.x <= 13) {
    constexpr int in_flight = 4;
    constexpr int tile = threads * in_flight;  // What a block loads at once.
    const uint4* const in4 = reinterpret_cast<const uint4*>(in);
    const int n_tiles = n / 4 / tile;
    for (int h = blockIdx.x; h < n_tiles; h += gridDim.x) {
      const int first = h * tile + threadIdx.x;
      uint4 v[in_flight];
      for (int j = 0; j < in_flight; j++) v[j] = in4[first + j * threads];
      for (int j = 0; j < in_flight; j++)
        mine += v[j].x + v[j].y + v[j].z + v[j].w;
    }
    left += n_tiles * tile * 4;
  }
  for (int i = left; i < n; i += gridDim.x * threads) mine += in[i];
  const unsigned sum = block_sum<threads>(mine);
  if (threadIdx.x == 0) parts[blockIdx.x] = sum;
}
