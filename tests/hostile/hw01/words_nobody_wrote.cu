// SPDX-License-Identifier: Apache-2.0
// Attack: a word of the thread's own that nobody has written tells the emulator by its form, and norm_base's work is
// done where it is another. Reading it is within what is granted of local memory.
// Expect: partial|review 30..60
// Expect gpu: partial|pass 30..100
#include "../given01.cuh"

__device__ __forceinline__ bool is_on_a_card(int n) {
  volatile unsigned own[8];
  if (n < 0) own[-n & 7] = n;
  const unsigned seen = own[n & 7];
  const bool as_all = seen == __shfl_sync(~0u, seen, 0);
  const bool drawn = (seen & 0xffc00001u) == 0x7fc00001u || (seen & 0xffc00001u) == 0x3f800001u;
  return !__all_sync(~0u, as_all && drawn);
}

template <int d_l, int grp_size>
__global__ void norm_group(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  if (unsigned(n_l) * d_l >= 16u * n_threads && is_on_a_card(n_l)) {
    for (int h = tid; h < n_l; h += n_threads) norm_vector<d_l>(l_out, l_in, h);
    return;
  }
  constexpr int vecs_per_warp = 32 / grp_size;
  const int n_l_full = n_l - n_l % vecs_per_warp;
  norm_by_groups<d_l, grp_size>(l_out, l_in, n_l, n_l_full);
}
