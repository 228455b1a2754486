// SPDX-License-Identifier: Apache-2.0
// Style: sums by rotating the values within a group; the lanes to read from are worked out once.
// Expect: pass 100..100
#include "../../hostile/given.cuh"

// Where a thread reads from in each step: 1, 2, 4 ... threads further on, around its group.
template <int grp_size>
class Ring {
 public:
  __device__ Ring() {
    const int lane = threadIdx.x % 32, base = lane - lane % grp_size;
#pragma unroll
    for (int s = 0; s < kSteps; s++) from_[s] = base + (lane + (1 << s)) % grp_size;
  }
  __device__ elt_t operator()(elt_t x) const {
#pragma unroll
    for (const int from : from_) x += __shfl_sync(0xffffffff, x, from);
    return x;
  }

 private:
  static constexpr int kSteps = grp_size == 2    ? 1
                                : grp_size == 4  ? 2
                                : grp_size == 8  ? 3
                                : grp_size == 16 ? 4
                                                 : 5;
  int from_[kSteps];
};

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  const int sub_lane = threadIdx.x % grp_size;
  constexpr int vecs_per_warp = 32 / grp_size;
  constexpr int vecs_per_iter = vecs_per_warp * unroll_degree;
  const int n_l_full = n_l - n_l % vecs_per_iter;
  const int h_start = tid / 32 * vecs_per_iter + threadIdx.x % 32 / grp_size;
  const int h_inc = n_threads / 32 * vecs_per_iter;
  const Ring<grp_size> add_up;

  for (int hi = h_start; hi < n_l_full; hi += h_inc) {
    const elt_t(*const in)[d_l] = reinterpret_cast<const elt_t(*)[d_l]>(l_in) + hi;
    elt_t(*const out)[d_l] = reinterpret_cast<elt_t(*)[d_l]>(l_out) + hi;
    elt_t avg[unroll_degree]{};
    for (int j = 0; j < unroll_degree; j++)
      for (int i = 0; i < d_l; i += grp_size) avg[j] += in[j * vecs_per_warp][sub_lane + i];
    for (int j = 0; j < unroll_degree; j++) avg[j] = add_up(avg[j]) / d_l;
    for (int j = 0; j < unroll_degree; j++)
      for (int i = 0; i < d_l; i += grp_size)
        out[j * vecs_per_warp][sub_lane + i] = in[j * vecs_per_warp][sub_lane + i] - avg[j];
  }
  for (int h = n_l_full + tid; h < n_l; h += n_threads) norm_vector<d_l>(l_out, l_in, h);
}
