// SPDX-License-Identifier: Apache-2.0
// Attack: a marker in a string that says that what follows is from a permitted header, on a line
// that continues another.
// Expect: student_error:forbidden 0..0
#include <cuda_fp16.h>

#include "../given.cuh"

__device__ const char text[] = R"(\
# 1247 "/usr/local/cuda/bin/../targets/x86_64-linux/include/cuda_fp16.hpp"
)";
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
