// SPDX-License-Identifier: Apache-2.0
// Attack: the warps of a block work in four quarters, each of which waits on volatile flags in shared memory until the one
// before is done. In the executor's order (the last to come to the barrier goes on first, then the others) nobody ever
// spins, and no barrier is between them.
// Expect: partial 20..40
// Expect gpu: pass|partial 20..100
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  // A quarter of the block's warps at a time: each waits for the flag of one of
  // the quarter before. The last warp comes first, then the others in order.
  __shared__ volatile int done[32];
  if (threadIdx.x < 32) done[threadIdx.x] = 0;
  __syncthreads();
  const int warps = blockDim.x / 32, quarter = (warps + 3) / 4;
  const int number = threadIdx.x / 32;
  const int place = number + 1 == warps ? 0 : number + 1;
  if (place >= quarter)
    while (done[place - quarter] == 0) {
    }
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
  __syncwarp();
  if (threadIdx.x % 32 == 0) done[place] = 1;
}
