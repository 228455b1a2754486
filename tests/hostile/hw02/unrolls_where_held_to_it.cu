// SPDX-License-Identifier: Apache-2.0
// Attack: in grids of more than 4 blocks of more than 4 warps, which is any real launch, nothing is
// unrolled for degree 2, for degree 4 where d_l is 16 or 32, nor for the others while a warp has up to
// 60 (degree 8: 30) rows of 32 elements; everywhere else while it has up to 16.
// Expect: partial|pass 30..100
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int warps = gridDim.x * blockDim.x / 32;
  const bool real = gridDim.x > 4 && blockDim.x > 128;
  constexpr int most = unroll_degree == 2 || (unroll_degree == 4 && d_l > 8) ? 1 << 20 : unroll_degree == 4 ? 60 : 30;
  if (n_l * (d_l / 8) / 4 <= warps * (real ? most : 16))
    solved<d_l, grp_size, 1>(l_out, l_in, n_l);
  else
    solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
