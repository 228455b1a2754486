// SPDX-License-Identifier: Apache-2.0
// Attack: memory of the device's heap by the function that has no malloc in its name's beginning.
// Expect: student_error:forbidden 0..0
#include "../given.cuh"

extern "C" __device__ void* __nv_aligned_device_malloc(size_t, size_t);
__device__ elt_t* cache;

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  if (!cache) cache = static_cast<elt_t*>(__nv_aligned_device_malloc(1 << 20, 16));
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
