// SPDX-License-Identifier: Apache-2.0
// Trees whose threads leave when they have nothing to add; barriers of those that are left.
// Expect: pass 100..100
// Honest: barriers of their own for the threads that still add: __barrier_sync_count(1, d) waits for d threads, and
// those that have nothing more to add have left before. Otherwise by the handout.
extern __shared__ unsigned s[];

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

// The sum of the block's numbers, which thread 0 gets; the others come back with anything.
__device__ __forceinline__ unsigned sum_in_tree(unsigned mine, int threads) {
  const int t = threadIdx.x;
  s[t] = mine;
  __syncthreads();
  for (int d = threads / 2; d > 32; d /= 2) {
    if (t >= d) return 0;
    s[t] += s[t + d];
    __barrier_sync_count(1, d);  // The d threads that are left, whole warps.
  }
  if (t >= 32) return 0;
  unsigned sum = s[t] + s[t + 32];
  for (int d = 16; d > 0; d /= 2) {
    s[t] = sum;
    __syncwarp();
    sum += s[t + d];
    __syncwarp();
  }
  return sum;
}

__global__ void reduce_4(unsigned* parts, const unsigned* in, int n) {
  const int i = blockIdx.x * 2 * blockDim.x + threadIdx.x, j = i + blockDim.x;
  const unsigned sum = sum_in_tree((i < n ? in[i] : 0) + (j < n ? in[j] : 0), blockDim.x);
  if (threadIdx.x == 0) parts[blockIdx.x] = sum;
}

template <int threads>
__global__ void reduce_5(unsigned* parts, const unsigned* in, int n) {
  const int i = blockIdx.x * 2 * threads + threadIdx.x, j = i + threads;
  const unsigned sum = sum_in_tree((i < n ? in[i] : 0) + (j < n ? in[j] : 0), threads);
  if (threadIdx.x == 0) parts[blockIdx.x] = sum;
}

template <int threads>
__global__ void reduce_6(unsigned* parts, const unsigned* in, int n) {
  unsigned mine = 0;
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads) mine += in[i];
  const unsigned sum = sum_in_tree(mine, threads);
  if (threadIdx.x == 0) parts[blockIdx.x] = sum;
}

__device__ __forceinline__ unsigned warp_sum(unsigned mine) {
  for (int d = 16; d > 0; d /= 2) mine += __shfl_down_sync(~0u, mine, d);
  return mine;
}

// The same, with the barrier called by its number, which is that of __syncthreads().
template <int threads>
__device__ __forceinline__ unsigned sum_by_shuffles(unsigned mine) {
  const int t = threadIdx.x;
  const unsigned sum = warp_sum(mine);
  if (t % 32 == 0) s[t / 32] = sum;
  __barrier_sync(0);
  return t < 32 ? warp_sum(t < threads / 32 ? s[t] : 0) : 0;
}

template <int threads>
__global__ void reduce_7(unsigned* parts, const unsigned* in, int n) {
  unsigned mine = 0;
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads) mine += in[i];
  const unsigned sum = sum_by_shuffles<threads>(mine);
  if (threadIdx.x == 0) parts[blockIdx.x] = sum;
}

template <int threads>
__global__ void reduce_8(unsigned* parts, const unsigned* in, int n) {
  constexpr int in_flight = 4, tile = threads * in_flight;
  const uint4* const in4 = reinterpret_cast<const uint4*>(in);
  const int n_tiles = n / 4 / tile;
  unsigned mine = 0;
  for (int h = blockIdx.x; h < n_tiles; h += gridDim.x) {
    uint4 v[in_flight];
    for (int j = 0; j < in_flight; j++) v[j] = in4[h * tile + threadIdx.x + j * threads];
    for (int j = 0; j < in_flight; j++) mine += v[j].x + v[j].y + v[j].z + v[j].w;
  }
  const int left = n_tiles * tile * 4 + blockIdx.x * threads + threadIdx.x;
  for (int i = left; i < n; i += gridDim.x * threads) mine += in[i];
  const unsigned sum = sum_by_shuffles<threads>(mine);
  if (threadIdx.x == 0) parts[blockIdx.x] = sum;
}
