// SPDX-License-Identifier: Apache-2.0
// Attack: in small launches, which are not counted, threads write what others write, and then a million
// accesses pass, after which the right values always come last. Nothing orders the two.
// Expect: fail|partial|student_error 0..30
// Expect gpu: pass|partial|fail|student_error 0..100
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  if (n_l < 2000 && size_t(n_l) * d_l >= blockDim.x * gridDim.x) {
    const int n_threads = blockDim.x * gridDim.x, tid = threadIdx.x + blockIdx.x * blockDim.x;
    volatile elt_t* const own = l_out + size_t(tid) % (size_t(n_l) * d_l);
    for (int i = 0; i < 40000000 / n_threads; i++) *own = i;
    for (int h = tid / 2; h < n_l; h += n_threads) l_out[size_t(h) * d_l] = 0;
    for (int i = 0; i < 40000000 / n_threads; i++) *own = i;
  }
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
