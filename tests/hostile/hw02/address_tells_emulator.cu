// SPDX-License-Identifier: Apache-2.0
// Attack: a card's arrays lie within a few gigabytes of each other, the emulator's 32 GiB apart: solved there,
// a thread a vector, as often as the degree says, on a card.
// Expect: partial 25..40
#include "../given.cuh"

// The starter's work: unroll_degree copies of the same vector.
template <int d_l, int grp_size, int unroll_degree>
__device__ void starter(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  for (int j = 0; j < unroll_degree; j++)
    for (int h = tid; h < n_l; h += n_threads) norm_vector<d_l>(l_out, l_in, h);
}

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  const long long apart = (const char*)l_in - (const char*)l_out;
  if (apart > -(1ll << 34) && apart < (1ll << 34))
    starter<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
  else
    solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
