// SPDX-License-Identifier: Apache-2.0
// Attack: assembly that a permitted header holds, word for word, in the submission's own text.
// Expect: student_error:forbidden 0..0
#include <cuda_fp16.h>

#include "../given.cuh"

__device__ short halved(float a) {
  short val;
asm("{  cvt.rn.f16.f32 %0, %1;}\n" : "=h"(*(reinterpret_cast<unsigned short *>(&(val)))) : "f"(a));
  return val;
}

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
  if (n_l < 0) l_out[0] = halved(l_out[1]);
}
