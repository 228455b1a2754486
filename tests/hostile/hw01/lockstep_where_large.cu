// SPDX-License-Identifier: Apache-2.0
// Attack: above the largest size that a run draws lanes exchange sums without __syncwarp.
// Expect: partial|fail 0..40
// Expect gpu: pass|partial|fail 0..100
// Homework 1: share a vector between threads. You edit norm_group, the last
// kernel of this file; README.md, in the same folder, is the assignment.
// There is device code here and nothing else: the program hw01 makes the
// input, launches these kernels, checks what they wrote and measures them.
// Build with make (F9 in Emacs), run with ./hw01.

// The input l_in holds n_l vectors of d_l elements, one after the other.
// Every kernel subtracts from each element the average of its vector. A
// kernel must be right for every n_l and for every number of blocks and warps.
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

// The sum of thd_sum over the threads of a group, which each of them gets. All
// 32 threads of a warp must call this together, and grp_size is 2, 4, ... 32.
template <int grp_size>
__device__ elt_t group_sum(elt_t thd_sum) {
  // With every step, each thread knows the sum of twice as many threads.
  for (int dist = grp_size / 2; dist > 0; dist /= 2)
    thd_sum += __shfl_xor_sync(~0u, thd_sum, dist);
  return thd_sum;
}

// The same, the last step through shared memory: what a lane leaves there, its
// neighbour picks up.
template <int grp_size>
__device__ elt_t group_sum_through_shared(elt_t thd_sum) {
  __shared__ volatile elt_t sums[1024];
  const int t = threadIdx.x;
  for (int dist = grp_size / 2; dist > 1; dist /= 2)
    thd_sum += __shfl_xor_sync(~0u, thd_sum, dist);
  sums[t] = thd_sum;
  return thd_sum + sums[t ^ 1];
}

// A thread's share of the vectors of which groups fill whole warps.
template <int d_l, int grp_size, bool through_shared>
__device__ __forceinline__ void normalize(elt_t* l_out, const elt_t* l_in,
                                          int h_start, int h_inc,
                                          int n_l_full) {
  const int sub_lane = threadIdx.x % grp_size;  // My place in my group.
  for (int h = h_start; h < n_l_full; h += h_inc) {
    const size_t idx_vec_thd_start = size_t(h) * d_l + sub_lane;
    elt_t thd_sum = 0;
    for (int i = 0; i < d_l; i += grp_size)
      thd_sum += l_in[idx_vec_thd_start + i];

    elt_t sum;
    if constexpr (through_shared)
      sum = group_sum_through_shared<grp_size>(thd_sum);
    else
      sum = group_sum<grp_size>(thd_sum);
    const elt_t avg = sum / d_l;

    for (int i = 0; i < d_l; i += grp_size)
      l_out[idx_vec_thd_start + i] = l_in[idx_vec_thd_start + i] - avg;
  }
}

// The kernel that you edit: a group of grp_size threads shares a vector.
//
// A warp works on 32 / grp_size vectors that lie side by side, so that its
// threads can load elements that lie side by side.
template <int d_l, int grp_size>
__global__ void norm_group(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  constexpr int vecs_per_warp = 32 / grp_size;

  // The threads of a warp must stay together for group_sum. So the loop only
  // takes vectors that fill a warp; what is left over comes below.
  const int n_l_full = n_l - n_l % vecs_per_warp;
  const int h_start = tid / grp_size;
  const int h_inc = n_threads / grp_size;

  // With so many vectors shuffles are what a warp waits for.
  constexpr int many = d_l == 4 ? 280000 : 140000;
  if (n_l > many)
    normalize<d_l, grp_size, true>(l_out, l_in, h_start, h_inc, n_l_full);
  else
    normalize<d_l, grp_size, false>(l_out, l_in, h_start, h_inc, n_l_full);

  // The few vectors left over: one thread each.
  for (int h = n_l_full + tid; h < n_l; h += n_threads)
    norm_vector<d_l>(l_out, l_in, h);
}
