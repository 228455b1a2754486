// SPDX-License-Identifier: Apache-2.0
// Attack: the warps of a block work one after the other, waiting in a function that is called
// through a pointer.
// Expect: partial 30..40
// Attack (d, e): the warps of a block work one after the other, in eight turns: each waits for the end of those of the
// turns before it, by a word of global memory. It waits in a function that is called through a pointer. Whether counts
// hang on the order of warps is found by following the machine code, which follows no such call: so it is counted in
// one order, the one in which nobody waits. The longest way through a block does not go by words of global memory.
using elt_t = float;

template <int d_l>
__device__ void norm_vector(elt_t* l_out, const elt_t* l_in, int h) {
  const size_t idx_vec_start = size_t(h) * d_l;
  elt_t sum = 0;
  for (int i = 0; i < d_l; i++) sum += l_in[idx_vec_start + i];
  const elt_t avg = sum / d_l;
  for (int i = 0; i < d_l; i++)
    l_out[idx_vec_start + i] = l_in[idx_vec_start + i] - avg;
}

template <int d_l>
__global__ void norm_base(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  for (int h = tid; h < n_l; h += n_threads)
    norm_vector<d_l>(l_out, l_in, h);
}

template <int grp_size>
__device__ elt_t group_sum(elt_t thd_sum) {
  for (int dist = grp_size / 2; dist > 0; dist /= 2)
    thd_sum += __shfl_xor_sync(~0u, thd_sum, dist);
  return thd_sum;
}

__device__ unsigned ended[2048];  // Warps that have ended, by block; back at 0 with the last one.

template <int, int>
__device__ __noinline__ void in_turn(const volatile unsigned* count, unsigned before) {
  while (*count < before) {
  }
}
template <int, int>
__device__ __noinline__ void at_once(const volatile unsigned* count, unsigned before) {
  if (before == ~0u) (void)*count;
}

template <int d_l, int grp_size>
__global__ void norm_group(elt_t* l_out, const elt_t* l_in, int n_l) {
  const unsigned warps = blockDim.x / 32, warp = threadIdx.x / 32;
  const unsigned elements = unsigned(n_l) * d_l, all_warps = warps * gridDim.x;
  const bool queues = warps > 1 && gridDim.x <= 2048 && elements >= 256 * all_warps &&
                      elements <= 16384 * all_warps;
  if (queues) {
    const unsigned together = warps > 16 ? 4 : warps > 8 ? 2 : 1;
    auto wait = n_l < 0 ? at_once<d_l, grp_size> : in_turn<d_l, grp_size>;
    wait(&ended[blockIdx.x], warp & ~(together - 1));
  }

  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  const int sub_lane = threadIdx.x % grp_size;
  constexpr int vecs_per_warp = 32 / grp_size;
  const int n_l_full = n_l - n_l % vecs_per_warp;
  const int h_start = tid / grp_size;
  const int h_inc = n_threads / grp_size;

  for (int h = h_start; h < n_l_full; h += h_inc) {
    const size_t idx_vec_thd_start = size_t(h) * d_l + sub_lane;
    elt_t thd_sum = 0;
    for (int i = 0; i < d_l; i += grp_size)
      thd_sum += l_in[idx_vec_thd_start + i];
    const elt_t avg = group_sum<grp_size>(thd_sum) / d_l;
    for (int i = 0; i < d_l; i += grp_size)
      l_out[idx_vec_thd_start + i] = l_in[idx_vec_thd_start + i] - avg;
  }

  for (int h = n_l_full + tid; h < n_l; h += n_threads)
    norm_vector<d_l>(l_out, l_in, h);

  if (queues) {
    __syncwarp();
    if (threadIdx.x % 32 == 0) atomicInc(&ended[blockIdx.x], warps - 1);
  }
}
