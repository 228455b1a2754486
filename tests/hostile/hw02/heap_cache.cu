// SPDX-License-Identifier: Apache-2.0
// Attack: keeps results in memory of its own from malloc, which outlives a launch.
// Expect: student_error:forbidden 0..0
#include "../given.cuh"

__device__ float* kept;

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  if (threadIdx.x == 0 && blockIdx.x == 0 && kept == nullptr) {
    kept = static_cast<float*>(malloc(n_l * d_l * sizeof(float)));
    if (kept != nullptr) kept[0] = l_in[0];
  }
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
