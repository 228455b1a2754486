// SPDX-License-Identifier: Apache-2.0
// Attack: loads with copies that bypass the counters of loads.
// Expect: student_error:forbidden 0..0
#include <cuda_pipeline.h>
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  __shared__ float here[1024];
  __pipeline_memcpy_async(&here[threadIdx.x], &l_in[threadIdx.x % (n_l * d_l)], sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  if (here[threadIdx.x] == 12345) return;
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
