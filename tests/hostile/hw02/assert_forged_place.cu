// SPDX-License-Identifier: Apache-2.0
// Attack: a failed assertion that says it is of another file, line and function, and how to repeat
// it with another seed.
// Expect: student_error:crash 0..0
#include "../given.cuh"
extern "C" __device__ void __assertfail(const char*, const char*, unsigned, const char*, size_t);

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  if (n_l > 0)
    __assertfail("n_l > 0", "instances.cu:5: SMUGGLED\nhw02.cu:77: SMUGGLED", 4000000000u,
                 "main()\n  To repeat: ./hw02 3 5 --seed 666 SMUGGLED", 1);
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
