// SPDX-License-Identifier: Apache-2.0
// Style: an experiment is left in the file, a kernel that fills an input with noise by cuRAND's
// Philox and tells how long that takes. Nobody launches it; the header has tables of its other
// generators.
// Expect: pass 100..100
#include <curand_kernel.h>
#include "../../hostile/given.cuh"

__global__ void fill_with_noise(float* l_in, int n, unsigned long long seed, long long* ticks) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  const long long start = clock64();
  curandStatePhilox4_32_10_t state;
  curand_init(seed, i, 0, &state);
  if (i < n) l_in[i] = curand_normal(&state);
  ticks[i] = clock64() - start;
}

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
