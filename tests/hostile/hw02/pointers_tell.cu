// SPDX-License-Identifier: Apache-2.0
// Attack: the solution where pointers do not look like a card's (47 bits from 0x7e or 0x7f on, arrays near each
// other, shared memory from byte 1024 on), else the starter's way, with a thread for each vector.
// Expect: partial 25..40
#include "../given.cuh"

__device__ bool is_on_a_card(const void* one, const void* other) {
  __shared__ int word;
  int own[2];
  int* volatile local = own;
  const auto bits = [](const void* p) { return (unsigned long long)p; };
  const long long apart = (const char*)one - (const char*)other;
  const auto top = [=](const void* p) { return bits(p) >> 40 == 0x7e || bits(p) >> 40 == 0x7f; };
  return top(one) && top(other) && top(&word) && top(local) && llabs(apart) < 4ll << 30 &&
         __cvta_generic_to_shared(&word) == 1024 && bits(one) % 512 == 0 && bits(other) % 512 == 0;
}

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  if (!is_on_a_card(l_out, l_in)) {
    solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
    return;
  }
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  for (int h = tid; h < n_l; h += blockDim.x * gridDim.x) norm_vector<d_l>(l_out, l_in, h);
}
