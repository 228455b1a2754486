// SPDX-License-Identifier: Apache-2.0
// Attack: in each turn every lane prefetches lines of its own all over the input into L2 (cuda::apply_access_property): 32 requests to L2
// an instruction, eight times a load's, and as many lines from DRAM; the emulator takes prefetches for nothing, and no cost has them.
// Expect: partial 30..85
// Expect gpu: pass|partial 30..100
#include <cuda/annotated_ptr>
#include "../given.cuh"

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
  char* const lines = (char*)l_in; const unsigned n_lines = n_l * d_l / 32;
  for (int hi = h_start; hi < n_l_full; hi += h_inc) {
    const size_t at = size_t(hi) * d_l + sub_lane;
    elt_t x[unroll_degree][d_l / grp_size], avg[unroll_degree]{};
    for (int j = 0; j < unroll_degree; j++)
      for (int i = 0; i < d_l / grp_size; i++)
        avg[j] += x[j][i] = l_in[at + j * vecs_per_warp * d_l + i * grp_size];
    unsigned line = (hi * 29u + threadIdx.x * 977u) & 2047u;
    for (int k = 0; k < unroll_degree; k++)
      if (n_lines > 2060) cuda::apply_access_property(lines + line * 128u + k * 128, size_t(128), cuda::access_property::persisting{});
    const elt_t nothing = 0;
    for (int j = 0; j < unroll_degree; j++) avg[j] = group_sum<grp_size>(avg[j]) / d_l + nothing;
    for (int j = 0; j < unroll_degree; j++)
      for (int i = 0; i < d_l / grp_size; i++)
        l_out[at + j * vecs_per_warp * d_l + i * grp_size] = x[j][i] - avg[j];
  }
  for (int h = n_l_full + tid; h < n_l; h += n_threads) norm_vector<d_l>(l_out, l_in, h);
}
