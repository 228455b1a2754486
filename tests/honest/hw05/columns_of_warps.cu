// SPDX-License-Identifier: Apache-2.0
// Style: restrict pointers; rmse_2 adds up columns; blocks of 640 threads.
// Expect: pass 100..100

// --- 1. Sums ---------------------------------------------

// a and b hold batches, one behind the other: batch k is the elements starts[k]
// to starts[k + 1] - 1, at least one. A kernel adds the squares of batch k to
// sums[k], which is 0 before. The blocks with blockIdx.y == k work on batch k.
// blockDim.x is a multiple of 32, up to 1024. s has a number for each thread.
extern __shared__ float s[];

// The shape in which wide_rmse_3 and rmse_4 are launched.
constexpr int kThreads = 20 * 32;  // Of a block; three blocks are 60 of an SM's 64 warps.
constexpr int kBlocks = 0;         // For each batch: what the card holds at once.

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

// What this thread has of the sum of its batch: every so manyth element.
__device__ __forceinline__ float partial_sum(const float* __restrict__ a,
                                             const float* __restrict__ b,
                                             const long long* __restrict__ starts) {
  const long long start = __ldg(starts + blockIdx.y);
  const int n = static_cast<int>(__ldg(starts + blockIdx.y + 1) - start);
  const int step = gridDim.x * blockDim.x;
  a += start;
  b += start;
  float sum = 0.f;
#pragma unroll 2
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
    const float d = __ldg(a + i) - __ldg(b + i);
    sum = fmaf(d, d, sum);
  }
  return sum;
}

__global__ void rmse_1(float* sums, const float* a, const float* b,
                       const long long* starts) {
  const float sum = partial_sum(a, b, starts);
  atomicAdd(&sums[blockIdx.y], sum);
}

// s is a matrix with a row for each warp, 32 wide. The first warp adds up the
// columns, a lane each, and then the 32 sums that come of it. There, each lane
// stores its number and adds that of a lane further on, around the warp.
__global__ void rmse_2(float* sums, const float* a, const float* b,
                       const long long* starts) {
  const unsigned t = threadIdx.x, n = blockDim.x;
  float mine = partial_sum(a, b, starts);
  if (t >= 32) s[t] = mine;
  __syncthreads();
  if (t >= 32) return;
#pragma unroll 4
  for (unsigned at = t + 32; at < n; at += 32) mine += s[at];
#pragma unroll
  for (unsigned d = 16; d > 0; d /= 2) {
    s[t] = mine;
    __syncwarp();
    mine += s[(t + d) % 32];
    __syncwarp();
  }
  if (t == 0) atomicAdd(&sums[blockIdx.y], mine);
}

template <int lanes>
__device__ __forceinline__ float lane_sum(float x) {
  if constexpr (lanes > 1) {
    x += __shfl_down_sync(0xffffffffu, x, lanes / 2);
    return lane_sum<lanes / 2>(x);
  } else {
    return x;
  }
}

__device__ __forceinline__ void add_block_sum(float* sums, float mine) {
  const unsigned t = threadIdx.x;
  mine = lane_sum<32>(mine);
  if (t % 32 == 0) s[t / 32] = mine;
  __syncthreads();
  if (t < 32) {
    mine = lane_sum<32>(t < blockDim.x / 32 ? s[t] : 0.f);
    if (t == 0) atomicAdd(&sums[blockIdx.y], mine);
  }
}

__global__ void rmse_3(float* sums, const float* a, const float* b,
                       const long long* starts) {
  add_block_sum(sums, partial_sum(a, b, starts));
}

// Adds the squares of p - q to the four sums.
__device__ __forceinline__ void accumulate(float4& sum, const float4 p, const float4 q) {
  const float x = p.x - q.x, y = p.y - q.y, z = p.z - q.z, w = p.w - q.w;
  sum.x = fmaf(x, x, sum.x);
  sum.y = fmaf(y, y, sum.y);
  sum.z = fmaf(z, z, sum.z);
  sum.w = fmaf(w, w, sum.w);
}

__device__ void add_fast(float* sums, const float* a, const float* b,
                         const long long* starts) {
  const long long start = starts[blockIdx.y], end = starts[blockIdx.y + 1];
  // In vectors of all of a and b: the first that lies within the batch, and how many there are.
  const long long begin4 = (start + 3) / 4;
  const int n4 = max(0, static_cast<int>(end / 4 - begin4));
  const float4* __restrict__ const a4 = reinterpret_cast<const float4*>(a) + begin4;
  const float4* __restrict__ const b4 = reinterpret_cast<const float4*>(b) + begin4;
  const int first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;

  float4 sum = make_float4(0.f, 0.f, 0.f, 0.f);
  int i = first;
  for (; i < n4 - step; i += 2 * step) {
    const float4 p = __ldg(a4 + i), q = __ldg(b4 + i);
    const float4 r = __ldg(a4 + i + step), t = __ldg(b4 + i + step);
    accumulate(sum, p, q);
    accumulate(sum, r, t);
  }
  if (i < n4) accumulate(sum, __ldg(a4 + i), __ldg(b4 + i));

  // What is in no such vector: less than four elements at each end, or a batch that is so short
  // that it has none.
  const long long head = min(4 * begin4, end) - start;
  const long long tail = max(4 * (begin4 + n4), start + head);
  const auto add_one = [&](long long at) {
    const float d = a[at] - b[at];
    sum.x = fmaf(d, d, sum.x);
  };
  if (first < head) add_one(start + first);
  if (tail + first < end) add_one(tail + first);
  add_block_sum(sums, (sum.x + sum.y) + (sum.z + sum.w));
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

// `room` is how many columns are left to the right of this thread's, less one:
// where a step takes more than there are, it is negative, and the place is in
// the row below.
__global__ void view_cheap(float* sums, const float* a, const float* b,
                           int height, int width, int pitch) {
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  const int step = gridDim.x * blockDim.x;
  const int rows = step / width, columns = step % width;
  const int row = first / width, column = first % width;
  const int window = blockIdx.y * height * pitch;
  const int end = window + height * pitch;
  const int stride = rows * pitch + columns;
  int room = width - 1 - column;
  float sum = 0.f;
  for (int at = window + row * pitch + column; at < end;) {
    const float d = __ldg(a + at) - __ldg(b + at);
    sum = fmaf(d, d, sum);
    at += stride;
    room -= columns;
    if (room < 0) {
      room += width;
      at += pitch - width;
    }
  }
  atomicAdd(&sums[blockIdx.y], sum);
}
