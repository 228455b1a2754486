// SPDX-License-Identifier: Apache-2.0
// Attack: sums that other blocks write are read by __ldg, which need not see them.
// Expect: partial 50..70
// Expect gpu: pass|partial|fail 0..100
// Homework 5: batched RMSE. You write rmse_1 to rmse_4 and view_cheap and
// choose a launch shape; README.md, in the same folder, is the assignment.
// There is device code here and nothing else: the program hw05 makes the
// inputs, launches these kernels, checks and measures them. Build with make (F9
// in Emacs), run with ./hw05.

// --- 1. Sums ---------------------------------------------

// a and b hold batches, one behind the other: batch k is the elements starts[k]
// to starts[k + 1] - 1, at least one. The root of the mean of (a - b)^2 over
// each batch is wanted. A kernel adds the squares of batch k to sums[k], which
// is 0 before; dividing and taking the root is done after it.
//
// The blocks with blockIdx.y == k work on batch k: gridDim.x of them, one or
// many. blockDim.x is a multiple of 32, up to 1024. A kernel must be right for
// all of these. s has a number for each thread of the block.
extern __shared__ float s[];

// The shape in which wide_rmse_3 and rmse_4 are launched.
constexpr int kThreads = 256;  // Of a block.
constexpr int kBlocks = 0;  // For each batch. 0: what the card holds at once.

// An atomic operation for each element.
__device__ void add_each(float* sums, const float* a, const float* b,
                         const long long* starts) {
  const int k = blockIdx.y;
  const long long end = starts[k + 1];
  const long long step = gridDim.x * blockDim.x;
  long long i = starts[k] + blockIdx.x * blockDim.x + threadIdx.x;
  for (; i < end; i += step) {
    const float d = a[i] - b[i];
    atomicAdd(&sums[k], d * d);
  }
}

// For comparison: do not edit.
__global__ void rmse_0(float* sums, const float* a, const float* b,
                       const long long* starts) {
  add_each(sums, a, b, starts);
}

// What this thread has of the sum of its batch. Within a batch an int counts.
__device__ float my_sum(const float* a, const float* b,
                        const long long* starts) {
  const long long start = starts[blockIdx.y];
  const int n = starts[blockIdx.y + 1] - start;
  a += start;
  b += start;
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x) {
    const float d = a[i] - b[i];
    sum += d * d;
  }
  return sum;
}

// An atomic operation for each thread.
__global__ void rmse_1(float* sums, const float* a, const float* b,
                       const long long* starts) {
  atomicAdd(&sums[blockIdx.y], my_sum(a, b, starts));
}

// One for each block, which adds up in shared memory: of n numbers that are
// left, the last n / 2 are added to the first.
__global__ void rmse_2(float* sums, const float* a, const float* b,
                       const long long* starts) {
  const int t = threadIdx.x;
  s[t] = my_sum(a, b, starts);
  __syncthreads();
  for (int n = blockDim.x; n > 1; n -= n / 2) {
    if (t < n / 2) s[t] += s[t + n - n / 2];
    __syncthreads();
  }
  if (t == 0) atomicAdd(&sums[blockIdx.y], s[0]);
}

// The sum of x over a warp, which its first lane gets.
__device__ float warp_sum(float x) {
  for (int d = 16; d > 0; d /= 2) x += __shfl_down_sync(~0u, x, d);
  return x;
}

// Adds up x over the block: one number a warp goes through shared memory.
__device__ void add_block(float* sums, float x) {
  const int t = threadIdx.x;
  x = warp_sum(x);
  if (t % 32 == 0) s[t / 32] = x;
  __syncthreads();
  if (t >= 32) return;
  x = warp_sum(t < blockDim.x / 32 ? s[t] : 0);
  if (t == 0) atomicAdd(&sums[blockIdx.y], x);
}

// Warps add up with shuffles. A block leaves its sum in `shares`, and who comes
// last in a batch adds these up, in their order: the same bits each time.
__device__ float shares[3072];
__device__ unsigned left_theirs[64];

// Brings the words of the batch near, early on. None is below zero, so this
// is 0.
__device__ __forceinline__ float fetch_shares() {
  float least = 0;
  const float* const words = shares + blockIdx.y * gridDim.x;
  if (threadIdx.x < 32)
    for (int j = 8 * threadIdx.x; j < gridDim.x; j += 256)
      least = fminf(least, __ldg(&words[j]));
  return least;
}

__global__ void rmse_3(float* sums, const float* a, const float* b,
                       const long long* starts) {
  const int t = threadIdx.x;
  float x = fetch_shares();
  x = warp_sum(x + my_sum(a, b, starts));
  if (t % 32 == 0) s[t / 32] = x;
  __syncthreads();
  if (t >= 32) return;
  x = warp_sum(t < blockDim.x / 32 ? s[t] : 0);
  float* const words = shares + blockIdx.y * gridDim.x;
  unsigned ticket = 0;
  if (t == 0) {
    atomicExch(&words[blockIdx.x], x);
    __threadfence();
    ticket = atomicAdd(&left_theirs[blockIdx.y], 1u);
  }
  ticket = __shfl_sync(~0u, ticket, 0);
  if (ticket != gridDim.x - 1) return;
  __threadfence();
  float all = 0;
  for (int j = t; j < gridDim.x; j += 32) all += __ldg(&words[j]);
  all = warp_sum(all);
  if (t == 0) sums[blockIdx.y] = all;
}

__device__ float square(float a, float b) { return (a - b) * (a - b); }

__device__ float squares(float4 a, float4 b) {
  return square(a.x, b.x) + square(a.y, b.y) + square(a.z, b.z) +
         square(a.w, b.w);
}

// Loads of 16 bytes, four of them in flight. A batch begins anywhere, so up to
// three elements come before the first that a float4 can begin with.
__device__ void add_fast(float* sums, const float* a, const float* b,
                         const long long* starts) {
  const long long start = starts[blockIdx.y];
  const int n = starts[blockIdx.y + 1] - start;
  a += start;
  b += start;
  const int head = min(n, int(-start & 3)), n4 = (n - head) / 4;
  const float4* const a4 = reinterpret_cast<const float4*>(a + head);
  const float4* const b4 = reinterpret_cast<const float4*>(b + head);
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  const int step = gridDim.x * blockDim.x;

  float sum = 0;
  int i = first;
  for (; i + step < n4; i += 2 * step) {
    const float4 ai = a4[i], bi = b4[i], aj = a4[i + step], bj = b4[i + step];
    sum += squares(ai, bi) + squares(aj, bj);
  }
  if (i < n4) sum += squares(a4[i], b4[i]);

  // What is before the first float4, and what is behind the last.
  const int last = head + 4 * n4 + first;
  if (first < head) sum += square(a[first], b[first]);
  if (last < n) sum += square(a[last], b[last]);
  add_block(sums, sum);
}

__global__ void rmse_4(float* sums, const float* a, const float* b,
                       const long long* starts) {
  add_fast(sums, a, b, starts);
}

// --- 2. Registers ----------------------------------------

// Given: rmse_4 with a promise to the compiler, blocks of at most 256 threads,
// and a wish, so many of them on an SM at once.
template <int blocks>
__global__ void __launch_bounds__(256, blocks)
    bounded(float* sums, const float* a, const float* b,
            const long long* starts) {
  add_fast(sums, a, b, starts);
}

// Given: rmse_4 with no more registers than that.
template <int registers>
__global__ void __maxnreg__(registers)
    limited(float* sums, const float* a, const float* b,
            const long long* starts) {
  add_fast(sums, a, b, starts);
}

// --- 3. Indices ------------------------------------------

// Here a batch is `height` rows of `width` numbers. The rows begin `pitch`
// numbers apart, batches follow each other: number (row, column) of batch k is
// a[(k * height + row) * pitch + column].

// One index for all numbers of a batch, taken apart by dividing.
template <typename Index>
__device__ void view(float* sums, const float* a, const float* b, Index height,
                     Index width, Index pitch) {
  const Index n = height * width, step = gridDim.x * blockDim.x;
  float sum = 0;
#pragma unroll 1
  for (Index i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
    const Index row = i / width, column = i % width;
    const Index at = (blockIdx.y * height + row) * pitch + column;
    const float d = a[at] - b[at];
    sum += d * d;
  }
  atomicAdd(&sums[blockIdx.y], sum);
}

// Given: counted with 64 bits, and with 32.
__global__ void view_64(float* sums, const float* a, const float* b,
                        long long height, long long width, long long pitch) {
  view<long long>(sums, a, b, height, width, pitch);
}

__global__ void view_32(float* sums, const float* a, const float* b, int height,
                        int width, int pitch) {
  view<int>(sums, a, b, height, width, pitch);
}

// One division at the start tells where a thread begins, another how far it
// goes in a step; from there on it adds, and carries.
__global__ void view_cheap(float* sums, const float* a, const float* b,
                           int height, int width, int pitch) {
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  const int step = gridDim.x * blockDim.x;
  const int rows = step / width, columns = step % width;
  int row = first / width, column = first % width;
  float sum = 0;
  while (row < height) {
    const int at = (blockIdx.y * height + row) * pitch + column;
    const float d = a[at] - b[at];
    sum += d * d;
    row += rows;
    column += columns;
    if (column >= width) {
      column -= width;
      row++;
    }
  }
  atomicAdd(&sums[blockIdx.y], sum);
}
