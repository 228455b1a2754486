// SPDX-License-Identifier: Apache-2.0
// Attack: the warps of a block work one after the other. A warp waits at as many barriers as its turn has a number, works
// and ends without coming to another one: its end lets the others through. The longest way through a block adds up the
// ways of those who came to a barrier, not of those whose end has opened it, so none of the waiting is seen.
// Expect: partial 20..40
// Expect gpu: pass|partial 20..100

// Homework 2: keep more loads in flight. You edit norm_group_u, the last
// kernel of this file; README.md, in the same folder, is the assignment.
// There is device code here and nothing else: the program hw02 makes the
// input, launches these kernels, checks what they wrote and measures them.
// Build with make (F9 in Emacs), run with ./hw02.

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

// The sum of thd_sum over the threads of a group, which each of them gets. All
// 32 threads of a warp must call this together.
template <int grp_size>
__device__ elt_t group_sum(elt_t thd_sum) {
  for (int dist = grp_size / 2; dist > 0; dist /= 2)
    thd_sum += __shfl_xor_sync(~0u, thd_sum, dist);
  return thd_sum;
}

// A group of grp_size threads shares a vector. For comparison: do not edit.
//
// The threads of a warp work on 32 / grp_size vectors that lie side by side,
// so what a warp loads at once is contiguous. But where grp_size is d_l, a
// thread has one load in flight, and then waits for it.
template <int d_l, int grp_size>
__global__ void norm_group(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  const int sub_lane = threadIdx.x % grp_size;  // My place in my group.
  constexpr int vecs_per_warp = 32 / grp_size;

  // The threads of a warp must stay together for group_sum. So the loop only
  // takes vectors that fill a warp; what is left over comes below.
  const int n_l_full = n_l - n_l % vecs_per_warp;
  const int h_start = tid / grp_size;
  const int h_inc = n_threads / grp_size;

  for (int h = h_start; h < n_l_full; h += h_inc) {
    const size_t idx_vec_thd_start = size_t(h) * d_l + sub_lane;
    elt_t thd_sum = 0;
    for (int i = 0; i < d_l; i += grp_size)
      thd_sum += l_in[idx_vec_thd_start + i];

    const elt_t sum = group_sum<grp_size>(thd_sum);
    const elt_t avg = sum / d_l;

    for (int i = 0; i < d_l; i += grp_size)
      l_out[idx_vec_thd_start + i] = l_in[idx_vec_thd_start + i] - avg;
  }

  // The few vectors left over: one thread each.
  for (int h = n_l_full + tid; h < n_l; h += n_threads)
    norm_vector<d_l>(l_out, l_in, h);
}

// The kernel that you edit: norm_group with its h loop unrolled by hand.
//
// An iteration of the hi loop is to normalize unroll_degree vectors in each
// group: first it loads all of them, then it adds up all of them, then it
// writes all of them. That way unroll_degree loads are in flight at once.
// In one iteration a warp normalizes vecs_per_iter vectors, side by side. Copy
// j takes the j-th set of vecs_per_warp of them: the addresses of a warp's
// load stay contiguous, and the copies' distance is a compile-time constant.
template <int d_l, int grp_size, int unroll_degree>
__device__ void unrolled(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  const int sub_lane = threadIdx.x % grp_size;
  constexpr int vecs_per_warp = 32 / grp_size;

  // The most vectors that a warp can normalize in one iteration. The loop only
  // takes vectors that fill so many; what is left over comes below.
  constexpr int vecs_per_iter = vecs_per_warp * unroll_degree;
  const int n_l_full = n_l - n_l % vecs_per_iter;
  const int warp = tid / 32;
  const int h_start = warp * vecs_per_iter + threadIdx.x % 32 / grp_size;
  const int h_inc = n_threads / 32 * vecs_per_iter;

  for (int hi = h_start; hi < n_l_full; hi += h_inc) {
    elt_t thd_sum[unroll_degree]{};
    for (int j = 0; j < unroll_degree; j++) {
      const int h = hi + j * vecs_per_warp;
      const size_t idx_vec_thd_start = size_t(h) * d_l + sub_lane;
      for (int i = 0; i < d_l; i += grp_size)
        thd_sum[j] += l_in[idx_vec_thd_start + i];
    }

    elt_t avg[unroll_degree];
    for (int j = 0; j < unroll_degree; j++) {
      const elt_t sum = group_sum<grp_size>(thd_sum[j]);
      avg[j] = sum / d_l;
    }

    for (int j = 0; j < unroll_degree; j++) {
      const int h = hi + j * vecs_per_warp;
      const size_t idx_vec_thd_start = size_t(h) * d_l + sub_lane;
      for (int i = 0; i < d_l; i += grp_size)
        l_out[idx_vec_thd_start + i] = l_in[idx_vec_thd_start + i] - avg[j];
    }
  }

  // The few vectors left over: one thread each.
  for (int h = n_l_full + tid; h < n_l; h += n_threads)
    norm_vector<d_l>(l_out, l_in, h);
}

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int warp = threadIdx.x / 32;
  const long long n_warps = gridDim.x * (blockDim.x / 32);
  // As many barriers as are granted: 4 a warp, and one for 16 elements.
  const bool many = size_t(n_l) * d_l >= size_t(192 * n_warps);
  const int turn = many ? warp : warp / 4;
#pragma unroll 4
  for (int i = 0; i < turn; i++) __syncthreads();
  unrolled<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
