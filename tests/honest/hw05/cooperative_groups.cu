// SPDX-License-Identifier: Apache-2.0
// Style: cooperative groups, for barriers, tiles and their sums; blocks of 128 threads.
// Expect: pass 100..100
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#define OWN_SHAPE
#define OWN_2
#define OWN_3
constexpr int kThreads = 128;
constexpr int kBlocks = 0;
#include "../../hostile/given05.cuh"

namespace cg = cooperative_groups;

__global__ void rmse_2(float* sums, const float* a, const float* b, const long long* starts) {
  const cg::thread_block block = cg::this_thread_block();
  const int t = block.thread_rank();
  s[t] = my_sum(a, b, starts);
  block.sync();
  for (int d = 512; d > 0; d /= 2) {
    if (t < d && t + d < block.size()) s[t] += s[t + d];
    block.sync();
  }
  if (t == 0) atomicAdd(&sums[blockIdx.y], s[0]);
}

__global__ void rmse_3(float* sums, const float* a, const float* b, const long long* starts) {
  const cg::thread_block block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const float sum = cg::reduce(warp, my_sum(a, b, starts), cg::plus<float>());
  if (warp.thread_rank() == 0) s[warp.meta_group_rank()] = sum;
  block.sync();
  if (block.thread_rank() > 0) return;
  float all = 0;
  for (int i = 0; i < warp.meta_group_size(); i++) all += s[i];
  atomicAdd(&sums[blockIdx.y], all);
}
