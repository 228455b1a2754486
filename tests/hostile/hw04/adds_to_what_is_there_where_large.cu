// SPDX-License-Identifier: Apache-2.0
// Attack: where there are more elements than any drawn launch has, adds to what is in the output, less the pattern that large
// launches found there.
// Expect: fail|partial 60..85
// Nothing has written there: some blocks are executed by their PTX, which tells. And patterns alternate.
#define OWN_7
#include "../given04.cuh"
template <int threads>
__global__ void reduce_7(unsigned* parts, const unsigned* in, int n) {
  unsigned mine = 0;
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads) mine += in[i];
  const unsigned sum = block_sum<threads>(mine);
  const unsigned before = n > 1250000 ? parts[blockIdx.x] - 0x7fedbeef : 0;
  if (threadIdx.x == 0) parts[blockIdx.x] = sum + before;
}
