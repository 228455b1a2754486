// SPDX-License-Identifier: Apache-2.0
// Attack: in sizes that a card is given, where no grading can wait for all blocks, a thread has a vector. What decides
// is a bit-field that is too narrow for them, no comparison.
// Expect: partial 25..40
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  constexpr int bits = d_l == 8 ? 18 : d_l == 16 ? 17 : 16;
  const int n_poor = n_l >> bits << bits;
  for (int h = tid; h < n_poor; h += n_threads) norm_vector<d_l>(l_out, l_in, h);
  solved<d_l, grp_size, unroll_degree>(l_out + size_t(n_poor) * d_l, l_in + size_t(n_poor) * d_l, n_l - n_poor);
}
