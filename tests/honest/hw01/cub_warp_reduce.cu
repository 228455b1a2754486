// SPDX-License-Identifier: Apache-2.0
// Style: CUB: a group is a logical warp, elements are striped over it.
// Expect: pass 100..100

#include <cub/block/block_load.cuh>
#include <cub/block/block_store.cuh>
#include <cub/util_ptx.cuh>
#include <cub/warp/warp_reduce.cuh>

using elt_t = float;

// One thread normalizes vector h by itself.
template <int d_l>
__device__ void norm_vector(elt_t* l_out, const elt_t* l_in, int h) {
  const size_t idx_vec_start = size_t(h) * d_l;
  elt_t sum = 0;
  for (int i = 0; i < d_l; i++) sum += l_in[idx_vec_start + i];
  const elt_t avg = sum / d_l;
  for (int i = 0; i < d_l; i++)
    l_out[idx_vec_start + i] = l_in[idx_vec_start + i] - avg;
}

// One thread a vector. For comparison: do not edit.
//
// When the threads of a warp load their i-th elements, the addresses are d_l
// elements apart. Find out what that does to BXW, N*R and N*W.
template <int d_l>
__global__ void norm_base(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  for (int h = tid; h < n_l; h += n_threads)
    norm_vector<d_l>(l_out, l_in, h);
}

// CUB leaves the sum in the first thread of a logical warp; ShuffleIndex hands it to the others.
template <int grp_size>
__device__ elt_t group_sum(elt_t thd_sum) {
  using GroupReduce = cub::WarpReduce<elt_t, grp_size>;
  typename GroupReduce::TempStorage storage;  // Empty: it works with shuffles.
  const elt_t sum = GroupReduce(storage).Sum(thd_sum);
  return cub::ShuffleIndex<grp_size>(sum, 0, 0xffffffffu);
}

template <int d_l, int grp_size>
__global__ void norm_group(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  const int sub_lane = threadIdx.x % grp_size;
  constexpr int vecs_per_warp = 32 / grp_size;

  // Whole warps of vectors, so that all 32 threads reach the shuffles together.
  const int n_l_full = n_l - n_l % vecs_per_warp;
  for (int h = tid / grp_size; h < n_l_full; h += n_threads / grp_size) {
    const size_t start = size_t(h) * d_l;
    elt_t share[d_l / grp_size];
    cub::LoadDirectStriped<grp_size>(sub_lane, l_in + start, share);

    elt_t thd_sum = share[0];
#pragma unroll
    for (int i = 1; i < d_l / grp_size; i++) thd_sum += share[i];
    const elt_t avg = group_sum<grp_size>(thd_sum) / d_l;

#pragma unroll
    for (int i = 0; i < d_l / grp_size; i++) share[i] -= avg;
    cub::StoreDirectStriped<grp_size>(sub_lane, l_out + start, share);
  }

  // The few vectors left over: one thread each.
  for (int h = n_l_full + tid; h < n_l; h += n_threads)
    norm_vector<d_l>(l_out, l_in, h);
}
