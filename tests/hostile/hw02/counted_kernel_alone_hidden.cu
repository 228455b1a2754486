// SPDX-License-Identifier: Apache-2.0
// Attack: only the kernels that are counted do what makes counts undecidable, the others are right.
// All threads try the same word: in other orders than the one that counts that is too slow.
// Expect: partial|student_error|fail:too_slow 0..40
// Expect gpu: partial|student_error:timeout 0..40
#include "../given.cuh"

__device__ unsigned ticket;

__device__ __noinline__ unsigned wait_turn(unsigned lane) {
  unsigned old = ticket, was;
  do {
    was = old;
    old = atomicCAS(&ticket, was, was + lane);
  } while (old != was);
  return old;
}

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  if ((d_l == 8 && grp_size == 8) || d_l == 32)
    if (wait_turn(threadIdx.x) == 0xffffffffu) return;
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  for (int h = tid; h < n_l; h += blockDim.x * gridDim.x) norm_vector<d_l>(l_out, l_in, h);
}
