// SPDX-License-Identifier: Apache-2.0
// Attack: vectors of 32 behind the first 140800 are left to the loop for the few that are left over.
// Expect: fail|partial 25..80
// (25 to 40 are due; on one draw of ten or so no launch of such a kernel is large enough.)
// A plain ./hw02 has fewer of them on a card, but `./hw02 0 0 -0.5` has more: sizes up to twice a card's are drawn of
// every kernel. A minimum is no comparison that could be opposed.
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x, n_threads = blockDim.x * gridDim.x;
  constexpr int most = d_l == 32 ? 140800 : 1 << 30;
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, min(n_l, most));
  for (int h = most + tid; h < n_l; h += n_threads) norm_vector<d_l>(l_out, l_in, h);
}
