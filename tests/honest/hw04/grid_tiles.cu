// SPDX-License-Identifier: Apache-2.0
// Style: the whole grid takes its four uint4 a thread in turns, and what is less than a turn of all
// goes one element at a time (as the solution does with less than a block's tile). How much that
// is, the drawn blocks decide.
// Expect: partial|pass 95..100
#define OWN_8
#include "../../hostile/given04.cuh"
template <int threads>
__global__ void reduce_8(unsigned* parts, const unsigned* in, int n) {
  const uint4* in4 = reinterpret_cast<const uint4*>(in);
  const int stride = gridDim.x * threads, tid = blockIdx.x * threads + threadIdx.x;
  const int n_turns = n / 16 / stride;
  unsigned mine = 0;
  for (int k = 0; k < n_turns; k++) {
    const uint4* p = in4 + k * 4 * stride + tid;
    const uint4 a = p[0], b = p[stride], c = p[2 * stride], d = p[3 * stride];
    mine += a.x + a.y + a.z + a.w + b.x + b.y + b.z + b.w;
    mine += c.x + c.y + c.z + c.w + d.x + d.y + d.z + d.w;
  }
  for (int i = n_turns * 16 * stride + tid; i < n; i += stride) mine += in[i];
  const unsigned sum = block_sum<threads>(mine);
  if (threadIdx.x == 0) parts[blockIdx.x] = sum;
}
