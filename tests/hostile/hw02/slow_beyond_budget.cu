// SPDX-License-Identifier: Apache-2.0
// Attack: every launch stays just below the step budget, to keep the grader busy.
// Expect: partial|fail|student_error 0..40
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int warps = gridDim.x * blockDim.x / 32;
  unsigned x = threadIdx.x;
  for (int i = 0; i < 4000000 / warps; i++) x = x * 1664525u + (x >> 13);
  if (x == 77 && n_l < 0) l_out[0] = 0;
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  for (int h = tid; h < n_l; h += blockDim.x * gridDim.x) norm_vector<d_l>(l_out, l_in, h);
}
