// SPDX-License-Identifier: Apache-2.0
// Style: warp shuffles from reduce_1 on; a pragma unrolls the loop of vector loads.
// Expect: pass 100..100
#define OWN_1
#define OWN_2
#define OWN_3
#define OWN_4
#define OWN_5
#define OWN_6
#define OWN_7
#define OWN_8
#include "../../hostile/given04.cuh"

__device__ void leave(unsigned* parts, unsigned mine) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  mine = warp_sum(mine);
  if (lane == 0) s[warp] = mine;
  __syncthreads();
  if (warp > 0) return;
  mine = warp_sum(lane < warps ? s[lane] : 0);
  if (lane == 0) parts[blockIdx.x] = mine;
}

__global__ void reduce_1(unsigned* parts, const unsigned* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  leave(parts, i < n ? in[i] : 0);
}

__global__ void reduce_2(unsigned* parts, const unsigned* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  leave(parts, i < n ? in[i] : 0);
}

__global__ void reduce_3(unsigned* parts, const unsigned* in, int n) {
  const int i = blockIdx.x * 2 * blockDim.x + threadIdx.x, j = i + blockDim.x;
  leave(parts, (i < n ? in[i] : 0) + (j < n ? in[j] : 0));
}

__global__ void reduce_4(unsigned* parts, const unsigned* in, int n) {
  const int i = blockIdx.x * 2 * blockDim.x + threadIdx.x, j = i + blockDim.x;
  leave(parts, (i < n ? in[i] : 0) + (j < n ? in[j] : 0));
}

template <int threads>
__global__ void reduce_5(unsigned* parts, const unsigned* in, int n) {
  const int i = blockIdx.x * 2 * blockDim.x + threadIdx.x, j = i + blockDim.x;
  leave(parts, (i < n ? in[i] : 0) + (j < n ? in[j] : 0));
}

template <int threads>
__global__ void reduce_6(unsigned* parts, const unsigned* in, int n) {
  unsigned mine = 0;
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads) mine += in[i];
  leave(parts, mine);
}

template <int threads>
__global__ void reduce_7(unsigned* parts, const unsigned* in, int n) {
  unsigned mine = 0;
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads) mine += in[i];
  leave(parts, mine);
}

template <int threads>
__global__ void reduce_8(unsigned* parts, const unsigned* in, int n) {
  const uint4* const in4 = reinterpret_cast<const uint4*>(in);
  const int n4 = n / 4, step = gridDim.x * threads, first = blockIdx.x * threads + threadIdx.x;
  unsigned mine = 0;
#pragma unroll 4
  for (int i = first; i < n4; i += step) {
    const uint4 v = in4[i];
    mine += v.x + v.y + v.z + v.w;
  }
  if (first < n % 4) mine += in[4 * n4 + first];
  leave(parts, mine);
}
