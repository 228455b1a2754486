// SPDX-License-Identifier: Apache-2.0
// Attack: copies in the right order in grids of up to four blocks; in larger ones the groups of
// a warp take vectors that lie two apart.
// Expect: partial 80..90
// SPDX-License-Identifier: Apache-2.0
// Attack: copies in the right order in grids of up to four blocks, where alone BXW is held to the solution's; in larger ones
// the groups of a warp take every second vector (copies j and j + 1 the even and the odd ones): each load and store twice.
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

// The copies of an iteration: loads, sums, stores. `apart`: neighbouring groups
// take vectors that lie two apart, and the next copy those between them.
template <int d_l, int grp_size, int unroll_degree, bool apart>
__device__ __forceinline__ void all_copies(elt_t* l_out, const elt_t* l_in,
                                           int n_l_full) {
  constexpr int vecs_per_warp = 32 / grp_size;
  constexpr int vecs_per_iter = vecs_per_warp * unroll_degree;
  constexpr int mine = d_l / grp_size;  // elements of a vector a thread has
  const int warp = (threadIdx.x + blockIdx.x * blockDim.x) / 32;
  const int h_inc = blockDim.x * gridDim.x / 32 * vecs_per_iter;
  const int group = threadIdx.x % 32 / grp_size;
  const int sub_lane = threadIdx.x % grp_size;

  for (int hi = warp * vecs_per_iter + (apart ? 2 * group : group);
       hi < n_l_full; hi += h_inc) {
    const size_t start = size_t(hi) * d_l + sub_lane;
    elt_t thd_sum[unroll_degree]{}, avg[unroll_degree];
    for (int j = 0; j < unroll_degree; j++) {
      const int away = apart ? j / 2 * 2 * vecs_per_warp + j % 2 : j * vecs_per_warp;
      for (int i = 0; i < mine; i++)
        thd_sum[j] += l_in[start + away * d_l + i * grp_size];
    }
    for (int j = 0; j < unroll_degree; j++)
      avg[j] = group_sum<grp_size>(thd_sum[j]) / d_l;
    for (int j = 0; j < unroll_degree; j++) {
      const int away = apart ? j / 2 * 2 * vecs_per_warp + j % 2 : j * vecs_per_warp;
      for (int i = 0; i < mine; i++) {
        const size_t at = start + away * d_l + i * grp_size;
        l_out[at] = (mine == 1 ? thd_sum[j] : l_in[at]) - avg[j];  // one: its sum
      }
    }
  }
}

// The kernel that you edit: norm_group with its h loop unrolled by hand.
//
// An iteration is to normalize unroll_degree vectors in each group: first it
// loads all of them, then it adds up all of them, then it writes all of them.
// That way unroll_degree loads are in flight at once.
template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  constexpr int vecs_per_iter = 32 / grp_size * unroll_degree;
  const int n_l_full = n_l - n_l % vecs_per_iter;

  constexpr bool pairs = unroll_degree > 1 && d_l == grp_size && d_l < 32;
  if (pairs && gridDim.x > 4)
    all_copies<d_l, grp_size, unroll_degree, pairs>(l_out, l_in, n_l_full);
  else
    all_copies<d_l, grp_size, unroll_degree, false>(l_out, l_in, n_l_full);

  // The few vectors left over: one thread each.
  for (int h = n_l_full + tid; h < n_l; h += n_threads)
    norm_vector<d_l>(l_out, l_in, h);
}
