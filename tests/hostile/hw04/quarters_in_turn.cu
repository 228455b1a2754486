// SPDX-License-Identifier: Apache-2.0
// Attack: the quarters of a block load one after the other, between barriers.
// Expect: partial 70..88
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

#ifndef OWN_1
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
#endif

#ifndef OWN_2
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
#endif

#ifndef OWN_3
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
#endif

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

#ifndef OWN_4
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
#endif

#ifndef OWN_5
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
#endif

#ifndef OWN_6
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
#endif

__device__ unsigned warp_sum(unsigned mine) {
  for (int d = 16; d > 0; d /= 2) mine += __shfl_down_sync(~0u, mine, d);
  return mine;
}

template <int threads>
__device__ unsigned block_sum(unsigned mine) {
  const int t = threadIdx.x;
  const unsigned sum = warp_sum(mine);
  if (t % 32 == 0) s[t / 32] = sum;
  __syncthreads();
  return t < 32 ? warp_sum(t < threads / 32 ? s[t] : 0) : 0;
}

#ifndef OWN_7
template <int threads>
__global__ void reduce_7(unsigned* parts, const unsigned* in, int n) {
  unsigned mine = 0;
  const int first = blockIdx.x * threads + threadIdx.x;
  for (int w = 0; w < 4; w++) {  // a quarter of the warps at a time
    if (threadIdx.x / 32 * 4 / (threads / 32) == w)
      for (int i = first; i < n; i += gridDim.x * threads) mine += in[i];
    __syncthreads();
  }
  const unsigned sum = block_sum<threads>(mine);
  if (threadIdx.x == 0) parts[blockIdx.x] = sum;
}
#endif

#ifndef OWN_8
template <int threads>
__global__ void reduce_8(unsigned* parts, const unsigned* in, int n) {
  constexpr int in_flight = 4;
  constexpr int tile = threads * in_flight;
  const uint4* const in4 = reinterpret_cast<const uint4*>(in);
  const int n_tiles = n / 4 / tile;

  unsigned mine = 0;
  for (int w = 0; w < 4; w++, __syncthreads())  // a quarter of the warps at a time
  if (threadIdx.x / 32 * 4 / (threads / 32) == w)
  for (int h = blockIdx.x; h < n_tiles; h += gridDim.x) {
    const int first = h * tile + threadIdx.x;
    uint4 v[in_flight];
    for (int j = 0; j < in_flight; j++) v[j] = in4[first + j * threads];
    for (int j = 0; j < in_flight; j++)
      mine += v[j].x + v[j].y + v[j].z + v[j].w;
  }

  const int left = n_tiles * tile * 4 + blockIdx.x * threads + threadIdx.x;
  for (int i = left; i < n; i += gridDim.x * threads) mine += in[i];
  const unsigned sum = block_sum<threads>(mine);
  if (threadIdx.x == 0) parts[blockIdx.x] = sum;
}
#endif
