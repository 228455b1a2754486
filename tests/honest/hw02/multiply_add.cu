// SPDX-License-Identifier: Apache-2.0
// Style: pointers to the end, one address for both arrays, each element read once, one multiply-
// add in place of a division and a subtraction: about 10 instructions an element.
// Expect: pass 100..100
#include "../../hostile/given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  constexpr int lanes = 32, share = d_l / grp_size;
  constexpr int vecs_per_warp = lanes / grp_size, vecs_per_iter = vecs_per_warp * unroll_degree;
  constexpr int apart = vecs_per_warp * d_l;
  constexpr elt_t minus_one_over = -1.0f / d_l;

  const int tid = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % lanes;
  const int n_warps = gridDim.x * blockDim.x / lanes;
  const int n_l_full = n_l / vecs_per_iter * vecs_per_iter;

  const size_t offset = size_t(tid / lanes) * (vecs_per_iter * d_l) +
                        lane / grp_size * d_l + lane % grp_size;
  const ptrdiff_t to_out = l_out - l_in;
  const ptrdiff_t step = ptrdiff_t(n_warps) * (vecs_per_iter * d_l);
  const elt_t* const end = l_in + size_t(n_l_full) * d_l;

  for (const elt_t* in = l_in + offset; in < end; in += step) {
    elt_t x[unroll_degree][share], sum[unroll_degree];
    for (int j = 0; j < unroll_degree; j++)
      for (int i = 0; i < share; i++) x[j][i] = in[j * apart + i * grp_size];
    for (int j = 0; j < unroll_degree; j++) {
      sum[j] = x[j][0];
      for (int i = 1; i < share; i++) sum[j] += x[j][i];
    }
    for (int dist = 1; dist < grp_size; dist += dist)
      for (int j = 0; j < unroll_degree; j++) sum[j] += __shfl_xor_sync(0xffffffff, sum[j], dist);
    elt_t* const out = const_cast<elt_t*>(in) + to_out;
    for (int j = 0; j < unroll_degree; j++)
      for (int i = 0; i < share; i++)
        out[j * apart + i * grp_size] = fmaf(sum[j], minus_one_over, x[j][i]);
  }
  for (int h = n_l_full + tid; h < n_l; h += n_warps * lanes) norm_vector<d_l>(l_out, l_in, h);
}
