// SPDX-License-Identifier: Apache-2.0
// Style: cooperative groups, for barriers, tiles and their sums.
// Expect: pass 100..100
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#define OWN_2
#define OWN_4
#define OWN_7
#define OWN_8
#include "../../hostile/given04.cuh"

namespace cg = cooperative_groups;

__device__ void leave(unsigned* parts, unsigned mine) {
  const cg::thread_block block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const unsigned sum = cg::reduce(warp, mine, cg::plus<unsigned>());
  if (warp.thread_rank() == 0) s[warp.meta_group_rank()] = sum;
  block.sync();
  if (block.thread_rank() > 0) return;
  unsigned all = 0;
  for (int i = 0; i < warp.meta_group_size(); i++) all += s[i];
  parts[blockIdx.x] = all;
}

__global__ void reduce_2(unsigned* parts, const unsigned* in, int n) {
  const cg::thread_block block = cg::this_thread_block();
  const int t = block.thread_rank(), i = cg::this_grid().thread_rank();
  s[t] = i < n ? in[i] : 0;
  block.sync();
  for (int d = block.size() / 2; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];
    block.sync();
  }
  if (t == 0) parts[blockIdx.x] = s[0];
}

__global__ void reduce_4(unsigned* parts, const unsigned* in, int n) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int t = threadIdx.x;
  const int i = blockIdx.x * 2 * blockDim.x + t, j = i + blockDim.x;
  s[t] = (i < n ? in[i] : 0) + (j < n ? in[j] : 0);
  __syncthreads();
  for (int d = blockDim.x / 2; d >= 32; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (warp.meta_group_rank() > 0) return;
  unsigned sum = s[t];
  for (int d = warp.size() / 2; d > 0; d /= 2) sum += warp.shfl_down(sum, d);
  if (t == 0) parts[blockIdx.x] = sum;
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
