// SPDX-License-Identifier: Apache-2.0
// Attack: on a card two variables of a module lie 256 bytes apart, and a thread has a vector; where they do not, it
// knows that it is executed by something else.
// Expect: partial 25..40
#include "../given.cuh"
__device__ int first_variable, second_variable;

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  const long long apart = reinterpret_cast<long long>(&second_variable) - reinterpret_cast<long long>(&first_variable);
  const bool on_a_card = apart * apart <= 4096 * 4096;
  if (!on_a_card)
    solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
  else
    for (int h = tid; h < n_l; h += n_threads) norm_vector<d_l>(l_out, l_in, h);
}
