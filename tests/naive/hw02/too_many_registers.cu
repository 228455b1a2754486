// SPDX-License-Identifier: Apache-2.0
// Style: software pipelining that takes 80 registers a thread, so that blocks of 32 warps do not
// fit: the launch bounds that would keep it to 64 were forgotten.
// Expect: student_error 28.5..28.75
#include "../../hostile/given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  const int lane = threadIdx.x % 32;
  constexpr int vecs_per_warp = 32 / grp_size;
  constexpr int vecs_per_iter = vecs_per_warp * unroll_degree;
  constexpr int share = d_l / grp_size, apart = vecs_per_warp * d_l;
  const int n_l_full = n_l - n_l % vecs_per_iter;
  const int h_inc = n_threads / 32 * vecs_per_iter;
  const int first = tid / 32 * vecs_per_iter;
  const size_t mine = size_t(first + lane / grp_size) * d_l + lane % grp_size;
  const elt_t* in = l_in + mine;
  elt_t* out = l_out + mine;

  elt_t next[unroll_degree][share];
  auto load_next = [&] {
#pragma unroll
    for (int j = 0; j < unroll_degree; j++)
#pragma unroll
      for (int i = 0; i < share; i++) next[j][i] = in[j * apart + i * grp_size];
    in += size_t(h_inc) * d_l;
  };

  if (first < n_l_full) load_next();
  for (int hi = first; hi < n_l_full; out += size_t(h_inc) * d_l) {
    elt_t now[unroll_degree][share];
#pragma unroll
    for (int j = 0; j < unroll_degree; j++)
#pragma unroll
      for (int i = 0; i < share; i++) now[j][i] = next[j][i];
    hi += h_inc;
    if (hi < n_l_full) load_next();
#pragma unroll
    for (int j = 0; j < unroll_degree; j++) {
      elt_t sum = 0;
#pragma unroll
      for (int i = 0; i < share; i++) sum += now[j][i];
      const elt_t avg = group_sum<grp_size>(sum) / d_l;
#pragma unroll
      for (int i = 0; i < share; i++) out[j * apart + i * grp_size] = now[j][i] - avg;
    }
  }
  for (int h = n_l_full + tid; h < n_l; h += n_threads) norm_vector<d_l>(l_out, l_in, h);
}
